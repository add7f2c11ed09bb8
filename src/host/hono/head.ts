import type { Context } from 'hono'
import { tooLarge } from '../../operation/body.ts'
import { alreadyRead, type RequestBody, type RequestHead } from '../call.ts'
import { bodyOf, FetchHead } from '../fetch/answer.ts'
import { isNodeRequest } from '../node/middleware.ts'
import type { NodeResponse } from '../node/response.ts'
import { turnAfter } from '../node/turns.ts'

/** Returns the IP address of the client. */
export type ClientAddress = (context: Context) => string | undefined

export const isContext = (value: unknown): value is Context =>
  typeof Object(value).newResponse === 'function' && 'raw' in Object(Object(value).req)

/** The address that `@hono/node-server` knows. */
const addressOnNode: ClientAddress = ({ env }) => env?.incoming?.socket?.remoteAddress

/** The head of a request of Hono. Hooks receive its context. */
export const honoHead = (context: Context, clientAddress: ClientAddress = addressOnNode): RequestHead => {
  // Read now, because Node does not know it after the client has disconnected.
  const address = clientAddress(context)
  return new FetchHead(context.req.raw, () => address, context)
}

/**
 * Waits for the previous requests on the connection with `@hono/node-server`. `false`: the client has disconnected, and only
 * middleware waits for a response.
 */
export const connectionTurn = ({ env }: Context): Promise<boolean> | boolean => {
  const { incoming, outgoing }: { incoming?: unknown; outgoing?: NodeResponse } = Object(env)
  return !isNodeRequest(incoming) || outgoing === undefined || turnAfter(incoming, outgoing)
}

/** The body of a request, which middleware may have read through Hono, which keeps it. */
export const honoBody = ({ req }: Context): RequestBody => {
  const body = bodyOf(req.raw)
  const [kept] = Object.keys(req.bodyCache)
  return kept === undefined ? body : { ...body, whole: ({ limit }) => keptBody(req, kept, limit) }
}

/** Whether the bytes can be told from what Hono keeps. Invalid UTF-8 becomes a replacement character in a text. */
const keptBody = async (req: Context['req'], kept: string, limit: number): Promise<Uint8Array> => {
  const isText = kept === 'text' || kept === 'json'
  if (kept === 'formData' || (isText && (await req.text()).includes('\uFFFD'))) throw alreadyRead()
  const bytes = new Uint8Array(await req.arrayBuffer())
  if (bytes.byteLength > limit) throw tooLarge(limit)
  return bytes
}
