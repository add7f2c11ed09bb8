import type { Awaitable } from '../model/awaitable.ts'
import type { RecordIn } from '../model/model-types.ts'
import type { Handle, InsertOf, ModelName, RecordOf, Registered } from '../model/register.ts'
import type { Caller } from '../operation/caller.ts'
import type { Condition, Order } from '../query/ast.ts'
import type { ScopeOf } from './scope-of.ts'

export type { Scope, ScopeEqualities, ScopeOf } from './scope-of.ts'

/** What a hook may return instead of what it got. `undefined`, or nothing at all: it stays as it is. */
type Changed<T> = Awaitable<T | undefined> | Awaitable<void>

/** The caller's record: that of the model `User`, where there is one. */
export type UserRecord = Readonly<Omit<RecordIn<Registered, 'User'>, 'password'>>

/** What every hook gets last. */
export interface HookContext {
  /** The ORM's own handle: inside a transaction the one that is bound to it. */
  readonly db: Handle
  /** Null for the anonymous. */
  readonly caller: Caller | null
  /** The caller's record without the password, read at most once. Null for the anonymous. */
  user(): Awaitable<UserRecord | null>
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

/**
 * The hooks of a controller, all optional (contract, 6). `undefined` returned from a before-hook keeps what it got, from
 * an after-hook shows the record as it is.
 */
export interface Hooks<Name extends ModelName = ModelName, Request = unknown> {
  beforeList?(request: Request, query: HookQuery, context: HookContext): Changed<HookQuery>
  afterList?(
    request: Request,
    records: readonly RecordOf<Name>[],
    context: HookContext,
  ): Changed<readonly object[]>
  beforeCreate?(
    request: Request,
    payload: InsertOf<Name>,
    createSchema: HookSchema<InsertOf<Name>>,
    context: HookContext,
  ): Changed<InsertOf<Name>>
  afterCreate?(request: Request, record: RecordOf<Name>, context: HookContext): Changed<object>
  beforeUpdate?(
    request: Request,
    record: RecordOf<Name>,
    payload: Partial<InsertOf<Name>>,
    updateSchema: HookSchema<Partial<InsertOf<Name>>>,
    context: HookContext,
  ): Changed<Partial<InsertOf<Name>>>
  afterUpdate?(request: Request, record: RecordOf<Name>, context: HookContext): Changed<object>
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
  scope?(request: Request, context: HookContext): Awaitable<ScopeOf<Name>>
}

/** The names of the hooks. */
export type HookName = keyof Hooks
