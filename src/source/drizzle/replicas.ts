import { StartError, suggest } from '../../error/errors.ts'
import { after, type Execution, executionOf, onceFor } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import {
  type Awaitable,
  type ConnectionQueue,
  type ModelSource,
  type RecordStore,
  type Session,
  SourceError,
} from '../source.ts'
import type { Database, Purpose } from '../sql/database.ts'
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

/** Milliseconds during which a replica is skipped after it could not be reached or did not respond in time. */
const REST = 10_000

/** `undefined`: all reads use the primary. @throws StartError if `options` is set and the database has no replicas */
export const replicasOf = (
  given: object,
  database: DrizzleConnection,
  { replicas: options, ...opening }: Opening & { readonly replicas?: ReplicaOptions },
): Replicas | undefined => {
  if (options === undefined) return undefined
  const freshFor = freshForOf(options) * 1000
  const { $primary, $replicas: handles = [] } = given as Partial<Replicated>
  if (handles.length === 0) {
    throw new StartError(
      'drizzleModels: the option replicas needs a database with replicas. Use withReplicas(primary, [replica]) of drizzle-orm.',
    )
  }
  const replicas = handles.map((handle) => openDatabase(handle, opening))
  const execution = executionOf(database)
  const restUntil = handles.map(() => 0)
  // The application may have just migrated, so the start counts as a write.
  const written = { last: performance.now() }
  const note = (): void => {
    written.last = performance.now()
  }
  const noting = <T>(
    { changes }: Purpose<T>,
    act: () => Awaitable<T | undefined>,
  ): Awaitable<T | undefined> => (changes === undefined ? act() : execution.ending(act, note))

  /** The index of the replica that `getReplica` chooses, or of the next one that is not skipped. -1: the primary. */
  const choose = (): number => {
    const now = performance.now()
    const session = now - written.last < freshFor ? $primary?.session : chosenSession(given as Replicated)
    if (session === $primary?.session) return -1
    const first = handles.findIndex((handle) => handle.session === session)
    const places = handles.map((_, step) => (first + step) % handles.length)
    const at = places.find((place) => (restUntil[place] ?? 0) <= now) ?? -1
    // Only one list probes a skipped replica; other lists use it again after a successful response.
    if ((restUntil[at] ?? 0) > 0) restUntil[at] = now + REST
    return at
  }

  return {
    // Failed writes count too, because they may have been saved, and all transactions, because hooks may write in them.
    primary: Object.freeze<DrizzleConnection>({
      ...database,
      run: (text, values, purpose) => noting(purpose, () => database.run(text, values, purpose)),
      prepare: (text, count, purpose) => {
        const run = database.prepare(text, count, purpose)
        return (values) => noting(purpose, () => run(values))
      },
      transaction: (work) => execution.ending(() => database.transaction(work), note),
    }),
    // A probe of a replica that is skipped delays no other request.
    queues: replicas.map(
      ({ queue }, at) =>
        queue && Object.freeze({ ...queue, waited: () => ((restUntil[at] ?? 0) > 0 ? 0 : queue.waited()) }),
    ),
    storesOfPages: (outside, storesIn) => {
      const behind = replicas.map((replica) => storesIn(replica).outside)
      const open = (): Page => {
        const at = choose()
        const report = (error?: unknown): void => {
          const isAway = error instanceof SourceError && ['unavailable', 'lost'].includes(error.kind)
          restUntil[at] = isAway ? performance.now() + REST : 0
        }
        return { replica: behind[at], report, hasFailed: false, pending: undefined }
      }
      const pageOf = onceFor((_response: object) => open())
      return (model, use, response) => {
        const primary = outside(model)
        if (use !== 'page') return primary
        const page = response === undefined ? open() : pageOf(response)
        const replica = page.replica?.(model)
        return replica === undefined ? primary : storeOfPage(page, replica, primary, execution)
      }
    },
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

/** The stores of this source have all methods. */
type Reads = Required<RecordStore>

/** What is read for one response. */
interface Page {
  /** The stores of its replica. `undefined`: it is read from the primary. */
  readonly replica: Session['store'] | undefined
  /** @param error `undefined`: the replica has answered */
  readonly report: (error?: unknown) => void
  hasFailed: boolean
  /** The last read of the page or its count. */
  pending: Awaitable<unknown>
}

/**
 * A store of one page, whose list and count come from the same database. If the replica fails, the primary runs both, even
 * if the replica has already returned one of them, and reads everything that follows.
 */
const storeOfPage = (
  page: Page,
  replica: RecordStore,
  primary: RecordStore,
  { recovering }: Execution,
): RecordStore => {
  const { report } = page
  /** @param isFirst whether the page depends on it, so that it waits for the others of the page */
  const reading =
    <About extends unknown[], T>(
      act: (store: RecordStore, ...about: About) => Awaitable<T>,
      isFirst = true,
    ) =>
    (...about: About): Awaitable<T> => {
      if (page.hasFailed) return act(primary, ...about)
      const before = isFirst ? page.pending : undefined
      const result = recovering(
        (): Awaitable<T | undefined> => act(replica, ...about),
        (error) => {
          report(error)
          page.hasFailed = true
          return undefined
        },
      )()
      if (isFirst) page.pending = result
      const settled = (answered: T | undefined): Awaitable<T> => {
        if (page.hasFailed) return act(primary, ...about)
        report()
        return answered as T
      }
      return after(before, () => after(result, settled))
    }
  return Object.freeze<RecordStore>({
    ...primary,
    list: reading((store, ...about: Parameters<RecordStore['list']>) => store.list(...about)),
    count: reading((store, ...about: Parameters<RecordStore['count']>) => store.count(...about)),
    estimate: reading((store, filter: Condition) => store.estimate?.(filter)),
    related: reading(
      (store, ...about: Parameters<Reads['related']>) => (store as Reads).related(...about),
      false,
    ),
    countRelated: reading(
      (store, ...about: Parameters<Reads['countRelated']>) => (store as Reads).countRelated(...about),
      false,
    ),
    aggregate: reading((store, ...about: Parameters<Reads['aggregate']>) =>
      (store as Reads).aggregate(...about),
    ),
  })
}
