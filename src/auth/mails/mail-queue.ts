import { problem } from '../../error/errors.ts'
import { stderrLog } from '../../observe/log.ts'
import type { Call } from '../../operation/call.ts'
import { fairJobs, type QueueBounds } from '../passwords/fair-queue.ts'
import { largestBlock } from '../throttle.ts'

/** Work that follows the response, so that the response does not reveal what it finds. */
export interface MailQueue {
  /** Logs an error of the work. @throws HttpError 503 if the queue is full */
  follow(call: Call, work: () => Promise<void>): void
  /** Waits for all work, for at most a minute: clients may ask for more mails all the time. */
  settled(): Promise<void>
}

/** Sending mail is mostly waiting. A client address takes its turn after those of others. */
const usualBounds: QueueBounds = { parallel: 16, waiting: 1000 }

/** In milliseconds: a mail server that does not respond must not block the mails of others forever. */
const LONGEST = 60_000

export const mailQueue = (bounds: QueueBounds = usualBounds): MailQueue => {
  const enter = fairJobs(bounds, { mail: { places: 1, turns: 1 } })
  const running = new Set<Promise<void>>()
  return {
    follow(call, work) {
      let isAnswered = false
      let isRefused = false
      const ended = Promise.withResolvers<void>()
      enter(
        { purpose: 'mail', client: largestBlock(call.address) },
        {
          run: () =>
            afterResponse()
              .then(() => inTime(work()))
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
      inTime(allOf(running)).catch(() =>
        stderrLog.warn('After a minute, mails are still waiting. They are lost if the process ends.'),
      ),
  }
}

/** The response is handed over in this tick or the next microtasks. */
const afterResponse = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const allOf = async (running: ReadonlySet<Promise<void>>): Promise<void> => {
  while (running.size > 0) await Promise.all(running)
}

const inTime = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took longer than a minute.')), LONGEST)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
