import { Readable } from 'node:stream'
import type { Reply, ReplyStream } from '../../operation/call.ts'
import type { BodyBounds } from '../../operation/operation.ts'
import type { ByteSource } from '../../operation/steps.ts'
import { collectBody } from '../body.ts'
import type { ByteStream, FastifyContext, FastifyReply, FastifyRequest, RawRequest } from './app.ts'

/** What a request wants of its body: all of it, within its bounds, or to read it by itself. */
export type Wanted = BodyBounds | 'stream'

/**
 * Reads bodies of every media type as they are, instead of the application's parsers.
 *
 * @param wantedOf `undefined` where a body is not wanted, which then is not read.
 */
export const readBodies = (
  context: FastifyContext,
  wantedOf: (request: FastifyRequest) => Wanted | undefined,
): void => {
  context.removeAllContentTypeParsers()
  context.addContentTypeParser([...usualTypes, '*'], (request, payload, done) => {
    const wanted = wantedOf(request)
    if (wanted === undefined) done(null)
    else if (wanted === 'stream') done(null, payload)
    else readBody(payload, wanted, done)
  })
}

/** The bytes of a stream, as of an `IncomingMessage`. What is not read of it is left to the host. */
export const bytesOfNode = (stream: Pick<ByteStream, 'iterator'>): ByteSource => ({
  [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>,
})

/** Fastify remembers which parser takes a type, but not that only '*' takes it: then it looks again each time. */
const usualTypes = ['application/json', 'application/merge-patch+json']

const readBody = (
  payload: ByteStream,
  bounds: BodyBounds,
  done: (error: Error | null, body?: Uint8Array) => void,
): void => {
  const { add, end, fail } = collectBody(bounds, (refusal, body) => {
    payload.off('data', add)
    payload.off('end', end)
    payload.off('error', fail)
    if (refusal === null) done(null, body)
    else done(refusal)
  })
  payload.on('data', add)
  payload.on('end', end)
  payload.on('error', fail)
}

/** The most that is read of a body that nobody wants: 64 MiB. */
const mostDiscarded = 64 * 1024 * 1024

/** How long it is read: as long as a form may take by default, in milliseconds. */
const longestDiscarded = 300_000

/**
 * Reads what is left of a body and drops it, so that a client that is still sending gets to read the reply, and can
 * use its connection again. One that sends without end, or hardly anything, is cut off. HTTP/2 tells the client to stop by
 * itself.
 */
export const discardBody = (raw: RawRequest): void => {
  if (!bringsBody(raw) || raw.httpVersionMajor > 1 || raw.readableEnded) return
  let seen = 0
  const late = setTimeout(() => raw.destroy(), longestDiscarded).unref()
  raw.on('end', () => clearTimeout(late))
  raw.on('close', () => clearTimeout(late))
  raw.unpipe()
  raw.on('data', (chunk: Uint8Array) => {
    seen += chunk.byteLength
    if (seen > mostDiscarded) raw.destroy()
  })
  raw.resume()
}

const bringsBody = ({ headers }: RawRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

const asItIs = (payload: unknown): string => String(payload)

/** Sends a reply. Without a serialiser of ours Fastify would add a charset to JSON media types, which have none. */
export const send = (reply: FastifyReply, { status, headers, body }: Reply): void => {
  reply.code(status)
  for (const name in headers) {
    // In HTTP/2 the connection is no matter of a reply.
    if (name === 'connection' && reply.request.raw.httpVersionMajor > 1) continue
    const value = headers[name] ?? ''
    // Some versions of Fastify keep the list that they are given, and add the cookies of the application to it.
    reply.header(name, typeof value === 'string' ? value : [...value])
  }
  if (typeof body === 'string') reply.serializer(asItIs)
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) reply.send(body)
  else sendStream(reply, body)
}

/** Fastify destroys the stream when the client goes. What breaks on the way cannot become another reply. */
const sendStream = (reply: FastifyReply, body: ReplyStream): void => {
  if (reply.request.method === 'HEAD') {
    body.destroy()
    reply.send()
    return
  }
  const stream = body instanceof Readable ? body : readableOf(body)
  stream.once('error', () => reply.raw.destroy())
  reply.send(stream)
}

const readableOf = (body: ReplyStream): Readable =>
  Readable.from(body, { objectMode: false }).once('close', () => body.destroy())

/** What a connection is at. A WeakMap would do, but the garbage collector pays for each entry. */
const TURN: unique symbol = Symbol('modelrest.turn')

interface Turn {
  /** The response of the request that came last. */
  readonly last: FastifyReply['raw']
  /** Requests that have not begun. */
  readonly waiting: number
}

type Connection = NonNullable<RawRequest['socket']> & { [TURN]?: Turn | undefined }

/** Clients that send requests ahead of responses send a few of them. */
const MOST_WAITING = 100

/**
 * Begins a request when the response of the one before it on its connection is sent. A client may send a thousand requests
 * in one packet: Node would hand over all of them at once, so that no other client is served until the last one is answered,
 * and every response is held in memory. Between two of them others have their turn. HTTP/2 has streams instead.
 */
export const inTurn = ({ raw }: FastifyRequest, { raw: response }: FastifyReply, begin: () => void): void => {
  const connection: Connection | undefined = raw.socket
  if (connection === undefined || raw.httpVersionMajor > 1) {
    begin()
    return
  }
  const before = connection[TURN]
  if (before === undefined || (before.waiting === 0 && before.last.writableFinished)) {
    connection[TURN] = { last: response, waiting: 0 }
    begin()
    return
  }
  connection[TURN] = { last: response, waiting: before.waiting + 1 }
  if (before.waiting === MOST_WAITING) connection.destroy()
  before.last.once('close', () => setImmediate(go))

  function go(): void {
    const { last = response, waiting = 1 } = connection?.[TURN] ?? {}
    if (connection === undefined || connection.destroyed) return
    connection[TURN] = { last, waiting: waiting - 1 }
    begin()
  }
}
