import type { Readable } from 'node:stream'
import type { BodyBounds } from '../../operation/operation.ts'
import type { RequestBody } from '../call.ts'
import { collectBody } from '../collect-body.ts'
import type { NodeRequest } from './head.ts'

interface NodeBody extends RequestBody {
  whole(bounds: BodyBounds): Promise<Uint8Array>
}

/** The body of a request of Node, or any other stream of bytes. Unread bytes are left to the server. */
export const nodeBody = (stream: Readable): NodeBody => ({
  whole: (bounds) => readBody(stream, bounds),
  bytes: () => ({ [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) }),
})

const readBody = (stream: Readable, bounds: BodyBounds): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const { add, end, fail } = collectBody(bounds, (refusal, body) => {
      stream.off('data', add)
      stream.off('end', ended)
      stream.off('error', fail)
      if (refusal === null) resolve(body)
      else reject(refusal)
    })
    /** With HTTP/2, the body of a request that the client resets first ends, as if it were complete. */
    function ended(): void {
      if ('stream' in stream) setImmediate(() => (isAborted(stream) ? fail(reset()) : end()))
      else end()
    }
    stream.on('data', add)
    stream.on('end', ended)
    stream.on('error', fail)
  })

const isAborted = (stream: Readable): boolean => 'aborted' in stream && stream.aborted === true
const reset = (): Error => new Error('The client reset the request.')

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
