import { toHttpError, toProblem } from '../error/problem.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Progress, Runner, WantsBytes, WantsStream } from '../operation/run.ts'
import { failureLog, type LogFailure, logEach } from './failure-log.ts'

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
