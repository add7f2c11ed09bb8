import { StartError, suggest } from '../../error/errors.ts'
import { errorHandlingOf } from '../../model/objects.ts'
import { readingReplicas } from '../replicas.ts'
import type { Awaitable, ConnectionQueue, ModelSource, Session } from '../source.ts'
import type { Database, StatementPurpose } from '../sql/database.ts'
import type { Stores } from '../sql/store.ts'
import { type DrizzleConnection, type Opening, openDatabase } from './database.ts'
import { chosenSession, type Replicated } from './internals.ts'

/** How lists read the replicas of drizzle's `withReplicas()`. */
export interface ReplicaOptions {
  /**
   * Seconds after the start and after each write of this process during which its lists use the primary. Set it to at least
   * the replication lag.
   *
   * @default 5
   */
  readonly freshFor?: number
}

interface Replicas {
  /** The primary. It records the time of writes. */
  readonly primary: DrizzleConnection
  readonly queues: readonly (ConnectionQueue | undefined)[]
  /** Stores for `use: 'page'`: all reads of a response use the same replica, unless this process wrote within `freshFor`. */
  storesOfPages(outside: Session['store'], storesIn: (replica: Database) => Stores): ModelSource['store']
}

/** `undefined`: all reads use the primary. @throws StartError if `options` is set and the database has no replicas */
export const replicasOf = (
  given: object,
  database: DrizzleConnection,
  { replicas: options, ...opening }: Opening & { readonly replicas?: ReplicaOptions },
): Replicas | undefined => {
  if (options === undefined) return undefined
  const freshFor = freshForOf(options) * 1000
  const { $replicas: handles = [] } = given as Partial<Replicated>
  if (handles.length === 0) {
    throw new StartError(
      'drizzleModels: the option replicas needs a database with replicas. Use withReplicas(primary, [replica]) of drizzle-orm.',
    )
  }
  const replicas = handles.map((handle) => openDatabase(handle, opening))
  const errorHandling = errorHandlingOf(database)
  const { note, queues, storesOfPages } = readingReplicas({
    ...{ freshFor, errorHandling, queues: replicas.map(({ queue }) => queue) },
    chosen: () => {
      const session = chosenSession(given as Replicated)
      return handles.findIndex((handle) => handle.session === session)
    },
  })
  const noting = <T>(
    { changes }: StatementPurpose<T>,
    act: () => Awaitable<T | undefined>,
  ): Awaitable<T | undefined> => (changes === undefined ? act() : errorHandling.ending(act, note))
  return {
    queues,
    // Failed writes count too, because they may have been saved, and all transactions, because hooks may write in them.
    primary: Object.freeze<DrizzleConnection>({
      ...database,
      run: (text, values, purpose) => noting(purpose, () => database.run(text, values, purpose)),
      prepare: (text, count, purpose) => {
        const run = database.prepare(text, count, purpose)
        return (values) => noting(purpose, () => run(values))
      },
      transaction: (work) => errorHandling.ending(() => database.transaction(work), note),
    }),
    storesOfPages: (outside, storesIn) =>
      storesOfPages(
        outside,
        replicas.map((replica) => storesIn(replica).outside),
      ),
  }
}

const freshForOf = (options: ReplicaOptions): number => {
  if (typeof options !== 'object' || options === null)
    throw new StartError('drizzleModels: replicas must be an object, such as { freshFor: 5 }.')
  const { freshFor = 5, ...others } = options
  for (const name of Object.keys(others))
    throw new StartError(`drizzleModels: unknown option replicas.${name}.${suggest(name, ['freshFor'])}`)
  if (typeof freshFor === 'number' && freshFor >= 0 && freshFor <= 86_400) return freshFor
  throw new StartError('drizzleModels: replicas.freshFor must be a number of seconds from 0 to 86400.')
}
