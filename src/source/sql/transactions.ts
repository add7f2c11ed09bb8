import { after, errorHandlingOf, isPromise } from '../../model/objects.ts'
import { RefusedInside } from '../refused-inside.ts'
import { type Awaitable, type ModelSource, type Session, SourceError } from '../source.ts'
import { type ReadError, readRefusal, refusalOfState } from './errors.ts'

/** A database with transactions. `Inside`: what runs statements in a transaction. */
interface TransactionalDatabase<Inside> {
  readonly synchronous: boolean
  readonly readError: ReadError
  readonly refusalOf: NonNullable<ModelSource['refusalOf']>
  readonly loggable: NonNullable<ModelSource['loggable']>
  /** Commits if `work` returns, and rolls back if it throws. With a synchronous driver, `work` must not return a promise. */
  begin<T>(work: (inside: Inside) => Awaitable<T>): Awaitable<T>
  /** The handle of the application, for hooks. */
  handleOf(inside: Inside): object
  storesIn(inside: Inside): Session['store']
  /** Runs a statement that only an open transaction can run. Absent: a transaction stays open after an error. */
  prove?(inside: Inside): Awaitable<unknown>
}

interface TransactionProgress {
  /** Whether a hook has used the handle. */
  isUsed: boolean
  /** The error of the work. */
  thrown?: { readonly error: unknown }
  /** Whether the work is done, so that only the commit remains. */
  isCommitting: boolean
  hasEnded: boolean
}

export const transactionsOf = <Inside>(
  database: TransactionalDatabase<Inside>,
): ModelSource['transaction'] => {
  const { recovering, ending } = errorHandlingOf(database)
  const { readError, refusalOf, loggable } = database

  /** An error of the work has precedence over the outcome of the transaction. */
  const refused = (error: unknown, { thrown, isCommitting }: TransactionProgress): Awaitable<never> => {
    if (thrown !== undefined) return undone(thrown.error)
    const refusal = readRefusal(error, readError)
    if (refusal === undefined) throw error
    const kind = refusal.kind === 'foreign-key' ? 'missing-reference' : refusal.kind
    // Only a commit may take effect without a confirmation.
    throw new SourceError(kind === 'lost' && !isCommitting ? 'unavailable' : kind, {
      cause: loggable(error),
    })
  }

  /** Nothing was committed. Statements of hooks can fail for the same reasons as those of modelrest. */
  const undone = (own: unknown): Awaitable<never> => {
    if (own instanceof RefusedInside)
      return recovering(own.look, (error) => {
        throw error instanceof SourceError ? error : loggable(error)
      })()
    const refusal = own instanceof SourceError ? own : refusalOf(own)
    if (refusal?.kind === 'lost') throw new SourceError('unavailable', { cause: refusal.cause })
    throw refusal ?? loggable(own)
  }

  /** Otherwise, a hook that catches an error of PostgreSQL and continues would seem to succeed, but nothing is saved. */
  const assertOpen = (inside: Inside, { isUsed }: TransactionProgress): Awaitable<unknown> => {
    if (!isUsed || database.prove === undefined) return undefined
    const prove = (): Awaitable<unknown> => database.prove?.(inside)
    return recovering(prove, (cause) => {
      throw refusalOfState(cause, readError) ?? new Error(SWALLOWED, { cause: loggable(cause) })
    })()
  }

  return (work) => {
    const progress: TransactionProgress = { isUsed: false, isCommitting: false, hasEnded: false }
    const done = (inside: Inside): ReturnType<typeof work> => {
      const storeOf = database.storesIn(inside)
      const session: Session = {
        db: fenced(database.handleOf(inside), progress),
        store: (model) => {
          if (progress.hasEnded) throw transactionEnded()
          return storeOf(model)
        },
      }
      const worked = recovering(
        () =>
          after(database.synchronous ? inOneTick(work(session)) : work(session), (result) =>
            after(assertOpen(inside, progress), () => {
              progress.isCommitting = true
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
      () => database.begin(done) as ReturnType<typeof work>,
      (error) => refused(error, progress),
    )()
  }
}

/** Refuses statements that hooks did not await: after the end, the connection serves other requests. */
const fenced = (transaction: object, progress: TransactionProgress): object =>
  new Proxy(transaction, {
    get: (target, property) => {
      if (progress.hasEnded) throw transactionEnded()
      progress.isUsed = true
      const value: unknown = Reflect.get(target, property)
      // A class with private members refuses to run its methods on a proxy.
      return typeof value === 'function' && property !== 'constructor' ? value.bind(target) : value
    },
  })

const SWALLOWED =
  'A hook ignored the error of a statement, but the database has rolled the transaction back. Run statements that may fail in a transaction inside of it, which the handle of your ORM starts: only those statements are rolled back.'

export const transactionEnded = (): Error =>
  new Error('The transaction of this context.db has ended. Await everything that uses it.')

export const noTransactions = (): never => {
  throw new Error('The transactions of this database are not isolated.')
}

/** A commit in a later tick would include writes of other requests on the same connection. */
const inOneTick = <T>(result: Awaitable<T>): T => {
  if (!isPromise(result)) return result
  result.then(undefined, () => undefined)
  throw new Error('The work of a synchronous transaction must not return a promise.')
}
