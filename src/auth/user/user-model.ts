import { StartError, suggest } from '../../error/start-error.ts'
import { kinds } from '../../model/kinds.ts'
import { type Field, fieldOf, type Model } from '../../model/model.ts'
import type { NamedSchema } from '../../schema/named-schema.ts'
import type { Row } from '../../source/source.ts'
import { allowedFields, isNeeded } from './allowed-fields.ts'
import { isDisabled } from './disabled.ts'
import { mayGivePower } from './grants-power.ts'
import { identifiersOf } from './identifiers.ts'
import { passwordColumnOf, passwordNames, withPasswordHidden } from './password-column.ts'
import {
  type Registration,
  registrationModel,
  registrationReader,
  registrationSchemaOf,
} from './registration.ts'

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

/** Settings that the user model follows from. */
export interface UserSettings {
  /** `LOGIN_FIELDS` */
  readonly loginFields: readonly string[] | undefined
  /** `REGISTER_FIELDS` */
  readonly registerFields: readonly string[] | undefined
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

const nameOf = ({ app, name }: Model): string => `${app}.${name}`

/**
 * The users of a model.
 *
 * @param configured the model with what `modelConfig` says of it
 * @throws StartError for a name in the settings that is no such column
 */
export const usersOf = (configured: Model, { loginFields, registerFields }: UserSettings): Users => {
  const model = withPasswordHidden(configured)
  const password = passwordColumnOf(model)
  const identifiers = identifiersOf(model, loginFields)
  const [name = '', ...more] = model.primaryKey
  return Object.freeze<Users>({
    ...{ model, password, identifiers },
    key: more.length === 0 ? fieldOf(model, name) : undefined,
    allowed: allowedFields(model, { identifiers, password, registerFields }),
  })
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
  const key = lastingKey(users)
  const password = storedPassword(users)
  if (identifiers.length === 0) {
    throw refusal(
      model,
      'has no column to log in with. Give it email or username, or name others in LOGIN_FIELDS',
    )
  }
  assertComplete({ ...users, password })
  const registration = registrationModel(model, { password, identifiers, allowed })
  const registered = identifiers.filter((field) => allowed.includes(field))
  return Object.freeze<UserModel>({
    ...{ ...users, key, password, registration, isDisabled },
    registrationSchema: registrationSchemaOf(registration),
    readRegistration: registrationReader(registration, registered),
  })
}

const refusal = ({ name }: Model, why: string): StartError => new StartError(`The user model ${name} ${why}.`)

/** The only field of their key, by which a caller is known. @throws StartError where it has several */
export const keyOf = ({ model, key }: Users): Field => {
  if (key !== undefined) return key
  throw refusal(model, `has a key of several columns (${model.primaryKey.join(', ')}). Give it a key of one`)
}

/** Tokens name a user by the key: it must never be that of another user. */
const lastingKey = (users: Users): Field => {
  const key = keyOf(users)
  if (key.comesAgain !== true) return key
  throw refusal(
    users.model,
    `has a key, ${key.name}, that SQLite gives again after a deletion, so that tokens of the deleted user would be good for the next. Write integer().primaryKey({ autoIncrement: true })`,
  )
}

/** An argon2id hash takes 97 characters, and more as its costs rise. */
const SHORTEST_COLUMN = 100

const storedPassword = ({ model, password }: Users): Field => {
  if (password === undefined) {
    throw refusal(model, `has no column for the password. Call it ${passwordNames.join(', ')}`)
  }
  if (!kinds[password.kind].textual || password.generated) {
    throw refusal(
      model,
      `keeps its password in ${password.name}, which must be a text column that can be written`,
    )
  }
  if ((password.maxLength ?? SHORTEST_COLUMN) < SHORTEST_COLUMN) {
    throw refusal(
      model,
      `keeps its password in ${password.name}, which is too short for a hash. Give it 255 characters`,
    )
  }
  return password
}

/** What a new user needs must come from somewhere, and not from a client where it gives power. */
const assertComplete = ({ model, identifiers, allowed, password }: Users): void => {
  if (!identifiers.some((field) => allowed.includes(field))) {
    const names = identifiers.map(({ name }) => name).join(', ')
    throw refusal(model, `could not be logged in to: REGISTER_FIELDS has none of ${names}`)
  }
  for (const field of model.fields) {
    if (!isNeeded(field) || field === password || allowed.includes(field)) continue
    const { name } = field
    if (model.primaryKey.includes(name)) {
      throw refusal(
        model,
        `has a key, ${name}, that nothing fills in. Give it a default, as $defaultFn(randomUUID)`,
      )
    }
    throw refusal(
      model,
      mayGivePower(model, field)
        ? `has a required column, ${name}, that may give its user power. Give it a default, or name it in REGISTER_FIELDS`
        : `has a required column, ${name}, that REGISTER_FIELDS does not name. Name it there, or give it a default`,
    )
  }
}
