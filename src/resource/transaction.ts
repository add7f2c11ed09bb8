import { runNested, runNestedInOneTick } from '../operation/nested.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Session } from '../source/source.ts'
import type { Around } from './around.ts'

/** Runs steps in one transaction. What they throw undoes it; so does taking longer than it may. */
export function* inTransaction<T>(
  { source, transactionTimeout }: Around,
  work: (inside: Session) => Steps<T>,
): Steps<T> {
  const transaction = source.capabilities.synchronous
    ? source.transaction((inside) => runNestedInOneTick(work(inside)))
    : source.transaction((inside) => withinTime(work(inside), transactionTimeout))
  return yield* wait(transaction)
}

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
