import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Progress, Runner } from '../operation/steps.ts'
import { failureLog } from './failure-log.ts'
import { refuse } from './refusals.ts'
import { forCaller, sendable } from './reply.ts'

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
    if ('reply' in progress) return { reply: sendable(forCaller(progress.reply, call), call) }
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
