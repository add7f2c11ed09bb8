import type { Reply } from '../../operation/call.ts'
import type { BodyBounds, Operation } from '../../operation/operation.ts'
import type { Instead } from '../../operation/run.ts'
import { bytesOfNode } from '../../upload/byte-source.ts'
import { paramReader } from '../raw-path.ts'
import { nothingHere } from '../refusals.ts'
import { finish, refuse, type Serve, type Served } from '../serve.ts'
import type { ByteStream, FastifyReply, FastifyRequest } from './app.ts'
import { discardBody, type Wanted } from './body.ts'
import { FastifyCall } from './call.ts'
import { inTurn } from './in-turn.ts'
import { type PathRules, routedPath } from './paths.ts'
import { send } from './send.ts'

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
export const dropSuspended = (request: FastifyRequest, reply: Reply): void =>
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
