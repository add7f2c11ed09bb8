import { assertKnown, StartError } from '../../error/errors.ts'
import { type Access, type Field, type Model, refersByKey } from '../model.ts'
import type { SecretFields } from './secret.ts'

/** Field names, or a map from field names to booleans: `{ resetToken: false }`. */
export type FieldChoice<Field extends string = string> =
  | readonly Field[]
  | { readonly [Name in Field]?: boolean }

/** What clients may do with fields. `Field` is the union of the field names. */
export interface FieldChoices<Field extends string = string> {
  /**
   * Cannot be read or written, and is never named. `false` shows a field whose name suggests a secret. @default none
   */
  readonly hidden?: FieldChoice<Field>
  /**
   * Can be read, not written. `false` lets clients send a key that has a default, or one of these timestamps.
   *
   * @default keys with a default; `created_at`, `updated_at` and `deleted_at` with a default
   */
  readonly readOnly?: FieldChoice<Field>
  /** Can be written, not read. `false` shows the field. @default fields whose name suggests a secret */
  readonly writeOnly?: FieldChoice<Field>
  /** May be omitted on create even though they have no default, because a hook or trigger fills them in. @default none */
  readonly optional?: FieldChoice<Field>
}

type AccessKey = keyof FieldChoices
/** What the options say of each field. */
export type AccessChoices = Readonly<Record<AccessKey, ReadonlyMap<string, boolean | undefined>>>

/** @throws StartError for an unknown field */
export const accessChoices = (
  model: Model,
  { hidden, readOnly, writeOnly, optional }: FieldChoices,
): AccessChoices => ({
  hidden: choiceOf(model, 'hidden', hidden),
  readOnly: choiceOf(model, 'readOnly', readOnly),
  writeOnly: choiceOf(model, 'writeOnly', writeOnly),
  optional: choiceOf(model, 'optional', optional),
})

/** @throws StartError for a field in two lists, or an entry that has no effect */
export const fieldAccess = (
  model: Model,
  field: Field,
  choices: AccessChoices,
  secret: SecretFields,
): Pick<Field, 'access' | 'optional' | 'sendable'> => {
  const byItself = accessByItself(model, field, secret)
  for (const key of keys) {
    const given = choices[key].get(field.name)
    const why = given === undefined ? undefined : ineffective(model, field, key, given, byItself)
    if (why !== undefined)
      throw new StartError(
        `modelConfig.${model.name}.${key}: ${field.name}: ${given} has no effect because ${why}. Remove the entry.`,
      )
  }
  const isOpened = openers[byItself].some((key) => choices[key].get(field.name) === false)
  const isMade = isMadeKey(model, field)
  const open = isMade || isOpened ? 'read-write' : byItself
  return {
    access: field.shadowedBy === undefined ? (closedBy(model, field, choices) ?? open) : 'hidden',
    optional: choices.optional.get(field.name) ?? field.optional,
    ...(isMade && isOpened && { sendable: true as const }),
  }
}

const keys: readonly AccessKey[] = ['hidden', 'readOnly', 'writeOnly', 'optional']

/** The options that open a field with this default access if they are `false`. */
const openers: Readonly<Record<Access, readonly AccessKey[]>> = {
  'read-write': [],
  'read-only': ['readOnly'],
  'write-only': ['hidden', 'writeOnly'],
  hidden: [],
}

const choiceOf = (model: Model, key: AccessKey, choice: FieldChoice = []): AccessChoices[AccessKey] => {
  const entries = isList(choice) ? choice.map((name) => [name, true] as const) : Object.entries(choice)
  assertFieldNames(
    model,
    key,
    entries.map(([name]) => name),
  )
  return new Map(entries)
}

const isList = (choice: FieldChoice): choice is readonly string[] => Array.isArray(choice)

const closing: readonly (readonly [AccessKey, Access])[] = [
  ['hidden', 'hidden'],
  ['readOnly', 'read-only'],
  ['writeOnly', 'write-only'],
]

const closedBy = (model: Model, { name }: Field, choices: AccessChoices): Access | undefined => {
  const yes = closing.filter(([key]) => choices[key].get(name) === true).map(([, access]) => access)
  if (yes.length > 1)
    throw new StartError(
      `modelConfig.${model.name}: ${name} cannot be both ${yes.join(' and ')}. Choose one.`,
    )
  if (model.primaryKey.includes(name) && (yes[0] === 'hidden' || yes[0] === 'write-only'))
    throw new StartError(
      `modelConfig.${model.name}: the primary key ${name} must be readable. Remove it from hidden and writeOnly.`,
    )
  return yes[0]
}

const timestamps: ReadonlySet<string> = new Set([
  ...['created_at', 'updated_at', 'deleted_at'],
  ...['createdAt', 'updatedAt', 'deletedAt'],
])

/** Whether the database or the ORM generates the key. Only clients know a key that refers to another record. */
const isMadeKey = (model: Model, field: Field): boolean =>
  model.primaryKey.includes(field.name) && field.hasDefault && !field.generated && !refersByKey(model, field)

const accessByItself = (model: Model, field: Field, secret: SecretFields): Access => {
  if (field.shadowedBy !== undefined) return 'hidden'
  if (field.access !== 'read-write') return field.access
  const isKey = model.primaryKey.includes(field.name)
  if (!isKey && secret.has(`${model.name}.${field.name}`)) return 'write-only'
  const isRead = isMadeKey(model, field) || (timestamps.has(field.inSource ?? field.name) && field.hasDefault)
  return isRead ? 'read-only' : 'read-write'
}

/**
 * The reason why an entry has no effect, which is a mistake. Repeating a default is not a mistake: the entry still
 * applies if the default changes.
 */
const ineffective = (
  model: Model,
  field: Field,
  key: AccessKey,
  given: boolean,
  byItself: Access,
): string | undefined => {
  const fixed = model.readOnly
    ? `${model.name} is a view, which is read-only`
    : field.generated
      ? 'the database always generates the value'
      : undefined
  if (key === 'optional') {
    if (fixed !== undefined || given === false) return fixed ?? 'fields without a default are required anyway'
    return field.nullable || (field.hasDefault && !refersByKey(model, field))
      ? 'a field that is nullable or has a default is always optional'
      : undefined
  }
  if (key === 'readOnly' && fixed !== undefined) return fixed
  if (field.shadowedBy !== undefined && !(given && key === 'hidden'))
    return `${field.shadowedBy} differs from it only in naming style`
  if (given === true || openers[byItself].includes(key)) return undefined
  return key === 'readOnly'
    ? `it is ${byItself === 'write-only' ? 'write-only, not read-only' : 'not read-only'}`
    : 'clients can read it already'
}

/** @throws StartError for an unknown field */
export const assertFieldNames = (model: Model, key: string, names: readonly string[]): void => {
  const known = model.fields.map((field) => field.name)
  for (const name of names) assertKnown(`modelConfig.${model.name}.${key}: unknown field`, name, known)
}
