import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sendAsCurl } from '../readme/exchanges.ts'
import type { Started } from './in-process.ts'
import { type PageProject, pageProject } from './page-project.ts'

interface Session {
  readonly token: () => Promise<string | undefined>
}
type Providers = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>

let project: PageProject
let server: Started
beforeAll(async () => {
  project = await pageProject('docs/admin.md', inject('unpacked'))
  server = await project.start('server.ts')
  const register = project.blocks.find(({ text }) => text.includes('/auth/register'))?.text ?? ''
  await sendAsCurl(register, server.origin)
})
afterAll(() => {
  server?.close()
  project?.folder.remove()
})

const load = (file: string): Promise<Readonly<Record<string, (...given: readonly unknown[]) => unknown>>> =>
  import(join(project.folder.path, file))

const storeOf = (kept: Map<string, string>) => ({
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => void kept.set(name, value),
  removeItem: (name: string) => void kept.delete(name),
})

/** What the frontend has, before its user logs in. */
const frontend = async (
  auth: string,
  data: string,
): Promise<{ auth: Providers; data: Providers; session: Session; kept: Map<string, string> }> => {
  const kept = new Map<string, string>()
  const session = (await load('session.ts'))['sessionOf']?.(server.origin, storeOf(kept)) as Session
  const api = { url: server.origin, token: session.token }
  return {
    auth: (await load(auth))['authProvider']?.(session) as Providers,
    data: (await load(data))['dataProvider']?.(api) as Providers,
    ...{ session, kept },
  }
}

const expired = `.${Buffer.from('{"exp":0}').toString('base64url')}.`
const email = 'ada@example.com'
const password = 'a lamp for every desk'

test('react-admin logs in, reads and writes, renews its token and logs out', async () => {
  const { auth, data, session, kept } = await frontend('react-admin-auth.ts', 'react-admin.ts')
  await expect(auth['checkAuth']?.()).rejects.toThrow()
  const anonymous = await data['getList']?.('products', {}).catch((error: unknown) => error)
  expect(anonymous).toMatchObject({ status: 401 })
  await expect(auth['checkError']?.(anonymous)).rejects.toThrow()
  await auth['checkError']?.({ status: 403 })

  await expect(auth['login']?.({ username: email, password: 'wrong' })).rejects.toMatchObject({
    status: 401,
  })
  await auth['login']?.({ username: email, password })
  await auth['checkAuth']?.()
  expect(await auth['getIdentity']?.()).toMatchObject({ id: '1', fullName: email })
  expect(await data['create']?.('products', { data: { name: 'Lamp' } })).toMatchObject({ data: { id: 1 } })

  kept.set('access', expired)
  const tokens = await Promise.all([session.token(), session.token()])
  expect(tokens[0]).toBe(tokens[1])
  expect(tokens[0]).not.toBe(expired)
  expect(await data['getList']?.('products', {})).toMatchObject({ total: 1 })

  kept.set('access', expired).set('refresh', 'not a token')
  await expect(auth['checkAuth']?.()).rejects.toThrow()
  expect(kept.size).toBe(0)

  await auth['login']?.({ username: email, password })
  await auth['logout']?.()
  await auth['logout']?.()
  await expect(auth['checkAuth']?.()).rejects.toThrow()
})

test('refine logs in, reads, and logs out', async () => {
  const { auth, data } = await frontend('refine-auth.ts', 'refine.ts')
  expect(await auth['check']?.()).toMatchObject({ authenticated: false })
  const refused = await auth['login']?.({ email, password: 'wrong' })
  expect(refused).toMatchObject({ success: false, error: { statusCode: 401 } })
  expect(await auth['login']?.({ email, password })).toMatchObject({ success: true })
  expect(await auth['check']?.()).toEqual({ authenticated: true })
  expect(await auth['getIdentity']?.()).toMatchObject({ email })
  expect(await data['getList']?.({ resource: 'products' })).toMatchObject({ total: expect.any(Number) })
  expect(await auth['onError']?.({ statusCode: 401 })).toMatchObject({ logout: true })
  expect(await auth['onError']?.({ statusCode: 403 })).not.toHaveProperty('logout')
  expect(await auth['logout']?.()).toMatchObject({ success: true })
  expect(await auth['check']?.()).toMatchObject({ authenticated: false })
})

test.each(['PUT', 'PATCH', 'DELETE'])('a browser may send %s from the origin of the page', async (method) => {
  const headers = {
    origin: 'http://localhost:5173',
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
  }
  const response = await fetch(`${server.origin}/products/1`, { method: 'OPTIONS', headers })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe(headers.origin)
  expect(response.headers.get('access-control-allow-methods')).toContain(method)
})
