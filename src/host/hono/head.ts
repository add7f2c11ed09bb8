import type { Context } from 'hono'
import { tooLarge } from '../../operation/body.ts'
import type { ByteSource } from '../../operation/steps.ts'
import { alreadyRead, type RequestBody, type RequestHead } from '../call.ts'
import { bodyOf, bytesOfWeb, FetchHead } from '../fetch/answer.ts'

/** Returns the IP address of the client. */
export type ClientAddress = (context: Context) => string | undefined

export const isContext = (value: unknown): value is Context => {
  const { req, env, newResponse }: { [Name in keyof Context]?: unknown } = Object(value)
  return (
    typeof newResponse === 'function' &&
    'raw' in Object(req) &&
    (env === undefined || typeof env === 'object')
  )
}

/** The address that `@hono/node-server` knows. */
const addressOnNode: ClientAddress = ({ env }) => {
  const address: unknown = env?.incoming?.socket?.remoteAddress
  return typeof address === 'string' ? address : undefined
}

/** The head of a request of Hono. Hooks receive its context. */
export class HonoHead implements RequestHead {
  readonly request: Context
  readonly address: string | undefined
  readonly #head: FetchHead

  constructor(context: Context, clientAddress: ClientAddress = addressOnNode) {
    this.request = context
    // As `NodeHead`, now.
    this.address = clientAddress(context)
    this.#head = new FetchHead(context.req.raw)
  }

  get method(): string {
    return this.#head.method
  }

  get url(): string {
    return this.#head.url
  }

  get scheme(): string {
    return this.#head.scheme
  }

  header(name: string): string | undefined {
    return this.#head.header(name)
  }
}

/** The body of a request, which middleware may have read through Hono, which keeps it. */
export const honoBody = ({ req }: Context): RequestBody => {
  const { raw } = req
  const unread = bodyOf(raw)
  const body: RequestBody = { ...unread, bytes: () => withRestDiscarded(unread.bytes(), raw) }
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

/**
 * On Node, the server cannot read the rest of a form that the operation does not need, and the connection would not be usable
 * after the response. The server closes the connection of a client that sends on for long.
 */
async function* withRestDiscarded(bytes: ByteSource, { body }: Request): AsyncGenerator<Uint8Array, void> {
  let isComplete = false
  try {
    yield* bytes
    isComplete = true
  } finally {
    if (!isComplete) void discarded(bytesOfWeb(body)).catch(() => undefined)
  }
}

const discarded = async (bytes: ByteSource): Promise<void> => {
  let seen = 0
  for await (const piece of bytes) {
    seen += piece.byteLength
    if (seen > MOST_DISCARDED) return
  }
}

/** 64 MiB. */
const MOST_DISCARDED = 64 * 1024 * 1024
