import type { ScopedCall } from '../../controller/scope.ts'
import { problem } from '../../error/errors.ts'
import type { Model } from '../../model/model.ts'
import { after } from '../../model/objects.ts'
import {
  holdJson,
  type Lease,
  type MemoryBudget,
  type Requester,
  UNCOUNTED,
} from '../../operation/memory-budget.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { type Aggregation, both, type Condition, everything, type Selection } from '../../query/ast.ts'
import { sharedReads } from '../../source/shared-reads.ts'
import type { Pace } from '../../source/sharing.ts'
import { JSON_FACTOR, sizingOf, totalBytes } from '../../source/sizing.ts'
import type { Admits, Awaitable, ModelSource, RecordStore, Row, Session } from '../../source/source.ts'

/** What limits the records that a caller can reach. Part of the WHERE clause of every statement. */
export type RecordScope = Pick<ScopedCall, 'guard'>

/** The records of all callers. */
export interface Unscoped {
  list(selection: Selection): Awaitable<readonly Row[]>
  count(filter: Condition, atMost?: number): Awaitable<number>
}

/** A narrower scope. */
export const narrowedScope = (scope: RecordScope, also: Condition | undefined): RecordScope =>
  also === undefined || also === everything ? scope : { guard: both(scope.guard, also) }

/** Reads the records of a model. */
export interface ScopedReads {
  read(scope: RecordScope, key: readonly unknown[]): Awaitable<Row | undefined>
  list(scope: RecordScope, selection: Selection, admits?: Admits): Awaitable<readonly Row[]>
  /** Stops counting at `atMost`. */
  count(scope: RecordScope, filter: Condition, atMost?: number): Awaitable<number>
}

/** Those of a page. */
export interface PageReads extends ScopedReads {
  /** From the statistics of the database, which know no scope. */
  estimate(filter: Condition): Awaitable<number | undefined>
  aggregate(
    scope: RecordScope,
    aggregation: Aggregation,
    admits?: Admits,
  ): Awaitable<readonly Row[] | undefined>
}

/** Reads what is related to known records. The scopes of the models on the way are part of `to`. */
export interface RelatedReads {
  readonly related: (
    ...asked: Parameters<NonNullable<RecordStore['related']>>
  ) => Awaitable<readonly (readonly Row[])[] | undefined>
  readonly countRelated: (
    ...asked: Parameters<NonNullable<RecordStore['countRelated']>>
  ) => Awaitable<readonly number[] | undefined>
}

/** Reads and writes them as they are stored. */
export interface ScopedWrites extends ScopedReads {
  /** Whether the new record is within a scope is checked afterwards. */
  create(values: Row): Awaitable<Row>
  update(scope: RecordScope, key: readonly unknown[], values: Row): Awaitable<Row | undefined>
  remove(scope: RecordScope, key: readonly unknown[]): Awaitable<boolean>
  take(scope: RecordScope, key: readonly unknown[]): Awaitable<Row | undefined>
}

/** The same in a transaction. */
export interface InsideRecords extends ScopedWrites, Pick<RecordStore, 'createMany'> {
  /** No other transaction can change the record before this one ends. */
  lock(scope: RecordScope, key: readonly unknown[]): Awaitable<Row | undefined>
}

interface RelatedFrom {
  /** Whether they are read like those of a page, or as they are stored. */
  readonly from: 'page' | 'stored'
  /** Concurrent requests may get the same rows. Code of the application must not. */
  readonly mayShare: boolean
}

/** The one way from a request to the records of a model. */
export interface Records extends ScopedWrites {
  readonly inside: (transaction: Session) => InsideRecords
  /** Concurrent requests may get the same row, so code of the application must not. */
  readonly shared: Pick<ScopedReads, 'read'>
  /** Those of a replica, if there is one, which may lag behind. It is the same for all that are read for a request. */
  readonly page: (scoped: ScopedCall) => PageReads
  /** Reads what is related to records of the model. */
  readonly related: (scoped: ScopedCall, how: RelatedFrom) => RelatedReads
}

/** A model as the caller has it. */
interface Viewed {
  readonly model: Model
  /** As all callers together have it. @default the same */
  readonly whole?: Model
}

/** @param pace how requests share reads. @default they do not */
export const recordsOf = (source: ModelSource, { model, whole = model }: Viewed, pace?: Pace): Records => {
  const store = source.store(whole)
  const reader = pace === undefined ? store : sharedReads(store, model, pace)
  const pageStore = (scoped: ScopedCall) => source.store(whole, 'page', scoped)
  const shared = relatedReads({ ...relatedReads(store), ...reader })
  return Object.freeze<Records>({
    ...writesTo(store),
    inside: (transaction) => recordsInside(transaction, model),
    shared: { read: ({ guard }, key) => reader.read(key, guard) },
    page: (scoped) => pageReads(pageStore(scoped)),
    related: (scoped, { from, mayShare }) => {
      const own = from === 'page' ? pageStore(scoped) : store
      return own === store && mayShare ? shared : relatedReads(own)
    },
  })
}

/** Past every scope, for a model that need not be served. */
export const unscopedReads = (source: ModelSource, model: Model): Unscoped => {
  const store = source.store(model)
  return {
    list: (selection) => store.list(selection, everything),
    count: (filter, atMost) => store.count(filter, everything, atMost),
  }
}

/** For a model that need not be served. */
export const recordsInside = (transaction: Session, model: Model): InsideRecords => {
  const store = transaction.store(model)
  return {
    ...writesTo(store),
    ...(store.createMany && { createMany: store.createMany.bind(store) }),
    lock: ({ guard }, key) => store.read(key, guard, 'lock'),
  }
}

const readsOf = (store: RecordStore): ScopedReads => ({
  read: ({ guard }, key) => store.read(key, guard),
  list: ({ guard }, selection, admits) => store.list(selection, guard, admits),
  count: ({ guard }, filter, atMost) => store.count(filter, guard, atMost),
})

const writesTo = (store: RecordStore): ScopedWrites => ({
  ...readsOf(store),
  create: store.create.bind(store),
  update: ({ guard }, key, values) => store.update(key, values, guard),
  remove: ({ guard }, key) => store.remove(key, guard),
  take: ({ guard }, key) => store.take(key, guard),
})

const pageReads = (store: RecordStore): PageReads => ({
  ...readsOf(store),
  estimate: (filter) => store.estimate?.(filter),
  aggregate: ({ guard }, aggregation, admits) => store.aggregate?.(aggregation, guard, admits),
})

const relatedReads = (store: Partial<RelatedReads>): RelatedReads => ({
  related: (...asked) => store.related?.(...asked),
  countRelated: (...asked) => store.countRelated?.(...asked),
})

/** A transaction of a synchronous driver lasts one tick and blocks all other requests, so it may use an eighth of what a page may. */
const TICK = 8

/** A request may decode four times the budget; with the default, half of the heap. */
const MOST_BUDGETS = 4

/** How much one request may read and write at once. */
export interface MemoryBounds {
  readonly source: Pick<ModelSource, 'capabilities'>
  /** What requests take before they read large records, by their call. */
  readonly memory: MemoryBudget
  /** The maximum size of a page in bytes. */
  readonly pageBytes: number
}

/** The bytes of records and values that one request may write. */
export const writtenBytes = ({ source, memory, pageBytes }: MemoryBounds): number =>
  Math.min(
    source.capabilities.synchronous === true ? pageBytes / TICK : pageBytes,
    (MOST_BUDGETS * memory.size) / JSON_FACTOR,
  )

/** @throws HttpError 400 `page_too_large` for more bytes than one request may write */
export const assertSize = (bounds: MemoryBounds, bytes: number): void => {
  const most = Math.floor(writtenBytes(bounds))
  if (bytes > most)
    throw problem(
      'page_too_large',
      `The records are larger than ${most} bytes together. Write fewer of them in one request.`,
    )
}

/** Holds the memory of JSON of so many bytes, decoded. */
export const holdDecoded = ({ memory }: MemoryBounds, { call }: ScopedCall, bytes: number): Steps<void> =>
  wait(holdJson(memory, call, bytes))

/** Reads lists that together are not larger than one request may write. @throws HttpError 400 `page_too_large` */
export const boundedRows = (bounds: MemoryBounds) => {
  const most = writtenBytes(bounds)
  let bytes = 0
  return function* (records: ScopedReads, scope: RecordScope, selection: Selection): Steps<readonly Row[]> {
    let own = 0
    const found = yield* wait(
      records.list(scope, selection, (sizes) => {
        // A source may repeat a read after a broken connection.
        own = totalBytes(sizes)
        return bytes + own <= most
      }),
    )
    bytes += own
    assertSize(bounds, bytes)
    return found
  }
}

/** The memory that one request may take for what it reads: text of two pages always, and JSON as for writes. */
const readMemory = ({ memory, pageBytes }: MemoryBounds): number =>
  Math.max(2 * pageBytes, MOST_BUDGETS * memory.size)

/**
 * Admits rows that fit the response once the request holds the memory that they take.
 *
 * @throws HttpError 400 `page_too_large` for several that take more than one request may
 */
export const heldAdmits = (
  bounds: MemoryBounds,
  call: Requester,
  fits: (sizes: readonly number[]) => boolean,
): Admits => {
  const { memory } = bounds
  let held = 0
  return (sizes, bytes = totalBytes(sizes)) => {
    if (!fits(sizes)) return false
    if (bytes <= UNCOUNTED && held === 0) return true
    // A source may retry a read after a broken connection. The same rows count once.
    const lease: Lease = memory.of(call)
    const more = bytes - held
    if (sizes.length > 1 && lease.held + more > readMemory(bounds)) throw tooMuchMemory(readMemory(bounds))
    held = bytes
    if (more <= 0) lease.give(-more)
    return more <= 0 || after(lease.take(more), () => true)
  }
}

/** Reads a record, once the request holds what a large one of the model takes in memory. */
export const heldRead = <T>(
  { memory }: MemoryBounds,
  model: Model,
  call: Requester,
  read: () => Awaitable<T>,
): Awaitable<T> => {
  const bytes = sizingOf(model).atMost()
  return bytes > UNCOUNTED ? after(memory.of(call).take(bytes), read) : read()
}

const tooMuchMemory = (most: number): Error =>
  problem(
    'page_too_large',
    `The records take more than ${most} bytes of memory, where JSON counts ${JSON_FACTOR} times. Request fewer records or fields.`,
  )
