import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { skipWithout, tag } from '../needed-program.ts'
import { exchanges } from '../readme/exchanges.ts'
import { serving } from '../readme/server.ts'
import { createDatabase } from '../servers/test-database.ts'
import { samples } from '../upload/samples.ts'
import { type Folder, folderWithPackage, program } from './folders.ts'
import { start } from './in-process.ts'

const files = globSync('examples/*.ts')
const codeLinesOf = (file: string): number =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('//')).length

test('there are five, each of at most 40 lines of code', () => {
  expect(files).toHaveLength(5)
  expect(files.filter((file) => codeLinesOf(file) > 40)).toEqual([])
})

let folder: Folder
beforeAll(() => {
  folder = folderWithPackage(
    inject('unpacked'),
    Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')])),
  )
})
afterAll(() => folder?.remove())

type Asked = { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }

/** Starts an example, and gives what sends requests to it. */
const asking = async (name: string, env: Readonly<Record<string, string>> = {}) => {
  const { origin, close } = await start(folder.path, `examples/${name}.ts`, env)
  onTestFinished(close)
  return askingAt(origin)
}

const askingAt =
  (origin: string) =>
  async (method: string, path: string, { headers = {}, body }: Asked = {}) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined }
  }

test('one-file serves its tables and its documentation, and answers the first request of the README', async () => {
  const ask = await asking('one-file')
  expect((await ask('POST', '/projects/', { body: { name: 'Launch' } })).status).toBe(201)
  expect(await ask('POST', '/tasks/', { body: { title: 'Write the report', project_id: 1 } })).toMatchObject({
    status: 201,
    json: { id: 1, title: 'Write the report', done: false },
  })
  const [first] = exchanges(readFileSync('README.md', 'utf8'), 'modelrest')
  const path = /localhost:3000([^']*)/.exec(first?.command ?? '')?.[1] ?? ''
  expect((await ask('GET', path)).text).toBe(first?.answer)
  expect((await ask('PATCH', '/tasks/1', { body: { done: true } })).json).toMatchObject({ done: true })
  expect((await ask('GET', '/tasks/?q=done=true')).json).toMatchObject({ count: 1 })
  expect((await ask('GET', '/docs')).status).toBe(200)
})

test('tenants sees the tickets of the own tenant', async () => {
  const ask = await asking('tenants')
  const acme = { headers: { 'x-api-key': 'acme-key' } }
  const globex = { headers: { 'x-api-key': 'globex-key' } }
  expect((await ask('GET', '/tickets/')).status).toBe(401)
  expect(await ask('POST', '/tickets/', { ...acme, body: { subject: 'Lamp' } })).toMatchObject({
    status: 201,
    json: { id: 1, subject: 'Lamp' },
  })
  expect((await ask('GET', '/tickets/1', acme)).status).toBe(200)
  expect((await ask('GET', '/tickets/1', globex)).status).toBe(404)
  expect((await ask('GET', '/tickets/', globex)).json).toMatchObject({ items: [], count: 0 })
  expect((await ask('GET', '/tickets/', acme)).text).not.toContain('tenant')
})

test('files stores an upload and serves it at its URL', async () => {
  const ask = await asking('files', { MEDIA: join(folder.path, 'media') })
  const body = new FormData()
  body.set('title', 'Manual')
  body.set('content', new Blob([samples.pdf], { type: 'application/pdf' }), 'manual.pdf')
  const { status, json } = await ask('POST', '/documents/', { body })
  expect([status, json]).toMatchObject([201, { title: 'Manual', cover: null }])
  expect((await ask('GET', json.content)).status).toBe(200)
})

test('schemas-and-hooks validates, fills in and refuses', async () => {
  const ask = await asking('schemas-and-hooks')
  const refused = await ask('POST', '/articles/', { body: { title: ' x ' } })
  expect([refused.status, refused.json.errors[0].pointer]).toEqual([422, '/title'])
  expect((await ask('POST', '/articles/', { body: { title: ' Hello World ' } })).json).toMatchObject({
    title: 'Hello World',
    slug: 'hello-world',
  })
  await ask('POST', '/articles/', { body: { title: 'Imprint' } })
  expect((await ask('DELETE', '/articles/2')).status).toBe(400)
  expect((await ask('DELETE', '/articles/1')).status).toBe(204)
})

test('postgres-login shows each user only their own notes', { tags: [tag] }, async (context) => {
  skipWithout(context, 'postgres')
  const database = await createDatabase('login')
  // In a process of its own: it does not end its connections before.
  const env = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(64) }
  const server = await serving(`${program('node')} examples/postgres-login.ts`, folder.path, '/docs', env)
  try {
    const ask = askingAt(server.origin)
    const registered = async (email: string) => {
      const { json } = await ask('POST', '/auth/register', {
        body: { email, password: 'correct horse battery' },
      })
      return { headers: { authorization: `Bearer ${json.access}` } }
    }
    const ada = await registered('ada@example.com')
    const grace = await registered('grace@example.com')
    expect((await ask('GET', '/notes/')).status).toBe(401)
    expect((await ask('POST', '/notes/', { ...ada, body: { text: 'mine' } })).status).toBe(201)
    expect((await ask('GET', '/notes/', ada)).json).toMatchObject({ count: 1 })
    expect((await ask('GET', '/notes/', grace)).json).toMatchObject({ count: 0 })
  } finally {
    await server.stop()
    await database.drop()
  }
})
