import { createServer as createHttp1, IncomingMessage } from 'node:http'
import { createServer as createHttp2, Http2ServerRequest } from 'node:http2'
import {
  defineHost,
  inTurn,
  isStream,
  NodeHead,
  type NodeRequest,
  type NodeResponse,
  nodeBody,
  type Reply,
  type RequestBody,
  routeTable,
  sendToNode,
  stderrLog,
} from '../../src/entry/host.ts'
import type { HostUnderTest } from '../../src/testing/index.ts'
import { listenNode } from '../host/node/listen.ts'

type Protocol = NonNullable<HostUnderTest['protocol']>

/** The parts of a host for Node, some of which are wrong. */
interface Parts {
  readonly head?: new (request: NodeRequest) => NodeHead
  readonly body?: (request: NodeRequest) => RequestBody
  readonly send?: (request: NodeRequest, response: NodeResponse, reply: Reply) => void
}

export const nodeHost = (
  protocol: Protocol,
  { head: Head = NodeHead, body = nodeBody, send = sendToNode }: Parts = {},
): HostUnderTest => ({
  name: protocol,
  protocol,
  // They run at once, and have only one stderr.
  takeLog: false,
  start: async ({ base, mount }) => {
    const routes = routeTable(base)
    const isRequest = (request: unknown): request is NodeRequest =>
      request instanceof IncomingMessage || request instanceof Http2ServerRequest
    const app = defineHost(
      {
        ...{ base, log: stderrLog, mount: routes.add, serves: routes.serves },
        headOf: (request) => (isRequest(request) ? new Head(request) : undefined),
      },
      (request: NodeRequest, response: NodeResponse): void =>
        inTurn(request, response, () => {
          const sent = routes.answer(new Head(request), body(request), (reply) =>
            send(request, response, reply),
          )
          Promise.resolve(sent).catch((error: Error) => response.destroy(error))
        }),
    )
    await mount(app)
    return listenNode(protocol === 'http2' ? createHttp2(app) : createHttp1(app))
  },
})

const linesOf = ({ rawHeaders }: NodeRequest, name: string): readonly string[] =>
  rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)

class FirstLineHead extends NodeHead {
  override header(name: string): string | undefined {
    return linesOf(this.request, name)[0] ?? super.header(name)
  }
}

class CommaHead extends NodeHead {
  override header(name: string): string | undefined {
    const lines = linesOf(this.request, name)
    return lines.length > 0 ? lines.join(', ') : super.header(name)
  }
}

/** What Node keeps of several headers. */
class NodesHead extends NodeHead {
  override header(name: string): string | undefined {
    return this.request.headers[name]?.toString() ?? super.header(name)
  }
}

class ClientSchemeHead extends NodeHead {
  override get scheme(): string {
    return String(this.request.headers[':scheme'] ?? super.scheme)
  }
}

/** Takes the body for complete as soon as no more arrives. */
const whatArrives = (request: NodeRequest): RequestBody => ({
  ...nodeBody(request),
  whole: () =>
    new Promise((resolve) => {
      const chunks: Uint8Array[] = []
      const done = (): void => resolve(Buffer.concat(chunks))
      request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      request.on('end', done)
      request.on('close', done)
      request.on('error', done)
    }),
})

/** Checks an abort only where HTTP/1.1 reports it. */
const untilEnd = (request: NodeRequest): RequestBody => ({
  ...nodeBody(request),
  whole: () =>
    new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = []
      request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      request.on('end', () => resolve(Buffer.concat(chunks)))
      request.on('error', reject)
    }),
})

/** Sends a stream, and what `fail` does if it fails. */
const streaming =
  (fail: (response: NodeResponse) => void): NonNullable<Parts['send']> =>
  (request, response, reply) => {
    const { body, headers } = reply
    if (!isStream(body)) return sendToNode(request, response, reply)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const pump = async (): Promise<void> => {
      response.on('close', () => body.destroy())
      try {
        // Each of the classes has a method of its own.
        for await (const chunk of body)
          if (!('stream' in response ? response.write(chunk) : response.write(chunk)))
            await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
        response.end()
      } catch {
        fail(response)
      }
    }
    void pump()
  }

/** Stops to read a stream when the client disconnects, but only when its next chunk arrives. */
const forgetting: NonNullable<Parts['send']> = (request, response, reply) => {
  const { body } = reply
  if (!isStream(body)) return sendToNode(request, response, reply)
  const kept = { destroy: () => undefined, [Symbol.asyncIterator]: () => body[Symbol.asyncIterator]() }
  sendToNode(request, response, { ...reply, body: kept })
}

/** Leaves a stream open whose body has not ended. */
const leftOpen: NonNullable<Parts['send']> = (_request, response, reply) => {
  response.statusCode = reply.status
  response.end()
}

const withLength: NonNullable<Parts['send']> = (request, response, reply) => {
  if (request.method === 'HEAD' && reply.body === undefined) response.setHeader('content-length', 0)
  sendToNode(request, response, reply)
}

const severalLines = 'several headers of one name are read together'
const dropped = (way: string) => [
  `a body is dropped after a ${way}, with a declared length`,
  `a body is dropped after a ${way}, without a declared length`,
]
const cutOff = (title: string) => `${title} cuts off the response, because the status has been sent`
const cutOffs = [cutOff('a stream that fails'), cutOff('a stream that ends before its length')]

/** A host, and the titles of the tests that find what is wrong with it. */
export const wrongHosts: Readonly<Record<string, readonly [HostUnderTest, ...string[]]>> = {
  'only the first of several headers': [nodeHost('http1', { head: FirstLineHead }), severalLines],
  'only the first of several headers, in HTTP/2': [nodeHost('http2', { head: FirstLineHead }), severalLines],
  'the Authorization header that Node keeps': [
    nodeHost('http1', { head: NodesHead }),
    'several Authorization headers are read together: GET',
    'several Authorization headers are read together: POST',
  ],
  'the Authorization header that Node keeps, in HTTP/2': [
    nodeHost('http2', { head: NodesHead }),
    'several Authorization headers are read together: GET',
  ],
  'a stream that is not destroyed': [
    nodeHost('http1', { send: forgetting }),
    'a stream that has nothing to send is destroyed when the client disconnects',
  ],
  'a stream that is not destroyed, in HTTP/2': [
    nodeHost('http2', { send: forgetting }),
    'a stream that has nothing to send is destroyed when the client disconnects',
  ],
  'a stream that stays open after its response': [
    nodeHost('http2', { send: leftOpen }),
    'a stream is closed after a response that does not need its body: POST /refused/',
  ],
  'cookies that are joined by commas': [nodeHost('http2', { head: CommaHead }), severalLines],
  'the scheme that the client tells': [
    nodeHost('http2', { head: ClientSchemeHead }),
    'the scheme is that of the connection, whatever :scheme says',
  ],
  'a body of what has arrived': [nodeHost('http1', { body: whatArrives }), ...dropped('disconnect')],
  'a body that ends with its stream': [nodeHost('http2', { body: untilEnd }), ...dropped('reset')],
  'a length for HEAD without a body': [
    nodeHost('http1', { send: withLength }),
    'HEAD /same responds as GET does, without a body',
  ],
  'a failed stream that ends in HTTP/2': [
    nodeHost('http2', { send: streaming((response) => void response.end()) }),
    ...cutOffs,
  ],
  'a failed stream that is closed without an error in HTTP/2': [
    nodeHost('http2', { send: streaming((response) => void response.destroy()) }),
    ...cutOffs,
  ],
}

export const rightStreaming = nodeHost('http1', { send: streaming((response) => void response.destroy()) })
