import { isRecord } from '../error/record.ts'
import { capital } from '../model/naming.ts'
import type { Awaitable } from '../model/objects.ts'
import type { OperationName } from '../model/operations.ts'
import type {
  FieldOf,
  Handle,
  HookRequest,
  InsertOf,
  ModelName,
  RecordIn,
  RecordOf,
  Registered,
  ToOneIn,
} from '../model/types.ts'
import { type Call, type Caller, failedIn } from '../operation/call.ts'
import { PromiseRefused, type Steps, wait } from '../operation/steps.ts'
import type { Condition, Order } from '../query/ast.ts'

/** A hook may return a replacement for its argument. `undefined`, or no return value, keeps the argument. */
type Changed<T> = Awaitable<T | undefined> | Awaitable<void>

/** The record of the caller in the model `User`, without the password. */
export type UserRecord = Readonly<Omit<RecordIn<Registered, 'User'>, 'password'>>

/** The last argument of every hook. */
export interface HookContext {
  /** The database handle of the ORM. Inside a transaction, the handle of the transaction. */
  readonly db: Handle
  /** The caller. Null for anonymous callers. */
  readonly caller: Caller | null
  /**
   * The record of the caller without the password, read at most once a second. Null for anonymous callers and without a
   * user model.
   */
  user(): Awaitable<UserRecord | null>
}

/** Checks values against the columns of a table. modelrest checks the result of a before-hook in the same way. */
export interface HookSchema<Values> {
  /**
   * Returns the values in the form that is stored.
   *
   * @throws HttpError 422 naming each field whose value does not fit its column; Error for an unknown column
   */
  parse(value: unknown): Values
}

/** The query of a list. `beforeList` may return another one. */
export interface HookQuery {
  readonly filter: Condition
  readonly order: readonly Order[]
  readonly limit: number
  readonly offset: number
}

/** The kind of write that `afterCommit` follows. */
export type CommitEvent = 'create' | 'update' | 'delete'

/**
 * The hooks of a controller, all optional. If a before-hook returns nothing, modelrest stores the payload unchanged. If
 * an after-hook returns nothing, the response contains the record unchanged.
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
  /** Runs after the commit, once the response is on its way. It cannot change the response; its error is logged. */
  afterCommit?(
    request: Request,
    event: CommitEvent,
    record: RecordOf<Name>,
    context: HookContext,
  ): Awaitable<void>
  /**
   * Returns which records the caller can reach. The result becomes part of the WHERE clause of every statement of the
   * model.
   */
  scope?(request: Request, context: HookContext): Awaitable<ScopeOf<Name>>
}

export type HookName = keyof Hooks

/** The type of a single hook, for a static property of a class. */
type Hook<Which extends HookName, Name extends ModelName, Request> = NonNullable<Hooks<Name, Request>[Which]>

/** Runs before a list is read. May return another query. */
export type BeforeList<Name extends ModelName, Request = HookRequest> = Hook<'beforeList', Name, Request>

/** Runs with the records of a page. May return other records for the response. */
export type AfterList<Name extends ModelName, Request = HookRequest> = Hook<'afterList', Name, Request>

/** Runs before a record is created. May return the values to store. */
export type BeforeCreate<Name extends ModelName, Request = HookRequest> = Hook<'beforeCreate', Name, Request>

/** Runs inside the transaction that creates a record. May return another record for the response. */
export type AfterCreate<Name extends ModelName, Request = HookRequest> = Hook<'afterCreate', Name, Request>

/** Runs before a record is changed by PATCH or PUT. May return the values to store. */
export type BeforeUpdate<Name extends ModelName, Request = HookRequest> = Hook<'beforeUpdate', Name, Request>

/** Runs inside the transaction that changes a record. May return another record for the response. */
export type AfterUpdate<Name extends ModelName, Request = HookRequest> = Hook<'afterUpdate', Name, Request>

/** Runs before a record is deleted. */
export type BeforeDelete<Name extends ModelName, Request = HookRequest> = Hook<'beforeDelete', Name, Request>

/** Runs inside the transaction that deletes a record. */
export type AfterDelete<Name extends ModelName, Request = HookRequest> = Hook<'afterDelete', Name, Request>

/** Runs after the commit of a write, once the response is on its way. */
export type AfterCommit<Name extends ModelName, Request = HookRequest> = Hook<'afterCommit', Name, Request>

/**
 * Returns which records the caller can reach. The result becomes part of the WHERE clause of every statement of the
 * model.
 */
export type ScopeHook<Name extends ModelName, Request = HookRequest> = Hook<'scope', Name, Request>

type ScopeValue = string | number | bigint | boolean | Date | null

/** Conditions that must all hold: a value, a list of allowed values, or an object for a to-one relation. */
export interface ScopeEqualities {
  readonly [field: string]: ScopeValue | readonly ScopeValue[] | ScopeEqualities
}

/**
 * The records that a caller can reach: those that match an object, or any object in an array. `{}` matches all records,
 * `[]` none.
 */
export type Scope = ScopeEqualities | readonly ScopeEqualities[]

/**
 * A `Scope` with the fields and to-one relations of a model. Table types do not name the referenced model of a foreign key, so
 * the fields of relations are unknown here.
 */
export type ScopeOf<Name extends ModelName> = EqualitiesOf<Name> | readonly EqualitiesOf<Name>[]

type EqualitiesOf<Name extends ModelName> =
  string extends FieldOf<Name>
    ? ScopeEqualities
    : {
        readonly [Key in FieldOf<Name> | ToOneIn<Registered, Name>]?: Key extends FieldOf<Name>
          ? OneOrAny<Extract<RecordOf<Name>[Key], ScopeValue>>
          : ScopeEqualities
      }

type OneOrAny<Value> = Value | readonly Value[]

/** `read`: lists and details. `create`: POST. `update`: PATCH and PUT. `delete`: DELETE. */
export type PermissionAct = 'read' | 'create' | 'update' | 'delete'

/**
 * The callers who may perform an operation: all callers (`'public'`), authenticated callers (`'authenticated'`), or the
 * callers for which a function returns `true`.
 *
 * The function gets the record, or `undefined` for lists and creates.
 */
export type Permission<Name extends ModelName = ModelName, Request = HookRequest> =
  | 'public'
  | 'authenticated'
  | Decision<Name, Request>['decide']

/** A method, like hooks, so that parameters are bivariant: a function for any request fits the request of a host. */
interface Decision<Name extends ModelName, Request> {
  decide(
    request: Request,
    record: RecordOf<Name> | undefined,
    context: HookContext,
  ): boolean | PromiseLike<boolean>
}

/**
 * `static permissions` of a controller. Operations that are not listed keep the default of the model: `authenticated`
 * or `public`.
 */
export type Permissions<Name extends ModelName = ModelName, Request = HookRequest> = {
  readonly [Act in PermissionAct]?: Permission<Name, Request>
}

export const permissionActs: readonly PermissionAct[] = ['read', 'create', 'update', 'delete']

/** A controller that was found: the hooks and permissions of one model. */
export interface Controller {
  readonly model: string
  /** Its place, for messages: `controllers/product.ts, ProductController`. */
  readonly place: string
  readonly hooks: Hooks<ModelName, unknown>
  readonly permissions: Permissions<ModelName, unknown>
  /** `false`: foreign keys of other models may refer to records outside of its scope. @default they may not */
  readonly bindsReferences?: false
  /** Acts whose permission function refuses anonymous callers for every record. @default none */
  readonly needsCaller?: readonly PermissionAct[]
}

interface HookRow {
  /** Only writes run it, so a read-only model never does. */
  readonly ofWrites: boolean
  /** The operations that run it. Absent: not only these. */
  readonly runBy?: readonly OperationName[]
  /** It runs inside the transaction of its write. */
  readonly inTransaction: boolean
  /** Checks the return value, unless there is none. Absent: the value is checked where it is used, or ignored. */
  readonly returns?: Returned
}

interface Returned {
  readonly isValid: (value: unknown) => boolean
  readonly rule: string
}

const isShown = (value: unknown): boolean => isRecord(value) && typeof value['then'] !== 'function'

const aRecord: Returned = { isValid: isShown, rule: 'must return an object, or nothing.' }
const records: Returned = {
  isValid: (value) => Array.isArray(value) && value.every(isShown),
  rule: 'must return an array of objects, or nothing.',
}
const noDecision: Returned = {
  isValid: (value) => typeof value !== 'boolean',
  rule: 'cannot refuse a request with its return value. Throw an HttpError instead.',
}

const reading: HookRow = { ofWrites: false, inTransaction: false }
const changing = ['update', 'replace'] as const
const writing: HookRow = { ofWrites: true, inTransaction: false }
const after: HookRow = { ofWrites: true, inTransaction: true }

export const hookTable: Readonly<Record<HookName, HookRow>> = {
  beforeList: { ...reading, runBy: ['list'] },
  afterList: { ...reading, runBy: ['list'], returns: records },
  beforeCreate: { ...writing, runBy: ['create'] },
  afterCreate: { ...after, runBy: ['create'], returns: aRecord },
  beforeUpdate: { ...writing, runBy: changing },
  afterUpdate: { ...after, runBy: changing, returns: aRecord },
  beforeDelete: { ...writing, runBy: ['delete'], returns: noDecision },
  afterDelete: { ...after, runBy: ['delete'] },
  afterCommit: writing,
  scope: reading,
}

export const isHookName = (name: string): name is HookName => Object.hasOwn(hookTable, name)

export const hookNames: readonly HookName[] = Object.keys(hookTable).filter(isHookName)

export const memberNames: readonly string[] = [...hookNames, 'permissions']

const noUser = (): null => null

/** The last argument of hooks. @param db the handle of the ORM, or of its transaction */
export const hookContext = (db: unknown, { caller, user = noUser }: Call): HookContext =>
  Object.freeze({ db: db as HookContext['db'], caller: caller ?? null, user: user as HookContext['user'] })

type HookResult<Name extends HookName> = Awaited<ReturnType<NonNullable<Controller['hooks'][Name]>>>

/** `the hook scope of Product (controllers/product.ts, ProductController)`, for the log */
export const hookTitle = ({ model, place }: Controller, name: HookName): string =>
  `the hook ${name} of ${model} (${place})`

/** Runs a hook of a controller and waits for it. `undefined`: the hook is missing or returned nothing. */
export function* runHook<Name extends HookName>(
  controller: Controller | undefined,
  name: Name,
  call: Call,
  run: (hook: NonNullable<Controller['hooks'][Name]>) => unknown,
): Steps<HookResult<Name> | undefined> {
  const hook = controller?.hooks[name]
  if (controller === undefined || hook === undefined) return undefined
  try {
    const returned = yield* wait(run(hook))
    const { returns } = hookTable[name]
    if (returned !== undefined && returns?.isValid(returned) === false)
      throw new Error(`${capital(hookTitle(controller, name))} ${returns.rule}`)
    return returned as HookResult<Name> | undefined
  } catch (error) {
    const cause = error instanceof PromiseRefused ? promiseReturned(controller, name, error) : error
    throw failedIn(call, hookTitle(controller, name), cause)
  }
}

/**
 * Uses the result of a hook. If it is unusable, the log names the hook.
 *
 * @param use receives the text that names the hook in messages
 */
export const useResult = <T>(
  controller: Controller,
  name: HookName,
  call: Call,
  use: (hook: () => string) => T,
): T => {
  try {
    return use(() => capital(hookTitle(controller, name)))
  } catch (error) {
    throw failedIn(call, hookTitle(controller, name), error)
  }
}

const promiseReturned = (controller: Controller, name: HookName, cause: PromiseRefused): Error => {
  const remedy = hookTable[name].inTransaction
    ? ', but a transaction of a synchronous driver cannot wait for it. The write was rolled back: move asynchronous work to afterCommit.'
    : '. With isAsync: false, or in a transaction of a synchronous driver, it must be synchronous.'
  return new Error(`${capital(hookTitle(controller, name))} returned a promise${remedy}`, { cause })
}
