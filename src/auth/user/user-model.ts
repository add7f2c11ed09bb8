import type { Field, Model } from '../../model/model.ts'
import type { NamedSchema } from '../../schema/named-schema.ts'
import type { Row } from '../../source/source.ts'
import { isDisabled } from './disabled.ts'
import { assertComplete, keyOf, storedPassword } from './fit-for-login.ts'
import {
  type Registration,
  registrationModel,
  registrationReader,
  registrationSchemaOf,
} from './registration.ts'
import { type UserSettings, type Users, usersOf } from './users.ts'

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
  const key = keyOf(users)
  const password = storedPassword(users)
  assertComplete({ ...users, password })
  const registration = registrationModel(model, { password, identifiers, allowed })
  const registered = identifiers.filter((field) => allowed.includes(field))
  return Object.freeze<UserModel>({
    ...{ ...users, key, password, registration, isDisabled },
    registrationSchema: registrationSchemaOf(registration),
    readRegistration: registrationReader(registration, registered),
  })
}
