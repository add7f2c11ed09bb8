import { HttpError, problem, ValueError } from '../../error/errors.ts'
import type { Reply } from '../../operation/call.ts'
import type { BodyBounds, Operation } from '../../operation/operation.ts'
import type { Instead } from '../../operation/run.ts'
import { paramReader } from '../paths.ts'
import { finish, nothingHere, refuse, type Serve, type Served, toAllow, wrongMethod } from '../serve.ts'
import type { ByteStream, FastifyApp, FastifyReply, FastifyRequest } from './app.ts'
import { FastifyCall } from './call.ts'
import { bytesOfNode, discardBody, inTurn, send, type Wanted } from './node.ts'
import { type PathRules, routedPath } from './paths.ts'

/** What a route does with a request. */
export interface Handlers {
  /** Answers, or goes on to the body. Absent: the route needs nothing before its handler. */
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => void
}

/** A request that waits for its body. */
interface Suspended {
  readonly call: FastifyCall
  readonly bounds: BodyBounds
  readonly waiting: Waiting
}

type Waiting = Exclude<Served, { readonly reply: unknown }>

/** A WeakMap would do, but the garbage collector pays for each entry. */
const SUSPENDED: unique symbol = Symbol('modelrest.suspended')

interface Suspendable {
  [SUSPENDED]?: Suspended
}

const suspendedOf = (request: FastifyRequest & Suspendable): Suspended | undefined => request[SUSPENDED]

/** What a request wants of its body; `undefined` where it does not want it. */
export const wantedOf = (request: FastifyRequest): Wanted | undefined => {
  const suspended = suspendedOf(request)
  return suspended?.waiting.wants === 'stream' ? 'stream' : suspended?.bounds
}

/** Tells an operation that waits for its body what the client gets instead. */
const dropSuspended = (request: FastifyRequest, reply: Reply): void =>
  suspendedOf(request)?.waiting.dropped?.(reply)

const suspend = (request: FastifyRequest & Suspendable, suspended: Suspended): void => {
  request[SUSPENDED] = suspended
}

type Open = (request: FastifyRequest) => {
  readonly call: FastifyCall
  readonly served: Served | Promise<Served>
}

/** The handlers of an operation. Everything before the body runs in `onRequest`, where nothing has been read yet. */
export const handlersOf = (operation: Operation, serve: Serve, rules: PathRules): Handlers => {
  const readParams = paramReader(operation.path)
  const open: Open = (request) => {
    const params = readParams(routedPath(request.raw, rules))
    const call = new FastifyCall(request, params ?? {}, rules.useSemicolonDelimiter)
    if (params === undefined) return { call, served: { reply: refuse(nothingHere(call.path), call) } }
    return { call, served: serve.start(operation, call) }
  }
  return operation.body === undefined ? withoutBody(open) : withBody(open, operation.body)
}

const withoutBody = (open: Open): Handlers => ({
  handler: (request, reply) =>
    inTurn(request, reply, () => {
      const { call, served } = open(request)
      when(served, reply, (reached) => {
        discardBody(request.raw)
        send(reply, finish(reached, call))
      })
    }),
})

const withBody = (open: Open, bounds: BodyBounds): Handlers => ({
  onRequest: (request, reply, done) =>
    inTurn(request, reply, () => {
      const { call, served } = open(request)
      when(served, reply, (reached) => {
        if ('resume' in reached) {
          suspend(request, { call, bounds, waiting: reached })
          const { dropped } = reached
          if (dropped !== undefined) reply.raw.once('close', () => dropped(sentInstead(reply)))
          done()
        } else {
          discardBody(request.raw)
          send(reply, reached.reply)
        }
      })
    }),
  handler: (request, reply) => {
    const suspended = suspendedOf(request)
    if (suspended === undefined) throw new Error('A route was called without its onRequest hook.')
    when(resume(suspended.waiting, request), reply, (reached) => {
      discardBody(request.raw)
      send(reply, finish(reached, suspended.call))
    })
  },
})

const resume = (waiting: Waiting, { body, raw }: FastifyRequest): Served | Promise<Served> =>
  waiting.wants === 'bytes'
    ? waiting.resume(body instanceof Uint8Array ? body : noBytes)
    : waiting.resume(bytesOfNode(isStream(body) ? body : raw))

/** A hook of the application may have put a stream of its own in the place of the request's. */
const isStream = (body: unknown): body is Pick<ByteStream, 'iterator'> =>
  typeof body === 'object' && body !== null && 'iterator' in body && typeof body.iterator === 'function'

const noBytes = new Uint8Array()

/** A hook of the application may answer, or the client may go. It is no news where the operation has replied. */
const sentInstead = ({ raw, statusCode }: FastifyReply): Instead => ({
  status: raw.headersSent ? statusCode : undefined,
})

/** Goes on at once where nothing has to be waited for. */
const when = (served: Served | Promise<Served>, reply: FastifyReply, go: (served: Served) => void): void => {
  if (served instanceof Promise) served.then(go).catch((error) => reply.send(error))
  else go(served)
}

/** The handlers of a path for every method. */
type ByMethod = ReadonlyMap<string, Handlers>

/**
 * One route for many methods of a path. Those that the path does not have are refused with 405, before their body.
 *
 * @param allowed Asked when a method is refused, as routes of the application may have come meanwhile.
 */
export const dispatch = (
  byMethod: ByMethod,
  allowed: () => Iterable<string>,
  semicolon: boolean,
): Required<Handlers> => ({
  onRequest: (request, reply, done) => {
    const handlers = byMethod.get(request.method)
    if (handlers === undefined) refuseMethod(request, reply, toAllow(allowed()), semicolon)
    else if (handlers.onRequest === undefined) done()
    else handlers.onRequest(request, reply, done)
  },
  handler: (request, reply) => byMethod.get(request.method)?.handler(request, reply),
})

const refuseMethod = (
  request: FastifyRequest,
  reply: FastifyReply,
  allow: string,
  semicolon: boolean,
): void => {
  const call = new FastifyCall(request, {}, semicolon)
  discardBody(request.raw)
  send(reply, refuse(wrongMethod(call.method, allow), call))
}

/**
 * The error handler of our routes: what is wrong with a body becomes a problem. What a hook of the application
 * throws goes to the application's own error handler where it has one, and is a problem otherwise.
 */
export const errorHandler =
  (app: FastifyApp, semicolon: boolean) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): unknown => {
    const refusal = isOurs(error) ? error : ofBody(error)
    if (refusal === undefined && hasErrorHandler(app)) return app.errorHandler(error, request, reply)
    // Fastify hangs up when it cannot read a body, and a client that is still sending would miss the answer.
    if (refusal !== undefined) reply.removeHeader('connection')
    discardBody(request.raw)
    const answer = refusal ?? ofHook(error, reply.statusCode)
    const refused = refuse(answer, new FastifyCall(request, {}, semicolon))
    dropSuspended(request, refused)
    send(reply, refused)
    return undefined
  }

/** What Fastify itself refuses before it gives us the body. */
const ofBody = (error: unknown): HttpError | undefined =>
  Object(error).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    ? problem('unsupported_media_type', 'The Content-Type header cannot be read.')
    : undefined

const isOurs = (error: unknown): boolean => error instanceof HttpError || error instanceof ValueError

/** Fastify does not tell whether its error handler was replaced, but its own has a name. */
const hasErrorHandler = ({ errorHandler: current }: FastifyApp): boolean =>
  current.name !== 'defaultErrorHandler'

/** What a hook threw means what Fastify would take it for. The message of a failure stays in the log. */
const ofHook = (error: unknown, replyStatus: number): unknown => {
  const { statusCode, status, message } = Object(error) as Readonly<Record<string, unknown>>
  const meant = [statusCode, status, replyStatus].find(isErrorStatus)
  if (meant === undefined || meant === 500) return error
  const detail = meant < 500 ? String(message) : 'The server cannot answer this request at the moment.'
  return new HttpError(meant, detail, { cause: error })
}

const isErrorStatus = (status: unknown): status is number =>
  typeof status === 'number' && status >= 400 && status <= 599
