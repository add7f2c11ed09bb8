import type { Call, Reply, ReplyStream } from '../../operation/call.ts'
import type { BodyBounds } from '../../operation/operation.ts'
import type { ByteSource } from '../../operation/steps.ts'
import { alreadyRead, collectBody, type RequestBody, type RequestHead } from '../call.ts'
import type { RouteTable } from '../routes.ts'
import { isHeaderLine, isStream } from '../serve.ts'

type AddressOf = (request: Request) => string | undefined

export const answerer =
  (table: RouteTable, headOf: (request: Request) => RequestHead): ((request: Request) => Promise<Response>) =>
  async (request) =>
    table.answer(headOf(request), bodyOf(request), (reply, call) => toResponse(request, reply, call))

/** The head of a `Request`. A class avoids creating functions for each request. */
export class FetchHead implements RequestHead {
  readonly request: unknown
  readonly #raw: Request
  readonly #clientAddress: AddressOf | undefined

  /** @param request what hooks receive */
  constructor(raw: Request, clientAddress?: AddressOf, request: unknown = raw) {
    this.#raw = raw
    this.request = request
    this.#clientAddress = clientAddress
  }

  get method(): string {
    return this.#raw.method
  }

  get url(): string {
    return isOfNext(this.#raw) ? urlOfNext(this.#raw) : this.#raw.url
  }

  get scheme(): string {
    return this.#raw.url.startsWith('https:') ? 'https' : 'http'
  }

  get address(): string | undefined {
    return this.#clientAddress?.(this.#raw)
  }

  header(name: string): string | undefined {
    const { headers, url } = this.#raw
    if (name === 'accept-encoding' && compressesItself(this.#raw)) return undefined
    const value = headers.get(name) ?? undefined
    // Some runtimes do not include it in the headers.
    return value === undefined && name === 'host' && URL.canParse(url) ? new URL(url).host : value
  }
}

/** Whether Next.js created the request. */
const isOfNext = (request: Request): boolean => 'nextUrl' in request

/**
 * Whether the platform compresses responses itself, and would spoil compressed ones: Next.js removes `Content-Encoding`, and
 * Workers of Cloudflare compress a second time.
 */
const compressesItself = (request: Request): boolean => isOfNext(request) || 'cf' in request

/**
 * The URL of a request of Next.js, which writes the query anew: the condition `price<20` becomes `price%3C20=`. An `=` that a
 * client writes at the end of a value becomes `%3D`.
 */
const urlOfNext = ({ url }: Request): string => {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  return url.slice(0, start) + url.slice(start).split('&').map(condition).join('&')
}

const condition = (part: string): string =>
  part.indexOf('=') === part.length - 1 && /%3[CE]/.test(part) ? part.slice(0, -1) : part

/** The body of a `Request`. */
export const bodyOf = (request: Request): RequestBody => ({
  whole: (bounds) => readBody(request, bounds),
  bytes: () => {
    if (isRead(request)) throw alreadyRead()
    return withRestDiscarded(request.body)
  },
})

const isRead = ({ bodyUsed, body }: Request): boolean => bodyUsed || body?.locked === true

/** The bytes of a request body. Unread bytes are left to the runtime. */
export const bytesOfWeb = (stream: Request['body']): ByteSource => ({
  [Symbol.asyncIterator]: () => stream?.values({ preventCancel: true }) ?? noBytes,
})

/**
 * Where Node's server is below, it cannot read the rest of a form that the operation does not need, and the connection would
 * not be usable after the response. The server closes the connection of a client that sends on for long.
 */
async function* withRestDiscarded(body: Request['body']): AsyncGenerator<Uint8Array, void> {
  let isComplete = false
  try {
    yield* bytesOfWeb(body)
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

const noBytes: AsyncIterator<Uint8Array> = { next: async () => ({ done: true, value: undefined }) }

const readBody = (request: Request, bounds: BodyBounds): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const length = Number(request.headers.get('content-length') ?? 0)
    let stop = (): void => undefined
    const collecting = collectBody(bounds, (refusal, whole) => {
      if (refusal !== null) {
        stop()
        return reject(refusal)
      }
      // A parser for node:http leaves an empty body behind.
      return whole.byteLength === 0 && length > 0 ? reject(alreadyRead()) : resolve(whole)
    })
    if (length > 0 && length <= bounds.limit && !request.bodyUsed) {
      // Much cheaper than a stream on Node.
      request.arrayBuffer().then(
        (bytes) => {
          collecting.add(new Uint8Array(bytes))
          collecting.end()
        },
        (error) => (request.bodyUsed ? collecting.fail(error) : reject(alreadyRead())),
      )
      return
    }
    const { body } = request
    if (isRead(request)) throw alreadyRead()
    if (body === null) return collecting.end()
    const reader = body.getReader()
    let isWanted = true
    stop = () => {
      isWanted = false
      // Not every platform can tell the client to stop.
      reader.cancel().catch(() => undefined)
    }
    const read = async (): Promise<void> => {
      while (isWanted) {
        const { done, value } = await reader.read()
        if (done) return collecting.end()
        collecting.add(value)
      }
    }
    read().catch(collecting.fail)
  })

/** What a `Response` is made of. */
interface ResponseParts {
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
  readonly status: number
  readonly headers: Record<string, string> | Headers
}

export const responseParts = (
  // Requests of some runtimes do not have a signal. On Node, it is created when it is read.
  request: { readonly signal?: AbortSignal },
  { status, headers, body }: Reply,
  { method }: Call,
): ResponseParts => {
  if (isStream(body)) return { body: webStream(body, request.signal), status, headers: headersOf(headers) }
  if (method !== 'HEAD')
    return { body: (body as ResponseParts['body']) ?? null, status, headers: headersOf(headers) }
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return { body: null, status, headers: headersOf({ ...headers, ...length }) }
}

export const toResponse = (request: Request, reply: Reply, call: Call): Response => {
  const { body, ...init } = responseParts(request, reply, call)
  return new Response(body, init)
}

/** Servers on Node send a record as it is, without a `Headers`, which would check it. */
const headersOf = (headers: Reply['headers']): ResponseParts['headers'] =>
  isRecord(headers) ? headers : checked(headers)

/** Throws here, where it becomes a 500: some servers would read an invalid header when they send it, and send nothing. */
const checked = (headers: Reply['headers']): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((line): [string, string] => [name, line]),
    ),
  )

/** Whether each header is one valid line. */
const isRecord = (headers: Reply['headers']): headers is Record<string, string> => {
  for (const name in headers) {
    const value = headers[name]
    if (typeof value !== 'string' || !isHeaderLine(name, value)) return false
  }
  return true
}

/** The stream of a response, read at the speed of the client and destroyed if the client disconnects. */
const webStream = (body: ReplyStream, signal: AbortSignal | undefined): ReadableStream<Uint8Array> => {
  const release = (): void => void body.destroy()
  if (signal?.aborted === true) release()
  else signal?.addEventListener('abort', release, { once: true })
  const bytes = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bytes.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(error)
        }
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  )
}
