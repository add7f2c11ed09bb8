import { isDeepStrictEqual } from 'node:util'
import type { Controller, DeclaredAction, Hooks, Permission } from '../../controller/controller.ts'
import { StartError, suggest } from '../../error/errors.ts'
import { type Field, isWritable, type Model } from '../../model/model.ts'
import { type Awaitable, after, ownValue } from '../../model/objects.ts'
import { withoutOperation } from '../../model/operations.ts'
import type { Caller } from '../../operation/call.ts'
import { takenProblem } from '../../operation/refusals.ts'
import { runNested } from '../../operation/steps.ts'
import { readEitherForm } from '../../schema/columns.ts'
import { assertTransactions, type ModelSource, type Row, SourceError } from '../../source/source.ts'
import { freeIdentifierCheck, withNormalised } from './identifiers.ts'
import { isInvited } from './invited.ts'
import { isVerified, mayGivePower, verifiedValues, withPrintable } from './user-columns.ts'
import { type Users, userKeyOf } from './users.ts'

interface OwnRecord {
  readonly model: Model
  readonly controller: Controller
  /** Startup warnings. */
  readonly notes: readonly string[]
}

/** The actions of the user model with which users are managed. @throws StartError if there are none */
export type ManagedUsers = (managing: Managing) => readonly DeclaredAction[]

interface OwnRecordParts {
  readonly users: Users
  /** The model without the rule. */
  readonly served: Model
  readonly source: ModelSource
  /** The application's own controller of that model. */
  readonly own: Controller | undefined
  /** `modelConfig.User.writable` */
  readonly opened: readonly string[]
  /** Whether callers may have an API key. */
  readonly hasKeys: boolean
  /** The actions that manage users. @default none */
  readonly managed?: ManagedUsers | undefined
}

/** Users as the application serves them. */
export interface Managing extends Pick<OwnRecordParts, 'opened'> {
  readonly model: Model
  readonly controller: Controller
}

/**
 * The rule for a user model that is served. Requests can write only the fields that registration accepts and those that
 * `modelConfig` makes writable. Without a scope, callers reach only their own record. A scope of the application
 * determines which users callers reach, but without `permissions` they still write only their own record. Callers with an API
 * key write none without `permissions`: with another address, a key could reset the password. The password is hidden, and
 * identifiers are normalized.
 *
 * @throws StartError if the rule cannot be enforced
 */
export const ownRecordOf = (parts: OwnRecordParts): OwnRecord => {
  const { users, served, source, own, opened, hasKeys, managed } = parts
  const { model, identifiers, key } = users
  const place = own?.place ?? `the rule for ${model.name}`
  const assertFree = freeCheck(users, source)
  const controller: Controller = {
    ...{ model: model.name, place, permissions: {}, ...own },
    hooks: Object.freeze({ ...own?.hooks, ...writeHooks(users, assertFree, place, own?.hooks) }),
    actions: (own?.actions ?? []).map((action) => withIdentifiers(action, users, assertFree)),
  }
  assertOpenable(served, users, opened)
  const notes = openedPowers(users, opened, own)
  const all = withPrintable(withWritable(served, users, opened), identifiers)
  const isRegistered = own?.hooks.scope === undefined || own.permissions.create === undefined
  const shown = isRegistered ? withoutOperation(all, 'create') : all
  if (isRegistered && served.operations?.includes('create') === true && own?.permissions.create === undefined)
    throw new StartError(
      `modelConfig.${model.name}.operations: create has no effect because only registration creates users. Remove it, or add a scope and permissions.create to the controller of ${model.name}.`,
    )
  if (own?.hooks.scope !== undefined) {
    const actions = managed?.({ model: shown, controller, opened }) ?? []
    const all = { ...controller, actions: [...(controller.actions ?? []), ...actions] }
    return { model: shown, controller: withOwnWritePermissions(all, key), notes }
  }
  if (own?.permissions.manageUsers !== undefined)
    throw new StartError(
      `${own.place}: permissions.manageUsers has no effect without a scope, because users can reach only their own record. Add a scope, or remove permissions.manageUsers.`,
    )
  if (own?.permissions.create !== undefined)
    throw new StartError(
      `${own.place}: permissions.create has no effect without a scope, because users can reach only their own record. Add a scope, or remove permissions.create.`,
    )
  assertTransactions(source, `${model.name}: limiting users to their own record needs`)
  return {
    model: shown,
    notes,
    controller: Object.freeze({
      ...controller,
      hooks: Object.freeze({ ...controller.hooks, scope: ownScope(userKeyOf(users)) }),
      permissions: Object.freeze({
        ...(hasKeys && { update: withLogin, delete: withLogin }),
        ...controller.permissions,
        create: () => false,
      }),
      ...(hasKeys && { needsCaller: ['update', 'delete'] as const }),
      bindsReferences: false,
    }),
  }
}

/** What an action stores is normalized and checked like the body of an update: otherwise a user could not log in. */
const withIdentifiers = (action: DeclaredAction, users: Users, assertFree: AssertFree): DeclaredAction =>
  Object.freeze<DeclaredAction>({
    ...action,
    *toStore(given, record, session) {
      const values = storedForm(users, given, record)
      yield* assertFree(values, record, session)
      return values
    },
  })

type AssertFree = ReturnType<typeof freeIdentifierCheck>

/** The error of a hook or an action is not taken for that of the request's own statement. */
const freeCheck = ({ model, claimed }: Users, source: ModelSource): AssertFree => {
  const check = freeIdentifierCheck(model, claimed, source)
  return function* (...given) {
    try {
      yield* check(...given)
    } catch (error) {
      throw error instanceof SourceError && error.kind === 'unique'
        ? takenProblem(model, error.fields)
        : error
    }
  }
}

/** Normalizes what identifies users. A new address is not verified, unless the application says so. */
const storedForm = ({ claimed, email, verified }: Users, given: Row, record?: Row): Row => {
  const values = withNormalised(claimed, given, record)
  if (verified === undefined || email === undefined || record === undefined) return values
  const address = ownValue(values, email.name)
  if (address === undefined || Object.hasOwn(values, verified.name)) return values
  // Also for the same address if it is not verified: by the time of the write, the record may have another one that is.
  const isProved = address === ownValue(record, email.name) && isVerified(record, verified)
  return isProved ? values : { ...values, ...verifiedValues(verified, false) }
}

/** For a scope that includes other users. Permissions take precedence over `public` in `modelConfig`. */
const withOwnWritePermissions = (controller: Controller, key: Field | undefined): Controller => {
  const { permissions } = controller
  const acts = (['update', 'delete'] as const).filter((act) => permissions[act] === undefined)
  return Object.freeze({
    ...controller,
    permissions: Object.freeze({
      create: () => false,
      ...Object.fromEntries(acts.map((act) => [act, isOwnRecord(key)])),
      ...permissions,
    }),
    needsCaller: acts,
  })
}

/** Whether the credential is not an API key. */
export const hasLoggedIn = (caller: Caller | null): caller is Caller =>
  caller !== null && caller.claims['api_key'] === undefined

const withLogin: Permission = (_request, _record, { caller }) => hasLoggedIn(caller)

/** With a key of several columns, a caller cannot be matched to a record reliably, so this returns false. */
const isOwnRecord =
  (key: Field | undefined): Permission =>
  (_request, record: Row | undefined, { caller }) => {
    if (key === undefined || !hasLoggedIn(caller) || record === undefined) return false
    const own = readEitherForm(caller.id, key)
    const requested = readEitherForm(ownValue(record, key.name), key)
    return own.ok && requested.ok && isDeepStrictEqual(own.value, requested.value)
  }

const assertOpenable = (
  { name: model, fields, primaryKey }: Model,
  { allowed, password }: Users,
  opened: readonly string[],
): void => {
  const names = fields
    .filter((field) => isWritable(field) && !primaryKey.includes(field.name) && field.name !== password?.name)
    .map(({ name }) => name)
  for (const name of opened) {
    const place = `modelConfig.${model}.writable: ${name}`
    if (!names.includes(name))
      throw new StartError(`${place} is not a column that can be made writable.${suggest(name, names)}`)
    if (allowed.some((field) => field.name === name))
      throw new StartError(`${place} is already writable, because registration accepts it. Remove it.`)
  }
}

/** Columns of the user model that may grant privileges. Identifiers never do. */
export const powersOf = ({ model, identifiers }: Users): readonly string[] =>
  model.fields
    .filter((field) => !identifiers.includes(field) && mayGivePower(model, field))
    .map(({ name }) => name)

/** A startup warning about columns that may grant privileges and that registration accepts. */
export const registeredPowers = (users: Users): readonly string[] => {
  const names = powersOf(users).filter((name) => users.allowed.some((field) => field.name === name))
  return names.length === 0
    ? []
    : [
        `${listOf(users.model, names)} may grant privileges, and SERVICE_AUTH.REGISTER_FIELDS lets every user set them. Remove them from there unless this is intended.`,
      ]
}

const listOf = ({ name: model }: Model, names: readonly string[]): string =>
  names.map((name) => `${model}.${name}`).join(', ')

/**
 * A warning about columns in `writable`. Only updates need a guard: creating users always needs a permission of the
 * application.
 */
const openedPowers = (
  users: Users,
  opened: readonly string[],
  own: Controller | undefined,
): readonly string[] => {
  const { name: model } = users.model
  const names = powersOf(users).filter((name) => opened.includes(name))
  if (names.length > 0 && (own?.permissions.update ?? own?.hooks.beforeUpdate) === undefined)
    throw new StartError(
      `modelConfig.${model}.writable includes ${names.join(', ')}, which may grant privileges, and no permission or hook limits the callers who may write it. Add permissions.update or beforeUpdate to the controller of ${model}.`,
    )
  return names.length === 0
    ? []
    : [
        `${listOf(users.model, names)} may grant privileges, and modelConfig.${model}.writable lets any caller who may update ${model} records set them.`,
      ]
}

/**
 * Columns that are neither in the allow-list nor in `writable` become read-only. A PUT keeps a `writable` column that its
 * body omits, so that the application's rules see every change.
 */
const withWritable = (model: Model, { allowed }: Users, opened: readonly string[]): Model => {
  const names = allowed.map(({ name }) => name)
  const accessOf = (field: Field): Field => {
    if (names.includes(field.name) || field.access === 'hidden') return field
    if (opened.includes(field.name)) return Object.freeze({ ...field, staysOnReplace: true })
    return Object.freeze({ ...field, access: field.access === 'write-only' ? 'hidden' : 'read-only' })
  }
  return Object.freeze({ ...model, fields: Object.freeze(model.fields.map(accessOf)) })
}

const ownScope =
  (key: Field): NonNullable<Hooks['scope']> =>
  (_request, { caller }) => {
    if (caller === null) return []
    const reading = readEitherForm(caller.id, key)
    if (!reading.ok) throw new Error(`The caller's id is not a valid value of ${key.name}.`)
    return { [key.name]: reading.value } as Readonly<Record<string, string>>
  }

/** The application's hooks before a write, followed by the checks for users. */
const writeHooks = (
  users: Users,
  assertFree: AssertFree,
  place: string,
  own: Hooks = {},
): Pick<Hooks, 'beforeCreate' | 'beforeUpdate'> => {
  const { password } = users
  const stored = (given: Row, isOwn: boolean, record?: Row): Awaitable<Row> => {
    const values = storedForm(users, given, record)
    // A custom schema may accept a password.
    const isUnhashed = password !== undefined && ownValue(values, password.name) !== undefined
    if (!isOwn && isUnhashed && !isInvited(values, password))
      throw new Error(
        `${place}: ${password.name} would be stored unhashed. Hash it in beforeCreate and beforeUpdate.`,
      )
    return after(runNested(assertFree(values, record)), () => values)
  }
  return {
    beforeCreate: (request, payload, schema, context) =>
      after(own.beforeCreate?.(request, payload, schema, context), (given) =>
        stored((given as Row | undefined) ?? payload, own.beforeCreate !== undefined),
      ),
    beforeUpdate: (request, record, payload, schema, context) =>
      after(own.beforeUpdate?.(request, record, payload, schema, context), (given) =>
        stored((given as Row | undefined) ?? payload, own.beforeUpdate !== undefined, record),
      ),
  }
}
