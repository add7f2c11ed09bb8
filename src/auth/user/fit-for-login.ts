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
 * What a new user needs must come from somewhere. A client fills in a required column only if the application says so.
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
    throw refusal(model, `could not be logged in to: REGISTER_FIELDS has none of ${namesOf(identifiers)}`)
  }
  const missing = model.fields.filter(
    (field) => isNeeded(field) && field !== password && !allowed.includes(field),
  )
  const key = missing.find(({ name }) => model.primaryKey.includes(name))
  if (key !== undefined) {
    throw refusal(
      model,
      `has a key, ${key.name}, that nothing fills in. Give it a default, as $defaultFn(randomUUID)`,
    )
  }
  if (missing.length > 0) throw refusal(model, unfilled(model, missing, [...allowed, ...missing]))
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
