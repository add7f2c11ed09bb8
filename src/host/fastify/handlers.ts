import { finished, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Log, stderrLog } from '../../observe/log.ts'
import type { Call, Reply } from '../../operation/call.ts'
import type { BodyBounds, Operation } from '../../operation/operation.ts'
import type { Instead, WaitsForBody } from '../../operation/steps.ts'
import { HeadCall, type RequestHead, type ServeFacts } from '../call.ts'
import { discardBody, gatherBody, headerOf, nodeBody } from '../node/request.ts'
import { assertHeaders, readableOf } from '../node/response.ts'
import { inTurn } from '../node/turns.ts'
import { type Params, parameterName, paramReader, readTarget, segmentsOf } from '../paths.ts'
import {
  finishWithoutBody,
  isStream,
  nothingHere,
  replyToError,
  type Serve,
  type Served,
  wrongMethod,
} from '../serve.ts'
import type { FastifyLog } from './app.ts'
import { type PathRules, routedPath } from './paths.ts'

export interface Handlers {
  /** Responds, or continues with the body. Absent: the route needs nothing before its handler. */
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => void
}

interface Suspended {
  readonly call: Call
  readonly bounds: BodyBounds
  readonly waiting: WaitsForBody<Reply>
}

/** A WeakMap would also work, but costs garbage collection for each entry. */
const SUSPENDED: unique symbol = Symbol('modelrest.suspended')

type Suspendable = FastifyRequest & { [SUSPENDED]?: Suspended }

type Open = (request: FastifyRequest) => { call: Call; served: Served | Promise<Served> }

/** The handlers of an operation. Everything before the body runs in `onRequest`, before Fastify reads anything. */
export const handlersOf = (operation: Operation, serve: Serve, rules: PathRules): Handlers => {
  const readParams = requestParams(operation.path, rules)
  const open: Open = (request) => {
    const params = readParams(request)
    const call = fastifyCall(request, rules, params, serve)
    if (params === undefined) return { call, served: { reply: replyToError(nothingHere(call.path), call) } }
    return { call, served: serve.start(operation, call) }
  }
  return operation.body === undefined ? withoutBody(open) : withBody(open, operation.body)
}

/**
 * Reads the parameters of a request to a path. The router also matches an empty key, which is the path of the list:
 * `/products/` matches `/products/:id`.
 */
export const requestParams = (
  template: string,
  rules: PathRules,
): ((request: FastifyRequest) => Params | undefined) => {
  const read = paramReader(template)
  const last = parameterName(segmentsOf(template).at(-1) ?? '')
  return ({ raw, params }) =>
    last !== undefined && Reflect.get(Object(params), last) === '' ? undefined : read(routedPath(raw, rules))
}

const withoutBody = (open: Open): Handlers => ({
  handler: (request, reply) =>
    inTurn(request.raw, reply.raw, () => {
      const { call, served } = open(request)
      when(served, reply, (reached) => respond(request, reply, finishWithoutBody(reached, call)))
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
    if (suspended === undefined) throw new Error('The onRequest hook of this route did not run.')
    const { waiting, call, bounds } = suspended
    const { body, raw } = request
    const goOn = (): Served | Promise<Served> => {
      if (waiting.wants === 'stream') return waiting.resume(nodeBody(isReadable(body) ? body : raw).bytes())
      if (body instanceof Uint8Array) return waiting.resume(body)
      // With HTTP/2, Fastify does not read a body that has neither a type nor a length.
      const isUnread = raw.httpVersionMajor > 1 && !raw.readableEnded
      return isUnread ? nodeBody(raw).whole(bounds).then(waiting.resume) : waiting.resume(noBytes)
    }
    when(goOn(), reply, (reached) => respond(request, reply, finishWithoutBody(reached, call)))
  },
})

/** A hook of the application may have replaced the stream of the request, also by one of another library. */
const isReadable = (body: unknown): body is Readable =>
  typeof body === 'object' && body !== null && 'iterator' in body && typeof body.iterator === 'function'

const noBytes = new Uint8Array()

/** Tells an operation that waits for its body which response the client gets instead. */
export const dropWaiting = (request: Suspendable, reply: Reply): void => {
  request[SUSPENDED]?.waiting.dropped?.(reply)
}

/** A hook of the application may respond instead, or the client may disconnect. */
const sentInstead = ({ raw, statusCode }: FastifyReply): Instead => ({
  status: raw.headersSent ? statusCode : undefined,
})

const when = (served: Served | Promise<Served>, reply: FastifyReply, go: (served: Served) => void): void => {
  if (served instanceof Promise) served.then(go).catch((error) => reply.send(error))
  else go(served)
}

/**
 * Replaces the application's parsers: reads bodies of every media type as bytes. If the operation does not wait for the
 * body, it is not read.
 */
export const readBodies = (context: FastifyInstance): void => {
  context.removeAllContentTypeParsers()
  context.addContentTypeParser([...usualTypes, '*'], (request: Suspendable, payload: Readable, done) => {
    const suspended = request[SUSPENDED]
    if (suspended === undefined) done(null)
    else if (suspended.waiting.wants === 'stream') done(null, payload)
    else gatherBody(payload, suspended.bounds, done)
  })
}

/**
 * Fastify caches the parser of a media type, but not the fact that only '*' matches it, so it would search again each
 * time.
 */
const usualTypes = ['application/json', 'application/merge-patch+json']

export const respond = (request: FastifyRequest, reply: FastifyReply, answer: Reply): void => {
  const { sent } = answer
  if (sent !== undefined) finished(reply.raw, () => sent())
  if (reply.sent) {
    // Code of the application that runs around the operation has responded.
    if (isStream(answer.body)) answer.body.destroy()
    return
  }
  discardBody(request.raw)
  send(reply, answer)
}

/** Uses its own serializer, because Fastify would add a charset to JSON media types, which do not define one. */
const send = (reply: FastifyReply, { status, headers, body }: Reply): void => {
  const isHttp1 = reply.request.raw.httpVersionMajor === 1
  try {
    // With HTTP/1.1, Node does it.
    if (!isHttp1) assertHeaders(headers)
  } catch (error) {
    if (isStream(body)) body.destroy()
    reply.send(error)
    return
  }
  reply.code(status)
  for (const name in headers) {
    // HTTP/2 does not allow this header.
    if (name === 'connection' && !isHttp1) continue
    const value = headers[name] ?? ''
    // A copy: some versions of Fastify keep the array and add the cookies of the application to it.
    reply.header(name, typeof value === 'string' ? value : [...value])
  }
  if (typeof body === 'string') reply.serializer(unchanged)
  reply.send(isStream(body) ? readableOf(body, reply.raw) : body)
}

const unchanged = (payload: unknown): string => String(payload)

interface Rejecting {
  readonly isPath: (request: FastifyRequest) => boolean
  readonly allowed: () => Iterable<string>
  readonly callOf: CallOf
}

/**
 * One route for many methods of a path. Methods that the path does not support are 405, before the body is read. The
 * allowed methods are determined at that moment, because the application may have declared routes in the meantime.
 */
export const dispatch = (
  byMethod: ReadonlyMap<string, Handlers>,
  { isPath, allowed, callOf }: Rejecting,
): Required<Handlers> => ({
  onRequest: (request, reply, done) => {
    const handlers = byMethod.get(request.method)
    if (handlers === undefined) {
      const call = callOf(request)
      const refusal = isPath(request) ? wrongMethod(request.method, allowed()) : nothingHere(call.path)
      respond(request, reply, replyToError(refusal, call))
    } else if (handlers.onRequest === undefined) done()
    else handlers.onRequest(request, reply, done)
  },
  handler: (request, reply) => byMethod.get(request.method)?.handler(request, reply),
})

/** Creates the call of a request that does not reach an operation. */
export type CallOf = (request: FastifyRequest) => Call

/** The head of a Fastify request. A class avoids creating functions for each request. */
export class FastifyHead implements RequestHead {
  readonly request: FastifyRequest
  readonly address: string | undefined

  constructor(request: FastifyRequest) {
    this.request = request
    // As `NodeHead`, now.
    this.address = request.ip
  }

  get method(): string {
    return this.request.method
  }

  get url(): string {
    return this.request.originalUrl
  }

  get requestId(): string {
    return String(this.request.id)
  }

  get log(): Log | undefined {
    const { log } = this.request
    return isSilent(log) ? undefined : toLog(log)
  }

  get scheme(): string {
    return this.request.protocol
  }

  header(name: string): string | undefined {
    return headerOf(this.request.raw, name)
  }
}

/** The call of a request that does not reach an operation, or that has these path parameters. */
export const fastifyCall = (
  request: FastifyRequest,
  { useSemicolonDelimiter }: PathRules,
  params?: Call['params'],
  serve?: ServeFacts,
): HeadCall => {
  const target = readTarget(request.originalUrl, useSemicolonDelimiter)
  return new HeadCall(new FastifyHead(request), target, params, serve)
}

/** The application's logger, which adds the request id itself, or stderr if the application has no logger. */
export const toLog = (log: FastifyLog): Log => {
  if (isSilent(log)) return stderrLog
  return {
    info: (line, details) => (details === undefined ? log.info(line) : log.info(details, line)),
    warn: (line, details) => (details === undefined ? log.warn(line) : log.warn(details, line)),
    error: (line, error) => log.error({ err: error }, line),
  }
}

/** Without a logger, Fastify has a placeholder whose methods are the same empty function. */
const isSilent = ({ info, warn, error }: FastifyLog): boolean =>
  Object.is(info, warn) && Object.is(warn, error)
