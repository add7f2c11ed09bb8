import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { setCookie } from 'hono/cookie'
import { cors } from 'hono/cors'
import { csrf } from 'hono/csrf'
import { etag } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'
import { diskStorage, ModelRest } from 'modelrest/hono'
import { memorySource } from 'modelrest/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { send } from '../../../src/testing/host/http-client.ts'
import { note, tasks } from '../stage.ts'
import { listenHono } from './listen.ts'

const directory = mkdtempSync(join(tmpdir(), 'hono-'))
beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterAll(() => {
  vi.restoreAllMocks()
  rmSync(directory, { recursive: true })
})

const models = tasks(note)

/** Behind a base path, and behind middleware of the application or of the part that has the base path. */
const behind = async (handlers: readonly MiddlewareHandler[], isInside: boolean) => {
  const root = new Hono()
  const app = root.basePath('/api')
  for (const handler of handlers) (isInside ? app : root).use('*', handler)
  const storage = diskStorage({ directory })
  await new ModelRest(app, { models, controllers: [], fileFields: { Task: ['note'] }, storage }).init()
  const { port, stop } = await listenHono(root)
  onTestFinished(stop)
  return (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    send(port, method, `/api${path}`, { headers, ...(body !== undefined && { body }) })
}

const json = { 'content-type': 'application/json' }
const origin = 'https://shop.example'
const all: readonly MiddlewareHandler[] = [
  cors({ origin, credentials: true }),
  secureHeaders(),
  compress({ threshold: 100 }),
  etag(),
  csrf({ origin }),
]
const form = { 'content-type': 'multipart/form-data; boundary=x' }
const title = 'a'.repeat(2000)
const formOf = (content: string): string =>
  [
    '--x\r\ncontent-disposition: form-data; name="title"\r\n\r\na',
    `--x\r\ncontent-disposition: form-data; name="note"; filename="note.txt"\r\n\r\n${content}`,
    '--x--\r\n',
  ].join('\r\n')

describe.each([
  ['the application', false],
  ['the base path', true],
])('middleware of %s', (_, isInside) => {
  it('cors() responds to preflights, and its headers stay in every response', async () => {
    const ask = await behind([cors({ origin, credentials: true })], isInside)
    const preflight = await ask('OPTIONS', '/tasks/', { origin, 'access-control-request-method': 'PATCH' })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, origin])
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH')
    for (const [method, path, status] of [
      ['GET', '/tasks/', 200],
      ['GET', '/tasks/9', 404],
      ['PUT', '/tasks/', 405],
    ] as const) {
      const { headers, ...response } = await ask(method, path, { origin })
      expect([response.status, headers['access-control-allow-origin']]).toEqual([status, origin])
    }
  })

  it('secureHeaders() stays in every response', async () => {
    const ask = await behind([secureHeaders()], isInside)
    for (const path of ['/tasks/', '/tasks/9'])
      expect((await ask('GET', path)).headers['x-content-type-options']).toBe('nosniff')
  })

  it('compress() compresses responses', async () => {
    const ask = await behind([compress()], isInside)
    expect((await ask('POST', '/tasks/', json, JSON.stringify({ title }))).status).toBe(201)
    const packed = await ask('GET', '/tasks/', { 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(String(gunzipSync(packed.bytes))).toContain(title)
    const missing = await ask('GET', '/tasks/9', { 'accept-encoding': 'gzip' })
    expect([missing.status, missing.headers['content-type']]).toEqual([404, 'application/problem+json'])
    expect((await ask('GET', '/tasks/9')).json).toMatchObject({ status: 404 })
  })

  it('etag() lets clients keep what has not changed', async () => {
    const ask = await behind([etag()], isInside)
    await ask('POST', '/tasks/', json, '{"title":"a"}')
    const first = await ask('GET', '/tasks/')
    const tag = String(first.headers['etag'])
    const same = await ask('GET', '/tasks/', { 'if-none-match': tag })
    expect([same.status, same.text, same.headers['etag']]).toEqual([304, '', tag])
    await ask('POST', '/tasks/', json, '{"title":"b"}')
    expect((await ask('GET', '/tasks/', { 'if-none-match': tag })).status).toBe(200)
  })

  it('csrf() refuses forms of other sites', async () => {
    const ask = await behind([csrf({ origin })], isInside)
    const send = (from: string) => ask('POST', '/tasks/', { ...form, origin: from }, formOf('text'))
    expect((await send('https://evil.example')).status).toBe(403)
    expect((await send(origin)).status).toBe(201)
    const ofJson = await ask('POST', '/tasks/', { ...json, origin: 'https://evil.example' }, '{"title":"a"}')
    expect(ofJson.status).toBe(201)
  })

  it('works together, also for files', async () => {
    const ask = await behind(all, isInside)
    const content = 'text '.repeat(1000)
    const created = await ask('POST', '/tasks/', { ...form, origin }, formOf(content))
    expect([created.status, created.headers['x-content-type-options']]).toEqual([201, 'nosniff'])
    const { id, note } = created.json as { id: number; note: string }
    const path = new URL(note, 'http://localhost').pathname.replace('/api', '')
    const file = await ask('GET', path, { origin })
    expect([file.status, file.text]).toEqual([200, content])
    const part = await ask('GET', path, { range: 'bytes=0-3' })
    expect([part.status, part.text]).toEqual([206, 'text'])
    const packed = await ask('GET', path, { 'accept-encoding': 'gzip' })
    expect(
      String(packed.headers['content-encoding'] === 'gzip' ? gunzipSync(packed.bytes) : packed.text),
    ).toBe(content)
    const tag = String(file.headers['etag'])
    expect((await ask('GET', path, { 'if-none-match': tag })).status).toBe(304)
    expect((await ask('HEAD', `/tasks/${id}`)).status).toBe(200)
    expect((await ask('DELETE', `/tasks/${id}`, { origin })).status).toBe(204)
    expect((await ask('GET', `/tasks/${id}`)).json).toMatchObject({
      status: 404,
    })
  })
})

it('keeps cookies of middleware and those of a login', async () => {
  const users = memorySource([
    {
      name: 'User',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'email', kind: 'text' },
        { name: 'password', kind: 'text' },
      ],
      primaryKey: ['id'],
      uniques: [['email']],
    },
  ])
  const app = new Hono()
  app.use(cors(), async (context, next) => {
    setCookie(context, 'seen', '1')
    await next()
  })
  const settings = { SECRET_KEY: 'a secret that is long enough for a test' }
  const rest = new ModelRest(app, { models: users, controllers: [], auth: true, settings })
  await rest.init()
  onTestFinished(() => rest.close())
  const body = JSON.stringify({ email: 'ada@example.com', password: 'a lamp for every desk' })
  const reply = await app.request('/auth/register', { method: 'POST', headers: json, body })
  expect(reply.status).toBe(201)
  const names = reply.headers.getSetCookie().map((cookie) => cookie.split('=')[0])
  expect(names.toSorted()).toEqual(['seen', 'service_access_token', 'service_refresh_token'])
})
