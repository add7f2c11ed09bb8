import { once } from 'node:events'
import { connect } from 'node:http2'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveWith } from '../../../src/host/serve.ts'
import { runAsync } from '../../../src/operation/steps.ts'
import { formOperations } from '../../../src/testing/host/form-operations.ts'
import { cookies } from '../../../src/testing/host/operations.ts'
import { listen } from '../listen.ts'
import { mount } from './mounted.ts'

const app = Fastify({ http2: true })
let port = 0
let stop = async (): Promise<void> => undefined

beforeAll(async () => {
  await app.register(
    async (api) => {
      const host = await mount(api)
      await host.mount(formOperations, serveWith(runAsync))
    },
    { prefix: '/api' },
  )
  ;({ port, stop } = await listen(app))
})
afterAll(() => stop())

const ask = async (method: string, path: string, body?: Uint8Array, type = 'application/json') => {
  const session = connect(`http://127.0.0.1:${port}`, { maxSessionMemory: 1000 })
  const stream = session.request(
    { ':method': method, ':path': path, ...(body !== undefined && { 'content-type': type }) },
    { endStream: body === undefined },
  )
  // The server may stop reading a body that it has refused.
  stream.on('error', () => undefined)
  if (body !== undefined) stream.end(body)
  const [headers] = await once(stream, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  session.destroy()
  return { status: headers[':status'], headers, text: Buffer.concat(chunks).toString() }
}

it('serves through HTTP/2', async () => {
  const list = await ask('GET', '/api/items')
  expect([list.status, list.text]).toEqual([200, expect.stringContaining('"as":"items"')])
  expect(await ask('GET', `/api/items/${'x'.repeat(500)}/`)).toMatchObject({ status: 200 })
  const head = await ask('HEAD', '/api/items')
  expect([head.status, head.headers['content-length'], head.text]).toEqual([
    200,
    String(list.text.length + 1),
    '',
  ])
  expect(await ask('POST', '/api/items/', Buffer.from('bytes'))).toMatchObject({ status: 200, text: 'bytes' })
  expect(await ask('PATCH', '/api/items/')).toMatchObject({ status: 405 })
})

it('gives a client its answer that is still sending', async () => {
  const large = Buffer.alloc(20 * 1024 * 1024)
  expect(await ask('POST', '/api/refused/', large)).toMatchObject({ status: 415 })
  expect(await ask('POST', '/api/items/', large)).toMatchObject({ status: 413 })
  expect(await ask('PATCH', '/api/items/', large)).toMatchObject({ status: 405 })
  expect(await ask('GET', '/api/items/')).toMatchObject({ status: 200 })
})

it('reads forms as they arrive, and answers those that it lets go of', async () => {
  const form = 'multipart/form-data; boundary=x'
  const large = Buffer.alloc(5 * 1024 * 1024, 'x')
  const whole = await ask('POST', '/api/forms/', large, form)
  expect([whole.status, JSON.parse(whole.text)]).toMatchObject([200, { as: 'stream', size: large.length }])
  expect(await ask('POST', '/api/forms/misfit', large, form)).toMatchObject({ status: 422 })
  // In HTTP/2 a reply does not close its connection.
  const slow = await ask('POST', '/api/forms/slow', large, form)
  expect([slow.status, slow.headers['connection']]).toEqual([408, undefined])
  expect(await ask('GET', '/api/items/')).toMatchObject({ status: 200 })
})

/** Lets a client send a header twice. */
const twice: object = { strictSingleValueFields: false }

it('reads every Authorization header, and knows the address', async () => {
  const session = connect(`http://127.0.0.1:${port}`, twice)
  const stream = session.request([
    ...[':method', 'GET', ':path', '/api/who', ':scheme', 'http', ':authority', 'x'],
    ...['authorization', 'Bearer a', 'authorization', 'Bearer b'],
  ])
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  session.destroy()
  expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({
    address: '127.0.0.1',
    scheme: 'http',
    authorization: 'Bearer a, Bearer b',
  })
})

it('knows which host was asked for', async () => {
  expect(JSON.parse((await ask('GET', '/api/asked')).text)).toEqual({ host: `127.0.0.1:${port}` })
})

it('sends several cookies', async () => {
  expect((await ask('GET', '/api/cookies')).headers['set-cookie']).toEqual(cookies)
})
