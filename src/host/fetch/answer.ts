import { type HttpError, problem } from '../../error/http-error.ts'
import type { Reply, ReplyStream } from '../../operation/call.ts'
import type { Operation } from '../../operation/operation.ts'
import type { Instead } from '../../operation/run.ts'
import { bytesOfWeb } from '../../upload/byte-source.ts'
import { readTarget } from '../raw-path.ts'
import { nothingHere, wrongMethod } from '../refusals.ts'
import { finish, refuse, type Served } from '../serve.ts'
import { readBody } from './body.ts'
import { type ClientAddress, FetchCall } from './call.ts'
import type { Place, Route, RouteTable } from './route-table.ts'
import { webStream } from './stream.ts'

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
