import { StartError } from '../../error/start-error.ts'
import { kinds } from '../../model/kinds.ts'
import type { Field, Model } from '../../model/model.ts'
import { isNeeded } from './allowed-fields.ts'
import { mayGivePower } from './grants-power.ts'
import { passwordNames } from './password-column.ts'
import type { Users } from './users.ts'

const refusal = ({ name }: Model, why: string): StartError => new StartError(`The user model ${name} ${why}.`)

/** The only field of their key, by which a caller is known. @throws StartError where it has several */
export const keyOf = ({ model, key }: Users): Field => {
  if (key !== undefined) return key
  throw refusal(model, `has a key of several columns (${model.primaryKey.join(', ')}). Give it a key of one`)
}

/** An argon2id hash takes 97 characters, and more as its costs rise. */
const SHORTEST_COLUMN = 100

/** The column of the hash. @throws StartError where there is none, or one that cannot hold it */
export const storedPassword = ({ model, password }: Users): Field => {
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

/**
 * What a new user needs must come from somewhere, and not from a client where it gives power.
 *
 * @throws StartError where nobody could register or log in, or would give themselves power
 */
export const assertComplete = ({ model, identifiers, allowed, password }: Users): void => {
  if (identifiers.length === 0) {
    throw refusal(
      model,
      'has no column to log in with. Give it email or username, or name others in LOGIN_FIELDS',
    )
  }
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
