import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReplyStream } from '../../operation/call.ts'
import type { BodyBounds } from '../../operation/operation.ts'
import type { ByteSource } from '../../operation/steps.ts'
import { collectBody } from '../serve.ts'

export const headerOf = ({ headers, rawHeaders }: IncomingMessage, name: string): string | undefined => {
  // HTTP/2 has a name of its own for it.
  const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined)
  if (typeof value === 'object') return value.join(', ')
  if (name !== 'authorization' || value === undefined) return value
  // Node keeps the first of several and drops the others, where a proxy may have read the last.
  return rawHeaders
    .filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
    .join(', ')
}

/** The bytes of a stream, as of an `IncomingMessage`. What is not read of it is left to the host. */
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
    payload.off('end', end)
    payload.off('error', fail)
    if (refusal === null) done(null, body)
    else done(refusal)
  })
  payload.on('data', add)
  payload.on('end', end)
  payload.on('error', fail)
}

/** The most that is read of an unwanted body: 64 MiB. */
const MOST_DISCARDED = 64 * 1024 * 1024

/** How long it is read: as long as a form may take by default, in milliseconds. */
const LONGEST_DISCARDED = 300_000

/**
 * Reads what is left of a body and drops it, so that a client that is still sending gets to read the reply, and can
 * use its connection again. One that sends without end, or hardly anything, is cut off. HTTP/2 tells the client to stop by
 * itself.
 */
export const discardBody = (raw: IncomingMessage): void => {
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

/** What is left to send of a reply that is a stream. What breaks on the way cannot become another reply. */
export const readableOf = (body: ReplyStream, response: ServerResponse): Readable => {
  const stream =
    body instanceof Readable
      ? body
      : Readable.from(body, { objectMode: false }).once('close', () => body.destroy())
  return stream.once('error', () => response.destroy())
}

/** What a connection is at. A WeakMap would do, but the garbage collector pays for each entry. */
const TURN: unique symbol = Symbol('modelrest.turn')

/** The response of the request that came last, and how many requests have not begun. */
interface Turn {
  readonly last: ServerResponse
  readonly waiting: number
}

type Connection = IncomingMessage['socket'] & { [TURN]?: Turn | undefined }

/** Clients that send requests ahead of responses send a few of them. */
const MOST_WAITING = 100

/**
 * Begins a request when the response of the one before it on its connection is sent. A client may send a thousand requests
 * in one packet: Node would hand over all of them at once, so that no other client is served until the last one is answered,
 * and every response is held in memory. Between two of them others have their turn. HTTP/2 has streams instead.
 */
export const inTurn = (raw: IncomingMessage, response: ServerResponse, begin: () => void): void => {
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
