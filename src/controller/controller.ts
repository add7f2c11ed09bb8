import type { HttpErrorOptions } from '../error/errors.ts'
import type { Awaitable } from '../model/objects.ts'
import type { FieldChoice } from '../model/setup/field-access.ts'
import type {
  FieldOf,
  Handle,
  HookRequest,
  InsertOf,
  ModelName,
  PayloadOf,
  RecordIn,
  RecordOf,
  Registered,
  RelationIn,
  StoredOf,
  TargetIn,
  ToOneIn,
} from '../model/types.ts'
import type { Call, Caller } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Steps } from '../operation/steps.ts'
import type { Condition, Order } from '../query/ast.ts'
import type { AnyName, HookInclude } from '../query/hook-include.ts'
import type { StandardSchema } from '../schema/custom/standard-schema.ts'
import type { Row, Session } from '../source/source.ts'

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

/** The context of hooks that follow the change or deletion of a record. */
export interface ChangeContext<Name extends ModelName = ModelName> extends HookContext {
  /** A copy of the stored record as it was before the change or deletion. */
  readonly before: RecordOf<Name>
}

/** The context of `afterCommit`. */
export interface CommitContext<Name extends ModelName = ModelName> extends HookContext {
  /** A copy of the stored record as it was before the change or deletion. `undefined` if it was created. */
  readonly before: RecordOf<Name> | undefined
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
export interface HookQuery<Included = HookInclude> {
  readonly filter: Condition
  readonly order: readonly Order[]
  readonly limit: number
  readonly offset: number
  /** The relations that the response includes: those of the request, or the default ones of `modelConfig`. */
  readonly include: readonly Included[]
}

/**
 * Editors complete the names that types know. There may be others, so any name is allowed. While TypeScript infers `Name`,
 * `HookInclude` is the only known type: otherwise it would look at all models.
 */
type IncludeOf<Name extends ModelName> = Includes[Name] extends infer Include extends HookInclude
  ? Include
  : never

type Includes = {
  readonly [Name in ModelName]:
    | KnownInclude<RelationIn<Registered, Name>>
    | IncludeAlong<ToOneIn<Registered, Name>>
}

interface KnownInclude<Relation extends string> extends Omit<HookInclude, 'relation'> {
  readonly relation: Relation | AnyName
}

/** A relation is usually named after its model. */
type IncludeAlong<Relation extends string> = {
  [Known in Relation]: Capitalize<Known> extends infer Target extends ModelName
    ? IncludeTo<Known, Target>
    : never
}[Relation]

interface IncludeTo<Relation extends string, Target extends ModelName>
  extends Omit<HookInclude, 'relation' | 'fields' | 'include'> {
  readonly relation: Relation
  readonly fields?: readonly (FieldOf<Target> | AnyName)[]
  readonly include?: readonly IncludeOf<Target>[]
}

/** The kind of write that `afterCommit` follows. */
export type CommitEvent = 'create' | 'update' | 'delete'

/** A record to show. It may have any members, but those of computed fields have their types. */
type Result<Extra> = object & { readonly [Key in keyof Extra]?: Extra[Key] | undefined }

/**
 * The hooks of a controller, all optional. If a before-hook returns nothing, modelrest stores the payload unchanged. If
 * another hook returns nothing, the response contains the record unchanged. `Extra` has the values of computed fields.
 */
export interface Hooks<Name extends ModelName = ModelName, Request = HookRequest, Extra = unknown> {
  beforeList?(request: Request, query: HookQuery, context: HookContext): Changed<HookQuery<IncludeOf<Name>>>
  afterList?(
    request: Request,
    records: readonly RecordOf<Name>[],
    context: HookContext,
  ): Changed<readonly Result<Extra>[]>
  /** Runs with a single record that was requested by its key. */
  afterRead?(request: Request, record: RecordOf<Name>, context: HookContext): Changed<Result<Extra>>
  /**
   * Runs last, with all records of one model that a response shows: those of a list, a single record, related records, and the
   * result of a write. Returns as many records in the same order, or records with their keys.
   */
  present?(
    request: Request,
    records: readonly (RecordOf<Name> & Readonly<Partial<Extra>>)[],
    context: HookContext,
  ): Changed<readonly Result<Extra>[]>
  beforeCreate?(
    request: Request,
    payload: PayloadOf<Name>,
    createSchema: HookSchema<InsertOf<Name>>,
    context: HookContext,
  ): Changed<StoredOf<Name>>
  afterCreate?(request: Request, record: RecordOf<Name>, context: HookContext): Changed<Result<Extra>>
  beforeUpdate?(
    request: Request,
    record: RecordOf<Name>,
    payload: Partial<PayloadOf<Name>>,
    updateSchema: HookSchema<Partial<InsertOf<Name>>>,
    context: HookContext,
  ): Changed<Partial<StoredOf<Name>>>
  afterUpdate?(request: Request, record: RecordOf<Name>, context: ChangeContext<Name>): Changed<Result<Extra>>
  beforeDelete?(request: Request, record: RecordOf<Name>, context: HookContext): Awaitable<void>
  afterDelete?(request: Request, record: RecordOf<Name>, context: ChangeContext<Name>): Awaitable<void>
  /** Runs after the commit, once the response is on its way. It cannot change the response; its error is logged. */
  afterCommit?(
    request: Request,
    event: CommitEvent,
    record: RecordOf<Name>,
    context: CommitContext<Name>,
  ): Awaitable<void>
  /**
   * Returns which records the caller can reach. The result becomes part of the WHERE clause of every statement of the
   * model.
   */
  scope?(request: Request, context: HookContext): Awaitable<ScopeOf<Name>>
  /**
   * Returns which fields the caller may read and write. It cannot open a field that `modelConfig` closes, and the primary key
   * stays readable.
   */
  access?(request: Request, context: HookContext): Awaitable<AccessOf<Name>>
}

export type HookName = keyof Hooks

/** The type of a single hook, for a static property of a class. */
type Hook<Which extends HookName, Name extends ModelName, Request> = NonNullable<Hooks<Name, Request>[Which]>

/** Runs before a list is read. May return another query. */
export type BeforeList<Name extends ModelName, Request = HookRequest> = Hook<'beforeList', Name, Request>

/** Runs with the records of a page. May return other records for the response. */
export type AfterList<Name extends ModelName, Request = HookRequest> = Hook<'afterList', Name, Request>

/** Runs with a single record that was requested by its key. May return another one for the response. */
export type AfterRead<Name extends ModelName, Request = HookRequest> = Hook<'afterRead', Name, Request>

/** Runs last, with all records of one model that a response shows. May return other records for the response. */
export type Present<Name extends ModelName, Request = HookRequest> = Hook<'present', Name, Request>

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

/** Returns which fields the caller may read and write. */
export type AccessHook<Name extends ModelName, Request = HookRequest> = Hook<'access', Name, Request>

/**
 * The fields that a caller may read and write: a list of them, or an object that closes some: `{ salary: false }`. Without
 * `read` or `write`, all that `modelConfig` allows. Other fields do not exist for this caller.
 */
export interface AccessOf<Name extends ModelName> {
  readonly read?: FieldChoice<FieldOf<Name>>
  readonly write?: FieldChoice<FieldOf<Name>>
}

type ScopeValue = string | number | bigint | boolean | Date | null

/**
 * Conditions that must all hold: a value, a list of allowed values, or an object for a to-one relation. Optional, because
 * TypeScript gives each of several returned objects the fields of the others. A scope with `undefined` is refused.
 */
export type ScopeEqualities = {
  readonly [Field in string]?: ScopeValue | readonly ScopeValue[] | ScopeEqualities
}

/**
 * The records that a caller can reach: those that match an object, or any object in an array. `{}` matches all records,
 * `[]` none.
 */
export type Scope = ScopeEqualities | readonly ScopeEqualities[]

/**
 * A `Scope` with the fields and to-one relations of a model. The fields of a relation are known if its model is: from
 * drizzle's `relations()`, or because the relation has the name of a model.
 */
export type ScopeOf<Name extends ModelName> = EqualitiesOf<Name> | readonly EqualitiesOf<Name>[]

type EqualitiesOf<Name extends ModelName> =
  string extends FieldOf<Name>
    ? ScopeEqualities
    : {
        readonly [Key in FieldOf<Name> | ToOneIn<Registered, Name>]?: Key extends FieldOf<Name>
          ? OneOrAny<Extract<RecordOf<Name>[Key], ScopeValue>>
          : EqualitiesWithin<TargetIn<Registered, Name, Key>>
      }

/** `never`: the types do not tell the model. */
type EqualitiesWithin<Name extends ModelName> = [Name] extends [never] ? ScopeEqualities : EqualitiesOf<Name>

type OneOrAny<Value> = Value | readonly Value[]

/** `read`: lists and details. `create`: POST. `update`: PATCH and PUT. `delete`: DELETE. */
export type PermissionAct = 'read' | 'create' | 'update' | 'delete'

/** `deleted`: the deleted records of a model with `softDelete`, which callers see and restore only with it. */
export type AnyAct = PermissionAct | 'deleted'

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
 * or `public`. Without `deleted`, deleted records are seen and restored by no caller.
 */
export type Permissions<
  Name extends ModelName = ModelName,
  Request = HookRequest,
  Own extends string = never,
> = {
  readonly [Act in AnyAct | Own]?: Permission<Name, Request>
} & {
  /**
   * For the user model with `auth: true`: who may invite, disable and enable users and send them mails for a new password. See
   * docs/manage-users.md. @default users are not managed
   */
  readonly manageUsers?: Exclude<Permission<Name, Request>, 'public'>
}

export const permissionActs: readonly PermissionAct[] = ['read', 'create', 'update', 'delete']

export const allActs: readonly AnyAct[] = [...permissionActs, 'deleted']

/** A computed field of a controller, checked. */
export interface DeclaredComputed {
  readonly name: string
  /** `the computed field total of Order (controllers/order.ts, OrderController)`, for the log */
  readonly title: string
  /** `controllers/order.ts, OrderController: computed.total`, for errors and warnings at start. */
  readonly place: string
  readonly schema: StandardSchema
  /** The result is not checked yet. */
  readonly load: (records: readonly object[], context: HookContext) => unknown
}

/** What an action acts on: one record (`POST /tickets/{id}/close`), or the collection (`POST /tickets/import`). */
export type ActionTarget = 'record' | 'collection'

/** The documentation of an action. */
export interface ActionDescription {
  /** The summary in the documentation. @default a sentence with the name of the action */
  readonly summary?: string
  /** CommonMark. Comes before the sentences that modelrest generates. */
  readonly description?: string
  /** @default that of the model */
  readonly deprecated?: boolean
  /** The problem codes that `run` may cause in addition to those that every action may cause. */
  readonly codes?: readonly NonNullable<HttpErrorOptions['code']>[]
}

/** An action of a model, from `action()`. */
export interface Action<Name extends ModelName = ModelName, Request = HookRequest> extends ActionDescription {
  readonly on: ActionTarget
  readonly input?: StandardSchema | undefined
  readonly output?: StandardSchema | undefined
  readonly permission?: Permission<Name, Request> | undefined
  run(
    request: Request,
    record: RecordOf<Name> | undefined,
    input: never,
    context: HookContext,
  ): Awaitable<unknown>
}

/** An action of a controller, with its permission from either place. */
export interface DeclaredAction extends Action<ModelName, unknown> {
  /** The name in the controller: `sendReminder`. */
  readonly name: string
  /** The last segment of its path: `send-reminder`. */
  readonly segment: string
  /** The values to store instead of those that `run` returned. @default the same */
  readonly toStore?: (values: Row, record: Row, session: Session, call: Call) => Steps<Row>
  /** An action of modelrest itself. */
  readonly own?: OwnAction
}

/** What an action of modelrest itself has in addition to one of a controller. Its permission refuses anonymous callers. */
export interface OwnAction extends Pick<Operation, 'id' | 'path' | 'tag'> {
  /** Runs before the transaction, with the record that the permission allows. */
  readonly before?: (record: Row, call: Call) => Steps<void>
  /** Runs after the transaction, with the stored record. */
  readonly after: (record: Row, call: Call) => Steps<void>
  /** It creates a record. @default it runs on one */
  readonly creates?: Creates
}

/** How an action creates a record, from a body like that of a create. */
export interface Creates {
  /** Asked without a record. */
  readonly permission: Exclude<Permission<ModelName, unknown>, string>
  /** Fields that the body must have. */
  readonly required: readonly string[]
  /** Fields that the body cannot have although those of a create can. `undefined`: it is that of a create, with its schema. */
  readonly closed: readonly string[] | undefined
  /** Values that no client sends. */
  readonly values: () => Row
  /** Runs before the hooks of a create, with the values of the body. */
  readonly before: (values: Row, call: Call) => Steps<void>
  /** Runs after the transaction, with the new record. */
  readonly after: (record: Row, call: Call) => Steps<void>
  /** The key of the existing record on which the action runs instead, by its own permission. */
  readonly found: (values: Row) => Steps<readonly unknown[] | undefined>
}

/** A controller that was found: the hooks, permissions, computed fields and actions of one model. */
export interface Controller {
  readonly model: string
  /** Its place, for messages: `controllers/product.ts, ProductController`. */
  readonly place: string
  readonly hooks: Hooks<ModelName, unknown>
  readonly permissions: Permissions<ModelName, unknown>
  /** @default none */
  readonly computed?: readonly DeclaredComputed[]
  readonly actions?: readonly DeclaredAction[]
  /** `false`: foreign keys of other models may refer to records outside of its scope. @default they may not */
  readonly bindsReferences?: false
  /** Acts whose permission function refuses anonymous callers for every record. @default none */
  readonly needsCaller?: readonly PermissionAct[]
  /** Its scope is the option `scope`. */
  readonly hasScopeOption?: true
}
