import type { Call, Reply } from '../operation/call.ts'
import type { MemoryBudget } from '../operation/memory-budget.ts'
import type { Instead } from '../operation/steps.ts'
import type { Serve, Served } from './serve.ts'

/** In bytes. A stream is not in memory. */
const sizeOf = ({ body }: Reply): number =>
  typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0

/**
 * Wraps `serve` and gives back what a request holds of the budget: all but the size of its response once that has been made, and the
 * rest once it has been sent, or at once if the host does not report that.
 *
 * @param reportsSent whether the host calls `Reply.sent`
 */
export const leasedServe = (serve: Serve, budget: MemoryBudget, reportsSent: boolean): Serve => {
  const end = (call: Call): void => budget.end(call)

  const replied = (reply: Reply, call: Call): Reply => {
    if (reportsSent && budget.holds(call)) {
      const lease = budget.of(call)
      // A slow client keeps only the response in memory, not the records that it was made of.
      lease.give(lease.held - sizeOf(reply))
      if (lease.held > 0) return { ...reply, sent: () => end(call) }
    }
    // One of its statements may still run, and must not hold anything any more.
    end(call)
    return reply
  }

  const reached = (served: Served, call: Call): Served => {
    if ('reply' in served) {
      const reply = replied(served.reply, call)
      return reply === served.reply ? served : { reply }
    }
    const { dropped } = served
    const mayBeDropped = dropped !== undefined || budget.holds(call)
    const ending = mayBeDropped && {
      dropped: (instead: Instead): void => {
        dropped?.(instead)
        end(call)
      },
    }
    return served.wants === 'bytes'
      ? { wants: 'bytes', resume: (body) => follow(served.resume(body), call), ...ending }
      : { wants: 'stream', resume: (body) => follow(served.resume(body), call), ...ending }
  }

  const follow = (served: Served | Promise<Served>, call: Call): Served | Promise<Served> =>
    served instanceof Promise ? served.then((now) => reached(now, call)) : reached(served, call)

  return { ...serve, start: (operation, call) => follow(serve.start(operation, call), call) }
}
