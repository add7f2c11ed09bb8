import type { ProblemCode } from '../error/codes.ts'
import { clipped, type HttpError, problem } from '../error/errors.ts'
import { toHttpError, toProblem } from '../error/problem.ts'
import { causesOf } from '../observe/log.ts'
import { Gathered } from '../operation/body.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { BodyBounds, Operation } from '../operation/operation.ts'
import { tooLarge } from '../operation/path.ts'
import type { Progress, Runner } from '../operation/steps.ts'

/** A running request: it has its response, or waits for its body. Resuming it never throws or rejects. */
export type Served = Progress<Reply>

/** Serves operations for a host. `start` never throws, and its promise never rejects. */
export interface Serve {
  start(operation: Operation, call: Call): Served | Promise<Served>
  /** Removes values of records from database errors before they are logged. Absent: errors are logged unchanged. */
  readonly loggable?: ((error: unknown) => unknown) | undefined
}

/** Catches everything that an operation throws. `error/problem.ts` converts it to a problem document. */
export const serveWith = (run: Runner, loggable?: Serve['loggable']): Serve => {
  const log = failureLog()
  const refused = (error: unknown, call: Call): Served => ({ reply: refuse(error, call, log) })

  const start = (operation: Operation, call: Call): Served | Promise<Served> => run(operation.run(call))

  const guarded = <Given>(
    step: (given: Given, call: Call) => Served | Promise<Served>,
    given: Given,
    call: Call,
  ): Served | Promise<Served> => {
    try {
      const reached = step(given, call)
      if (!(reached instanceof Promise)) return resumable(reached, call)
      return reached.then(
        (progress) => resumable(progress, call),
        (error) => refused(error, call),
      )
    } catch (error) {
      return refused(error, call)
    }
  }

  const resumable = (progress: Served, call: Call): Served => {
    if ('reply' in progress) return { reply: forCaller(progress.reply, call) }
    return progress.wants === 'bytes'
      ? { wants: 'bytes', resume: (body) => guarded(progress.resume, body, call) }
      : { wants: 'stream', resume: (body) => guarded(progress.resume, body, call) }
  }

  return { loggable, start: (operation, call) => guarded(start, operation, call) }
}

/**
 * The response to a request that needs nothing more. If the operation still tries to read a body, it has a bug, and the
 * response is a 500.
 */
export const finish = (served: Served, call: Call): Reply =>
  'reply' in served
    ? served.reply
    : refuse(new Error('The operation tried to read a body that it does not declare.'), call)

/** The response for an error, thrown in an operation or before it: a body that is too large, a wrong method. */
export const refuse = (thrown: unknown, call: Call, log: LogFailure = logEach): Reply => {
  const error = toHttpError(thrown)
  if (error.status >= 500) log(error, call, thrown)
  const reply = {
    status: error.status,
    headers: {
      'content-type': 'application/problem+json',
      // The rest of a late body is not read.
      ...(error.status === 408 && { connection: 'close' }),
      ...error.headers,
    },
    body: JSON.stringify(toProblem(error, call.path, call.requestId)),
    code: error.code,
  }
  return forCaller(reply, call)
}

/** Keeps shared caches from storing responses for one caller. */
const forCaller = (reply: Reply, { caller }: Call): Reply =>
  caller === undefined ? reply : { ...reply, headers: { 'cache-control': 'private', ...reply.headers } }

/** @param thrown the original error, if `error` was created from it */
type LogFailure = (error: HttpError, call: Call, thrown?: unknown) => void

const nameOf = ({ method, path }: Call): string => `${method} ${clipped(path, 'path')}`

/** The log line begins with the request and the failed part, because an opaque 500 says nothing about its cause. */
const logEach: LogFailure = (error, call, thrown) => {
  const place = placeOf(error, call)
  call.log.error(
    `${nameOf(call)} failed${place === undefined ? '' : ` in ${place}`}, request ${call.requestId}`,
    error.code === 'internal_error' && thrown instanceof Error ? thrown : error,
  )
}

/** The function of the application that caused the error. */
const placeOf = (error: HttpError, { failure }: Call): string | undefined => {
  const errors = [...causesOf(error)]
  const thrown: readonly unknown[] = [...errors, errors.at(-1)?.cause]
  return failure !== undefined && thrown.includes(failure.error) ? failure.place : undefined
}

/** Errors that affect all requests at once: one log line for all of them is as informative as a line for each. */
const shared: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['unavailable', 'write_conflict'])

const SECOND = 1000

/** Limits the number of kinds, because an application may use a different text each time. */
const MOST_KINDS = 20

interface Unlogged {
  count: number
  error: HttpError
  call: Call
}

/**
 * A log of failures that a flood of requests cannot fill. If an error affects all requests at once, the first one is
 * logged immediately, and the number of further ones once a second. Overload is a warning, because nothing is broken.
 */
export const failureLog = (): LogFailure => {
  const kinds = new Map<string, Unlogged>()
  return (error, call, thrown) => {
    if (!shared.has(error.code)) return logEach(error, call, thrown)
    const words = `${error.code} ${error.detail}`
    const kind = kinds.has(words) || kinds.size < MOST_KINDS ? words : error.code
    const known = kinds.get(kind)
    if (known !== undefined) {
      Object.assign(known, { count: known.count + 1, error, call })
      return
    }
    if (error.cause === undefined) call.log.warn(`${nameOf(call)}: ${error.detail}`)
    else logEach(error, call)
    const unlogged: Unlogged = { count: 0, error, call }
    kinds.set(kind, unlogged)
    const timer = setInterval(() => {
      if (unlogged.count > 0) {
        logCounted(unlogged)
        unlogged.count = 0
      } else {
        kinds.delete(kind)
        clearInterval(timer)
      }
    }, SECOND)
    // The timer must not keep the process alive. Some runtimes return a number.
    if (typeof timer === 'object') timer.unref()
  }
}

const logCounted = ({ count, error, call }: Unlogged): void => {
  const line = `${count} more ${count === 1 ? 'request' : 'requests'} failed within a second, most recently ${nameOf(call)}`
  if (error.cause === undefined) call.log.warn(`${line}: ${error.detail}`)
  else call.log.error(`${line}, request ${call.requestId}`, error)
}

export const nothingHere = (path: string): HttpError =>
  problem('not_found', `There is no resource at ${path}.`)

export const wrongMethod = (method: string, methods: Iterable<string>): HttpError => {
  const all = new Set(methods)
  // Common methods come first, in the same order on every host.
  const others = [...all].filter((known) => !usual.includes(known))
  const allow = [...usual.filter((known) => all.has(known)), ...others].join(', ')
  return problem('method_not_allowed', `${method} is not allowed. Allowed: ${allow}.`, {
    headers: { allow },
  })
}

const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Collects a body within its size and time limits; the time starts now. `settle` is called once, with the body or an error:
 * 413 if it is too large, 408 if it is too slow, 400 if the client ends it too early.
 */
export const collectBody = (
  { limit, timeout }: BodyBounds,
  settle: (refusal: HttpError | null, body: Uint8Array) => void,
) => {
  const gathered = new Gathered()
  let isSettled = false
  const settleOnce = (refusal: HttpError | null): void => {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    settle(refusal, gathered.whole())
  }
  const late = `The body did not arrive within ${timeout / 1000} seconds.`
  const timer = setTimeout(() => settleOnce(problem('request_timeout', late)), timeout)
  return {
    add: (piece: Uint8Array): void => {
      if (isSettled) return
      if (gathered.size + piece.byteLength > limit) settleOnce(tooLarge(limit))
      else gathered.add(piece)
    },
    end: (): void => settleOnce(null),
    fail: (cause: unknown): void =>
      settleOnce(problem('rejected', 'The body ended before it was complete.', { cause })),
  }
}
