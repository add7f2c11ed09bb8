import type { Operation } from '../../operation/operation.ts'
import { type ParamReader, paramReader } from '../raw-path.ts'
import { nothingHere } from '../refusals.ts'
import { finish, refuse, type Serve, type Served } from '../serve.ts'
import type { Condition, FastifyReply, FastifyRequest, RouteToDeclare } from './app.ts'
import { discardBody } from './body.ts'
import { FastifyCall } from './call.ts'
import { type PathRules, routedPath } from './paths.ts'
import { send } from './send.ts'

/** What a route does, whatever the form of its path. */
export type Handlers = Pick<RouteToDeclare, 'handler' | 'onRequest' | 'bodyLimit'>

/** A route but for its path. */
export interface FormlessRoute extends Handlers {
  readonly method: string | string[]
  readonly config: Readonly<Record<string, unknown>>
  /** What is shown of it by plugins that document an application. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly condition?: Condition
}

interface Opened {
  readonly call: FastifyCall
  readonly served: Served | Promise<Served>
}

/** The handlers of an operation. Everything before the body runs in `onRequest`, where nothing has been read yet. */
export const handlersOf = (operation: Operation, serve: Serve, rules: PathRules): Handlers => {
  const read = paramReader(operation.path)
  const open = (request: FastifyRequest): Opened => openCall(request, operation, serve, rules, read)
  return operation.body === undefined ? { handler: withoutBody(open) } : withBody(open, operation.body.limit)
}

const openCall = (
  request: FastifyRequest,
  operation: Operation,
  serve: Serve,
  rules: PathRules,
  read: ParamReader,
): Opened => {
  const params = read(routedPath(request.raw, rules))
  const call = new FastifyCall(request, params ?? {}, rules.useSemicolonDelimiter)
  const served =
    params === undefined ? { reply: refuse(nothingHere(call.path), call) } : serve.start(operation, call)
  return { call, served }
}

const withoutBody =
  (open: (request: FastifyRequest) => Opened): Handlers['handler'] =>
  (request, reply) => {
    const { call, served } = open(request)
    when(served, reply, (reached) => send(reply, finish(reached, call)))
  }

/** A request that waits for its body. */
interface Suspended {
  readonly call: FastifyCall
  readonly resume: (body: Uint8Array) => Served | Promise<Served>
}

const withBody = (open: (request: FastifyRequest) => Opened, bodyLimit: number): Handlers => {
  const waiting = new WeakMap<FastifyRequest, Suspended>()
  return {
    bodyLimit,
    onRequest: (request, reply, done) => {
      const { call, served } = open(request)
      when(served, reply, (reached) => {
        if ('resume' in reached) {
          waiting.set(request, { call, resume: reached.resume })
          done()
        } else {
          discardBody(request.raw)
          send(reply, reached.reply)
        }
      })
    },
    handler: (request, reply) => {
      const suspended = waiting.get(request)
      if (suspended === undefined) throw new Error('A route was called without its onRequest hook.')
      const { call, resume } = suspended
      const body = request.body instanceof Uint8Array ? request.body : noBytes
      when(resume(body), reply, (reached) => send(reply, finish(reached, call)))
    },
  }
}

const noBytes = new Uint8Array()

/** Goes on at once where nothing has to be waited for. */
const when = (served: Served | Promise<Served>, reply: FastifyReply, go: (served: Served) => void): void => {
  if (served instanceof Promise) served.then(go).catch((error) => reply.send(error))
  else go(served)
}
