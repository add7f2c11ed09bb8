import type { BodyBounds } from '../../operation/operation.ts'
import { collectBody } from '../collect-body.ts'
import type { ByteStream, FastifyContext, FastifyRequest, RawRequest } from './app.ts'

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
