import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ModelRest } from '../../../src/entry/fetch.ts'
import { StartError } from '../../../src/error/errors.ts'
import { type FetchApp, fetchApp } from '../../../src/host/fetch/index.ts'
import { carriedHost, type Host } from '../../../src/host/host.ts'
import { serveWith } from '../../../src/host/serve.ts'
import { runAsync } from '../../../src/operation/steps.ts'
import { limit, operations } from '../../../src/testing/host/operations.ts'
import { memorySource } from '../../../src/testing/memory-source.ts'
import { naming } from '../../naming.ts'
import { listenHono } from '../hono/listen.ts'

beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterAll(() => {
  vi.restoreAllMocks()
})

const hostOf = (app: FetchApp): Host => {
  const host = carriedHost(app)
  if (host === undefined) throw new Error('The application carries no host.')
  return host
}

const mounted = async (base?: string): Promise<FetchApp> => {
  const app = base === undefined ? fetchApp() : fetchApp({ base })
  await hostOf(app).mount(operations, serveWith(runAsync))
  return app
}

const ask = async ({ fetch }: FetchApp, url: string, init: RequestInit & { duplex?: 'half' } = {}) => {
  const response = await fetch(new Request(url, init))
  const text = await response.text()
  return { status: response.status, text, json: text === '' ? {} : JSON.parse(text) }
}

describe('base', () => {
  it.each(['/api', '/api/', '/api/v1'])('%s stands before every path', async (base) => {
    const app = await mounted(base)
    const under = base.replace(/\/$/, '')
    expect(hostOf(app).base).toBe(under)
    expect((await ask(app, `http://x${under}/items`)).json).toMatchObject({
      as: 'items',
      path: `${under}/items`,
    })
    for (const path of ['/items/', '/apis/items/', under, '/'])
      expect(await ask(app, `http://x${path}`)).toMatchObject({ status: 404, json: { code: 'not_found' } })
  })

  it.each(['api', 'http://x/api', '/a b', '/api?', '//api', '/api//', '/#'])('cannot be %j', (base) => {
    expect(() => fetchApp({ base })).toThrow(StartError)
    expect(() => fetchApp({ base })).toThrow(naming('base', '/api', JSON.stringify(base)))
  })
})

it('logs that init() is missing, and does not tell clients', async () => {
  const write = vi.mocked(process.stderr.write)
  write.mockClear()
  const { status, text } = await ask(fetchApp(), 'http://x/items/')
  expect([status, text.includes('init')]).toEqual([503, false])
  expect(String(write.mock.calls[0]?.[0])).toMatch(naming('await rest.init()'))
})

it('says that it has not been started', async () => {
  const app = fetchApp()
  expect(await ask(app, 'http://x/items/')).toMatchObject({ status: 503, json: { code: 'unavailable' } })
  const host = hostOf(app)
  expect(host.serves?.('GET', '/items/')).toBe(false)
  await host.mount(operations, serveWith(runAsync))
  expect(await ask(app, 'http://x/items/')).toMatchObject({ status: 200 })
  expect(hostOf(app).serves?.('GET', '/items/')).toBe(true)
  expect(hostOf(app).serves?.('GET', '/items/{id}')).toBe(true)
  expect(hostOf(app).serves?.('PATCH', '/items/')).toBe(false)
})

it('serves what is mounted later as well', async () => {
  const app = fetchApp()
  const [first, ...others] = operations
  await hostOf(app).mount(first === undefined ? [] : [first], serveWith(runAsync))
  await hostOf(app).mount(others, serveWith(runAsync))
  expect(await ask(app, 'http://x/items/')).toMatchObject({ status: 200 })
  expect(await ask(app, 'http://x/items/7')).toMatchObject({ status: 200 })
  const refused = await app.fetch(new Request('http://x/items/', { method: 'DELETE' }))
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
})

it('drops the fragment and keeps the query as the URL has it', async () => {
  const app = await mounted()
  expect((await ask(app, 'http://x/items/7?a=1&b=%26#part?c')).json).toMatchObject({
    params: { id: '7' },
    query: 'a=1&b=%26',
  })
  expect((await ask(app, 'http://x/items/7#a?b')).json).toMatchObject({ params: { id: '7' }, query: '' })
  expect((await ask(app, 'http://x/items/%zz')).json).toMatchObject({ params: { id: '%zz' } })
})

it.each([
  ['price%3C20=&status=', 'price%3C20&status='],
  ['a=%3E&title%3Ea%3D=', 'a=%3E&title%3Ea%3D'],
  ['price%3E=20&%28id%3C3%29=', 'price%3E=20&%28id%3C3%29'],
])('the query %j of Next.js means %j, which clients wrote', async (written, sent) => {
  const { fetch } = await mounted()
  const request = new Request(`http://x/items/?${written}`)
  expect(await (await fetch(request)).json()).toMatchObject({ query: written })
  expect(await (await fetch(Object.assign(request, { nextUrl: {} }))).json()).toMatchObject({ query: sent })
})

it.each(['nextUrl', 'cf'])(
  'sends no compressed body to a platform with %s, which compresses itself',
  async (mark) => {
    const app = fetchApp()
    await new ModelRest(app, { models: memorySource([]), controllers: [] }).init()
    const request = new Request('http://x/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
    expect((await app.fetch(request)).headers.get('content-encoding')).toBe('gzip')
    expect(await (await app.fetch(Object.assign(request, { [mark]: {} }))).json()).toHaveProperty('openapi')
  },
)

it('reads no further than the limit', async () => {
  const app = await mounted()
  let pulled = 0
  let cancelled = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(limit))
      },
      cancel: () => {
        cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const reply = await ask(app, 'http://x/items/', { method: 'POST', body, duplex: 'half' })
  expect([reply.status, pulled, cancelled]).toEqual([413, 2, true])
})

it('does not touch a body that is refused before', async () => {
  const app = await mounted()
  let pulled = 0
  const pull = () => {
    pulled += 1
  }
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
  const reply = await ask(app, 'http://x/refused/', { method: 'POST', body, duplex: 'half' })
  expect([reply.status, pulled]).toEqual([415, 0])
})

it('answers where the client ends too early, and where the body is gone', async () => {
  const app = await mounted()
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
  const broken = await ask(app, 'http://x/items/', { method: 'POST', body, duplex: 'half' })
  expect([broken.status, broken.json.code]).toEqual([400, 'rejected'])
  const read = new Request('http://x/items/', { method: 'POST', body: 'x' })
  await read.text()
  expect((await app.fetch(read)).status).toBe(500)
})

it('knows the host that was asked for, among the headers or not', async () => {
  const app = await mounted()
  expect((await ask(app, 'http://shop.example:8080/asked')).json).toMatchObject({ host: 'shop.example:8080' })
  const headers = { host: 'api.example' }
  expect((await ask(app, 'http://10.0.0.1/asked', { headers })).json).toMatchObject({ host: 'api.example' })
})

it('knows the address that clientAddress tells', async () => {
  const address = (request: Request) => request.headers.get('x-real-ip') ?? undefined
  const app = fetchApp({ clientAddress: address })
  await hostOf(app).mount(operations, serveWith(runAsync))
  const headers = { 'x-real-ip': '203.0.113.9' }
  expect((await ask(app, 'http://x/who', { headers })).json.address).toBe('203.0.113.9')
  expect((await ask(app, 'http://x/who')).json.address).toBe(null)
  expect((await ask(await mounted(), 'http://x/who', { headers })).json.address).toBe(null)
  const start = () => fetchApp({ clientAddress: '127.0.0.1' as never })
  expect(start).toThrow(StartError)
  expect(start).toThrow(naming('fetchApp', 'clientAddress', '(request) => string | undefined'))
})

it('answers 500 for an invalid header on a server that does not check the headers of a Response', async () => {
  const { port, stop } = await listenHono(await mounted())
  try {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}/bad-header`)
    const type = headers.get('content-type')
    expect([status, type, headers.get('x-good')]).toEqual([500, 'application/problem+json', null])
  } finally {
    await stop()
  }
})
