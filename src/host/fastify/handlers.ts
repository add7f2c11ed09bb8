import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError, problem, ValueError } from '../../error/errors.ts'
import { cleanLog, type Log, requestLog, stderrLog } from '../../observe/log.ts'
import type { Call, Caller, Reply } from '../../operation/call.ts'
import type { BodyBounds, Operation } from '../../operation/operation.ts'
import type { Instead, WaitsForBody } from '../../operation/steps.ts'
import { bytesOfNode, discardBody, headerOf, inTurn, readableOf, readBody } from '../node/request.ts'
import { type Params, paramReader, readTarget } from '../paths.ts'
import { finish, nothingHere, refuse, type Serve, type Served, wrongMethod } from '../serve.ts'
import type { FastifyApp, FastifyLog } from './app.ts'
import { type PathRules, routedPath } from './paths.ts'

export interface Handlers {
  /** Answers, or goes on to the body. Absent: the route needs nothing before its handler. */
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => void
}

interface Suspended {
  readonly call: FastifyCall
  readonly bounds: BodyBounds
  readonly waiting: WaitsForBody<Reply>
}

/** A WeakMap would do, but the garbage collector pays for each entry. */
const SUSPENDED: unique symbol = Symbol('modelrest.suspended')

type Suspendable = FastifyRequest & { [SUSPENDED]?: Suspended }

type Open = (request: FastifyRequest) => { call: FastifyCall; served: Served | Promise<Served> }

/** The handlers of an operation. Everything before the body runs in `onRequest`, where nothing has been read yet. */
export const handlersOf = (operation: Operation, serve: Serve, rules: PathRules): Handlers => {
  const readParams = paramReader(operation.path)
  const open: Open = (request) => {
    const params = readParams(routedPath(request.raw, rules))
    const call = new FastifyCall(request, params ?? {}, rules, serve.loggable)
    if (params === undefined) return { call, served: { reply: refuse(nothingHere(call.path), call) } }
    return { call, served: serve.start(operation, call) }
  }
  return operation.body === undefined ? withoutBody(open) : withBody(open, operation.body)
}

const withoutBody = (open: Open): Handlers => ({
  handler: (request, reply) =>
    inTurn(request.raw, reply.raw, () => {
      const { call, served } = open(request)
      when(served, reply, (reached) => respond(request, reply, finish(reached, call)))
    }),
})

const withBody = (open: Open, bounds: BodyBounds): Handlers => ({
  onRequest: (request: Suspendable, reply, done) =>
    inTurn(request.raw, reply.raw, () => {
      const { call, served } = open(request)
      when(served, reply, (reached) => {
        if ('reply' in reached) return respond(request, reply, reached.reply)
        request[SUSPENDED] = { call, bounds, waiting: reached }
        const { dropped } = reached
        if (dropped !== undefined) reply.raw.once('close', () => dropped(sentInstead(reply)))
        done()
      })
    }),
  handler: (request: Suspendable, reply) => {
    const suspended = request[SUSPENDED]
    if (suspended === undefined) throw new Error('A route was called without its onRequest hook.')
    const { waiting, call } = suspended
    const { body, raw } = request
    const served =
      waiting.wants === 'bytes'
        ? waiting.resume(body instanceof Uint8Array ? body : noBytes)
        : waiting.resume(bytesOfNode(isStream(body) ? body : raw))
    when(served, reply, (reached) => respond(request, reply, finish(reached, call)))
  },
})

/** A hook of the application may have put a stream of its own in the place of the request's. */
const isStream = (body: unknown): body is Pick<Readable, 'iterator'> =>
  typeof body === 'object' && body !== null && 'iterator' in body && typeof body.iterator === 'function'

const noBytes = new Uint8Array()

/** A hook of the application may answer, or the client may go. It is no news if the operation has replied. */
const sentInstead = ({ raw, statusCode }: FastifyReply): Instead => ({
  status: raw.headersSent ? statusCode : undefined,
})

const when = (served: Served | Promise<Served>, reply: FastifyReply, go: (served: Served) => void): void => {
  if (served instanceof Promise) served.then(go).catch((error) => reply.send(error))
  else go(served)
}

/**
 * Reads bodies of every media type as they are, instead of the application's parsers. The body of a request that does not
 * wait for it is not read.
 */
export const readBodies = (context: FastifyInstance): void => {
  context.removeAllContentTypeParsers()
  context.addContentTypeParser([...usualTypes, '*'], (request: Suspendable, payload, done) => {
    const suspended = request[SUSPENDED]
    if (suspended === undefined) done(null)
    else if (suspended.waiting.wants === 'stream') done(null, payload)
    else readBody(payload, suspended.bounds, done)
  })
}

/** Fastify remembers which parser takes a type, but not that only '*' takes it: then it looks again each time. */
const usualTypes = ['application/json', 'application/merge-patch+json']

const respond = (request: FastifyRequest, reply: FastifyReply, answer: Reply): void => {
  discardBody(request.raw)
  send(reply, answer)
}

/** Without a serialiser of ours Fastify would add a charset to JSON media types, which have none. */
const send = (reply: FastifyReply, { status, headers, body }: Reply): void => {
  reply.code(status)
  for (const name in headers) {
    // In HTTP/2 the connection is not a matter of a reply.
    if (name === 'connection' && reply.request.raw.httpVersionMajor > 1) continue
    const value = headers[name] ?? ''
    // Some versions of Fastify keep the list that they are given, and add the cookies of the application to it.
    reply.header(name, typeof value === 'string' ? value : [...value])
  }
  if (typeof body === 'string') reply.serializer(unchanged)
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) reply.send(body)
  else if (reply.request.method !== 'HEAD') reply.send(readableOf(body, reply.raw))
  else {
    body.destroy()
    reply.send()
  }
}

const unchanged = (payload: unknown): string => String(payload)

/**
 * One route for many methods of a path. Those that the path does not have are refused with 405, before their body. What is
 * allowed is asked then, as routes of the application may have come meanwhile.
 */
export const dispatch = (
  byMethod: ReadonlyMap<string, Handlers>,
  allowed: () => Iterable<string>,
  callOf: CallOf,
): Required<Handlers> => ({
  onRequest: (request, reply, done) => {
    const handlers = byMethod.get(request.method)
    if (handlers === undefined)
      respond(request, reply, refuse(wrongMethod(request.method, allowed()), callOf(request)))
    else if (handlers.onRequest === undefined) done()
    else handlers.onRequest(request, reply, done)
  },
  handler: (request, reply) => byMethod.get(request.method)?.handler(request, reply),
})

/**
 * The error handler of our routes: what is wrong with a body becomes a problem. What a hook of the application
 * throws goes to the application's own error handler where it has one, and is a problem otherwise.
 */
export const errorHandler =
  (app: FastifyApp, callOf: CallOf) =>
  (error: unknown, request: Suspendable, reply: FastifyReply): unknown => {
    const refusal = isOurs(error) ? error : ofBody(error)
    if (refusal === undefined && hasErrorHandler(app)) return app.errorHandler(error, request, reply)
    // Fastify hangs up when it cannot read a body, and a client that is still sending would miss the answer.
    if (refusal !== undefined) reply.removeHeader('connection')
    const refused = refuse(refusal ?? ofHook(error, reply.statusCode), callOf(request))
    request[SUSPENDED]?.waiting.dropped?.(refused)
    respond(request, reply, refused)
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

/** The call of a request that no operation takes. */
type CallOf = (request: FastifyRequest) => FastifyCall

/** A Fastify request as a call. A class, so that a request makes no function of its own. */
export class FastifyCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly params: Params
  readonly request: FastifyRequest
  caller: Caller | undefined = undefined
  readonly #loggable: Serve['loggable']

  constructor(request: FastifyRequest, params: Params, rules: PathRules, loggable?: Serve['loggable']) {
    const { path, query } = readTarget(request.originalUrl, rules.useSemicolonDelimiter)
    this.method = request.method
    this.path = path
    this.query = query
    this.params = params
    this.request = request
    this.#loggable = loggable
  }

  get requestId(): string {
    return String(this.request.id)
  }

  get log(): Log {
    return cleanLog(toLog(this.request.log, this), this.#loggable)
  }

  get address(): string | undefined {
    return this.request.ip
  }

  get scheme(): string {
    return this.request.protocol
  }

  header(name: string): string | undefined {
    return headerOf(this.request.raw, name)
  }
}

/** The application's logger, which names the request by itself, or stderr where it was made without one. */
export const toLog = (log: FastifyLog, call?: { readonly requestId: string }): Log => {
  if (isSilent(log)) return call === undefined ? stderrLog : requestLog(() => call.requestId)
  return {
    info: (line, details) => (details === undefined ? log.info(line) : log.info(details, line)),
    warn: (line, details) => (details === undefined ? log.warn(line) : log.warn(details, line)),
    error: (line, error) => log.error({ err: error }, line),
  }
}

/** Without a logger Fastify has a stand-in whose methods are all the same empty function. */
const isSilent = ({ info, warn, error }: FastifyLog): boolean =>
  Object.is(info, warn) && Object.is(warn, error)
