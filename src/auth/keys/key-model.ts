import { StartError } from '../../error/errors.ts'
import { rowOf } from '../../model/kinds/index.ts'
import { type Field, fieldOf, type Model } from '../../model/model.ts'
import { modelNamed } from '../../model/named.ts'
import { chosenOperations } from '../../model/operations.ts'
import { assertColumns, textKinds, timeKinds } from '../../model/own-columns.ts'
import type { AuthSettings } from '../settings/index.ts'

/** What a key opens. */
export type KeyAccess = 'read' | 'write'

/** The model of API keys. */
export interface KeyModel {
  readonly model: Model
  /** The field of its primary key. */
  readonly key: Field
  /** The field with the key of the user. */
  readonly owner: Field
}

type KeySettings = Pick<AuthSettings, 'API_KEYS' | 'API_KEY_MODEL'>

const columns = {
  ...{ name: textKinds, hash: textKinds, access: textKinds, account: textKinds },
  ...{ created_at: timeKinds, expires_at: timeKinds, last_used_at: timeKinds },
}

/** A SHA-256 in hexadecimal digits. */
const HASH_LENGTH = 64

/** What `account` holds. */
const ACCOUNT_LENGTH = 22

/** The most characters of the name of a key. */
export const LONGEST_NAME = 100

const lengths = { name: LONGEST_NAME, hash: HASH_LENGTH, account: ACCOUNT_LENGTH, access: 'write'.length }

/** The model of API keys, if there are some. `undefined` if it is missing; {@link keyModelOf} says so. */
export const findKeyModel = (
  models: readonly Model[],
  settings: KeySettings | undefined,
): Model | undefined => {
  if (settings?.API_KEYS !== true) return undefined
  const { API_KEY_MODEL: named } = settings
  return named === undefined
    ? models.find(({ name }) => name === 'ApiKey')
    : modelNamed(models, 'SERVICE_AUTH.API_KEY_MODEL', named)
}

/**
 * @param user the key of users
 * @param declare how to declare the model, for a message
 * @throws StartError if there is no model, or if it cannot hold keys
 */
export const keyModelOf = (found: Model | undefined, user: Field, declare: string): KeyModel => {
  if (found === undefined)
    throw new StartError(
      `The setting SERVICE_AUTH.API_KEYS needs a model ApiKey with the fields user_id, ${Object.keys(columns).join(', ')}. ${declare}, or, if it has another name, set apiKeyModel: 'app.Model'.`,
    )
  const model = withKeysHidden(found)
  assertColumns(
    'model of API keys',
    model,
    { user_id: [...new Set([...textKinds, user.kind])], ...columns },
    {
      account: 'a user may have no password',
      expires_at: 'a key may never expire',
      last_used_at: 'a new key was not used yet',
    },
  )
  for (const [name, least] of Object.entries(lengths)) {
    const { maxLength = least } = fieldOf(model, name)
    if (maxLength < least)
      throw new StartError(
        `The field ${name} of the model of API keys ${model.name} is too short. It needs ${least} characters.`,
      )
  }
  const hash = fieldOf(model, 'hash')
  if (!rowOf(hash).comparable)
    throw new StartError(
      `The source does not compare ${model.name}.hash exactly. Use a column with a binary collation.`,
    )
  const [only, another] = model.primaryKey
  if (only === undefined || another !== undefined || only === hash.name)
    throw new StartError(
      `The model of API keys ${model.name} needs a primary key of a single column that the database generates.`,
    )
  if (!model.uniques.some((unique) => unique.join() === hash.name))
    throw new StartError(`The field hash of the model of API keys ${model.name} must be unique.`)
  const { values = accesses } = fieldOf(model, 'access')
  if (!accesses.every((access) => values.includes(access)))
    throw new StartError(
      `The field access of the model of API keys ${model.name} must take ${accesses.join(' and ')}.`,
    )
  return Object.freeze({ model, key: fieldOf(model, only), owner: fieldOf(model, 'user_id') })
}

const accesses: readonly KeyAccess[] = ['read', 'write']

const secret: readonly string[] = ['hash', 'account']

/** The model as administrators may have it: they list and delete keys, and see neither hash nor account. */
export const withKeysHidden = (model: Model): Model => {
  const fields = model.fields.map((field) =>
    secret.includes(field.name) ? Object.freeze({ ...field, access: 'hidden' as const }) : field,
  )
  return Object.freeze({ ...model, fields: Object.freeze(fields) })
}

const manageable = ['list', 'read', 'delete', 'related']

/** @throws StartError if its configuration opens other operations */
export const manageableKeys = (model: Model): Model => {
  const { name, operations = manageable } = model
  const other = operations.find((operation) => !manageable.includes(operation))
  if (other !== undefined)
    throw new StartError(
      `modelConfig.${name}.operations: API keys are created below /auth. Choose from ${manageable.join(', ')}.`,
    )
  return Object.freeze({ ...model, operations: chosenOperations(model, operations) })
}
