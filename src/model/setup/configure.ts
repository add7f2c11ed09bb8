import { StartError, suggest } from '../../error/errors.ts'
import { rowOf } from '../kinds/index.ts'
import { type CountMode, type Field, isReadable, type Model, type ModelLabel } from '../model.ts'
import { chosenOperations, hasOperation, type OperationName } from '../operations.ts'
import { type PaginationType, type PaginationTypes, readPaginationTypes } from '../pagination.ts'
import type { FieldIn, NameIn, RelationIn } from '../types.ts'
import { versionOf } from '../version.ts'
import { accessChoices, assertFieldNames, type FieldChoices, fieldAccess } from './field-access.ts'
import { labelGiven, titleGiven } from './labels.ts'
import { type SecretFields, secretFieldsOf } from './secret.ts'
import { filledAccess, type StampChoices, stampsOf } from './stamps.ts'

/** Options of a model that its table cannot express. `Field` and `Relation` are the unions of its known names. */
export interface ModelConfig<Field extends string = string, Relation extends string = string>
  extends FieldChoices<Field> {
  /** The path segment. @default the plural of the model name in kebab-case */
  readonly path?: string
  /**
   * The operations that clients have: `list`, `read`, `create`, `update` (PATCH), `replace` (PUT), `delete`, and `related`, which
   * `list` implies and which has no endpoint: other models have the relations to this one. The others are neither served nor
   * documented, and generated clients do not have them. See docs/models.md. @default all
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
  /**
   * How lists of the model are paged: one type, or several, of which the first is the default. See docs/queries.md.
   * @default the option `paginationType`
   */
  readonly paginationType?: PaginationType | readonly PaginationType[]
  /**
   * Accessible without authentication: all endpoints (`true`), or lists and details (`'read'`). For a join table, `false` requires its
   * permissions for the relations through it too. See docs/relations.md. @default false
   */
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
  readonly fields?: { readonly [Name in Field]?: string } & { readonly [name: string]: string | undefined }
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
  /**
   * Whether `GET /products/7?fields=name,price` returns only these fields and the key, as lists do. The document then says that a
   * response to GET may lack all others, so typed clients have to expect that. `ETag` stays that of the whole record.
   * @default false
   */
  readonly detailFields?: boolean
  /**
   * What people call a record, and several: `{ one: 'Box', many: 'Boxes' }`. A string is the name of one. Programs read it in the
   * document. See docs/vocabulary.md. @default the words of the model's name
   */
  readonly label?: string | ModelLabel
  /** The field whose value names a record to people, such as `email`. See docs/vocabulary.md. @default the first of a few usual names */
  readonly title?: Field
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
  const choices = accessChoices(described, config)
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
    ...(config.label !== undefined && { label: labelGiven(config.label) }),
    ...(config.title !== undefined && { title: titleGiven(described.name, fields, config.title) }),
    count: countOf(described, config.count),
    ...(config.paginationType !== undefined && {
      pagination: paginationIn(described, config.paginationType),
    }),
    ...(config.public !== undefined && config.public !== false && { public: config.public }),
    ...(config.search !== undefined && { search: searchOf(described.name, fields, config.search) }),
    ...(config.include !== undefined && { include: Object.freeze([...config.include]) }),
    ...(config.bulk === true && { bulk: true as const }),
    ...(config.detailFields === true && { detailFields: readable({ ...described, ...operations }) }),
    ...(config.write !== undefined && { write: Object.freeze([...new Set(config.write)]) }),
  })
}

/** New records get their first version without the client. */
const versionAccess: Pick<Field, 'access' | 'optional' | 'sendable'> = { access: 'read-only', optional: true }

/** @throws StartError if clients do not have the operation */
const readable = (model: Model): true => {
  if (hasOperation(model, 'read')) return true
  throw new StartError(
    `modelConfig.${model.name}.detailFields has no effect because clients cannot read single records of ${model.name}. Remove it.`,
  )
}

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
  assertFieldNames(model, 'fieldDescriptions', Object.keys(given))
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

/** @throws StartError */
const paginationIn = ({ name, primaryKey }: Model, given: unknown): PaginationTypes => {
  const place = `modelConfig.${name}.paginationType`
  const types = readPaginationTypes(place, given)
  if (primaryKey.length === 0 && types.includes('cursor'))
    throw new StartError(`${place}: ${name} has no primary key, so it has no cursors. Remove cursor.`)
  return types
}
