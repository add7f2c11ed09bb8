import type { Awaitable } from '../model/objects.ts'
import type {
  FieldOf,
  Handle,
  HookRequest,
  InsertOf,
  ModelName,
  RecordIn,
  RecordOf,
  Registered,
} from '../model/types.ts'
import type { Call, Caller } from '../operation/call.ts'
import { PromiseRefused, type Steps, wait } from '../operation/steps.ts'
import type { Condition, Order } from '../query/ast.ts'

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
  /** The caller's record without the password, read at most once a second. Null for the anonymous. */
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
 * The hooks of a controller, all optional. `undefined` returned from a before-hook keeps what it got, from
 * an after-hook shows the record as it is.
 */
export interface Hooks<Name extends ModelName = ModelName, Request = HookRequest> {
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

export type HookName = keyof Hooks

/** One hook by itself, as a static property of a class has it. */
type Hook<Which extends HookName, Name extends ModelName, Request> = NonNullable<Hooks<Name, Request>[Which]>

/** Runs before a list is read. It may return another query. */
export type BeforeList<Name extends ModelName, Request = HookRequest> = Hook<'beforeList', Name, Request>

/** Runs on the records of a page. It may return what is shown instead. */
export type AfterList<Name extends ModelName, Request = HookRequest> = Hook<'afterList', Name, Request>

/** Runs before a record is created. What it returns is stored. */
export type BeforeCreate<Name extends ModelName, Request = HookRequest> = Hook<'beforeCreate', Name, Request>

/** Runs inside the transaction that created a record. It may return what is shown instead. */
export type AfterCreate<Name extends ModelName, Request = HookRequest> = Hook<'afterCreate', Name, Request>

/** Runs before a record is changed, by PATCH and by PUT. What it returns is stored. */
export type BeforeUpdate<Name extends ModelName, Request = HookRequest> = Hook<'beforeUpdate', Name, Request>

/** Runs inside the transaction that changed a record. It may return what is shown instead. */
export type AfterUpdate<Name extends ModelName, Request = HookRequest> = Hook<'afterUpdate', Name, Request>

/** Runs before a record is deleted. */
export type BeforeDelete<Name extends ModelName, Request = HookRequest> = Hook<'beforeDelete', Name, Request>

/** Runs inside the transaction that deleted a record. */
export type AfterDelete<Name extends ModelName, Request = HookRequest> = Hook<'afterDelete', Name, Request>

/** Runs once a write is durable and the reply is on its way. */
export type AfterCommit<Name extends ModelName, Request = HookRequest> = Hook<'afterCommit', Name, Request>

/** Says what the caller may reach: it joins the WHERE of every statement of the model. */
export type ScopeHook<Name extends ModelName, Request = HookRequest> = Hook<'scope', Name, Request>

type ScopeValue = string | number | bigint | boolean | Date | null

/** Equalities that all hold: a list of values means any of them, a to-one relation takes an object of its own. */
export interface ScopeEqualities {
  readonly [field: string]: ScopeValue | readonly ScopeValue[] | ScopeEqualities
}

/** What a caller may reach: one set of equalities, or any of several. `{}` is everything, an empty array nothing. */
export type Scope = ScopeEqualities | readonly ScopeEqualities[]

/** What a caller may reach of a model: `Scope` with its fields and to-one relations. */
export type ScopeOf<Name extends ModelName> = EqualitiesOf<Name> | readonly EqualitiesOf<Name>[]

type EqualitiesOf<Name extends ModelName> =
  string extends FieldOf<Name>
    ? ScopeEqualities
    : {
        readonly [Key in FieldOf<Name> | RelationName<FieldOf<Name>>]?: Key extends FieldOf<Name>
          ? OneOrAny<Extract<RecordOf<Name>[Key], ScopeValue>>
          : ScopeEqualities
      }

type OneOrAny<Value> = Value | readonly Value[]

/**
 * What to-one relations are called: after their field, or their model where they have several. Tables do not say at
 * compile time which model it is, so its own fields are not known here.
 */
type RelationName<Field> = Stem<Field> | Uncapitalize<ModelName>

type Stem<Field> = Field extends `${infer Text extends string}${'_id' | '_ID' | 'Id' | 'ID'}` ? Text : never

/** What permissions tell apart: lists and details, POST, PATCH and PUT, DELETE. */
export type PermissionAct = 'read' | 'create' | 'update' | 'delete'

/**
 * Who may do it: everybody, whoever is authenticated, or those of whom a function says `true`.
 *
 * A function is asked with the record where there is one. For lists and creates there is none: `undefined`.
 */
export type Permission<Name extends ModelName = ModelName, Request = HookRequest> =
  | 'public'
  | 'authenticated'
  | Decision<Name, Request>['decide']

/** A method, as hooks are: one for any request serves for that of a host. */
interface Decision<Name extends ModelName, Request> {
  decide(
    request: Request,
    record: RecordOf<Name> | undefined,
    context: HookContext,
  ): boolean | PromiseLike<boolean>
}

/** `static permissions` of a controller. What it does not name is as the model has it: `authenticated`, or `public`. */
export type Permissions<Name extends ModelName = ModelName, Request = HookRequest> = {
  readonly [Act in PermissionAct]?: Permission<Name, Request>
}

export const permissionActs: readonly PermissionAct[] = ['read', 'create', 'update', 'delete']

/** A controller as it was found: the hooks of one model. */
export interface Controller {
  readonly model: string
  /** Where it stands, for messages: `controllers/product.ts, ProductController`. */
  readonly place: string
  readonly hooks: Hooks<ModelName, unknown>
  readonly permissions: Permissions<ModelName, unknown>
  /** Foreign keys of other models may point to records out of its scope. @default they may not */
  readonly bindsReferences?: false
  /** Acts whose permission, a function, refuses the anonymous whatever record they ask for. @default none */
  readonly needsCaller?: readonly PermissionAct[]
}

interface HookRow {
  /** Only writes run it: a model that cannot be written never does. */
  readonly ofWrites: boolean
  /** It runs inside the transaction of its write. */
  readonly inTransaction: boolean
}

const reading: HookRow = { ofWrites: false, inTransaction: false }
const writing: HookRow = { ofWrites: true, inTransaction: false }
const after: HookRow = { ofWrites: true, inTransaction: true }

export const hookTable: Readonly<Record<HookName, HookRow>> = {
  beforeList: reading,
  afterList: reading,
  beforeCreate: writing,
  afterCreate: after,
  beforeUpdate: writing,
  afterUpdate: after,
  beforeDelete: writing,
  afterDelete: after,
  afterCommit: writing,
  scope: reading,
}

export const isHookName = (name: string): name is HookName => Object.hasOwn(hookTable, name)

export const hookNames: readonly HookName[] = Object.keys(hookTable).filter(isHookName)

export const memberNames: readonly string[] = [...hookNames, 'permissions']

const noUser = (): null => null

/** What hooks get last. @param db the ORM's handle that they act with */
export const hookContext = (db: unknown, { caller, user = noUser }: Call): HookContext =>
  Object.freeze({ db: db as HookContext['db'], caller: caller ?? null, user: user as HookContext['user'] })

type HookResult<Name extends HookName> = Awaited<ReturnType<NonNullable<Controller['hooks'][Name]>>>

/** Runs a hook of a controller and waits for it. `undefined`: there is none, or it gave nothing. */
export function* runHook<Name extends HookName>(
  controller: Controller | undefined,
  name: Name,
  run: (hook: NonNullable<Controller['hooks'][Name]>) => unknown,
): Steps<HookResult<Name> | undefined> {
  const hook = controller?.hooks[name]
  if (controller === undefined || hook === undefined) return undefined
  try {
    return (yield* wait(run(hook))) as HookResult<Name> | undefined
  } catch (error) {
    throw error instanceof PromiseRefused ? promiseReturned(controller, name, error) : error
  }
}

const promiseReturned = ({ place }: Controller, name: HookName, cause: PromiseRefused): Error => {
  const remedy = hookTable[name].inTransaction
    ? 'The write was undone. Return no promise: what has to wait belongs into afterCommit.'
    : 'Return no promise.'
  return new Error(`${place}: the hook ${name} returned a promise. ${cause.message} ${remedy}`, { cause })
}
