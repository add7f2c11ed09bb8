import { z } from 'zod'
import { StartError, suggest } from '../error/errors.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, fieldOf, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { bodyRefusal, validateBody } from '../schema/issues.ts'
import { jsonSchemasOf, type NamedSchema } from '../schema/json-schema.ts'
import { schemasOf } from '../schema/zod.ts'
import type { Row } from '../source/source.ts'
import {
  allowedFields,
  identifiersOf,
  isNeeded,
  mayGivePower,
  passwordColumnOf,
  passwordNames,
  withNormalised,
  withPasswordHidden,
  withPrintable,
} from './user-columns.ts'

/** The users of an application, whichever way they log in. */
export interface Users {
  /** Their model as it is shown: nobody sees the password. */
  readonly model: Model
  /** The only field of its key. `undefined`: its key has several. */
  readonly key: Field | undefined
  /** What a user may be known by. */
  readonly identifiers: readonly Field[]
  /** The column that holds the hash. */
  readonly password: Field | undefined
  /** The columns that users may fill in themselves, at registration and in their own record. */
  readonly allowed: readonly Field[]
}

/** Settings that the user model follows from. */
interface UserSettings {
  /** `LOGIN_FIELDS` */
  readonly LOGIN_FIELDS: readonly string[] | undefined
  /** `REGISTER_FIELDS` */
  readonly REGISTER_FIELDS: readonly string[] | undefined
}

/** What a user model is called where the application does not say. */
const USER = 'User'

/**
 * The user model among those that a source describes: the one that `AUTH_USER_MODEL` names, else `User` where it has a
 * password.
 *
 * @param userModel `app.Model`
 * @throws StartError where there is none of that name
 */
export const findUserModel = (models: readonly Model[], userModel: string | undefined): Model | undefined => {
  if (userModel === undefined) {
    return models.find((model) => model.name === USER && passwordColumnOf(model) !== undefined)
  }
  const named = models.find((model) => nameOf(model) === userModel)
  if (named !== undefined) return named
  throw new StartError(
    `The setting AUTH_USER_MODEL: there is no model ${userModel}.${suggest(userModel, models.map(nameOf))}`,
  )
}

/** A model's name as `AUTH_USER_MODEL` has it. */
export const nameOf = ({ app, name }: Pick<Model, 'app' | 'name'>): string => `${app}.${name}`

/**
 * The users of a model.
 *
 * @param configured the model with what `modelConfig` says of it
 * @throws StartError for a name in the settings that is no such column
 */
export const usersOf = (configured: Model, { LOGIN_FIELDS, REGISTER_FIELDS }: UserSettings): Users => {
  const model = withPasswordHidden(configured)
  const password = passwordColumnOf(model)
  const identifiers = identifiersOf(model, LOGIN_FIELDS)
  const [name = '', ...more] = model.primaryKey
  return Object.freeze<Users>({
    ...{ model, password, identifiers },
    key: more.length === 0 ? fieldOf(model, name) : undefined,
    allowed: allowedFields(model, { identifiers, password, REGISTER_FIELDS }),
  })
}

/** The model of those who log in by our own routes. */
export interface UserModel extends Users {
  readonly key: Field
  readonly password: Field
  /** What `POST /auth/register` takes: the allowed columns and `password`, all else hidden. */
  readonly registration: Model
  /** Its JSON Schema, `RegisterRequest`. */
  readonly registrationSchema: NamedSchema
  /** @throws HttpError 422 `invalid_body` */
  readRegistration(body: unknown): Registration
  isDisabled(row: Row): boolean
}

/**
 * The users of a model who log in by our own routes.
 *
 * @param configured the model with what `modelConfig` says of it
 * @throws StartError where they could not register, log in or be told apart, or would give themselves power
 */
export const userModelOf = (configured: Model, settings: UserSettings): UserModel => {
  const users = usersOf(configured, settings)
  const { model, identifiers, allowed } = users
  const key = userKeyOf(users)
  const password = passwordFieldOf(users)
  assertComplete({ ...users, password })
  const registration = registrationModel(model, { password, identifiers, allowed })
  const registered = identifiers.filter((field) => allowed.includes(field))
  return Object.freeze<UserModel>({
    ...{ ...users, key, password, registration, isDisabled },
    registrationSchema: registrationSchemaOf(registration),
    readRegistration: registrationReader(registration, registered),
  })
}

const userModelError = ({ name }: Model, why: string): StartError =>
  new StartError(`The user model ${name} ${why}.`)

/** The only field of their key, by which a caller is known. @throws StartError where it has several */
export const userKeyOf = ({ model, key }: Users): Field => {
  if (key !== undefined) return key
  throw userModelError(
    model,
    `has a key of several columns (${model.primaryKey.join(', ')}). Give it a key of one`,
  )
}

/** An argon2id hash takes 97 characters, and more as its costs rise. */
const SHORTEST_COLUMN = 100

/** The column of the hash. @throws StartError where there is none, or one that cannot hold it */
const passwordFieldOf = ({ model, password }: Users): Field => {
  if (password === undefined) {
    throw userModelError(model, `has no column for the password. Call it ${passwordNames.join(', ')}`)
  }
  if (!kinds[password.kind].textual || password.generated) {
    throw userModelError(
      model,
      `keeps its password in ${password.name}, which must be a text column that can be written`,
    )
  }
  if ((password.maxLength ?? SHORTEST_COLUMN) < SHORTEST_COLUMN) {
    throw userModelError(
      model,
      `keeps its password in ${password.name}, which is too short for a hash. Give it 255 characters`,
    )
  }
  return password
}

/**
 * What a new user needs must come from somewhere. A client fills in a required column only if the application says so.
 *
 * @throws StartError where nobody could register or log in, or would give themselves power
 */
const assertComplete = ({ model, identifiers, allowed, password }: Users): void => {
  if (identifiers.length === 0) {
    throw userModelError(
      model,
      'has no column to log in with. Give it email or username, or name others in LOGIN_FIELDS',
    )
  }
  if (!identifiers.some((field) => allowed.includes(field))) {
    throw userModelError(
      model,
      `could not be logged in to: REGISTER_FIELDS has none of ${namesOf(identifiers)}`,
    )
  }
  const missing = model.fields.filter(
    (field) => isNeeded(field) && field !== password && !allowed.includes(field),
  )
  const key = missing.find(({ name }) => model.primaryKey.includes(name))
  if (key !== undefined) {
    throw userModelError(
      model,
      `has a key, ${key.name}, that nothing fills in. Give it a default, as $defaultFn(randomUUID)`,
    )
  }
  if (missing.length > 0) throw userModelError(model, unfilled(model, missing, [...allowed, ...missing]))
}

/** Which required columns registration leaves out, and what to write. */
const unfilled = (model: Model, missing: readonly Field[], all: readonly Field[]): string => {
  const setting = `SERVICE_AUTH: { REGISTER_FIELDS: [${all.map(({ name }) => `'${name}'`).join(', ')}] }`
  const powerful = missing.filter((field) => mayGivePower(model, field))
  return powerful.length > 0
    ? `requires ${namesOf(powerful)}, which may give a user power. Write a default; ${setting} would let everyone who registers choose the value`
    : `requires ${namesOf(missing)}, which registration does not take by itself. Write a default, or let everyone who registers choose the value: ${setting}`
}

const namesOf = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(', ')

/** Columns that say no to a user where they are false. SQLite may keep a boolean as a number. */
const activeNames = ['is_active', 'isActive']
const falseValues: readonly unknown[] = [false, 0, 0n]

/** Columns that say no to a user where they hold anything. */
const disabledNames = ['disabled_at', 'disabledAt']

/** Whether a user may not come in (contract, 9). */
const isDisabled = (row: Row): boolean =>
  activeNames.some((name) => falseValues.includes(ownValue(row, name))) ||
  disabledNames.some((name) => ownValue(row, name) !== undefined && ownValue(row, name) !== null)

/** A body of a registration that has been read. */
interface Registration {
  /** What is stored, but for the password: identifiers in their one form. */
  readonly values: Row
  /** As it was sent. */
  readonly password: string
}

/** The most characters of a password. */
const LONGEST_PASSWORD = 1024

/** What a registration asks for the password as, whatever its column is called and holds. */
const registrationPassword: Field = Object.freeze({
  ...({ name: 'password', kind: 'text', form: 'string', maxLength: LONGEST_PASSWORD } as const),
  ...({ nullable: false, hasDefault: false, generated: false, optional: false } as const),
  access: 'write-only',
})

/** What a registration is made of. */
interface RegistrationParts {
  readonly password: Field
  readonly identifiers: readonly Field[]
  readonly allowed: readonly Field[]
}

/** The model of registrations: the fields of the allow-list and the password. All else is hidden. */
const registrationModel = (model: Model, { password, identifiers, allowed }: RegistrationParts): Model => {
  const needed = identifiers.filter((field) => allowed.includes(field))
  const fieldOf = (field: Field): Field => {
    if (field === password) return registrationPassword
    if (!allowed.includes(field)) return Object.freeze({ ...field, access: 'hidden' })
    const access = field.access === 'write-only' ? 'write-only' : 'read-write'
    // By the only one there is, its user is found again.
    const isOnly = needed.length === 1 && needed[0] === field && !field.hasDefault
    return Object.freeze({ ...field, access, ...(isOnly && { nullable: false, optional: false }) })
  }
  const { search: _search, ...rest } = model
  return withPrintable({ ...rest, fields: model.fields.map(fieldOf) }, identifiers)
}

/** The JSON Schema of registrations, for the document. */
const registrationSchemaOf = (registration: Model): NamedSchema => {
  const { create } = jsonSchemasOf(registration)
  return Object.freeze({ name: 'RegisterRequest', schema: create.schema, uses: create.uses ?? [] })
}

/**
 * Reads the body of a registration.
 *
 * @throws HttpError 422 `invalid_body`: a field that is missing, wrong or not in the allow-list, or no identifier at all
 */
const registrationReader = (
  registration: Model,
  identifiers: readonly Field[],
): ((body: unknown) => Registration) => {
  // Any text may be a password, also one that no database could hold: what it may be is decided before it is hashed.
  const create = schemasOf(registration).create.extend({
    [registrationPassword.name]: z.string().max(LONGEST_PASSWORD),
  })
  const names = identifiers.map(({ name }) => name)
  const canBeKnown = identifiers.some((field) => field.hasDefault)
  return (body) => {
    const { [registrationPassword.name]: password, ...given } = validateBody(create, body)
    if (
      !canBeKnown &&
      names.every((name) => ownValue(given, name) === undefined || ownValue(given, name) === null)
    ) {
      throw bodyRefusal([
        { pointer: `/${names[0]}`, code: 'required', detail: `Give one of ${names.join(', ')}.` },
      ])
    }
    return { values: withNormalised(identifiers, given), password: String(password) }
  }
}
