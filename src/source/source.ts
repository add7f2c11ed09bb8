import { StartError, suggest } from '../error/errors.ts'
import type { ValueCapabilities } from '../model/facts.ts'
import type { Model } from '../model/model.ts'
import type { Awaitable } from '../model/objects.ts'
import type { Typed } from '../model/types.ts'
import type { WatchStatement } from '../observe/observer.ts'
import type { Aggregation, Condition, Selection } from '../query/ast.ts'
import { type Advice, adviceOf } from './advice.ts'

export type { Awaitable } from '../model/objects.ts'

/** A record as the ORM returns it: field name -> value in the field's form. */
export type Row = Readonly<Record<string, unknown>>

/**
 * In the values of an update: sets the column to its default, which may be a constant, a function or an SQL expression. A
 * source without the capability `databaseDefaults` never receives it.
 */
export const DEFAULT: unique symbol = Symbol.for('modelrest.default')

/**
 * Decides whether to read rows, or, if a source learns their sizes only after reading, whether to decode them. It may have to wait until there is
 * room for them in memory. A source that reads them in parts calls it after each part, with the sizes of all rows so far.
 *
 * @param sizes the number of bytes of the strings and binary values in each row
 * @param memory the bytes that the rows take in memory. Parsed JSON may need twenty times its size. @default the sum of the sizes
 * @throws HttpError 503 `unavailable` if there is no room in time. A source passes the error on
 */
export type Admits = (sizes: readonly number[], memory?: number) => Awaitable<boolean>

/**
 * The capabilities of a source. The service does not offer what needs a missing capability, or refuses it at start. A capability that
 * is absent counts as missing. The contract suite of `modelrest/testing` asserts each of them.
 */
export interface Capabilities extends ValueCapabilities {
  /** Every method returns its result, not a promise. */
  readonly synchronous?: boolean
  /** `contains` ignores the case of all Unicode characters, not only of ASCII. */
  readonly unicodeCaseFolding?: boolean
  /** Transactions are isolated from concurrent requests. */
  readonly transactions?: boolean
  /** In a transaction, `read` with `lock` keeps other transactions from changing the record before this one ends. */
  readonly rowLocks?: boolean
  /**
   * What a read returns depends only on its arguments, not for example on a variable of the request's context, so concurrent
   * requests may share it. A synchronous source never shares.
   */
  readonly sharedReads?: boolean
  /**
   * Stores have `related` and `countRelated`, and conditions may go through to-many relations. Without it, clients can use no
   * relation; a scope may still contain conditions on to-one relations.
   */
  readonly relations?: boolean
  /** Sort keys may be reached through to-one relations. Only with `relations`. */
  readonly relatedSort?: boolean
  /** Stores have `aggregate`. */
  readonly aggregates?: boolean
  /** `aggregate` can group by parts of dates. Only with `aggregates`. */
  readonly dateParts?: boolean
  /** `aggregate` can count the different values of a field: `count_distinct`. Only with `aggregates`. */
  readonly countDistinct?: boolean
  /** `aggregate` can leave out groups by a condition on the columns of its result. Only with `aggregates`. */
  readonly having?: boolean
}

/** Hooks, listeners and subscribers that the application has given to its ORM. */
export interface OrmHooks {
  /** Whether such a write of a model runs some. It is then part of a transaction, whose time is limited, and not retried. */
  hear(model: Model, event: 'create' | 'update' | 'delete'): boolean
  /** What a hook must write with to be part of the transaction, as the ORM calls it: `options.transaction`. */
  readonly handle: string
}

/** Relation and records of whose other ends are asked for. */
export interface RelatedTo {
  /** The name of a relation of this model. */
  readonly relation: string
  /** For each record, the values of the relation's `fields`. No two are the same, and none contains null. */
  readonly records: readonly (readonly unknown[])[]
  /** Holds for the related records. */
  readonly guard: Condition
  /** Holds for the records of the join table. Only for a relation with `through`. @default everything */
  readonly link?: Condition
  /** More related records than this in total are refused by `admits`, so a source may stop reading after the next one. @default all are read */
  readonly most?: number
}

/**
 * Reads and writes the records of one model. The guard of a method is a condition that becomes part of the WHERE clause
 * of its statement.
 *
 * @throws SourceError for everything that the database refuses
 */
export interface RecordStore {
  /**
   * If `admits` returns false, no row is decoded, and the list is empty. A source that does not know sizes ignores it. One that can ask
   * its database for sizes does so before it reads many rows that may be large.
   */
  list(selection: Selection, guard: Condition, admits?: Admits): Awaitable<readonly Row[]>
  /** The number of matching records. Counting stops at `atMost`, which limits its cost. */
  count(filter: Condition, guard: Condition, atMost?: number): Awaitable<number>
  /**
   * The estimated number of matching records, from the statistics of the database. `undefined`: not known. Never throws.
   * Absent: the database has no statistics, and `count=estimated` stops counting at its bound.
   */
  estimate?(filter: Condition): Awaitable<number | undefined>
  /**
   * For each of the records, in their order: the related records in the order of the selection, at most `limit` of them for each.
   * One statement for each 1,000 records, whose cost does not depend on how many related records are beyond the limit, if an
   * index has the order.
   * The selection concerns the other model and has no offset. `admits` as for `list`: if it returns false, all lists are empty.
   * Only for sources with the capability `relations`.
   */
  related?(to: RelatedTo, selection: Selection, admits?: Admits): Awaitable<readonly (readonly Row[])[]>
  /** For each of the records, in their order: the number of related records that match. One statement for each 1,000 records. */
  countRelated?(to: RelatedTo, filter: Condition): Awaitable<readonly number[]>
  /**
   * One row for each group, with a value for each result column by its `columnName`: groups in the form of their field, and the
   * start of a part as a string (`2026-03-01`, with `hour` `2026-03-01T13:00:00`, local to the time zone). `count` is a number; `sum`
   * is a bigint for integers and bigints, a string with all digits for decimals, a number for floats; `avg` is a string with four
   * digits more than the field has for decimals and integers, a number for floats; `min` and `max` have the form of the field.
   * Null: the group has no values. `admits` as for `list`. Only for sources with the capability `aggregates`.
   *
   * @throws SourceError `type` for a field whose values the database cannot compute exactly
   */
  aggregate?(aggregation: Aggregation, guard: Condition, admits?: Admits): Awaitable<readonly Row[]>
  /**
   * `key` has a value for each field of the primary key, in key order and in the field's form. With `lock`, which only
   * sources with the capability `rowLocks` receive, no other transaction can change the record before this one ends.
   */
  read(key: readonly unknown[], guard: Condition, lock?: 'lock'): Awaitable<Row | undefined>
  /** Stores a record and returns it as stored, with defaults and generated values. */
  create(values: Row): Awaitable<Row>
  /**
   * Stores several records in few statements, and returns them as stored, in their order. Each may have other fields. Called
   * only in a transaction, which is rolled back if it throws; the error need not name fields. Absent: records are stored one by
   * one. If a store has it, those of transactions must have it.
   */
  createMany?(values: readonly Row[]): Awaitable<readonly Row[]>
  /**
   * Changes the fields in `values`, and returns the record as stored. `DEFAULT` sets a column to its default. Without values,
   * returns the record unchanged. `undefined`: no record matches.
   *
   * A field that is `raised` never comes with a value. If `values` has its name, with `undefined`, the record must get another
   * version even if nothing else changes.
   */
  update(key: readonly unknown[], values: Row, guard: Condition): Awaitable<Row | undefined>
  /** Deletes a record. `false`: no record matches. */
  remove(key: readonly unknown[], guard: Condition): Awaitable<boolean>
  /** Deletes a record and returns it as it was. `undefined`: no record matches. */
  take(key: readonly unknown[], guard: Condition): Awaitable<Row | undefined>
}

/** A table that the database does not have, or that does not have all columns of its model. */
export interface Missing {
  /** The name of the model. */
  readonly model: string
  /** The name of the table or view in the database, without its schema. */
  readonly table: string
  /** The file or name of the database. Absent: it is in memory, or does not say. */
  readonly database?: string
  /** The names in the database of the missing columns. Absent: the table is missing. */
  readonly columns?: readonly string[]
  /** A command of the ORM that applies migrations, such as `npx prisma migrate deploy`. @default it has none */
  readonly migrate?: string
}

/** A queue of statements that wait for a connection of a pool. Both functions are called up to 100 times a second, and must be fast. */
export interface ConnectionQueue {
  /** The milliseconds that the first statement in the queue has waited. 0: none waits. */
  readonly waited: () => number
  /** How many statements have left the queue so far, with or without a connection. */
  readonly passed: () => number
}

/** Provides stores whose statements run on their own, or all in one transaction. */
export interface Session {
  /**
   * The ORM's own handle, which hooks receive. The handle of a transaction throws if it is used after the end of the
   * transaction.
   */
  readonly db: unknown
  /**
   * `model` is a configured copy of one of `models`. Only its name is certain to be the same. After the end of a transaction,
   * it throws, or its stores do.
   */
  store(model: Model): RecordStore
}

/**
 * A source of models and records, such as an ORM. Create it with `defineSource`.
 *
 * `Types` describes the models at compile time (`Typed`). A source without such types omits it.
 */
export interface ModelSource<out Types = unknown> extends Session, Typed<Types> {
  /** The models, from `describeModels`. Read once, at startup. */
  readonly models: readonly Model[]
  readonly capabilities: Capabilities
  /** One line for each omitted table or unknown column. Logged once, at startup. */
  readonly notes?: readonly string[]
  /** One for each connection pool. If they are too long, the service refuses requests. Absent: the service does not know them. */
  readonly queues?: readonly ConnectionQueue[]
  /** Hooks of the ORM itself, which run in writes. Absent: there are none. */
  readonly hooks?: OrmHooks
  /**
   * Whether code of the application in the ORM, other than hooks, may set this field of new records, such as a setter or the
   * class of an entity. Absent: it does not.
   */
  readonly fills?: (model: Model, field: string) => boolean
  /** The words of the ORM for messages that say what to write. Absent, also in part: they use general words. */
  readonly advice?: Partial<Advice>
  /**
   * With `use: 'page'`, one page, its count and its related records are read through the store. They may lag behind the last
   * writes, but must come from the same database, such as a replica. Called once for each page, and for each model whose
   * records it includes.
   *
   * @param response the same object for all stores of a response, which must read from the same database
   */
  store(model: Model, use?: 'page', response?: object): RecordStore
  /**
   * Runs `work` in one transaction, which is rolled back if `work` throws. On a synchronous source the transaction takes one
   * tick, and is rolled back if `work` returns a promise. A source without the capability `transactions` throws.
   *
   * @throws SourceError if the database refuses to begin or to commit
   */
  transaction<T>(work: (inside: Session) => Awaitable<T>): Awaitable<T>
  /** Checks with a trivial statement that the database responds. @throws SourceError `unavailable` */
  ping(): Awaitable<void>
  /**
   * The tables and columns of the models that the database does not have. Absent: they are not checked at start.
   *
   * @throws SourceError `unavailable`
   */
  missing?(models: readonly Model[]): Awaitable<readonly Missing[]>
  /**
   * The state of the database that an error thrown by a hook implies: `contended`, `lost` or `unavailable`. `undefined`: the
   * error does not come from the handle, or does not show the state. Absent: no error does.
   */
  refusalOf?(error: unknown): SourceError | undefined
  /**
   * Returns the error for the log, without the values of records that drivers include in their errors. Absent: errors never
   * contain them.
   */
  loggable?(error: unknown): unknown
  /**
   * A condition on records of a model in the language of the ORM, for queries that the application writes: with drizzle, an `SQL`
   * for `where`. It may go through relations. Absent: `rest.context(request).scope()` is refused.
   */
  conditionOf?(model: Model, condition: Condition): unknown
  /** The same source, which calls `watch` for each statement. Absent: statements cannot be observed. */
  observed?(watch: WatchStatement): ModelSource<Types>
}

/** An error for the log, as the source cleans it. */
export const forLog = (source: Pick<ModelSource, 'loggable'>, error: unknown): unknown =>
  source.loggable === undefined ? error : source.loggable(error)

/** @throws StartError if the source lacks isolated transactions or row locks, which `what` needs */
export const assertTransactions = (
  source: Pick<ModelSource, 'capabilities' | 'advice'>,
  what: string,
): void => {
  const { capabilities } = source
  if (capabilities.transactions !== true)
    throw new StartError(
      `${what} transactions that are isolated from other requests, which this source does not have. ${adviceOf(source).isolation}.`,
    )
  if (capabilities.rowLocks !== true)
    throw new StartError(
      `${what} row locks, which this source does not have. Use another database or source.`,
    )
}

/**
 * Why a database refused a statement, independent of the database.
 *
 * - `ignored`: the database reported success and stored nothing, as it does for a trigger that returns null.
 * - `contended`: a conflict with concurrent writes, such as a deadlock or a serialization failure. The whole transaction was
 *   rolled back, and a retry may succeed.
 * - `lost`: the connection broke while it was in use. A write may have been saved or not.
 * - `unavailable`: the database cannot be reached, or refuses to work at the moment. Nothing was saved.
 */
export type SourceErrorKind =
  | 'unique'
  | 'missing-reference'
  | 'still-referenced'
  | 'not-null'
  | 'check'
  | 'value'
  | 'type'
  | 'ignored'
  | 'unrepresentable'
  | 'contended'
  | 'lost'
  | 'unavailable'

const kinds: Readonly<Record<SourceErrorKind, true>> = {
  ...{ unique: true, 'missing-reference': true, 'still-referenced': true, 'not-null': true, check: true },
  ...{
    value: true,
    type: true,
    ignored: true,
    unrepresentable: true,
    contended: true,
    lost: true,
    unavailable: true,
  },
}

/** Registered, because a source may have another copy of this package than the application. */
const REFUSED = Symbol.for('modelrest.SourceError')

/**
 * The database refused a statement. The error of the driver is the `cause`, which is only for the log.
 *
 * `instanceof SourceError` also holds for errors of another copy of this package, so the class cannot be extended.
 *
 * @throws RangeError for an unknown kind
 */
export class SourceError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && REFUSED in value
  }

  override readonly name: string = 'SourceError'
  readonly kind: SourceErrorKind
  /** The fields of the model that caused it, as far as they are known. */
  readonly fields: readonly string[]
  /** For `still-referenced`: the models whose records refer to this one. */
  readonly models: readonly string[]
  /** For clients: what a validator of the application says of a field, or under an empty name of the record. */
  readonly messages!: Readonly<Record<string, string>>

  constructor(
    kind: SourceErrorKind,
    about: {
      readonly fields?: readonly string[]
      readonly models?: readonly string[]
      readonly messages?: Readonly<Record<string, string>>
      readonly cause?: unknown
    } = {},
  ) {
    super([kind, [...(about.fields ?? []), ...(about.models ?? [])].join(', ')].filter(Boolean).join(': '), {
      cause: about.cause,
    })
    if (!Object.hasOwn(kinds, kind))
      throw new RangeError(`SourceError: unknown kind ${kind}.${suggest(kind, Object.keys(kinds))}`, {
        cause: about.cause,
      })
    Object.defineProperty(this, REFUSED, { value: true })
    // Logs do not show it: it may have what a client sent.
    Object.defineProperty(this, 'messages', { value: about.messages ?? {} })
    this.kind = kind
    this.fields = about.fields ?? []
    this.models = about.models ?? []
  }
}
