import type { Handle, InsertOf, ModelName, RecordOf } from '../model/register.ts'
import type { Condition, Order } from '../query/ast.ts'

/** A value that is there, or a promise of it. */
type Awaitable<T> = T | PromiseLike<T>

/** Who sent the request. */
export interface Caller {
  /** In the form of the user model's key. */
  readonly id: unknown
  readonly claims: Readonly<Record<string, unknown>>
}

/** What every hook gets last. */
export interface HookContext {
  /** The ORM's own handle: inside a transaction the one that is bound to it. */
  readonly db: Handle
  /** Null for the anonymous. */
  readonly caller: Caller | null
  /** The caller's record without the password, read at most once. Null for the anonymous. */
  user(): Awaitable<Readonly<Record<string, unknown>> | null>
}

/** Checks values against the columns of a table. A before-hook's result is checked by it too. */
export interface HookSchema<Values> {
  /**
   * The values in the form that is stored.
   *
   * @throws HttpError 422 that names the field whose value does not fit its column; Error for what is no column
   */
  parse(value: unknown): Values
}

/** What a list is asked for. `beforeList` may return another one. */
export interface HookQuery {
  readonly filter: Condition
  readonly order: readonly Order[]
  readonly limit: number
  readonly offset: number
}

/** What `afterCommit` is told about. */
export type CommitEvent = 'create' | 'update' | 'delete'

type ScopeValue = string | number | bigint | boolean | Date | null

/** Equalities that all hold: a list of values means any of them, a to-one relation takes an object of its own. */
export interface ScopeEqualities {
  readonly [field: string]: ScopeValue | readonly ScopeValue[] | ScopeEqualities
}

/** What a caller may reach: one set of equalities, or any of several. `{}` is everything, an empty array nothing. */
export type Scope = ScopeEqualities | readonly ScopeEqualities[]

/**
 * The hooks of a controller, all optional (contract, 6). `undefined` returned from a before-hook keeps what it got, from
 * an after-hook shows the record as it is.
 */
export interface Hooks<Name extends ModelName = ModelName, Request = unknown> {
  beforeList?(
    request: Request,
    query: HookQuery,
    context: HookContext,
  ): Awaitable<HookQuery | undefined | void>
  afterList?(
    request: Request,
    records: readonly RecordOf<Name>[],
    context: HookContext,
  ): Awaitable<readonly object[] | undefined | void>
  beforeCreate?(
    request: Request,
    payload: InsertOf<Name>,
    createSchema: HookSchema<InsertOf<Name>>,
    context: HookContext,
  ): Awaitable<InsertOf<Name> | undefined | void>
  afterCreate?(
    request: Request,
    record: RecordOf<Name>,
    context: HookContext,
  ): Awaitable<object | undefined | void>
  beforeUpdate?(
    request: Request,
    record: RecordOf<Name>,
    payload: Partial<InsertOf<Name>>,
    updateSchema: HookSchema<Partial<InsertOf<Name>>>,
    context: HookContext,
  ): Awaitable<Partial<InsertOf<Name>> | undefined | void>
  afterUpdate?(
    request: Request,
    record: RecordOf<Name>,
    context: HookContext,
  ): Awaitable<object | undefined | void>
  beforeDelete?(request: Request, record: RecordOf<Name>, context: HookContext): Awaitable<void>
  afterDelete?(request: Request, record: RecordOf<Name>, context: HookContext): Awaitable<void>
  /** Runs once the write is durable and the reply is on its way. It cannot fail the reply. */
  afterCommit?(
    request: Request,
    event: CommitEvent,
    record: RecordOf<Name>,
    context: HookContext,
  ): Awaitable<void>
  /** Joins the WHERE of every statement of the model. */
  scope?(request: Request, context: HookContext): Awaitable<Scope>
}

export type HookName = keyof Hooks
