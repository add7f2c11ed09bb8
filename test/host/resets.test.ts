import { once } from 'node:events'
import {
  connect,
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Stream,
} from 'node:http2'
import Fastify from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineHost, NodeHead, nodeBody, routeTable, sendToNode } from '../../src/entry/host.ts'
import { fastifyHost } from '../../src/host/fastify/index.ts'
import type { Host } from '../../src/host/host.ts'
import { serveWith } from '../../src/host/serve.ts'
import type { ReplyStream } from '../../src/operation/call.ts'
import type { Operation } from '../../src/operation/operation.ts'
import { pullBody, runAsync, wait } from '../../src/operation/steps.ts'
import { operation } from '../../src/testing/host/operations.ts'
import { listen } from './listen.ts'
import { listenNode } from './node/listen.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

const onNode = async (operations: readonly Operation[]) => {
  const routes = routeTable('')
  const host: Host = { base: '', log, mount: routes.add, headOf: () => undefined }
  const app = defineHost(host, (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const head = new NodeHead(request)
    void routes.answer(head, nodeBody(request), (reply) => sendToNode(request, response, reply))
  })
  routes.add(operations, serveWith(runAsync))
  return listenNode(createServer(app))
}

const onFastify = async (operations: readonly Operation[]) => {
  const app = Fastify({ http2: true })
  await fastifyHost.attach(app).mount(operations, serveWith(runAsync))
  return listen(app)
}

const body = {
  ...{ mediaTypes: ['application/json'], required: true, schema: { name: 'Any', schema: {} } },
  ...{ limit: 10_000, timeout: 30_000 },
}

describe.each([
  ['node:http2', onNode],
  ['Fastify', onFastify],
] as const)('a request that an HTTP/2 client resets, on %s', (_name, start) => {
  let stop = async (): Promise<unknown> => undefined
  afterEach(async () => {
    await stop()
    vi.restoreAllMocks()
  })

  const begin = async (operations: readonly Operation[]) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const server = await start(operations)
    const session = connect(`http://127.0.0.1:${server.port}`)
    session.on('error', () => undefined)
    stop = async () => {
      session.destroy()
      await server.stop()
    }
    return session
  }

  it('has no body, however much of it has arrived', async () => {
    const received: number[] = []
    const hasEnded = Promise.withResolvers<void>()
    const create = operation(
      'POST',
      '/things/',
      function* (call) {
        try {
          received.push((yield* pullBody()).length)
        } finally {
          hasEnded.resolve()
        }
        return { status: 204, headers: {}, body: call.address }
      },
      { body },
    )
    const session = await begin([
      create,
      operation('GET', '/none', function* () {
        return yield* wait({ status: 204, headers: {}, body: undefined })
      }),
    ])
    const stream = session.request({
      ':method': 'POST',
      ':path': '/things/',
      'content-type': 'application/json',
    })
    stream.on('error', () => undefined)
    stream.write('{"name":"Ada"}')
    // The server has the first part when it has responded to a later request.
    const later = session.request({ ':path': '/none' })
    await once(later, 'response')
    // `close()` would end the body first, so that it is complete.
    stream.destroy(new DOMException('The client gives up.', 'AbortError'))
    const last = session.request({ ':path': '/none' })
    await once(last, 'response')
    expect(received).toEqual([])
  })

  it('keeps its address', async () => {
    const addresses: unknown[] = []
    const isHeld = Promise.withResolvers<void>()
    const isReset = Promise.withResolvers<void>()
    const isDone = Promise.withResolvers<void>()
    const hold = operation('GET', '/hold', function* (call) {
      isHeld.resolve()
      yield* wait(isReset.promise)
      addresses.push(call.address)
      isDone.resolve()
      return { status: 204, headers: {}, body: undefined }
    })
    const session = await begin([hold])
    const stream = session.request({ ':path': '/hold' })
    stream.on('error', () => undefined)
    await isHeld.promise
    stream.close(constants.NGHTTP2_CANCEL)
    await once(stream, 'close')
    session.destroy()
    await new Promise((resolve) => setImmediate(resolve))
    isReset.resolve()
    await isDone.promise
    expect(addresses).toEqual(['127.0.0.1'])
  })

  it('releases the stream of its response', async () => {
    const isHeld = Promise.withResolvers<void>()
    const isReset = Promise.withResolvers<void>()
    const isDestroyed = Promise.withResolvers<void>()
    const stream: ReplyStream = {
      destroy: () => isDestroyed.resolve(),
      async *[Symbol.asyncIterator]() {
        for (;;) yield Buffer.alloc(16 * 1024)
      },
    }
    const download = operation('GET', '/file', function* () {
      isHeld.resolve()
      yield* wait(isReset.promise)
      return { status: 200, headers: { 'content-length': '100000000' }, body: stream }
    })
    const session = await begin([download])
    const request = session.request({ ':path': '/file' })
    request.on('error', () => undefined)
    await isHeld.promise
    request.close(constants.NGHTTP2_CANCEL)
    await once(request, 'close')
    isReset.resolve()
    await isDestroyed.promise
  })
})

it('reads the path of an absolute target after its authority only', async () => {
  const routes = routeTable('')
  const hello = operation('GET', '/hello', function* () {
    return yield* wait({ status: 200, headers: {}, body: 'hello' })
  })
  routes.add([hello], serveWith(runAsync))
  const statusOf = (url: string) => {
    const head = { method: 'GET', url, scheme: 'http', address: undefined, request: {}, log }
    const noBody = { whole: () => new Uint8Array(), bytes: () => (async function* () {})() }
    return routes.answer({ ...head, header: () => undefined }, noBody, ({ status }) => status)
  }
  expect(await statusOf('http://other/hello?x=1')).toBe(200)
  expect(await statusOf('http://other?x=/hello')).toBe(404)
  expect(await statusOf('http://other#/hello')).toBe(404)
})

describe('nodeBody of a core stream of node:http2', () => {
  const read = {
    whole: async (stream: ServerHttp2Stream) =>
      String(await nodeBody(stream).whole({ limit: 10_000, timeout: 30_000 })),
    bytes: async (stream: ServerHttp2Stream) => {
      const pieces: Uint8Array[] = []
      for await (const piece of nodeBody(stream).bytes()) pieces.push(piece)
      return String(Buffer.concat(pieces))
    },
  }

  it.each(Object.entries(read))('%s takes a complete body, and no other', async (_name, take) => {
    const outcomes: unknown[] = []
    const isBegun = Promise.withResolvers<void>()
    const isReset = Promise.withResolvers<void>()
    const server = createServer()
    server.on('stream', (stream: ServerHttp2Stream, headers) => {
      stream.on('error', () => undefined)
      if (headers[':path'] === '/cut') isBegun.resolve()
      take(stream).then(
        (text) => {
          outcomes.push(text)
          stream.respond({ ':status': 200 }, { endStream: true })
        },
        () => {
          outcomes.push(`refused ${headers[':path']}`)
          isReset.resolve()
        },
      )
    })
    const { port, stop } = await listenNode(server)
    const session = connect(`http://127.0.0.1:${port}`)
    session.on('error', () => undefined)
    const whole = session.request({ ':method': 'POST', ':path': '/whole' })
    whole.end('complete')
    await once(whole, 'response')
    const cut = session.request({ ':method': 'POST', ':path': '/cut' })
    cut.on('error', () => undefined)
    cut.write('part')
    await isBegun.promise
    cut.destroy(new DOMException('The client gives up.', 'AbortError'))
    await isReset.promise
    session.destroy()
    await stop()
    expect(outcomes).toEqual(['complete', 'refused /cut'])
  })
})
