import { StartError } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import type { Awaitable } from '../model/objects.ts'
import type { Typed } from '../model/types.ts'
import type { WatchStatement } from '../observe/observer.ts'
import type { Condition, Selection } from '../query/ast.ts'

export type { Awaitable } from '../model/objects.ts'

/** A record as the ORM has it: field name -> value in the field's form. */
export type Row = Readonly<Record<string, unknown>>

/** In the values of an update: the column's default, whether a constant, a function or an SQL expression. */
export const DEFAULT: unique symbol = Symbol('default')

/**
 * Whether rows are wanted, by the bytes of the texts and binary values in each, before anything is made of them: JSON
 * may take twenty times its size once it is parsed.
 */
export type Admits = (sizes: readonly number[]) => boolean

/** What a source can and cannot do. The contract suite asserts each of them. */
interface Capabilities {
  /** Every act of a store gives its result in the same tick. */
  readonly synchronous: boolean
  /** `contains` folds the case of all of Unicode, not only of ASCII. */
  readonly unicodeCaseFolding: boolean
  /** Each transaction is apart from everything else that goes on. `false`: there are none. */
  readonly transactions: boolean
}

/**
 * The acts on the records of one model. Every act takes a guard: a condition that joins the WHERE of its statement.
 *
 * @throws SourceError for everything that the database refuses.
 */
export interface RecordStore {
  /** Rows that `admits` refuses are not decoded, and the list is empty. A source that cannot tell sizes does not ask. */
  list(selection: Selection, guard: Condition, admits?: Admits): Awaitable<readonly Row[]>
  /** How many records match. Counting ends at `atMost`, so that it costs no more. */
  count(filter: Condition, guard: Condition, atMost?: number): Awaitable<number>
  /** About how many records match, by the statistics of the database. `undefined`: they are of no use. It never fails. */
  estimate(filter: Condition): Awaitable<number | undefined>
  /** `key` holds a value for each field of the primary key, in key order and in the field's form. With `lock` no other transaction can change the record before this one ends. */
  read(key: readonly unknown[], guard: Condition, lock?: 'lock'): Awaitable<Row | undefined>
  /** Stores a record and gives it back as it is stored, with defaults and generated values. */
  create(values: Row): Awaitable<Row>
  /** Changes the named fields, a `DEFAULT` among the values to the column's default. No values: the record as it is. `undefined`: no such record. */
  update(key: readonly unknown[], values: Row, guard: Condition): Awaitable<Row | undefined>
  /** Whether there was a record to delete. */
  remove(key: readonly unknown[], guard: Condition): Awaitable<boolean>
  /** Deletes a record and gives it back as it was. `undefined`: there was none. */
  take(key: readonly unknown[], guard: Condition): Awaitable<Row | undefined>
}

/** Where acts run: each by itself, or all in one transaction. */
export interface Session {
  /** The ORM's own handle. That of a transaction refuses to be used once it has ended. */
  readonly db: unknown
  store(model: Model): RecordStore
}

/**
 * An ORM, or another place where models and records come from.
 *
 * `Types` is what is known of the models at compile time (`Typed`). A source that knows nothing leaves it out.
 */
export interface ModelSource<out Types = unknown> extends Session, Typed<Types> {
  /**
   * Stores whose lists and counts may lag behind what was written: for each page with its count another one, which reads
   * both in the same place. Absent: those of `store` do for everybody.
   */
  readonly lagging?: (model: Model) => () => RecordStore
  /** What the source says of its models. Read once, at start. */
  readonly models: readonly Model[]
  /** What was left out or is not understood, a line each: said once, at start. */
  readonly notes: readonly string[]
  readonly capabilities: Capabilities
  /**
   * Runs work in one transaction. What it throws undoes everything. On a synchronous driver the whole transaction is one
   * tick, and work that gives a promise is undone.
   *
   * @throws SourceError where the database refuses to begin or to commit
   */
  transaction<T>(work: (inside: Session) => Awaitable<T>): Awaitable<T>
  /**
   * What a hook threw says of the state of the database, where it came through the handle: `contended`, `lost` or
   * `unavailable`. `undefined`: nothing.
   */
  refusalOf(error: unknown): SourceError | undefined
  /** An error as a log may have it: without values of records, which drivers write into theirs. */
  loggable(error: unknown): unknown
  /** The names of those models whose table the database does not have. @throws SourceError `unavailable` */
  missingTables(models: readonly Model[]): Awaitable<readonly string[]>
  /** The same source, which calls `watch` for each statement. Absent: it cannot. */
  observed?(watch: WatchStatement): ModelSource<Types>
  /** Asks the database for next to nothing, to see whether it answers. @throws SourceError `unavailable` */
  ping(): Awaitable<void>
}

/** @throws StartError if transactions of the database are not apart from other requests. `what` needs them. */
export const assertTransactions = (
  { capabilities }: Pick<ModelSource, 'capabilities'>,
  what: string,
): void => {
  if (capabilities.transactions) return
  throw new StartError(
    `${what} transactions, and this database has none that are apart from other requests. Give drizzle a pool of connections in place of a single one, or another driver.`,
  )
}

/**
 * What a database can refuse, in words of no database.
 *
 * - `contended`: others wrote the same, as in a deadlock or a serialisation failure. Nothing was done, all of the
 *   transaction was undone, and the same may succeed when it is done again.
 * - `lost`: the connection broke while it was used. A write may have been done or not.
 * - `unavailable`: the database cannot be reached, or does nothing at the moment. Nothing was done.
 */
export type SourceErrorKind =
  | 'unique'
  | 'missing-reference'
  | 'still-referenced'
  | 'not-null'
  | 'check'
  | 'value'
  | 'type'
  | 'unrepresentable'
  | 'contended'
  | 'lost'
  | 'unavailable'

/** A database's refusal, without its text. The driver's error is the `cause`, only for the log. */
export class SourceError extends Error {
  override readonly name: string = 'SourceError'
  readonly kind: SourceErrorKind
  /** The fields of the model that it is about, as far as they can be told. */
  readonly fields: readonly string[]
  /** Of `still-referenced`: the models whose records point here. */
  readonly models: readonly string[]

  constructor(
    kind: SourceErrorKind,
    about: {
      readonly fields?: readonly string[]
      readonly models?: readonly string[]
      readonly cause?: unknown
    } = {},
  ) {
    super(`${kind}: ${[...(about.fields ?? []), ...(about.models ?? [])].join(', ')}`, { cause: about.cause })
    this.kind = kind
    this.fields = about.fields ?? []
    this.models = about.models ?? []
  }
}
