import { StartError, suggest } from '../error/start-error.ts'
import { type Access, type Field, type Model, refersByKey } from './model.ts'
import type { SecretFields } from './secret.ts'

/** Names of fields, or a map that says yes or no to each: `{ resetToken: false }`. */
export type FieldChoice<Field extends string = string> =
  | readonly Field[]
  | { readonly [Name in Field]?: boolean }

/** What clients may do with fields, where a model cannot say it. `Field` are the names of its fields. */
export interface FieldChoices<Field extends string = string> {
  /** Neither read nor written, and named nowhere. `false` shows a field whose name says secret. */
  readonly hidden?: FieldChoice<Field>
  /**
   * Read, never written. `false` lets clients send a key that has a default, or one of these timestamps.
   *
   * @default keys with a default; `created_at`, `updated_at`, `deleted_at` where they have a default
   */
  readonly readOnly?: FieldChoice<Field>
  /** Written, never read. `false` shows a field whose name says secret. @default fields whose name says secret */
  readonly writeOnly?: FieldChoice<Field>
  /** Create does not ask for them although they have no default (a hook or trigger fills them in). */
  readonly optional?: FieldChoice<Field>
}

type Key = keyof FieldChoices
type Choices = Readonly<Record<Key, ReadonlyMap<string, boolean | undefined>>>

/** What is decided for one field. */
type Decided = Pick<Field, 'access' | 'optional' | 'sendable'>

/**
 * Decides for each field of a model who may read and write it.
 *
 * @throws StartError for an unknown field, a field in two of the lists, and an entry that changes nothing
 */
export const fieldAccess = (
  model: Model,
  config: FieldChoices,
  secret: SecretFields,
): ((field: Field) => Decided) => {
  const choices: Choices = {
    hidden: choiceOf(model, 'hidden', config.hidden),
    readOnly: choiceOf(model, 'readOnly', config.readOnly),
    writeOnly: choiceOf(model, 'writeOnly', config.writeOnly),
    optional: choiceOf(model, 'optional', config.optional),
  }
  return (field) => {
    const byItself = accessByItself(model, field, secret)
    for (const key of keys) assertEffect(model, field, { key, given: choices[key].get(field.name), byItself })
    const isOpened = openers[byItself].some((key) => choices[key].get(field.name) === false)
    const isMade = isMadeKey(model, field)
    const open = isMade || isOpened ? 'read-write' : byItself
    return {
      access: closedBy(model, field, choices) ?? open,
      optional: choices.optional.get(field.name) ?? field.optional,
      ...(isMade && isOpened && { sendable: true as const }),
    }
  }
}

const keys: readonly Key[] = ['hidden', 'readOnly', 'writeOnly', 'optional']

/** Which keys open what has this access by itself, where they say no to it. */
const openers: Readonly<Record<Access, readonly Key[]>> = {
  'read-write': [],
  'read-only': ['readOnly'],
  'write-only': ['hidden', 'writeOnly'],
  hidden: [],
}

const choiceOf = (model: Model, key: Key, choice: FieldChoice = []): Choices[Key] => {
  const entries = isList(choice) ? choice.map((name) => [name, true] as const) : Object.entries(choice)
  const known = model.fields.map((field) => field.name)
  for (const [name] of entries) {
    if (!known.includes(name)) {
      throw new StartError(
        `modelConfig.${model.name}.${key}: ${model.name} has no field ${name}.${suggest(name, known)}`,
      )
    }
  }
  return new Map(entries)
}

const isList = (choice: FieldChoice): choice is readonly string[] => Array.isArray(choice)

const closing: readonly (readonly [Key, Access])[] = [
  ['hidden', 'hidden'],
  ['readOnly', 'read-only'],
  ['writeOnly', 'write-only'],
]

/** The access that one of the lists gives the field. */
const closedBy = (model: Model, { name }: Field, choices: Choices): Access | undefined => {
  const yes = closing.filter(([key]) => choices[key].get(name) === true).map(([, access]) => access)
  if (yes.length > 1)
    throw new StartError(`modelConfig.${model.name}: ${name} is both ${yes.join(' and ')}. Choose one.`)
  if (model.primaryKey.includes(name) && (yes[0] === 'hidden' || yes[0] === 'write-only'))
    throw new StartError(`modelConfig.${model.name}: ${name} is the primary key and must be readable.`)
  return yes[0]
}

const timestamps: ReadonlySet<string> = new Set([
  ...['created_at', 'updated_at', 'deleted_at'],
  ...['createdAt', 'updatedAt', 'deletedAt'],
])

/** A key that the database or the ORM makes. Only the client knows one that refers to another record. */
const isMadeKey = (model: Model, field: Field): boolean =>
  model.primaryKey.includes(field.name) && field.hasDefault && !field.generated && !refersByKey(model, field)

const accessByItself = (model: Model, field: Field, secret: SecretFields): Access => {
  if (field.access !== 'read-write') return field.access
  const isKey = model.primaryKey.includes(field.name)
  if (!isKey && secret.has(`${model.name}.${field.name}`)) return 'write-only'
  const isRead = isMadeKey(model, field) || (timestamps.has(field.name) && field.hasDefault)
  return isRead ? 'read-only' : 'read-write'
}

interface Entry {
  readonly key: Key
  readonly given: boolean | undefined
  readonly byItself: Access
}

/**
 * An entry that changes nothing is a mistake about the field. Repeating what a rule of ours decides is allowed: the entry
 * still holds when the rule or the column changes.
 */
const assertEffect = (model: Model, field: Field, entry: Entry): void => {
  const why = entry.given === undefined ? undefined : ineffective(model, field, entry)
  if (why === undefined) return
  throw new StartError(
    `modelConfig.${model.name}.${entry.key}: ${field.name}: ${entry.given} changes nothing, because ${why}. Remove the entry.`,
  )
}

const ineffective = (model: Model, field: Field, { key, given, byItself }: Entry): string | undefined => {
  const fixed = model.readOnly
    ? `${model.name} is a view, which is never written`
    : field.generated
      ? 'the database always makes the value itself'
      : undefined
  if (key === 'optional') {
    if (fixed !== undefined || given === false)
      return fixed ?? 'fields without a default are asked for anyway'
    return field.nullable || (field.hasDefault && !refersByKey(model, field))
      ? 'create does not ask for a field that is nullable or has a default'
      : undefined
  }
  if (key === 'readOnly' && fixed !== undefined) return fixed
  if (given === true || openers[byItself].includes(key)) return undefined
  return key === 'readOnly'
    ? `it is ${byItself === 'write-only' ? 'write-only, not read-only' : 'not read-only'}`
    : 'clients can read it already'
}
