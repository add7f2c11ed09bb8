import type { Model } from '../model/model.ts'
import type { Condition, Selection } from '../query/ast.ts'

/** A value that is there, or a promise of it: one port for synchronous and asynchronous drivers. */
export type Awaitable<T> = T | PromiseLike<T>

/** A record as the ORM has it: field name -> value in the field's form. */
export type Row = Readonly<Record<string, unknown>>

/** In the values of an update: the column's default, whether a constant, a function or an SQL expression. */
export const DEFAULT: unique symbol = Symbol('default')

/** What a source can and cannot do. The contract suite asserts each of them. */
export interface Capabilities {
  /** Every act of a store gives its result in the same tick. */
  readonly synchronous: boolean
  /** `contains` folds the case of all of Unicode, not of ASCII alone. */
  readonly unicodeCaseFolding: boolean
}

/**
 * The acts on the records of one model. Every act takes a guard: a condition that joins the WHERE of its statement.
 *
 * @throws SourceError for everything that the database refuses.
 */
export interface RecordStore {
  list(selection: Selection, guard: Condition): Awaitable<readonly Row[]>
  count(filter: Condition, guard: Condition): Awaitable<number>
  /** `key` holds a value for each field of the primary key, in key order and in the field's form. */
  read(key: readonly unknown[], guard: Condition): Awaitable<Row | undefined>
  /** Stores a record and gives it back as it is stored, with defaults and generated values. */
  create(values: Row): Awaitable<Row>
  /** Changes the named fields, a `DEFAULT` among the values to the column's default. No values: the record as it is. `undefined`: no such record. */
  update(key: readonly unknown[], values: Row, guard: Condition): Awaitable<Row | undefined>
  /** Whether there was a record to delete. */
  remove(key: readonly unknown[], guard: Condition): Awaitable<boolean>
}

/** An ORM, or another place where models and records come from. */
export interface ModelSource {
  /** What the source says of its models. Read once, at start. */
  readonly models: readonly Model[]
  /** What was left out or is not understood, a line each: said once, at start. */
  readonly notes: readonly string[]
  readonly capabilities: Capabilities
  store(model: Model): RecordStore
  /** The names of those models whose table the database does not have. @throws SourceError `unavailable` */
  missingTables(models: readonly Model[]): Awaitable<readonly string[]>
}
