import { randomInt } from 'node:crypto'
import { problem } from '../../error/errors.ts'
import { stderrLog } from '../../observe/log.ts'
import type { Call } from '../../operation/call.ts'
import { fairJobs, type QueueBounds } from '../limits/fair-queue.ts'
import { largestBlock } from '../limits/throttle.ts'
import { normalised } from '../users/identifiers.ts'

/**
 * Work that follows the response, so that the response does not reveal what it finds. The work begins a random time later, together with
 * other work that waits by then and in no order, so that the time of the next response does not reveal it either.
 */
export interface MailQueue {
  /**
   * Logs an error of the work, and that it takes longer than a minute: others then take its place.
   *
   * @param recipient counts as the client if the address of the client is unknown
   * @throws HttpError 503 if the queue is full
   */
  follow(call: Call, recipient: string, work: () => Promise<void>): void
  /** Begins all work at once and waits for it, for at most a minute: clients may ask for more mails all the time. */
  settled(): Promise<void>
}

/** Sending mail is mostly waiting. A client address takes its turn beside those of others. */
const usualBounds: QueueBounds = { parallel: 16, waiting: 1000 }

/** Mails of one client that do not end must leave room for those of others. */
const MOST_OF_CLIENT = 4

/** In milliseconds: a mail server that does not respond must not block the mails of others forever. */
const LONGEST = 60_000

/** In milliseconds, the longest time until work begins. A user waits longer for the mail itself. */
const LONGEST_PAUSE = 4000

/** In milliseconds. Clients that send the next request at once never see the work. */
const SHORTEST_PAUSE = 500

export const mailQueue = (bounds: QueueBounds = usualBounds): MailQueue => {
  let turn: { readonly timer: NodeJS.Timeout; readonly begin: () => void } | undefined
  const beginNow = (): void => {
    const { timer, begin } = turn ?? {}
    turn = undefined
    clearTimeout(timer)
    begin?.()
  }
  const mail = { places: 1, turns: 1, isMixed: true, atOnce: MOST_OF_CLIENT } as const
  const enter = fairJobs(bounds, { mail }, (begin) => {
    turn ??= { begin, timer: setTimeout(beginNow, randomInt(SHORTEST_PAUSE, LONGEST_PAUSE)) }
  })
  const running = new Set<Promise<void>>()
  return {
    follow(call, recipient, work) {
      let isAnswered = false
      let isRefused = false
      const ended = Promise.withResolvers<void>()
      enter(
        { purpose: 'mail', client: largestBlock(call.address) ?? `to ${normalised(recipient)}` },
        {
          run: () =>
            inTime(work())
              .catch((error: unknown) =>
                call.log.error(`A mail was not sent, request ${call.requestId}`, error),
              )
              .finally(ended.resolve),
          refuse: () => {
            isRefused = true
            ended.resolve()
            if (isAnswered) call.log.warn('A mail was not sent, because too many are waiting.')
          },
        },
      )
      isAnswered = true
      if (isRefused)
        throw problem('unavailable', 'Too many mails are waiting at the moment.', {
          headers: { 'retry-after': '5' },
        })
      const { promise } = ended
      running.add(promise)
      void promise.then(() => running.delete(promise))
    },
    settled: () =>
      inTime(allOf(running, beginNow)).catch(() =>
        stderrLog.warn('After a minute, mails are still waiting. They are lost if the process ends.'),
      ),
  }
}

const allOf = async (running: ReadonlySet<Promise<void>>, begin: () => void): Promise<void> => {
  while (running.size > 0) {
    begin()
    await Promise.all(running)
  }
}

const inTime = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took longer than a minute.')), LONGEST)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
