import { isPromise } from '../../model/awaitable.ts'
import type { Awaitable, ModelSource, Session } from '../source.ts'
import { SourceError } from '../source-error.ts'
import type { Database } from './database.ts'
import { dialectOf } from './dialects.ts'
import { readRefusal } from './errors.ts'
import { fenced } from './fenced.ts'
import { BrokenKeyInside } from './refusals.ts'
import { atOnce, later } from './settling.ts'

/** Runs work in transactions of a database. `storesOf` gives the stores that act inside one. */
export const transactionsOf = (
  database: Database,
  storesOf: (inside: Database) => Session['store'],
): ModelSource['transaction'] => {
  if (!database.hasTransactions) return noTransactions
  const { recovering, ending } = database.synchronous ? atOnce : later
  const { readError } = dialectOf(database)

  /** Of the database's errors only those at the beginning and the end are ours: what the work throws is its own. */
  const refused = (error: unknown): Awaitable<never> => {
    if (error instanceof Thrown) {
      const { error: own } = error
      if (own instanceof BrokenKeyInside) return own.look()
      throw own
    }
    const refusal = readRefusal(error, readError)
    if (refusal === undefined) throw error
    const kind = refusal.kind === 'foreign-key' ? 'missing-reference' : refusal.kind
    throw new SourceError(kind, { cause: error })
  }

  const done = recovering(
    <T>(work: (inside: Session) => Awaitable<T>, inside: Session) =>
      database.synchronous ? inOneTick(work(inside)) : work(inside),
    (error) => {
      throw new Thrown(error)
    },
  )

  return (work) =>
    recovering(
      () =>
        database.transaction((inside) => {
          const { handle, end } = fenced(inside.handle)
          const session: Session = { db: handle, store: storesOf(inside) }
          return ending(() => done(work, session), end)
        }) as ReturnType<typeof work>,
      refused,
    )()
}

const noTransactions = (): never => {
  throw new Error('This driver has no transactions that are apart from everything else that goes on.')
}

/** Committed a tick later, it would hold what others wrote meanwhile on the same connection. */
const inOneTick = <T>(result: Awaitable<T>): T => {
  if (!isPromise(result)) return result
  result.then(undefined, () => undefined)
  throw new Error('A transaction of a synchronous driver is one tick, but its work gave a promise.')
}

/** An error of the work inside a transaction, so that it is not taken for one of the transaction itself. */
class Thrown extends Error {
  readonly error: unknown

  constructor(error: unknown) {
    super('The work in the transaction failed.')
    this.error = error
  }
}
