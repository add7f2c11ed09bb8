import type { ProblemCode } from '../error/codes.ts'
import { clipped, type HttpError, problem } from '../error/errors.ts'
import { toHttpError, toProblem } from '../error/problem.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Progress, Runner, WantsBytes, WantsStream } from '../operation/run.ts'

/** A request under way: it has its reply, or it waits for its body, whole or as it arrives. */
export type Served = { readonly reply: Reply } | WantsBytes<Served> | WantsStream<Served>

/** How a host serves an operation: nothing that it calls ever throws or rejects. */
export interface Serve {
  start(operation: Operation, call: Call): Served | Promise<Served>
}

/**
 * The one place where a thrown thing becomes a reply.
 *
 * @param loggable what the logs of all calls get of an error: those of databases hold values of records
 */
export const serveWith = (run: Runner, loggable?: (error: unknown) => unknown): Serve => {
  const log = failureLog()
  const refused = (error: unknown, call: Call): Served => ({ reply: refuse(error, call, log) })

  const settle = (progress: Progress | Promise<Progress>, call: Call): Served | Promise<Served> =>
    progress instanceof Promise
      ? progress.then(
          (reached) => guarded(reached, call),
          (error) => refused(error, call),
        )
      : guarded(progress, call)

  const guarded = (progress: Progress, call: Call): Served => {
    if ('reply' in progress) return { reply: forCaller(progress.reply, call) }
    return progress.wants === 'bytes'
      ? { wants: 'bytes', resume: (body) => resume(progress.resume, body, call) }
      : { wants: 'stream', resume: (body) => resume(progress.resume, body, call) }
  }

  const resume = <Body>(
    go: (body: Body) => Progress | Promise<Progress>,
    body: Body,
    call: Call,
  ): Served | Promise<Served> => {
    try {
      return settle(go(body), call)
    } catch (error) {
      return refused(error, call)
    }
  }

  return {
    start: (operation, call) => {
      if (loggable !== undefined) call.loggable = loggable
      try {
        return settle(run(operation.run(call)), call)
      } catch (error) {
        return refused(error, call)
      }
    },
  }
}

/** The reply of a request that has all it needs. One that asks for a body then is a mistake of its operation: 500. */
export const finish = (served: Served, call: Call): Reply =>
  'reply' in served
    ? served.reply
    : refuse(new Error('The operation asked for a body that it does not declare.'), call)

/** The reply for something thrown, inside an operation or before it: a body that is too large, a wrong method. */
export const refuse = (thrown: unknown, call: Call, log: LogFailure = logEach): Reply => {
  const error = toHttpError(thrown)
  if (error.status >= 500) log(error, call)
  const reply = {
    status: error.status,
    headers: {
      'content-type': 'application/problem+json',
      // Nobody waits for the rest of a body that did not come in time.
      ...(error.status === 408 && { connection: 'close' }),
      ...error.headers,
    },
    body: JSON.stringify(toProblem(error, call.path, call.requestId)),
    code: error.code,
  }
  return forCaller(reply, call)
}

/** What is meant for one caller is kept by no cache that serves others. */
const forCaller = (reply: Reply, { caller }: Call): Reply =>
  caller === undefined ? reply : { ...reply, headers: { 'cache-control': 'private', ...reply.headers } }

/** Logs what failed on the server. */
type LogFailure = (error: HttpError, call: Call) => void

const nameOf = ({ method, path }: Call): string => `${method} ${clipped(path, 'path')}`

/** A line for each, with the stack. */
const logEach: LogFailure = (error, call) => {
  call.log.error(`${nameOf(call)} failed, request ${call.requestId}`, error)
}

/** What befalls all requests of a moment, so that a line for each says no more than one for all of them. */
const shared: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['unavailable', 'write_conflict'])

const SECOND = 1000

/** An application may say other words each time. */
const MOST_KINDS = 20

/** Failures of one kind that were not logged yet. */
interface Unlogged {
  count: number
  error: HttpError
  call: Call
}

/**
 * A log of failures that no flood of requests can fill: of those that all requests of a moment share, the first is
 * logged at once, and once a second how many followed. An overload of our own is a warning, as nothing is broken.
 */
export const failureLog = (): LogFailure => {
  const kinds = new Map<string, Unlogged>()

  const flushLater = (kind: string): void => {
    const timer = setTimeout(() => flush(kind), SECOND)
    // It keeps no process alive. Some runtimes have a number here.
    if (typeof timer === 'object') timer.unref()
  }

  const flush = (kind: string): void => {
    const found = kinds.get(kind)
    if (found === undefined || found.count === 0) {
      kinds.delete(kind)
      return
    }
    logCounted(found)
    found.count = 0
    flushLater(kind)
  }

  return (error, call) => {
    if (!shared.has(error.code)) {
      logEach(error, call)
      return
    }
    const words = `${error.code} ${error.detail}`
    const kind = kinds.has(words) || kinds.size < MOST_KINDS ? words : error.code
    const known = kinds.get(kind)
    if (known !== undefined) {
      Object.assign(known, { count: known.count + 1, error, call })
      return
    }
    kinds.set(kind, { count: 0, error, call })
    if (error.cause === undefined) call.log.warn(`${nameOf(call)}: ${error.detail}`)
    else logEach(error, call)
    flushLater(kind)
  }
}

const logCounted = ({ count, error, call }: Unlogged): void => {
  const line = `${count} more ${count === 1 ? 'request' : 'requests'} failed within a second, the last of them ${nameOf(call)}`
  if (error.cause === undefined) call.log.warn(`${line}: ${error.detail}`)
  else call.log.error(`${line}, request ${call.requestId}`, error)
}

export { tooLarge } from '../operation/path.ts'

/** The refusal of a path that no operation has. */
export const nothingHere = (path: string): HttpError => problem('not_found', `There is nothing at ${path}.`)

/** The refusal of a method that a known path does not have. */
export const wrongMethod = (method: string, allow: string): HttpError =>
  problem('method_not_allowed', `${method} is not allowed here. Allowed: ${allow}.`, { headers: { allow } })

/** The refusal of a body that takes longer than it may. @param timeout milliseconds */
export const tooSlow = (timeout: number): HttpError =>
  problem('request_timeout', `The body did not arrive within ${timeout / 1000} seconds.`)

/** The refusal of a body that ended before all of it was there. */
export const brokenBody = (cause: unknown): HttpError =>
  problem('rejected', 'The body ended before it was complete.', { cause })

const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The value of an `Allow` header: the usual methods first and in the same order on every host. */
export const toAllow = (methods: Iterable<string>): string => {
  const all = new Set(methods)
  return [...usual.filter((method) => all.has(method)), ...[...all].filter((m) => !usual.includes(m))].join(
    ', ',
  )
}
