import { brokenBody, tooLarge } from '../refusals.ts'
import type { ByteStream, FastifyContext, FastifyRequest, RawRequest } from './app.ts'

/** What a request wants of its body: all of it, up to a limit in bytes, or to read it by itself. */
export type Wanted = { readonly limit: number } | 'stream'

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
    else readBody(payload, wanted.limit, done)
  })
}

/** Fastify remembers which parser takes a type, but not that only '*' takes it: then it looks again each time. */
const usualTypes = ['application/json', 'application/merge-patch+json']

const readBody = (
  payload: ByteStream,
  limit: number,
  done: (error: Error | null, body?: Uint8Array) => void,
): void => {
  const chunks: Uint8Array[] = []
  let size = 0
  const finish = (error: Error | null): void => {
    payload.off('data', onData)
    payload.off('end', onEnd)
    payload.off('error', onError)
    if (error === null) done(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size))
    else done(error)
  }
  const onEnd = () => finish(null)
  const onError = (error: Error) => finish(brokenBody(error))
  const onData = (chunk: Uint8Array) => {
    size += chunk.byteLength
    if (size > limit) finish(tooLarge(limit))
    else chunks.push(chunk)
  }
  payload.on('data', onData)
  payload.on('end', onEnd)
  payload.on('error', onError)
}

/** The most that is read of a body that nobody wants: 64 MiB. */
const mostDiscarded = 64 * 1024 * 1024

/**
 * Reads what is left of a body and drops it, so that a client that is still sending gets to read the reply, and can
 * use its connection again. One that sends without end is cut off. HTTP/2 tells the client to stop by itself.
 */
export const discardBody = (raw: RawRequest): void => {
  if (!bringsBody(raw) || raw.httpVersionMajor > 1 || raw.readableEnded) return
  let seen = 0
  raw.unpipe()
  raw.on('data', (chunk: Uint8Array) => {
    seen += chunk.byteLength
    if (seen > mostDiscarded) raw.destroy()
  })
  raw.resume()
}

const bringsBody = ({ headers }: RawRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
