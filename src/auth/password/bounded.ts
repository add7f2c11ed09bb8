import pLimit from 'p-limit'
import { problem } from '../../error/http-error.ts'

export interface Bounds {
  /** How many at once. */
  readonly parallel: number
  /** How many may wait for their turn. */
  readonly waiting: number
}

/** Seconds. About how long a full queue takes. */
const RETRY_AFTER = '3'

/**
 * Runs so many works at once and lets so many wait.
 *
 * @throws HttpError 503 with `Retry-After` for one more: who logs in waits for a bounded time, and a flood of logins takes
 *   a bounded amount of memory
 */
export const boundedBy = ({ parallel, waiting }: Bounds): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const limit = pLimit(parallel)
  return async (work) => {
    if (limit.activeCount >= parallel && limit.pendingCount >= waiting) {
      throw problem('unavailable', 'Too many passwords are being checked at the moment.', {
        headers: { 'Retry-After': RETRY_AFTER },
      })
    }
    return await limit(work)
  }
}

/** Of Node's thread pool, unless `UV_THREADPOOL_SIZE` says otherwise. */
const USUAL_THREADS = 4

/** With 17 to 30 ms for a hash, a wait of two to three seconds. */
const WAITING_FOR_EACH = 100

/**
 * One core is left to the event loop. One thread of Node's pool is left to files and name lookups, which would wait behind
 * the hashes otherwise: on machines with many cores, raise `UV_THREADPOOL_SIZE` for more logins at once.
 */
export const boundsOf = (cores: number, threadPoolSize: string | undefined): Bounds => {
  const threads = Number(threadPoolSize) >= 1 ? Number(threadPoolSize) : USUAL_THREADS
  const parallel = Math.max(1, Math.min(cores, Math.trunc(threads)) - 1)
  return { parallel, waiting: parallel * WAITING_FOR_EACH }
}
