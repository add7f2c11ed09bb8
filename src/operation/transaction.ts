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
    : source.transaction((session) => withinTime(work(session), transactionTimeout))

const withinTime = async <T>(steps: Steps<T>, seconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const detail = `A transaction took longer than TRANSACTION_TIMEOUT (${seconds} s) and was rolled back. A hook that queries the database other than through context.db, or awaits other work, can deadlock.`
    timer = setTimeout(() => reject(new Error(detail)), seconds * 1000)
  })
  try {
    // Awaited inside try, so that an immediate failure also clears the timer.
    return await Promise.race([runNested(steps), late])
  } finally {
    clearTimeout(timer)
    // Steps of a transaction that was rolled back must not continue.
    steps.return(undefined as never)
  }
}
