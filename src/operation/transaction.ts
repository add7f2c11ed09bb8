import { problem } from '../error/errors.ts'
import { isContended, pauseBefore } from '../source/repeating.ts'
import type { Awaitable, ModelSource, Session } from '../source/source.ts'
import { runNested, runNestedInOneTick, type Steps, wait } from './steps.ts'

/** Where transactions run, and their limits. */
export interface Transactional {
  readonly source: ModelSource
  /** In seconds. */
  readonly transactionTimeout: number
  /** How often a transaction is repeated after a conflict. */
  readonly databaseRetries: number
}

/** Rolls back on an error or timeout. Retries after a conflict as long as `isRepeatable` allows. */
export function* inTransaction<T>(
  place: Transactional,
  work: (session: Session) => Steps<T>,
  isRepeatable: () => boolean = () => true,
): Steps<T> {
  // A synchronous driver cannot wait for other transactions.
  const retries = place.source.capabilities.synchronous ? 0 : place.databaseRetries
  for (let repeats = 0; ; repeats += 1) {
    try {
      return yield* wait(begun(place, work))
    } catch (error) {
      if (!isContended(error) || repeats >= retries || !isRepeatable()) throw error
    }
    yield* wait(pauseBefore(repeats))
  }
}

const begun = <T>(
  { source, transactionTimeout }: Transactional,
  work: (session: Session) => Steps<T>,
): Awaitable<T> =>
  source.capabilities.synchronous
    ? source.transaction((session) => runNestedInOneTick(work(session)))
    : source.transaction((session) => withinTime(work(session), transactionTimeout, source.hooks?.handle))

/** @param handle what hooks of the ORM must write with */
const withinTime = async <T>(steps: Steps<T>, seconds: number, handle: string | undefined): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  let since = performance.now()
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const waited = performance.now() - since
      reject(waited < (seconds * 1000) / 2 ? tooSlow(seconds) : stuck(seconds, handle))
    }, seconds * 1000)
  })
  try {
    // Awaited inside try, so that an immediate failure also clears the timer.
    return await Promise.race([runNested(steps, () => (since = performance.now())), late])
  } finally {
    clearTimeout(timer)
    // Steps of a transaction that was rolled back must not continue.
    steps.return(undefined as never)
  }
}

const lateText = (seconds: number): string =>
  `A transaction took longer than TRANSACTION_TIMEOUT (${seconds} s) and was rolled back.`

/** It has waited for a single thing for most of the time. */
const stuck = (seconds: number, handle: string | undefined): Error => {
  const ofOrm = handle === undefined ? '' : `, in a hook of the ORM other than through ${handle}`
  return new Error(
    `${lateText(seconds)} A hook that queries the database other than through context.db${ofOrm}, or awaits other work, can deadlock.`,
  )
}

/** Its statements and hooks went on, beside those of other requests. */
const tooSlow = (seconds: number): Error =>
  problem(
    'unavailable',
    'The request took too long, so nothing was saved. Retry it, or write fewer records in one request.',
    { headers: { 'retry-after': '5' }, cause: new Error(`${lateText(seconds)} Its statements went on.`) },
  )
