import { StartError, suggest } from '../../error/start-error.ts'
import type { ModelSource, Session } from '../source.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'
import { choiceOf, laggingStore } from './replica-choice.ts'
import { atOnce, later } from './settling.ts'
import type { Stores } from './stores.ts'

/** How the replicas of a database that `withReplicas()` gives are read. */
export interface ReplicaOptions {
  /**
   * Seconds after a write of this process, and after its start, in which its lists come from the primary: at least as
   * long as the replicas lag behind.
   * @default 5
   */
  readonly freshFor?: number
}

/** Replicas that lists may be read from. */
export interface Replicas {
  /** The primary, whose writes are noted. */
  readonly primary: Database
  /** Stores whose lists and counts come from a replica, unless this process wrote a moment ago. */
  stores(
    outside: Session['store'],
    storesIn: (replica: Database) => Stores,
  ): NonNullable<ModelSource['lagging']>
}

const LONGEST = 86_400

/**
 * The replicas that stand beside a primary. `undefined`: the primary alone is read.
 *
 * @throws StartError where replicas are to be read and there are none, or for a wrong option
 */
export const replicasOf = (
  given: unknown,
  primary: Database,
  options: ReplicaOptions | undefined,
): Replicas | undefined => {
  if (options === undefined) return undefined
  const freshFor = freshForOf(options)
  const handles: unknown = Reflect.get(Object(given), '$replicas')
  if (!Array.isArray(handles) || handles.length === 0) {
    throw new StartError(
      'drizzleModels: the option replicas needs a database with replicas, as withReplicas(primary, [replica]) of drizzle-orm gives it.',
    )
  }
  const databases = handles.map(openDatabase)
  const settling = primary.synchronous ? atOnce : later
  const choose = choiceOf(Object(given), handles)
  // Whoever starts may have made the tables a moment ago.
  let written = performance.now()
  const mayLag = (): boolean => performance.now() - written >= freshFor * 1000
  const note = (): void => {
    written = performance.now()
  }
  return {
    primary: noting(primary, note),
    stores: (outside, storesIn) => {
      const behind = databases.map((replica) => storesIn(replica).outside)
      return (model) => {
        const atPrimary = outside(model)
        const atReplicas = behind.map((store) => store(model))
        return () => {
          const chosen = mayLag() ? choose() : undefined
          if (chosen === undefined) return atPrimary
          return laggingStore(atReplicas[chosen.at] ?? atPrimary, atPrimary, chosen, settling)
        }
      }
    },
  }
}

const freshForOf = (options: ReplicaOptions): number => {
  if (typeof options !== 'object' || options === null)
    throw new StartError('drizzleModels: the option replicas must be an object, as { freshFor: 5 }.')
  for (const name of Object.keys(options)) {
    if (name !== 'freshFor')
      throw new StartError(
        `drizzleModels: there is no option replicas.${name}.${suggest(name, ['freshFor'])}`,
      )
  }
  const { freshFor = 5 } = options
  if (typeof freshFor !== 'number' || !(freshFor >= 0 && freshFor <= LONGEST))
    throw new StartError(
      `drizzleModels: replicas.freshFor must be a number from 0 to ${LONGEST}, in seconds.`,
    )
  return freshFor
}

/**
 * Notes each write when it ends, and each transaction: hooks may write in it. What failed is noted too, for it may have
 * been done.
 */
const noting = (database: Database, note: () => void): Database => {
  const { ending } = database.synchronous ? atOnce : later
  return Object.freeze<Database>({
    ...database,
    prepare: (query, purpose) => {
      const run = database.prepare(query, purpose)
      if (purpose.changes === undefined) return run
      return (values, inside) => ending(() => run(values, inside), note)
    },
    transaction: (work) => ending(() => database.transaction(work), note),
  })
}
