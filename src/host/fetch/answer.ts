import { type HttpError, problem } from '../../error/http-error.ts'
import type { Reply } from '../../operation/call.ts'
import { readTarget } from '../raw-path.ts'
import { nothingHere, wrongMethod } from '../refusals.ts'
import { finish, refuse, type Served } from '../serve.ts'
import { readBody } from './body.ts'
import { FetchCall } from './call.ts'
import type { Place, Route, RouteTable } from './route-table.ts'

/** What `fetch` of an application does. */
export const answerer =
  (base: string, table: RouteTable): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const target = readTarget(request.url)
    const found = target.path.startsWith(`${base}/`) ? table.find(target.path.slice(base.length)) : undefined
    const params = found?.readParams(target.path)
    const place = params === undefined ? undefined : found
    const call = new FetchCall(request, target, params ?? {})
    const route = place?.methods.get(request.method)
    const reply =
      route === undefined ? refuse(refusalOf(call, place, table), call) : await answer(route, call)
    try {
      return toResponse(call, reply)
    } catch (error) {
      return toResponse(call, refuse(error, call))
    }
  }

const refusalOf = ({ method, path }: FetchCall, place: Place | undefined, table: RouteTable): HttpError => {
  if (table.isEmpty()) return problem('unavailable', 'The service has not been started yet.')
  // Nothing stands behind this application, and OPTIONS is never ours: there is nothing for it here.
  return place === undefined || method === 'OPTIONS' ? nothingHere(path) : wrongMethod(method, place.allow)
}

const answer = async ({ operation, serve }: Route, call: FetchCall): Promise<Reply> => {
  const served = await serve.start(operation, call)
  return 'resume' in served && operation.body !== undefined
    ? resume(served.resume, call, operation.body.limit)
    : finish(served, call)
}

const resume = async (
  go: (body: Uint8Array) => Served | Promise<Served>,
  call: FetchCall,
  limit: number,
): Promise<Reply> => {
  try {
    return finish(await go(await readBody(call.request, limit)), call)
  } catch (error) {
    return refuse(error, call)
  }
}

const toResponse = ({ method }: FetchCall, { status, headers, body }: Reply): Response => {
  if (method !== 'HEAD') return new Response(body ?? null, { status, headers })
  const length = body === undefined ? {} : { 'content-length': String(bytesOf(body).byteLength) }
  return new Response(null, { status, headers: { ...headers, ...length } })
}

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body
