import { type HttpError, problem, StartError } from '../error/errors.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Resumable } from '../operation/steps.ts'
import { HeadCall, type RequestBody, type RequestHead } from './call.ts'
import { failureLog } from './failure-log.ts'
import { type PathEntry, pathTable, type Route } from './path-table.ts'
import { readTarget } from './paths.ts'
import { type RequestOperation, requestOperation } from './request-operation.ts'
import {
  finishWithoutBody,
  isBegun,
  isStream,
  nothingHere,
  replyToError,
  type Serve,
  type Served,
  wrongMethod,
} from './serve.ts'

/**
 * The routes of a host that does not have a router of its own.
 *
 * A path matches with and without a trailing slash, and fixed segments take precedence over parameters.
 */
export interface RouteTable {
  /** Adds operations, as `Host.mount` receives them. */
  add(operations: readonly Operation[], serve: Serve): void
  /** Whether an operation serves this path, which includes the base: `/api/products/{id}`. */
  serves(method: string, path: string): boolean
  /**
   * Whether the request is for one of the paths, whatever its method. OPTIONS requests are not, so that the application can
   * respond to CORS preflights.
   */
  covers(head: Pick<RequestHead, 'method' | 'url'>): boolean
  /** The operation that serves a request, for guards of the application. `undefined`: none does. */
  operationOf(head: Pick<RequestHead, 'method' | 'url'>): RequestOperation | undefined
  /**
   * Responds to a request: with its operation, or with 404, 405, or 503 if `add` has not been called. `send` sends the
   * response. If it throws or rejects, it is called again with a 500, unless it has begun to read a stream. Never throws.
   * Rejects if that fails too.
   *
   * @returns what `send` returns. In synchronous mode, `send` is called in the tick in which the body arrives.
   */
  answer<Sent>(head: RequestHead, body: RequestBody, send: Send<Sent>): Sent | Promise<Sent>
}

/** Sends a response. HEAD requests get no body, whatever `reply.body` is. */
export type Send<Sent> = (reply: Reply, call: Call) => Sent

/** The options of {@link routeTable}. */
interface RouteTableOptions {
  /**
   * Whether fixed parts of paths match only as they are usually written: `/%69tems` is not `/items`. Set it if middleware runs
   * before the table that compares paths in this way, because clients could otherwise bypass it.
   *
   * @default false
   */
  readonly literal?: boolean
}

/** Creates an empty table. @param base the path where the application is mounted, without a trailing slash */
export const routeTable = (base = '', { literal = false }: RouteTableOptions = {}): RouteTable => {
  const table = pathTable(literal)
  const log = failureLog()

  const find = (path: string): PathEntry | undefined =>
    path.startsWith(`${base}/`) ? table.find(path.slice(base.length)) : undefined

  const match = (url: string) => {
    const target = readTarget(url)
    const found = find(target.path)
    const params = found?.readParams(target.path)
    return { url, target, params, place: params === undefined ? undefined : found }
  }
  /** What `covers` has found, so that `answer` does not look it up again. Without the request, which it would keep in memory. */
  let covered: ReturnType<typeof match> | undefined

  const missing = ({ method, path }: Call, place: PathEntry | undefined): HttpError => {
    if (table.isEmpty()) {
      const cause = new StartError(
        'No endpoints are registered. Write await rest.init() before the first request.',
      )
      return problem('unavailable', 'The service has not started yet.', { cause })
    }
    return place === undefined || method === 'OPTIONS'
      ? nothingHere(path)
      : wrongMethod(method, place.methods.keys())
  }

  return Object.freeze<RouteTable>({
    add: (operations, serve) => {
      for (const operation of operations) table.add({ operation, serve })
    },
    serves: (method, path) => find(literal ? written(base, path) : path)?.methods.has(method) === true,
    covers: (head) => {
      const matched = head.method === 'OPTIONS' ? undefined : match(head.url)
      covered = matched?.place === undefined ? undefined : matched
      return covered !== undefined
    },
    operationOf: ({ method, url }) => {
      const { target, params, place } = match(url)
      const route = method === 'OPTIONS' ? undefined : place?.methods.get(method)
      return route && params && requestOperation(route.operation, { params, query: target.query })
    },
    answer: (head, body, send) => {
      const { url } = head
      const { target, params, place } = covered?.url === url ? covered : match(url)
      covered = undefined
      const route = place?.methods.get(head.method)
      const call = new HeadCall(head, target, params, route?.serve)
      if (route === undefined) return sent(call, replyToError(missing(call, place), call, log), send)
      return answerWith(route, call, body, send)
    },
  })
}

/** A path as clients write it. The base is in this form already. */
const written = (base: string, path: string): string => base + encodeURI(path.slice(base.length))

const answerWith = <Sent>(
  { operation, serve }: Route,
  call: Call,
  body: RequestBody,
  send: Send<Sent>,
): Sent | Promise<Sent> => {
  const goOn = (served: Served): Sent | Promise<Sent> => {
    const { body: bounds } = operation
    if ('reply' in served || bounds === undefined) return sent(call, finishWithoutBody(served, call), send)
    return served.wants === 'bytes'
      ? resumed(call, () => body.whole(bounds), served, send)
      : resumed(call, () => body.bytes(), served, send)
  }
  const served = serve.start(operation, call)
  return served instanceof Promise ? served.then(goOn) : goOn(served)
}

/** Awaits only promises: in synchronous mode, the response is created in the tick in which the body arrives. */
const resumed = async <Body, Sent>(
  call: Call,
  read: () => Body | Promise<Body>,
  waiting: Resumable<Body, Reply>,
  send: Send<Sent>,
): Promise<Sent> => {
  let reply: Reply
  try {
    const body = read()
    const served = waiting.resume(body instanceof Promise ? await body : body)
    reply = finishWithoutBody(served instanceof Promise ? await served : served, call)
  } catch (error) {
    reply = replyToError(error, call)
    waiting.dropped?.(reply)
  }
  return sent(call, reply, send)
}

/** A header that an application sets may be invalid. Rejects instead of throwing, so hosts need to catch only rejections. */
const sent = <Sent>(call: Call, reply: Reply, send: Send<Sent>): Sent | Promise<Sent> => {
  const again = (error: unknown): Sent | Promise<Sent> => {
    if (isBegun(reply.body)) return Promise.reject(error)
    if (isStream(reply.body)) reply.body.destroy()
    try {
      return send(replyToError(error, call), call)
    } catch (unsent) {
      return Promise.reject(unsent)
    }
  }
  try {
    const result = send(reply, call)
    return result instanceof Promise ? result.catch(again) : result
  } catch (error) {
    return again(error)
  }
}

/** On the handlers of frameworks, to find the tables of other instances in the same application. */
const TABLE: unique symbol = Symbol.for('modelrest.table')

export const carryTable = (handler: object, table: RouteTable): void =>
  void Object.assign(handler, { [TABLE]: table })

/** Whether one of the tables that these handlers carry serves a path. */
export const isServedBy = (method: string, path: string, handlers: readonly unknown[]): boolean =>
  handlers.some((handler) => Reflect.get(Object(handler), TABLE)?.serves(method, path) === true)
