import { Readable } from 'node:stream'
import type { Reply, ReplyStream } from '../../operation/call.ts'
import type { FastifyReply } from './app.ts'

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
