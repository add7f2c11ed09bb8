import { runNested, runNestedInOneTick } from '../operation/nested.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { isContended, pauseBefore } from '../source/repeating.ts'
import type { Awaitable, Session } from '../source/source.ts'
import type { Around } from './around.ts'

/**
 * Runs steps in one transaction. What they throw undoes it; so does taking longer than it may. What others undid is done
 * again.
 *
 * @param isRepeatable whether all that was done so far may be done again
 */
export function* inTransaction<T>(
  around: Pick<Around, 'source' | 'transactionTimeout' | 'databaseRetries'>,
  work: (inside: Session) => Steps<T>,
  isRepeatable: () => boolean = () => true,
): Steps<T> {
  // What is synchronous cannot wait for the others.
  const retries = around.source.capabilities.synchronous ? 0 : around.databaseRetries
  for (let repeats = 0; ; repeats += 1) {
    try {
      return yield* wait(begun(around, work))
    } catch (error) {
      if (!isContended(error) || repeats >= retries || !isRepeatable()) throw error
    }
    yield* wait(pauseBefore(repeats))
  }
}

const begun = <T>(
  { source, transactionTimeout }: Pick<Around, 'source' | 'transactionTimeout'>,
  work: (inside: Session) => Steps<T>,
): Awaitable<T> =>
  source.capabilities.synchronous
    ? source.transaction((inside) => runNestedInOneTick(work(inside)))
    : source.transaction((inside) => withinTime(work(inside), transactionTimeout))

const withinTime = async <T>(steps: Steps<T>, seconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLong(seconds)), seconds * 1000)
  })
  try {
    // What fails at once must end the timer too.
    return await Promise.race([runNested(steps), late])
  } finally {
    clearTimeout(timer)
    // Of a transaction that is undone nothing more may be done.
    steps.return(undefined as never)
  }
}

const tooLong = (seconds: number): Error =>
  new Error(
    `A transaction took longer than TRANSACTION_TIMEOUT (${seconds} s) and was undone. A hook that waits for something outside of it, or for the database by another way than context.db, may wait forever.`,
  )
