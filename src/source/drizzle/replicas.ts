import { StartError, suggest } from '../../error/errors.ts'
import { type Awaitable, type ModelSource, type RecordStore, type Session, SourceError } from '../source.ts'
import type { Database } from './database.ts'
import { asyncExecution, type Execution, syncExecution } from './execution.ts'
import { openDatabase } from './open-database.ts'
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

const LONGEST_FRESH = 86_400

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
  const settling = primary.synchronous ? syncExecution : asyncExecution
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
  if (typeof freshFor !== 'number' || !(freshFor >= 0 && freshFor <= LONGEST_FRESH))
    throw new StartError(
      `drizzleModels: replicas.freshFor must be a number from 0 to ${LONGEST_FRESH}, in seconds.`,
    )
  return freshFor
}

/**
 * Notes each write when it ends, and each transaction: hooks may write in it. What failed is noted too, for it may have
 * been done.
 */
const noting = (database: Database, note: () => void): Database => {
  const { ending } = database.synchronous ? syncExecution : asyncExecution
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

/** The replica that one list is read from, with its count. */
interface Chosen {
  /** Its place among the replicas. */
  readonly at: number
  /** It gave an answer, if only a refusal. */
  readonly answered: () => void
  readonly failed: (error: unknown) => void
}

/** Milliseconds in which a replica is left out that could not be reached, or did not answer in time. */
const REST = 10_000

/**
 * Chooses as the `getReplica` that `withReplicas()` was given, but for replicas that are left out: then it is the next one.
 * When its time is over one list tries it again, and the others follow when that had an answer.
 *
 * @param given what `withReplicas()` gave
 * @returns `undefined`: the primary is read
 */
const choiceOf = (given: object, handles: readonly unknown[]): (() => Chosen | undefined) => {
  const queries = handles.map(queryOf)
  const ofPrimary = queryOf(Reflect.get(given, '$primary'))
  const states = handles.map(() => ({ restsUntil: 0 }))
  let turn = 0

  const first = (): number | undefined => {
    // drizzle keeps the function to itself. But what it gives of the replica that was chosen is that replica's own.
    const query = queryOf(given)
    if (query === ofPrimary && query !== undefined) return undefined
    const at = query === undefined ? -1 : queries.indexOf(query)
    if (at >= 0) return at
    turn += 1
    return turn
  }

  return () => {
    const start = first()
    if (start === undefined) return undefined
    const now = performance.now()
    for (let step = 0; step < states.length; step += 1) {
      const at = (start + step) % states.length
      const state = states[at]
      if (state === undefined || state.restsUntil > now) continue
      const rest = (): void => {
        state.restsUntil = performance.now() + REST
      }
      if (state.restsUntil > 0) rest()
      const { restsUntil } = state
      // What was asked before it failed says nothing.
      const answered = (): void => {
        if (state.restsUntil === restsUntil) state.restsUntil = 0
      }
      return { at, answered, failed: (error) => (isAway(error) ? rest() : answered()) }
    }
    return undefined
  }
}

const queryOf = (handle: unknown): unknown => Reflect.get(Object(handle), 'query')

const isAway = (error: unknown): boolean =>
  error instanceof SourceError && (error.kind === 'unavailable' || error.kind === 'lost')

/**
 * A store for one list and its count, which come from the same database. Whatever goes wrong with the replica, the primary
 * has the answer, and the rest of them.
 */
const laggingStore = (
  replica: RecordStore,
  primary: RecordStore,
  { answered, failed }: Chosen,
  { recovering, after }: Execution,
): RecordStore => {
  let isGivenUp = false
  let begun: Awaitable<unknown>
  const reading =
    <Args extends unknown[], T>(
      ask: (store: RecordStore, ...about: Args) => Awaitable<T>,
    ): ((...about: Args) => Awaitable<T>) =>
    (...about) => {
      if (isGivenUp) return ask(primary, ...about)
      const earlier = begun
      let isBehind = true
      const noted = (answer: T): T => {
        answered()
        return answer
      }
      const own = recovering(
        () => after(ask(replica, ...about), noted),
        (error) => {
          failed(error)
          isGivenUp = true
          isBehind = false
          return ask(primary, ...about)
        },
      )()
      begun = own
      // A count is asked for beside its rows, and may be there before these have failed.
      const settled = (answer: T): Awaitable<T> =>
        after(earlier, () => (isBehind && isGivenUp ? ask(primary, ...about) : answer))
      return after(own, settled)
    }
  return Object.freeze<RecordStore>({
    ...primary,
    list: reading((store, ...about: Parameters<RecordStore['list']>) => store.list(...about)),
    count: reading((store, ...about: Parameters<RecordStore['count']>) => store.count(...about)),
    estimate: reading((store, ...about: Parameters<RecordStore['estimate']>) => store.estimate(...about)),
  })
}
