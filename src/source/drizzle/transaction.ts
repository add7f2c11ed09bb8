import { type SQL, sql } from 'drizzle-orm'
import { after, isPromise } from '../../model/objects.ts'
import { type Awaitable, type ModelSource, type Session, SourceError } from '../source.ts'
import { readRefusal, refusalOfHook, refusalOfState } from '../sql/errors.ts'
import { loggable } from '../sql/loggable.ts'
import { type Database, executionOf, runOnce } from './database.ts'
import { dialectOf } from './dialects.ts'
import { transactionEnded } from './drivers.ts'
import { RefusedInside } from './refusals.ts'

interface Progress {
  /** Hooks used its handle. */
  isUsed: boolean
  /** What its work threw. */
  thrown?: { readonly error: unknown }
  /** Only the commit is left. */
  isThrough: boolean
  hasEnded: boolean
}

export const transactionsOf = (
  database: Database,
  storesOf: (inside: Database) => Session['store'],
): ModelSource['transaction'] => {
  if (!database.hasTransactions) return noTransactions
  const { recovering, ending } = executionOf(database)
  const { readError } = dialectOf(database)

  /** What the work threw is its own, whatever became of the transaction since. */
  const refused = (error: unknown, { thrown, isThrough }: Progress): Awaitable<never> => {
    if (thrown !== undefined) return undone(thrown.error)
    const refusal = readRefusal(error, readError)
    if (refusal === undefined) throw error
    const kind = refusal.kind === 'foreign-key' ? 'missing-reference' : refusal.kind
    // Only a commit can be done without a word of it.
    throw new SourceError(kind === 'lost' && !isThrough ? 'unavailable' : kind, {
      cause: loggable(error),
    })
  }

  /** Nothing was committed. A hook's own statement may have met what our own do. */
  const undone = (own: unknown): Awaitable<never> => {
    if (own instanceof RefusedInside)
      return recovering(own.look, (error) => {
        throw error instanceof SourceError ? error : loggable(error)
      })()
    const refusal = own instanceof SourceError ? own : refusalOfHook(own, readError)
    if (refusal?.kind === 'lost') throw new SourceError('unavailable', { cause: refusal.cause })
    throw refusal ?? loggable(own)
  }

  /** A hook that catches an error of PostgreSQL and goes on would be told that what was undone is stored. */
  const assertAlive = (inside: Database, { isUsed }: Progress): Awaitable<unknown> => {
    const question = isUsed ? proofs[database.dialect] : undefined
    if (question === undefined) return undefined
    const ask = (): Awaitable<unknown> => runOnce(inside, question, () => undefined)
    return recovering(ask, (cause) => {
      throw refusalOfState(cause, readError) ?? new Error(SWALLOWED, { cause: loggable(cause) })
    })()
  }

  return (work) => {
    const progress: Progress = { isUsed: false, isThrough: false, hasEnded: false }
    const done = (inside: Database): ReturnType<typeof work> => {
      const session: Session = { db: fenced(inside.handle, progress), store: storesOf(inside) }
      const worked = recovering(
        () =>
          after(database.synchronous ? inOneTick(work(session)) : work(session), (result) =>
            after(assertAlive(inside, progress), () => {
              progress.isThrough = true
              return result
            }),
          ),
        (error) => {
          progress.thrown = { error }
          throw error
        },
      )
      return ending(worked, () => {
        progress.hasEnded = true
      })
    }
    return recovering(
      () => database.transaction(done) as ReturnType<typeof work>,
      (error) => refused(error, progress),
    )()
  }
}

/** What hooks start and do not wait for would go on after the end, on a connection that serves others by then: it is refused. */
const fenced = (transaction: object, progress: Progress): object =>
  new Proxy(transaction, {
    get: (target, property) => {
      if (progress.hasEnded) throw transactionEnded()
      progress.isUsed = true
      return Reflect.get(target, property)
    },
  })

/** What only a transaction that goes on can answer. SQLite's goes on after an error. */
const proofs: Readonly<Partial<Record<Database['dialect'], SQL>>> = { pg: sql`select 1` }

const SWALLOWED =
  'A statement of a hook failed, and the hook went on. PostgreSQL has undone the transaction: do what may fail inside of context.db.transaction(), which undoes just that.'

const noTransactions = (): never => {
  throw new Error('This driver has no transactions that are apart from everything else that goes on.')
}

/** Committed a tick later, it would hold what others wrote meanwhile on the same connection. */
const inOneTick = <T>(result: Awaitable<T>): T => {
  if (!isPromise(result)) return result
  result.then(undefined, () => undefined)
  throw new Error('A transaction of a synchronous driver is one tick, but its work gave a promise.')
}
