import type { FastifyContext, RawRequest } from './app.ts'

/** Reads bodies of every media type as they are; the limit is that of the route. */
export const readBodies = (context: FastifyContext): void => {
  context.removeAllContentTypeParsers()
  context.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** Leaves bodies of every media type unread, for operations that take none. */
export const ignoreBodies = (context: FastifyContext): void => {
  context.removeAllContentTypeParsers()
  context.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The most that is read of a body that nobody wants: 64 MiB. */
const mostDiscarded = 64 * 1024 * 1024

/**
 * Reads what is left of a body and drops it, so that a client that is still sending gets to read the reply, and can
 * use its connection again. One that sends without end is cut off. HTTP/2 tells the client to stop by itself.
 */
export const discardBody = (raw: RawRequest): void => {
  if (raw.httpVersionMajor > 1 || raw.readableEnded) return
  let seen = 0
  raw.unpipe()
  raw.on('data', (chunk: Uint8Array) => {
    seen += chunk.length
    if (seen > mostDiscarded) raw.destroy()
  })
  raw.resume()
}
