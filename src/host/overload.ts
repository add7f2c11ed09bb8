import { type HttpError, problem } from '../error/errors.ts'
import type { Log } from '../observe/log.ts'
import { gateOf, type Queue } from './gate.ts'
import { replyToError, type Serve } from './serve.ts'

/** Created once, because the stack of an error costs more than the rest of a refusal. */
const overloaded: HttpError = problem('unavailable', 'The service is overloaded at the moment.', {
  headers: { 'Retry-After': '1' },
})

/**
 * Wraps `serve` and refuses requests during an overload, before anything of them is read.
 *
 * @param maxWaiting the setting `MAX_WAITING`. 0: refuses nothing
 * @param queues where requests wait besides the event loop
 */
export const guardedServe = (
  serve: Serve,
  { maxWaiting, queues = [], log }: { maxWaiting: number; queues?: readonly Queue[] | undefined; log: Log },
): Serve => {
  if (maxWaiting === 0) return serve
  const gate = gateOf(maxWaiting, queues)
  const note = refusalLog(log)
  return {
    ...serve,
    start: (operation, call) => {
      const full = gate.refusal()
      return full === undefined
        ? serve.start(operation, call)
        : { reply: replyToError(overloaded, call, () => note(full)) }
    },
  }
}

/** Milliseconds without a refusal after which the log says that the overload has ended. */
const QUIET = 5000

/** One line when refusals begin and one when they have ended, because a line for each would make the overload worse. */
const refusalLog = (log: Log): ((queue: string) => void) => {
  let refused = 0
  let before = 0
  return (queue) => {
    refused += 1
    if (refused > 1) return
    log.warn(
      `Overload: requests wait too long for ${queue}. modelrest refuses some of them with 503. See MAX_WAITING in docs/deploy.md.`,
    )
    before = 0
    const timer = setInterval(() => {
      if (refused > before) {
        before = refused
        return
      }
      clearInterval(timer)
      log.info(`The overload has ended. Refused requests: ${refused}.`)
      refused = 0
    }, QUIET)
    // The timer must not keep the process alive. Some runtimes return a number.
    if (typeof timer === 'object') timer.unref()
  }
}
