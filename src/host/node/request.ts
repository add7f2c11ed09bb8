import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { Readable } from 'node:stream'
import type { ReplyStream } from '../../operation/call.ts'
import type { BodyBounds } from '../../operation/operation.ts'
import type { ByteSource } from '../../operation/steps.ts'
import { collectBody } from '../serve.ts'

/** A request of `node:http`, `node:https` or the compatibility API of `node:http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest

/** The response to such a request. */
export type NodeResponse = ServerResponse | Http2ServerResponse

export const headerOf = (
  { headers, rawHeaders }: Pick<NodeRequest, 'headers' | 'rawHeaders'>,
  name: string,
): string | undefined => {
  // HTTP/2 has another name for it.
  const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined)
  if (typeof value === 'object') return value.join(', ')
  if (name !== 'authorization' || value === undefined) return value
  // Node keeps only the first of several, but a proxy may have read the last.
  return rawHeaders
    .filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
    .join(', ')
}

/** The bytes of a stream such as an `IncomingMessage`. Unread bytes are left to the host. */
export const bytesOfNode = (stream: Pick<Readable, 'iterator'>): ByteSource => ({
  [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }),
})

export const readBody = (
  payload: Readable,
  bounds: BodyBounds,
  done: (error: Error | null, body?: Uint8Array) => void,
): void => {
  const { add, end, fail } = collectBody(bounds, (refusal, body) => {
    payload.off('data', add)
    payload.off('end', ended)
    payload.off('error', fail)
    if (refusal === null) done(null, body)
    else done(refusal)
  })
  /** With HTTP/2, the body of a request that the client resets first ends, as if it were complete. */
  function ended(): void {
    if ('stream' in payload) setImmediate(() => (isAborted(payload) ? fail(reset()) : end()))
    else end()
  }
  payload.on('data', add)
  payload.on('end', ended)
  payload.on('error', fail)
}

const isAborted = (payload: Readable): boolean => 'aborted' in payload && payload.aborted === true
const reset = (): Error => new Error('The client reset the request.')

/** Whether nothing more can be sent: the client has disconnected, or another handler has responded. */
export const isGone = (response: NodeResponse): boolean =>
  response.destroyed || response.headersSent || ('stream' in response && response.stream.destroyed)

/** Bytes of an unwanted body that are read and discarded: 64 MiB. */
const MOST_DISCARDED = 64 * 1024 * 1024

/** Milliseconds for which the bytes of an unwanted body are read: as long as a form may take by default. */
const LONGEST_DISCARDED = 300_000

/**
 * Reads and discards the rest of a body, so a client that is still sending can read the response and reuse its
 * connection. A client that sends too much or too slowly is disconnected. HTTP/2 itself tells the client to stop.
 */
export const discardBody = (raw: NodeRequest): void => {
  const { headers } = raw
  const bringsBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (!bringsBody || raw.httpVersionMajor > 1 || raw.readableEnded) return
  let seen = 0
  const late = setTimeout(() => raw.destroy(), LONGEST_DISCARDED).unref()
  raw.on('end', () => clearTimeout(late))
  raw.on('close', () => clearTimeout(late))
  raw.unpipe()
  raw.on('data', (chunk: Uint8Array) => {
    seen += chunk.byteLength
    if (seen > MOST_DISCARDED) raw.destroy()
  })
  raw.resume()
}

/** The stream of a response. If it fails, the connection is closed, because the status has been sent. */
export const readableOf = (body: ReplyStream, response: NodeResponse): Readable => {
  const stream =
    body instanceof Readable
      ? body
      : Readable.from(body, { objectMode: false }).once('close', () => body.destroy())
  // With HTTP/2, a response that the client resets does not destroy what is piped into it.
  response.once('close', () => body.destroy())
  return stream.once('error', () => response.destroy())
}

/** The state of a connection. A WeakMap would also work, but costs garbage collection for each entry. */
const TURN: unique symbol = Symbol('modelrest.turn')

/** The response to the latest request, and the number of requests that have not started. */
interface Turn {
  readonly last: NodeResponse
  readonly waiting: number
}

type Connection = IncomingMessage['socket'] & { [TURN]?: Turn | undefined }

/** Clients that use pipelining send only a few requests ahead. */
const MOST_WAITING = 100

/**
 * Starts a request after the previous response on its connection has been sent. A client can send a thousand requests in
 * one packet. Node would pass on all of them at once: other clients would wait until the last one is served, and all
 * responses would be in memory. Here, requests of other clients run in between. HTTP/2 has streams instead.
 */
export const inTurn = (raw: NodeRequest, response: NodeResponse, begin: () => void): void => {
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
