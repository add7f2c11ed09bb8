import { clipped, type HttpError, problem } from '../../error/errors.ts'
import { cleanLog, type Log, requestLog } from '../../observe/log.ts'
import type { Call, Caller, Reply, ReplyStream } from '../../operation/call.ts'
import type { BodyBounds, Operation } from '../../operation/operation.ts'
import type { Instead } from '../../operation/run.ts'
import type { ByteSource } from '../../operation/steps.ts'
import { collectBody } from '../body.ts'
import { type Params, type Place, type Route, type RouteTable, readTarget, type Target } from '../paths.ts'
import { finish, nothingHere, refuse, type Served, wrongMethod } from '../serve.ts'

/** What `fetch` of an application does. */
export const answerer =
  (
    base: string,
    table: RouteTable,
    clientAddress: ClientAddress,
  ): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const target = readTarget(request.url)
    const found = target.path.startsWith(`${base}/`) ? table.find(target.path.slice(base.length)) : undefined
    const params = found?.readParams(target.path)
    const place = params === undefined ? undefined : found
    const call = new FetchCall(request, target, params ?? {}, clientAddress)
    const route = place?.methods.get(request.method)
    return route === undefined
      ? respond(call, refuse(refusalOf(call, place, table), call))
      : answer(route, call)
  }

const refusalOf = ({ method, path }: FetchCall, place: Place | undefined, table: RouteTable): HttpError => {
  if (table.isEmpty()) return problem('unavailable', 'The service has not been started yet.')
  // Nothing stands behind this application, and OPTIONS is never ours: there is nothing for it here.
  return place === undefined || method === 'OPTIONS' ? nothingHere(path) : wrongMethod(method, place.allow)
}

/** Goes on at once where nothing has to be waited for. */
const answer = ({ operation, serve }: Route, call: FetchCall): Response | Promise<Response> => {
  const served = serve.start(operation, call)
  return served instanceof Promise
    ? served.then((reached) => goOn(operation, reached, call))
    : goOn(operation, served, call)
}

const goOn = ({ body }: Operation, served: Served, call: FetchCall): Response | Promise<Response> => {
  if ('reply' in served || body === undefined) return respond(call, finish(served, call))
  const { request } = call
  return served.wants === 'bytes'
    ? resume(call, () => readBody(request, body), served)
    : resume(call, () => bytesOfWeb(request.body), served)
}

/** An operation that waits for its body, in one of the two forms. */
interface WantsBody<Body> {
  readonly resume: (body: Body) => Served | Promise<Served>
  readonly dropped?: (instead: Instead) => void
}

/** Waits for nothing that is there: in synchronous operation the reply comes in the tick of its body. */
const resume = async <Body>(
  call: FetchCall,
  read: () => Body | Promise<Body>,
  waiting: WantsBody<Body>,
): Promise<Response> => {
  try {
    const body = read()
    const served = waiting.resume(body instanceof Promise ? await body : body)
    return respond(call, finish(served instanceof Promise ? await served : served, call))
  } catch (error) {
    const reply = refuse(error, call)
    waiting.dropped?.(reply)
    return respond(call, reply)
  }
}

const respond = (call: FetchCall, reply: Reply): Response => {
  try {
    return toResponse(call, reply)
  } catch (error) {
    if (isStream(reply.body)) reply.body.destroy()
    return toResponse(call, refuse(error, call))
  }
}

/** The bytes of a request's body. What is not read of it is left to the host. */
export const bytesOfWeb = (stream: Request['body']): ByteSource => ({
  [Symbol.asyncIterator]: () => stream?.values({ preventCancel: true }) ?? noBytes,
})

const noBytes: AsyncIterator<Uint8Array> = { next: async () => ({ done: true, value: undefined }) }

const toResponse = (call: FetchCall, { status, headers, body }: Reply): Response => {
  if (isStream(body)) return toStreamed(call, { status, headers, body })
  if (call.method !== 'HEAD') return new Response(body ?? null, { status, headers: linesOf(headers) })
  const length = body === undefined ? {} : { 'content-length': String(bytesOf(body).byteLength) }
  return new Response(null, { status, headers: linesOf({ ...headers, ...length }) })
}

const isStream = (body: Reply['body']): body is ReplyStream =>
  body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)

const toStreamed = (call: FetchCall, { status, headers, body }: Reply & { body: ReplyStream }): Response => {
  const lines = linesOf(headers)
  if (call.method !== 'HEAD') return new Response(webStream(body, call), { status, headers: lines })
  body.destroy()
  return new Response(null, { status, headers: lines })
}

/** A header with several values is a line for each. */
const linesOf = (headers: Reply['headers']): [name: string, value: string][] => {
  const lines: [string, string][] = []
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (typeof value === 'string') lines.push([name, value])
    else for (const one of value) lines.push([name, one])
  }
  return lines
}

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body

/** Tells where a request came from. */
export type ClientAddress = (request: Request) => string | undefined

/** A `Request` as a call. A class, so that a request makes no function of its own. */
export class FetchCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly params: Params
  readonly request: Request
  caller: Caller | undefined = undefined
  loggable?: Call['loggable']
  readonly #clientAddress: ClientAddress
  #requestId: string | undefined

  constructor(request: Request, { path, query }: Target, params: Params, clientAddress: ClientAddress) {
    this.method = request.method
    this.path = path
    this.query = query
    this.params = params
    this.request = request
    this.#clientAddress = clientAddress
  }

  /** Made when it is asked for: only failures need one. */
  get requestId(): string {
    this.#requestId ??= crypto.randomUUID()
    return this.#requestId
  }

  get log(): Log {
    return cleanLog(
      requestLog(() => this.requestId),
      this.loggable,
    )
  }

  get address(): string | undefined {
    return this.#clientAddress(this.request)
  }

  get scheme(): string {
    return this.request.url.startsWith('https:') ? 'https' : 'http'
  }

  header(name: string): string | undefined {
    const value = this.request.headers.get(name) ?? undefined
    // Not every runtime keeps it among the headers.
    return value === undefined && name === 'host' ? hostIn(this.request.url) : value
  }
}

const hostIn = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

/**
 * Reads a body within its bounds, and no further.
 *
 * @throws HttpError 413 beyond the limit, 408 beyond the time, 400 where the client ends too early.
 */
const readBody = ({ body }: Request, bounds: BodyBounds): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    if (body === null) return resolve(new Uint8Array())
    const reader = body.getReader()
    let isWanted = true
    const collecting = collectBody(bounds, (refusal, whole) => {
      isWanted = false
      if (refusal === null) return resolve(whole)
      // Whether the platform can tell the client to stop is its own matter.
      reader.cancel().catch(() => undefined)
      reject(refusal)
    })
    const read = async (): Promise<void> => {
      while (isWanted) {
        const { done, value } = await reader.read()
        if (done) return collecting.end()
        collecting.add(value)
      }
    }
    read().catch(collecting.fail)
  })

/**
 * A stream of a reply as a `Response` takes it: nothing is read before somebody wants it, and what reading holds is given
 * back when nobody does any more.
 */
const webStream = (body: ReplyStream, { request, log, path }: FetchCall): ReadableStream<Uint8Array> => {
  const bytes = body[Symbol.asyncIterator]()
  // Not every runtime's request has one.
  const signal: AbortSignal | undefined = request.signal
  let isWanted = true
  const end = (): void => {
    isWanted = false
    signal?.removeEventListener('abort', end)
    body.destroy()
  }
  if (signal?.aborted === true) end()
  else signal?.addEventListener('abort', end)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bytes.next()
          if (!done) return controller.enqueue(value)
          end()
          controller.close()
        } catch (error) {
          // What is given back early may say so by failing.
          if (isWanted) log.error(`A reply to ${clipped(path, 'path')} broke off.`, error)
          end()
          controller.error(error)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
