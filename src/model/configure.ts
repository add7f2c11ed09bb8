import { assertKnown, StartError, suggest } from '../error/errors.ts'
import { rowOf } from './kinds/index.ts'
import { type Access, type CountMode, type Field, isReadable, type Model, refersByKey } from './model.ts'
import { chosenOperations, type OperationName } from './operations.ts'
import { type SecretFields, secretFieldsOf } from './secret.ts'
import { filledAccess, type StampChoices, stampsOf } from './stamps.ts'
import type { FieldIn, NameIn, RelationIn } from './types.ts'
import { versionOf } from './version.ts'

/** Options of a model that its table cannot express. `Field` and `Relation` are the unions of its known names. */
export interface ModelConfig<Field extends string = string, Relation extends string = string>
  extends FieldChoices<Field> {
  /** The path segment. @default the plural of the model name in kebab-case */
  readonly path?: string
  /**
   * The operations that are served: `list`, `read`, `create`, `update` (PATCH), `replace` (PUT) and `delete`. The others are
   * neither served nor documented, and generated clients do not have them. See docs/models.md. @default all
   */
  readonly operations?: readonly OperationName[]
  /** For the user model: columns that requests may write even though registration does not accept them. @default none */
  readonly writable?: readonly Field[]
  /** The text fields that `search` looks in. An empty array removes the parameter. @default all readable text fields */
  readonly search?: readonly Field[]
  /**
   * How lists count. @default all modes are allowed; `exact`, or `none` with cursor paging, if the request omits
   * `count`
   */
  readonly count?: { readonly default?: CountMode; readonly allowed?: readonly CountMode[] }
  /** Accessible without authentication: all endpoints (`true`), or lists and details (`'read'`). @default false */
  readonly public?: boolean | 'read'
  /**
   * `true` removes the model from the API. `false` serves a model that is internal by default.
   *
   * @default true for the user model, models of the app `auth`, models whose primary key has a name that suggests a
   *   secret, and migration tables; otherwise false
   */
  readonly internal?: boolean
  /** Marks the model as deprecated in the documentation. @default false */
  readonly deprecated?: boolean
  /** A description of the model in CommonMark, for the documentation. @default none */
  readonly description?: string
  /** Field name -> description in CommonMark, for the documentation. @default none */
  readonly fieldDescriptions?: { readonly [Name in Field]?: string }
  /**
   * Field name -> its new name in requests, responses, the document, hooks and permission functions. Other options of the model
   * take both names. See docs/models.md. @default the names of the model
   */
  readonly fields?: { readonly [Name in Field]?: string }
  /**
   * Relation name -> its new name, or `false`: clients cannot use the relation. See docs/models.md.
   *
   * @default the names of the source, or names that follow from the foreign keys; open
   */
  readonly relations?: RelationChoices<Relation>
  /**
   * Relations that responses include if the request omits `include`, such as `customer` or `items.product`, except those to
   * models that the caller may not list. @default none
   */
  readonly include?: readonly PathOf<Relation>[]
  /**
   * To-many relations whose records POST, PUT and PATCH write in the body of this model, in one transaction. See
   * docs/write-together.md. @default none
   */
  readonly write?: readonly PathOf<Relation>[]
  /**
   * An integer column that each write of modelrest raises, or a timestamp that each write sets. Clients cannot write it. `ETag`
   * shows it. See docs/concurrency.md. @default none: `ETag` is a hash of the record
   */
  readonly version?: Field
  /** Refuses PUT, PATCH and DELETE without the header `If-Match` with 428. See docs/concurrency.md. @default false */
  readonly requireIfMatch?: boolean
  /**
   * A nullable timestamp column that DELETE sets instead of deleting the record. Deleted records then do not exist for clients,
   * until they are restored. See docs/soft-deletion.md. @default records are deleted for good
   */
  readonly softDelete?: Field
  /**
   * Fields that each write fills, and that clients cannot write: `{ created_by: 'caller on create', updated_by: 'caller',
   * updated_at: 'now' }`. See docs/models.md. @default none
   */
  readonly stamps?: StampChoices<Field>
  /**
   * Whether one request may create, change or delete many records, all or none. See docs/bulk.md. @default false
   */
  readonly bulk?: boolean
}

/** A relation name -> its new name, or `false` to close it. Editors complete the known names. */
export type RelationChoices<Relation extends string = string> = {
  readonly [Name in Relation]?: string | false
} & { readonly [name: string]: string | false | undefined }

/** Any string. Editors complete the known names. */
type PathOf<Relation extends string> = Relation | (string & Record<never, never>)

/** Model name -> options of the model. */
export type ModelConfigs<Types = unknown> = {
  readonly [Name in NameIn<Types>]?: ModelConfig<FieldIn<Types, Name>, RelationIn<Types, Name>>
}

/**
 * @param config must have passed `assertConfigs`
 * @throws StartError for an unknown field, an invalid path, a field in two lists, or an entry that has no effect
 */
export const configureModel = (
  described: Model,
  config: ModelConfig = {},
  secret: SecretFields = secretFieldsOf([described]),
): Model => {
  const choices: Choices = {
    hidden: choiceOf(described, 'hidden', config.hidden),
    readOnly: choiceOf(described, 'readOnly', config.readOnly),
    writeOnly: choiceOf(described, 'writeOnly', config.writeOnly),
    optional: choiceOf(described, 'optional', config.optional),
  }
  const descriptions = descriptionsOf(described, config.fieldDescriptions)
  const operations =
    config.operations === undefined ? {} : { operations: chosenOperations(described, config.operations) }
  const versions = versionOf({ ...described, ...operations }, config, choices)
  const stamps = config.stamps === undefined ? [] : stampsOf(described, config.stamps, choices.readOnly)
  const stamped = new Set(stamps.map(({ field }) => field.name))
  const fields = described.fields.map((field) => {
    const { access, ...more } =
      field.name === versions.version ? versionAccess : fieldAccess(described, field, choices, secret)
    return Object.freeze({
      ...field,
      access,
      ...more,
      ...(stamped.has(field.name) && filledAccess(access)),
      ...descriptionOf(described, { ...field, access }, descriptions),
    })
  })
  return Object.freeze({
    ...described,
    path: config.path === undefined ? described.path : pathSegment(described, config.path),
    fields: Object.freeze(fields),
    ...operations,
    ...versions,
    ...(stamps.length > 0 && { stamps: Object.freeze(stamps) }),
    deprecated: config.deprecated ?? described.deprecated,
    ...(config.description !== undefined && { description: config.description }),
    count: countOf(described, config.count),
    ...(config.public !== undefined && config.public !== false && { public: config.public }),
    ...(config.search !== undefined && { search: searchOf(described.name, fields, config.search) }),
    ...(config.include !== undefined && { include: Object.freeze([...config.include]) }),
    ...(config.bulk === true && { bulk: true as const }),
    ...(config.write !== undefined && { write: Object.freeze([...new Set(config.write)]) }),
  })
}

/** New records get their first version without the client. */
const versionAccess: Pick<Field, 'access' | 'optional' | 'sendable'> = { access: 'read-only', optional: true }

const pathSegment = (model: Model, path: string): string => {
  if (/^[\w~.-]+$/.test(path) && !/^\.+$/.test(path)) return path
  throw new StartError(
    `modelConfig.${model.name}.path must be one path segment, not ${JSON.stringify(path)}. Use letters, digits, "-", "_", "." and "~".`,
  )
}

const countModes: readonly CountMode[] = ['exact', 'estimated', 'none']

const countOf = (model: Model, count: ModelConfig['count']): Model['count'] => {
  const place = `modelConfig.${model.name}.count`
  const allowed = count?.allowed ?? model.count.allowed
  const chosen = count?.default
  const unknown = [...allowed, chosen ?? 'none'].find((mode) => !countModes.includes(mode))
  if (unknown !== undefined)
    throw new StartError(`${place}: unknown count mode ${unknown}. Allowed: ${countModes.join(', ')}.`)
  if (allowed.length === 0)
    throw new StartError(`${place}.allowed must not be empty. Allowed: ${countModes.join(', ')}.`)
  if (chosen !== undefined && !allowed.includes(chosen))
    throw new StartError(
      `${place}.default must be one of the allowed modes (${allowed.join(', ')}), not ${chosen}.`,
    )
  return Object.freeze({
    allowed: Object.freeze([...allowed]),
    ...(chosen !== undefined && { default: chosen }),
  })
}

type Descriptions = ReadonlyMap<string, string | undefined>

const descriptionsOf = (
  model: Model,
  given: NonNullable<ModelConfig['fieldDescriptions']> = {},
): Descriptions => {
  assertFields(model, 'fieldDescriptions', Object.keys(given))
  return new Map(Object.entries(given))
}

const descriptionOf = (
  model: Model,
  { name, access }: Field,
  descriptions: Descriptions,
): Pick<Field, 'description'> => {
  const description = descriptions.get(name)
  if (description === undefined) return {}
  if (access === 'hidden')
    throw new StartError(
      `modelConfig.${model.name}.fieldDescriptions.${name} has no effect because ${name} is hidden. Remove the entry.`,
    )
  return { description }
}

const assertFields = (model: Model, key: keyof ModelConfig, names: readonly string[]): void => {
  const known = model.fields.map((field) => field.name)
  for (const name of names) assertKnown(`modelConfig.${model.name}.${key}: unknown field`, name, known)
}

const searchOf = (model: string, fields: readonly Field[], names: readonly string[]): readonly string[] => {
  const searchable = fields
    .filter((field) => isReadable(field) && rowOf(field).textual)
    .map(({ name }) => name)
  for (const name of names)
    if (!searchable.includes(name))
      throw new StartError(
        `modelConfig.${model}.search: ${name} is not a readable text field.${suggest(name, searchable)}`,
      )
  return Object.freeze([...names])
}

/** Field names, or a map from field names to booleans: `{ resetToken: false }`. */
export type FieldChoice<Field extends string = string> =
  | readonly Field[]
  | { readonly [Name in Field]?: boolean }

/** What clients may do with fields. `Field` is the union of the field names. */
interface FieldChoices<Field extends string = string> {
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

type Key = keyof FieldChoices
type Choices = Readonly<Record<Key, ReadonlyMap<string, boolean | undefined>>>

const fieldAccess = (
  model: Model,
  field: Field,
  choices: Choices,
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

const keys: readonly Key[] = ['hidden', 'readOnly', 'writeOnly', 'optional']

/** The options that open a field with this default access if they are `false`. */
const openers: Readonly<Record<Access, readonly Key[]>> = {
  'read-write': [],
  'read-only': ['readOnly'],
  'write-only': ['hidden', 'writeOnly'],
  hidden: [],
}

const choiceOf = (model: Model, key: Key, choice: FieldChoice = []): Choices[Key] => {
  const entries = isList(choice) ? choice.map((name) => [name, true] as const) : Object.entries(choice)
  assertFields(
    model,
    key,
    entries.map(([name]) => name),
  )
  return new Map(entries)
}

const isList = (choice: FieldChoice): choice is readonly string[] => Array.isArray(choice)

const closing: readonly (readonly [Key, Access])[] = [
  ['hidden', 'hidden'],
  ['readOnly', 'read-only'],
  ['writeOnly', 'write-only'],
]

const closedBy = (model: Model, { name }: Field, choices: Choices): Access | undefined => {
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
  key: Key,
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
