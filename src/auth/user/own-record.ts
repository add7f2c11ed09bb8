import type { Controller } from '../../controller/controller.ts'
import type { Hooks } from '../../controller/hooks.ts'
import { StartError } from '../../error/start-error.ts'
import type { Awaitable } from '../../model/awaitable.ts'
import { readEitherForm } from '../../model/either-form.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { runNested } from '../../operation/nested.ts'
import { after } from '../../schema/body-reader.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import { keyOf } from './fit-for-login.ts'
import { withNormalised } from './identifiers.ts'
import { type AssertFree, assertingFree } from './taken.ts'
import type { Users } from './users.ts'

/** How a generated user model is served. */
export interface OwnRecord {
  readonly model: Model
  readonly controller: Controller
}

/** What the rule for users follows from. */
export interface OwnRecordParts {
  readonly users: Users
  readonly source: ModelSource
  /** The application's own controller of that model. */
  readonly own: Controller | undefined
}

/**
 * The rule for user models that are generated (contract, 9). Without a scope of the application's own, callers reach
 * their own record alone, and change of it what registration takes. In any case the password is hidden, and identifiers
 * are stored in their one form.
 *
 * @throws StartError where the rule cannot hold
 */
export const ownRecordOf = ({ users, source, own }: OwnRecordParts): OwnRecord => {
  const { model, identifiers, password, allowed } = users
  const place = own?.place ?? `the rule for ${model.name}`
  const controller: Controller = {
    ...{ model: model.name, place, permissions: {}, ...own },
    hooks: Object.freeze({
      ...own?.hooks,
      ...storing({ identifiers, password, place }, assertingFree(model, identifiers, source), own?.hooks),
    }),
  }
  if (own?.hooks.scope !== undefined) return { model, controller: Object.freeze(controller) }
  assertNoCreate(own)
  assertTransactions(model, source)
  return {
    model: withAllowed(model, allowed),
    controller: Object.freeze({
      ...controller,
      hooks: Object.freeze({ ...controller.hooks, scope: ownScope(keyOf(users)) }),
      permissions: Object.freeze({ ...controller.permissions, create: () => false }),
      bindsReferences: false,
    }),
  }
}

/** Nobody could ever do it: what is created is not the caller's own record. */
const assertNoCreate = (own: Controller | undefined): void => {
  if (own?.permissions.create === undefined) return
  throw new StartError(
    `${own.place}: permissions.create cannot hold, because users reach their own record alone. Give the controller a scope that says whom they reach.`,
  )
}

const assertTransactions = (model: Model, { capabilities }: ModelSource): void => {
  if (capabilities.transactions) return
  throw new StartError(
    `${model.name}: that users reach their own record alone needs transactions, and this database has none that are apart from other requests. Give drizzle a pool of connections in place of a single one, or another driver.`,
  )
}

/** What is outside of the allow-list is read, if it could be. */
const withAllowed = (model: Model, allowed: readonly Field[]): Model => {
  const fieldOf = (field: Field): Field => {
    if (allowed.includes(field) || field.access === 'hidden') return field
    return Object.freeze({ ...field, access: field.access === 'write-only' ? 'hidden' : 'read-only' })
  }
  return Object.freeze({ ...model, fields: Object.freeze(model.fields.map(fieldOf)) })
}

const ownScope =
  (key: Field): NonNullable<Hooks['scope']> =>
  (_request, { caller }) => {
    if (caller === null) return []
    const reading = readEitherForm(caller.id, key)
    if (!reading.ok) throw new Error(`The caller's id is not one that ${key.name} can have.`)
    return { [key.name]: reading.value } as Readonly<Record<string, string>>
  }

interface Stored {
  readonly identifiers: readonly Field[]
  readonly password: Field | undefined
  readonly place: string
}

/** The hooks before a write, followed by what holds for users. */
const storing = (
  stored: Stored,
  assertFree: AssertFree,
  own: Hooks = {},
): Pick<Hooks, 'beforeCreate' | 'beforeUpdate'> => {
  const settled = (given: Row, payload: Row, isOwn: boolean, record?: Row): Awaitable<Row> => {
    const values = withNormalised(stored.identifiers, given ?? payload)
    if (!isOwn) assertNoPassword(stored, values)
    return after(runNested(assertFree(values, record)), () => values)
  }
  return {
    beforeCreate: (request, payload, schema, context) =>
      after(own.beforeCreate?.(request, payload, schema, context), (given) =>
        settled(given as Row, payload, own.beforeCreate !== undefined),
      ),
    beforeUpdate: (request, record, payload, schema, context) =>
      after(own.beforeUpdate?.(request, record, payload, schema, context), (given) =>
        settled(given as Row, payload, own.beforeUpdate !== undefined, record),
      ),
  }
}

/** A schema of the application's own may take one. */
const assertNoPassword = ({ password, place }: Stored, values: Row): void => {
  if (password === undefined || ownValue(values, password.name) === undefined) return
  throw new Error(
    `${place}: ${password.name} would be stored as it was sent. Hash it in beforeCreate and beforeUpdate.`,
  )
}
