import { clipped, type HttpError, problem, StartError } from '../../error/errors.ts'
import { cleanLog, type Log, requestLog } from '../../observe/log.ts'
import type { Call, Caller, Reply, ReplyStream } from '../../operation/call.ts'
import type { BodyBounds, Operation } from '../../operation/operation.ts'
import type { ByteSource, Resumable } from '../../operation/steps.ts'
import { type Params, type Place, type Route, type RouteTable, readTarget, type Target } from '../paths.ts'
import { collectBody, finish, nothingHere, refuse, type Serve, type Served, wrongMethod } from '../serve.ts'

export interface Mounted {
  readonly base: string
  readonly table: RouteTable
  readonly clientAddress: ClientAddress | undefined
}

type ClientAddress = (request: Request) => string | undefined

export const answerer =
  ({ base, table, clientAddress }: Mounted): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const target = readTarget(request.url)
    const found = target.path.startsWith(`${base}/`) ? table.find(target.path.slice(base.length)) : undefined
    const params = found?.readParams(target.path)
    const place = params === undefined ? undefined : found
    const route = place?.methods.get(request.method)
    const call = new FetchCall(request, target, params ?? {}, clientAddress, route?.serve.loggable)
    return route === undefined
      ? respond(call, refuse(refusalOf(call, place, table), call))
      : answer(route, call)
  }

const refusalOf = ({ method, path }: FetchCall, place: Place | undefined, table: RouteTable): HttpError => {
  if (table.isEmpty()) {
    const cause = new StartError(
      'No endpoints are registered. Write await rest.init() before the first request.',
    )
    return problem('unavailable', 'The service has not started yet.', { cause })
  }
  // OPTIONS is left to the application, and no other handler follows this one: 404.
  return place === undefined || method === 'OPTIONS'
    ? nothingHere(path)
    : wrongMethod(method, place.methods.keys())
}

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

/** Awaits only promises: in synchronous mode, the response is created in the tick in which the body arrives. */
const resume = async <Body>(
  call: FetchCall,
  read: () => Body | Promise<Body>,
  waiting: Resumable<Body, Reply>,
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

/** The bytes of a request body. Unread bytes are left to the host. */
export const bytesOfWeb = (stream: Request['body']): ByteSource => ({
  [Symbol.asyncIterator]: () => stream?.values({ preventCancel: true }) ?? noBytes,
})

const noBytes: AsyncIterator<Uint8Array> = { next: async () => ({ done: true, value: undefined }) }

const toResponse = (call: FetchCall, { status, headers, body }: Reply): Response => {
  if (call.method !== 'HEAD') {
    const sent = isStream(body) ? webStream(body, call) : (body ?? null)
    return new Response(sent, { status, headers: linesOf(headers) })
  }
  if (isStream(body)) body.destroy()
  const length =
    body === undefined || isStream(body) ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Response(null, { status, headers: linesOf({ ...headers, ...length }) })
}

const isStream = (body: Reply['body']): body is ReplyStream =>
  body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)

const linesOf = (headers: Reply['headers']): [name: string, value: string][] => {
  const lines: [string, string][] = []
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (typeof value === 'string') lines.push([name, value])
    else for (const one of value) lines.push([name, one])
  }
  return lines
}

/** A `Request` as a call. A class avoids creating functions for each request. */
export class FetchCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly params: Params
  readonly request: Request
  caller: Caller | undefined = undefined
  readonly #clientAddress: ClientAddress | undefined
  readonly #loggable: Serve['loggable']
  #requestId: string | undefined

  constructor(
    request: Request,
    { path, query }: Target,
    params: Params,
    clientAddress?: ClientAddress,
    loggable?: Serve['loggable'],
  ) {
    this.method = request.method
    this.path = path
    this.query = query
    this.params = params
    this.request = request
    this.#clientAddress = clientAddress
    this.#loggable = loggable
  }

  /** Generated on first access, because only failures need it. */
  get requestId(): string {
    this.#requestId ??= crypto.randomUUID()
    return this.#requestId
  }

  get log(): Log {
    return cleanLog(
      requestLog(() => this.requestId),
      this.#loggable,
    )
  }

  get address(): string | undefined {
    return this.#clientAddress?.(this.request)
  }

  get scheme(): string {
    return this.request.url.startsWith('https:') ? 'https' : 'http'
  }

  header(name: string): string | undefined {
    const { headers, url } = this.request
    const value = headers.get(name) ?? undefined
    // Some runtimes do not include it in the headers.
    return value === undefined && name === 'host' && URL.canParse(url) ? new URL(url).host : value
  }
}

const readBody = ({ body }: Request, bounds: BodyBounds): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    if (body === null) return resolve(new Uint8Array())
    const reader = body.getReader()
    let isWanted = true
    const collecting = collectBody(bounds, (refusal, whole) => {
      isWanted = false
      if (refusal === null) return resolve(whole)
      // Not every platform can tell the client to stop.
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

/** The stream of a response, read at the speed of the client and released if the client stops. */
const webStream = (body: ReplyStream, { request, log, path }: FetchCall): ReadableStream<Uint8Array> => {
  const bytes = body[Symbol.asyncIterator]()
  // Requests of some runtimes do not have one.
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
          // A stream that is released early may fail because of that.
          if (isWanted) log.error(`The response to ${clipped(path, 'path')} was interrupted`, error)
          end()
          controller.error(error)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
