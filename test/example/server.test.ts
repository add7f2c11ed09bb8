import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { naming } from '../naming.ts'

const TIMEOUT = 60_000

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelrest-server-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const run = (environment: Record<string, string>) => {
  const child = spawn(process.execPath, ['examples/shop/server.ts'], {
    env: { ...process.env, DATABASE: join(folder, 'shop.db'), SEED_PRODUCTS: '100', ...environment },
  })
  children.push(child)
  let output = ''
  const waiting = new Set<() => void>()
  const collect = (chunk: Buffer): void => {
    output += chunk.toString()
    for (const look of waiting) look()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code))
  })
  const says = (what: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = what.exec(output)
        if (found === null) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      ended.then((code) => reject(new Error(`The server ended with ${code}: ${output}`)))
      look()
    })
  return { child, ended, says, output: () => output }
}

describe('npm start', () => {
  it('protects everything with AUTH=1, for a demo user that it prints', async () => {
    const server = run({ PORT: '0', AUTH: '1' })
    const [, api = ''] = await server.says(/^Shop API +(http\S+)$/m)
    const [, login = ''] = await server.says(/ POST (http\S+)$/m)
    const [, user = ''] = await server.says(/ (\{.*\})$/m)
    expect((await fetch(api)).status).toBe(401)
    const reply = await fetch(login, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: user,
    })
    const { access } = (await reply.json()) as { access: string }
    const list = await fetch(api, { headers: { authorization: `Bearer ${access}` } })
    expect(await list.json()).toMatchObject({ count: 100 })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints where the API and its documentation are, and closes on %s',
    async (signal) => {
      const server = run({ PORT: '0' })
      const [, api = ''] = await server.says(/^Shop API +(http\S+)$/m)
      const [, docs = ''] = await server.says(/ (http\S+\/docs\/?)$/m)
      expect(await (await fetch(api)).json()).toMatchObject({ count: 100 })
      expect((await fetch(docs)).status).toBe(200)
      server.child.kill(signal)
      expect(await server.ended).toBe(0)
    },
    TIMEOUT,
  )

  it(
    'serves with synchronous handlers where SYNC says so, its controllers too',
    async () => {
      const server = run({ PORT: '0', SYNC: '1' })
      const [, api = ''] = await server.says(/^Shop API +(http\S+)$/m)
      await server.says(/\bisAsync: false\b/)
      expect(await (await fetch(api)).json()).toMatchObject({ count: 100 })
      const order = new URL('orders/?q=status==paid&limit=1', new URL('..', api))
      const { items } = (await (await fetch(order)).json()) as { items: readonly { id: number }[] }
      const changed = await fetch(new URL(`${items[0]?.id}`, order), {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"status":"shipped"}',
      })
      expect(await changed.json()).toMatchObject({ status: 'shipped', shipped_at: expect.any(String) })
      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)
    },
    TIMEOUT,
  )

  it(
    'says what to do where the port is in use',
    async () => {
      const other = createServer()
      const port = await new Promise<number>((resolve) => {
        other.listen(0, '127.0.0.1', () => {
          const address = other.address()
          resolve(typeof address === 'object' && address !== null ? address.port : 0)
        })
      })
      const server = run({ PORT: String(port) })
      expect(await server.ended).toBe(1)
      other.close()
      expect(server.output()).toMatch(naming(port, `PORT=${port + 1} npm start`))
      expect(server.output()).not.toContain('    at ')
    },
    TIMEOUT,
  )

  it.each([
    [{ PORT: 'http' }, ['PORT', 65535, '"http"']],
    [{ PORT: '70000' }, ['PORT', 65535, '"70000"']],
    [{ SEED_PRODUCTS: 'many' }, ['SEED_PRODUCTS', 100, '"many"']],
    [{ SYNC: 'yes' }, ['SYNC', 1, 0, '"yes"']],
    [{ DATABASE_URL: 'mongodb://here/shop' }, ['DATABASE_URL', 'postgres://', 'mysql://', 'mongodb://']],
    [{ AUTH: '1', REDIS_URL: 'redis://127.0.0.1' }, ['REDIS_URL', 'SECRET_KEY']],
  ])(
    'refuses %o',
    async (environment, names) => {
      const server = run(environment)
      expect(await server.ended).toBe(1)
      expect(server.output()).toMatch(naming(...names))
    },
    TIMEOUT,
  )
})
