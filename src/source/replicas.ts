import { after, type ErrorHandling, onceFor } from '../model/objects.ts'
import type { Condition } from '../query/ast.ts'
import {
  type Awaitable,
  type ConnectionQueue,
  type ModelSource,
  type RecordStore,
  type Session,
  SourceError,
} from './source.ts'

/** Copies of a database that may lag behind it, and when they are read. */
interface Copies {
  /** The place of the one that the application chooses for a page. -1: the database itself. */
  readonly chosen: () => number
  /** The queue of each. */
  readonly queues: readonly (ConnectionQueue | undefined)[]
  /** In milliseconds: after a write, pages are read from the database itself. */
  readonly freshFor: number
  readonly errorHandling: ErrorHandling
}

interface Replicas {
  /** Notes a write, or one that may have been saved. */
  readonly note: () => void
  readonly queues: readonly (ConnectionQueue | undefined)[]
  /**
   * Stores for `use: 'page'`: all reads of a response use the same replica, unless this process wrote within `freshFor`.
   *
   * @param behind the stores of each replica, with all methods
   */
  storesOfPages(outside: Session['store'], behind: readonly Session['store'][]): ModelSource['store']
}

/** Milliseconds during which a replica is skipped after it could not be reached or did not respond in time. */
const REST = 10_000

/** Reads pages from replicas, and skips those that are unavailable, because each page would wait for them. */
export const readingReplicas = ({ chosen, queues, freshFor, errorHandling }: Copies): Replicas => {
  const restUntil = queues.map(() => 0)
  // The application may have just migrated, so the start counts as a write.
  let written = performance.now()

  /** The place of the replica that the application chooses, or of the next one that is not skipped. -1: the database itself. */
  const choose = (): number => {
    const now = performance.now()
    const first = now - written < freshFor ? -1 : chosen()
    if (first === -1) return -1
    const places = queues.map((_, step) => (first + step) % queues.length)
    const at = places.find((place) => (restUntil[place] ?? 0) <= now) ?? -1
    // Only one list probes a skipped replica; other lists use it again after a successful response.
    if ((restUntil[at] ?? 0) > 0) restUntil[at] = now + REST
    return at
  }

  return {
    note: () => {
      written = performance.now()
    },
    // A probe of a replica that is skipped delays no other request.
    queues: queues.map(
      (queue, at) =>
        queue && Object.freeze({ ...queue, waited: () => ((restUntil[at] ?? 0) > 0 ? 0 : queue.waited()) }),
    ),
    storesOfPages: (outside, behind) => {
      const open = (): ReplicaRead => {
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
        return replica === undefined ? primary : storeOfPage(page, replica, primary, errorHandling)
      }
    },
  }
}

/** The stores of replicas have all methods. */
type WholeStore = Required<RecordStore>

/** What is read for one response. */
interface ReplicaRead {
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
  page: ReplicaRead,
  replica: RecordStore,
  primary: RecordStore,
  { recovering }: ErrorHandling,
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
      (store, ...about: Parameters<WholeStore['related']>) => (store as WholeStore).related(...about),
      false,
    ),
    countRelated: reading(
      (store, ...about: Parameters<WholeStore['countRelated']>) =>
        (store as WholeStore).countRelated(...about),
      false,
    ),
    aggregate: reading((store, ...about: Parameters<WholeStore['aggregate']>) =>
      (store as WholeStore).aggregate(...about),
    ),
  })
}
