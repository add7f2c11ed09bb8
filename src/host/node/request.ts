import type { IncomingMessage } from 'node:http'
import { constants, type Http2ServerRequest, type ServerHttp2Stream } from 'node:http2'
import type { Readable } from 'node:stream'
import type { BodyBounds } from '../../operation/operation.ts'
import { alreadyRead, collectBody, type RequestBody, type RequestHead } from '../call.ts'

/** A request of `node:http`, `node:https` or the compatibility API of `node:http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest

/** The head of a request of `node:http`, `node:https` or the compatibility API of `node:http2`. */
export class NodeHead implements RequestHead {
  readonly request: NodeRequest

  readonly #address: string | undefined

  /** @param address the IP address of the client. @default that of the connection */
  constructor(request: NodeRequest, address: string | undefined = request.socket.remoteAddress) {
    this.request = request
    // Read now, because Node does not know it after the client has disconnected or, with HTTP/2, reset the request.
    this.#address = address
  }

  /** The address of the connection, which may be that of a proxy. */
  get address(): string | undefined {
    return this.#address
  }

  get method(): string {
    return this.request.method ?? 'GET'
  }

  get url(): string {
    return this.request.url ?? '/'
  }

  get scheme(): string {
    return 'encrypted' in this.request.socket ? 'https' : 'http'
  }

  header(name: string): string | undefined {
    return headerOf(this.request, name)
  }
}

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

interface NodeBody extends RequestBody {
  whole(bounds: BodyBounds): Promise<Uint8Array>
}

/**
 * The body of a request of Node, a stream of `node:http2`, or any other stream of bytes. Unread bytes are left to the
 * server.
 */
export const nodeBody = (stream: Readable): NodeBody => ({
  whole: (bounds) => readBody(stream, bounds),
  bytes: () => bytesOf(stream),
})

/** Whether other code has read it, or a part of it. */
const isRead = ({ readableEnded, readableDidRead }: Readable): boolean => readableEnded || readableDidRead

async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void> {
  if (isRead(stream)) throw alreadyRead()
  yield* stream.iterator({ destroyOnReturn: false })
  if (isAborted(stream)) throw disconnected()
}

const readBody = (stream: Readable, bounds: BodyBounds): Promise<Uint8Array> =>
  new Promise((resolve, reject) =>
    gatherBody(stream, bounds, (refusal, body) => (refusal === null ? resolve(body) : reject(refusal))),
  )

/** Reads the whole body within its limits. Calls `settle` once, without a promise for each request. */
export const gatherBody = (
  stream: Readable,
  bounds: BodyBounds,
  settle: (refusal: Error | null, body: Uint8Array) => void,
): void => {
  if (isRead(stream)) {
    settle(alreadyRead(), new Uint8Array())
    return
  }
  const { add, end, fail } = collectBody(bounds, (refusal, body) => {
    stream.off('data', add)
    stream.off('end', ended)
    stream.off('error', fail)
    stream.off('close', closed)
    settle(refusal, body)
  })
  function ended(): void {
    if (isAborted(stream)) closed()
    else end()
  }
  function closed(): void {
    fail(disconnected())
  }
  stream.on('data', add)
  stream.on('end', ended)
  stream.on('error', fail)
  stream.on('close', closed)
  if (stream.destroyed) closed()
}

/** With HTTP/2, the body of a request that the client resets ends, as if it were complete. */
const isAborted = (stream: Readable): boolean => 'aborted' in stream && stream.aborted === true

const disconnected = (): Error => new Error('The client disconnected or reset the request.')

/** Bytes of an unwanted body that are read and discarded: 64 MiB. */
const MOST_DISCARDED = 64 * 1024 * 1024

/** Milliseconds for which the bytes of an unwanted body are read: as long as a form may take by default. */
const LONGEST_DISCARDED = 300_000

/**
 * Reads and discards the rest of a body, so a client that is still sending can read the response and reuse its
 * connection. A client that sends too much or too slowly is disconnected. With HTTP/2, the stream is closed after the
 * response, which tells the client to stop.
 */
export const discardBody = (raw: NodeRequest): void => {
  if ('stream' in raw) {
    closeAfterResponse(raw.stream)
    return
  }
  const { headers } = raw
  const bringsBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (!bringsBody || raw.readableEnded) return
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

const closeAfterResponse = (stream: ServerHttp2Stream): void => {
  if (stream.endAfterHeaders || stream.readableEnded) return
  // Node sends the end of the response later than it emits `finish`.
  stream.once('finish', () => setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR)))
}
