import { once } from 'node:events'
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import connect from 'connect'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { StartError } from '../../../src/error/errors.ts'
import { carriedHost } from '../../../src/host/host.ts'
import { type NodeApp, nodeApp } from '../../../src/host/node/index.ts'
import { serveWith } from '../../../src/host/serve.ts'
import { runAsync } from '../../../src/operation/steps.ts'
import { cookies, limit, operations } from '../../../src/testing/host/operations.ts'
import { naming } from '../../naming.ts'
import { listenNode } from './listen.ts'

beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterAll(() => {
  vi.restoreAllMocks()
})

const mounted = async (base = ''): Promise<NodeApp> => {
  const app = nodeApp({ base })
  await carriedHost(app)?.mount(operations, serveWith(runAsync))
  return app
}

const asking = async (listener: RequestListener) => {
  const { port, stop } = await listenNode(createServer(listener))
  onTestFinished(stop)
  return async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const text = await response.text()
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
}

describe('base', () => {
  it.each(['api', '/a b', '//api', '/api//'])('cannot be %j', (base) => {
    expect(() => nodeApp({ base })).toThrow(StartError)
    expect(() => nodeApp({ base })).toThrow(naming('base', '/api', JSON.stringify(base)))
  })

  it('may end with a slash', async () => {
    const ask = await asking(await mounted('/api/'))
    expect((await ask('/api/items/')).json).toMatchObject({ path: '/api/items/' })
  })
})

it('responds with 503 before it has been started', async () => {
  const ask = await asking(nodeApp())
  expect(await ask('/items/')).toMatchObject({ status: 503, json: { code: 'unavailable' } })
})

describe('in a framework of the kind of connect', () => {
  it.each([undefined, '/api'])('serves its base, mounted at %s', async (path) => {
    const app = connect()
    const api = await mounted('/api')
    if (path === undefined) app.use(api)
    else app.use(path, api)
    app.use((_request, response) => void response.end('theirs'))
    const ask = await asking(app)
    expect((await ask('/api/items/a%2Fb?x=1')).json).toMatchObject({
      ...{ path: '/api/items/a%2Fb', params: { id: 'a%2Fb' }, query: 'x=1' },
    })
    for (const other of ['/', '/api', '/api/nothing', '/items/', '/apis/items/'])
      expect((await ask(other)).text).toBe('theirs')
    expect((await ask('/api/items/', { method: 'OPTIONS' })).text).toBe('theirs')
    expect((await ask('/api/items/', { method: 'PATCH' })).status).toBe(405)
  })

  it('keeps the cookies that the application has set', async () => {
    const app = connect()
    app.use((_request, response, next) => {
      response.setHeader('set-cookie', 'before=1')
      next()
    })
    app.use(await mounted())
    const { port, stop } = await listenNode(createServer(app))
    onTestFinished(stop)
    for (const [path, own] of [
      ['/cookies', cookies],
      ['/cookie', ['a=1']],
    ] as const) {
      const { headers } = await fetch(`http://127.0.0.1:${port}${path}`)
      expect(headers.getSetCookie()).toEqual(['before=1', ...own])
    }
  })

  it('says which base to write if it is mounted at another path', async () => {
    const app = connect()
    app.use('/v1', await mounted())
    app.use('/v2', await mounted('/api'))
    app.use((error: Error, _request: unknown, response: { end(text: string): void }, _next: unknown) =>
      response.end(error.message),
    )
    const ask = await asking(app)
    expect((await ask('/v1/items/')).text).toMatch(naming('/v1', `nodeApp({ base: '/v1' })`))
    expect((await ask('/v2/items/')).text).toMatch(naming('/v2', '"/api"'))
  })
})

describe('a body that the application has read', () => {
  /** Reads the body, as a parser of the application does, and sets members of the request. */
  const behind = async (members: (text: string) => object) => {
    const app = connect()
    app.use(async (request, _response, next) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      Object.assign(request, members(Buffer.concat(pieces).toString()))
      next()
    })
    app.use(await mounted())
    const ask = await asking(app)
    return (body: string, type = 'application/json') =>
      ask('/items/', { method: 'POST', body, headers: { 'content-type': type } })
  }
  const asJson = (text: string) => ({ body: JSON.parse(text) as unknown })

  it.each([
    '{}',
    '[]',
    'null',
    '["é",true]',
    '{"a":[1,-2.5,0.1,1e+21,9007199254740991,null],"__proto__":{"toJSON":"x"}}',
  ])('%s is used as its parser has read it', async (text) => {
    const send = await behind(asJson)
    expect(await send(text)).toMatchObject({ status: 200, text })
    expect(await send(text, 'application/merge-patch+json')).toMatchObject({ status: 200, text })
  })

  it.each([
    ['[9007199254740993]', 422, [{ pointer: '/0', code: 'imprecise_number' }]],
    ['{"a":[1,0.30000000000000004]}', 422, [{ pointer: '/a/1', code: 'imprecise_number' }]],
    ['[1e999]', 422, [{ pointer: '/0', code: 'imprecise_number' }]],
    ['{"\uFFFD":1}', 400, undefined],
    ['"é"', 500, undefined],
    [`${'['.repeat(200)}0.30000000000000004${']'.repeat(200)}`, 500, undefined],
  ])('%s may have been another text, and is refused', async (text, status, errors) => {
    const reply = await (await behind(asJson))(text)
    expect(reply.status).toBe(status)
    if (errors !== undefined) expect(JSON.parse(reply.text).errors).toMatchObject(errors)
  })

  it('is used as the bytes that the application keeps', async () => {
    const keeping = await behind((text) => ({ body: { other: 1 }, rawBody: Buffer.from(text) }))
    expect((await keeping('9007199254740993')).text).toBe('9007199254740993')
    const raw = await behind((text) => ({ body: Buffer.from(text) }))
    expect((await raw('any text', 'text/plain')).text).toBe('any text')
  })

  it('is refused if only its value is known and it is not JSON', async () => {
    const write = vi.mocked(process.stderr.write)
    write.mockClear()
    const send = await behind(() => ({ body: { a: '1' } }))
    expect((await send('a=1', 'application/x-www-form-urlencoded')).status).toBe(500)
    expect(String(write.mock.calls[0]?.[0])).toMatch(naming('body parser'))
    expect((await (await behind(() => ({})))('{}')).status).toBe(500)
  })

  it('is refused if a part of it is missing', async () => {
    const app = connect()
    // It reads the body without waiting for its end, as loggers do.
    app.use((request, _response, next) => void request.on('data', () => undefined).once('data', () => next()))
    app.use(await mounted())
    const { port, stop } = await listenNode(createServer(app))
    onTestFinished(stop)
    const request = httpRequest({ port, path: '/items/', method: 'POST' })
    request.write('{"a":1}', () => setImmediate(() => request.end('{"a":2}')))
    const [response] = await once(request, 'response')
    response.resume()
    expect(response.statusCode).toBe(500)
  })

  it('must not be larger than the limit of the operation', async () => {
    const send = await behind((text) => ({ body: text, rawBody: Buffer.from(text) }))
    expect((await send('x'.repeat(limit))).status).toBe(200)
    expect((await send('x'.repeat(limit + 1))).status).toBe(413)
  })
})

it('examines no more values of a parser than fit into the limit', async () => {
  const app = connect()
  app.use((request, _response, next) => {
    const body = [...Array<number>(limit).fill(0), 0.1 + 0.2]
    request.resume().once('end', () => next(void Object.assign(request, { body })))
  })
  app.use(await mounted())
  const ask = await asking(app)
  const headers = { 'content-type': 'application/json' }
  expect((await ask('/items/', { method: 'POST', body: '[]', headers })).status).toBe(413)
})

describe('a client that waits for 100 Continue', () => {
  const waiting = async (path: string, app: NodeApp, listener: RequestListener = app) => {
    const { port, stop } = await listenNode(createServer(listener).on('checkContinue', app.checkContinue))
    onTestFinished(stop)
    const headers = { expect: '100-continue', 'content-length': 2 }
    const request = httpRequest({ port, path, method: 'POST', headers })
    request.flushHeaders()
    return request
  }

  it('receives it when the operation needs the body', async () => {
    const request = await waiting('/items/', await mounted())
    await once(request, 'continue')
    request.end('{}')
    const [response] = await once(request, 'response')
    expect([response.statusCode, String(await response.toArray())]).toEqual([200, '{}'])
  })

  it('receives an error instead', async () => {
    const request = await waiting('/refused/', await mounted())
    const asked = vi.fn()
    request.on('continue', asked)
    const [response] = await once(request, 'response')
    response.resume()
    expect([response.statusCode, response.headers.connection]).toEqual([415, 'close'])
    expect(asked).not.toHaveBeenCalled()
    request.destroy()
  })

  it('passes what runs before modelrest, and receives it for other paths', async () => {
    const app = await mounted()
    const framework = connect()
    framework.use('/items', (_request, response) => void response.writeHead(401).end())
    framework.use(app)
    framework.use(async (request, response) => void response.end(String(await request.toArray())))
    const refused = await waiting('/items/', app, framework)
    const [refusal] = await once(refused, 'response')
    expect(refusal.statusCode).toBe(401)
    refused.destroy()
    const other = await waiting('/other', app, framework)
    await once(other, 'continue')
    other.end('{}')
    const [response] = await once(other, 'response')
    expect(String(await response.toArray())).toBe('{}')
  })
})
