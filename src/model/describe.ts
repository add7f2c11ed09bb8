import { assertKnown, StartError } from '../error/errors.ts'
import { kinds } from './kinds/index.ts'
import type { Field, FieldKind, Model, Relation, ValueForm } from './model.ts'
import { pathOf, wordsOf } from './naming.ts'
import { type ForeignKeyFacts, relationsOf } from './relations.ts'

/** Decided by the service, not by a source. */
type Decided =
  | 'access'
  | 'optional'
  | 'sendable'
  | 'staysOnReplace'
  | 'neededOnReplace'
  | 'literalOnly'
  | 'printable'

/** The facts about a column that a source knows. */
export type FieldFacts = Pick<Field, 'name' | 'kind'> & Partial<Omit<Field, 'name' | 'kind' | Decided>>

/** The facts about a table or view that a source knows. */
export interface TableFacts {
  /** The name of the model, singular in PascalCase: `OrderItem`. `modelNameOf` derives it from that of a table. */
  readonly name: string
  /** The label of the app that the model belongs to. @default `app` */
  readonly app?: string
  /** The name of the table in the database. Tables of migration tools are served only if the application asks for it. */
  readonly table?: string
  /** By default, fields are required and have the usual form of their kind. */
  readonly fields: readonly FieldFacts[]
  /** Field names in key order. */
  readonly primaryKey: readonly string[]
  /** Sets of fields with a unique constraint. */
  readonly uniques?: readonly (readonly string[])[]
  readonly foreignKeys?: readonly ForeignKeyFacts[]
  /** A view: it has only list and read endpoints. @default false */
  readonly readOnly?: boolean
  /** The description as CommonMark, for the documentation. */
  readonly description?: string
}

/** The capabilities that concern values of a model. Absent capabilities count as missing. */
export interface ValueCapabilities {
  /** `eq`, `ne` and `in` compare strings byte for byte, also where the database's collation does not. */
  readonly exactText?: boolean
  /** `contains` takes every character literally, also `%`, `_` and `\`. */
  readonly literalContains?: boolean
  /** An update can set a column to its default with `DEFAULT`. */
  readonly databaseDefaults?: boolean
}

/**
 * Creates the models of a source from what it knows of its tables. Relations follow from foreign keys, in both directions.
 *
 * If the source lacks a capability, the models do not offer what needs it: conditions and scopes on strings by equality
 * (`exactText`), `contains` with `%`, `_` and `\` (`literalContains`), and PUT requests that omit a field whose default only
 * the database knows (`databaseDefaults`).
 *
 * @throws StartError for a mistake in the facts, such as an unknown kind or a primary key that is not a field
 * @example
 * ```ts
 * import { describeModels } from 'modelrest/source'
 *
 * export const models = describeModels(
 *   [
 *     {
 *       name: 'Task',
 *       fields: [
 *         { name: 'id', kind: 'integer', hasDefault: true },
 *         { name: 'title', kind: 'text', maxLength: 100 },
 *       ],
 *       primaryKey: ['id'],
 *     },
 *   ],
 *   { exactText: true, literalContains: true, databaseDefaults: true },
 * )
 * ```
 */
export const describeModels = (
  tables: readonly TableFacts[],
  capabilities: ValueCapabilities,
): readonly Model[] => {
  const names = tables.map(({ name }) => name)
  assertForeignKeys(tables, capabilities)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new StartError(`Two tables have the model name ${twice}. Rename one.`)
  const relations = relationsOf(tables)
  return Object.freeze(
    tables.map((table) => describeModel(table, capabilities, relations.get(table.name) ?? [])),
  )
}

/** Creates one model, with relations that the caller knows. Use `describeModels` for several tables. @throws StartError */
export const describeModel = (
  facts: TableFacts,
  capabilities: ValueCapabilities,
  relations: readonly Relation[] = [],
): Model => {
  assertTable(facts)
  const { name, app = 'app', table, primaryKey, uniques = [], readOnly = false, description } = facts
  const foreign = new Set((facts.foreignKeys ?? []).flatMap(({ fields }) => fields))
  const fields = facts.fields.map((field) =>
    describeField(facts, field, foreign.has(field.name), capabilities),
  )
  return Object.freeze<Model>({
    name,
    app,
    path: pathOf(name),
    fields: Object.freeze(fields),
    primaryKey: Object.freeze([...primaryKey]),
    uniques: Object.freeze(uniques.map((unique) => Object.freeze([...unique]))),
    relations: Object.freeze([...relations]),
    readOnly,
    ...(table !== undefined && isMigrationTable(table) && { internal: true as const }),
    deprecated: false,
    ...(description !== undefined && { description }),
    count: Object.freeze({ allowed: Object.freeze(['exact', 'estimated', 'none'] as const) }),
  })
}

const describeField = (
  { name: model, primaryKey }: TableFacts,
  facts: FieldFacts,
  isForeign: boolean,
  { exactText = false, literalContains = false, databaseDefaults = false }: ValueCapabilities,
): Field => {
  const { textual } = kinds[facts.kind]
  const isInexact = !exactText && isConfusable(facts)
  const isKey = primaryKey.includes(facts.name)
  if (isInexact && isKey)
    throw new StartError(
      `${model}: the primary key ${facts.name} is text, and the source does not compare strings exactly, so a request could reach another record. Use a column with a binary collation, or exclude the model.`,
    )
  const { hasDefault = false, generated = false } = facts
  const isUnknownDefault = hasDefault && facts.default === undefined && !generated && !isKey
  return Object.freeze<Field>({
    form: formsOf(facts.kind)[0] ?? 'string',
    nullable: false,
    ...facts,
    hasDefault,
    generated,
    access: 'read-write',
    optional: false,
    ...(isForeign && { foreign: true }),
    ...(isInexact && { conditions: facts.conditions === undefined ? 'inexact' : 'null' }),
    ...(textual && !literalContains && { literalOnly: true }),
    ...(isUnknownDefault && !databaseDefaults && { neededOnReplace: true }),
  })
}

const isConfusable = (field: FieldFacts): boolean => kinds[field.kind].confusable?.(field) === true

/** The possible forms of a kind's values, the usual one first. */
const forms: Readonly<Partial<Record<FieldKind, readonly ValueForm[]>>> = {
  boolean: ['boolean'],
  integer: ['number'],
  float: ['number'],
  bigint: ['bigint', 'string'],
  decimal: ['string', 'number', 'bigint'],
  date: ['date', 'string'],
  datetime: ['date', 'string'],
  localdatetime: ['date', 'string'],
  bytes: ['bytes'],
  json: ['json'],
  array: ['json'],
  opaque: ['json', 'string'],
}

export const formsOf = (kind: FieldKind): readonly ValueForm[] => forms[kind] ?? ['string']

const assertTable = ({ name, fields, primaryKey, uniques = [], foreignKeys = [] }: TableFacts): void => {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name))
    throw new StartError(`The model name ${JSON.stringify(name)} must be in PascalCase, such as OrderItem.`)
  assertFields(name, fields)
  const names = fields.map((field) => field.name)
  if (primaryKey.length === 0)
    throw new StartError(`${name}: a model needs a primary key. Name its fields, or leave the table out.`)
  for (const field of primaryKey) assertKnown(`${name}.primaryKey: unknown field`, field, names)
  for (const field of uniques.flat()) assertKnown(`${name}.uniques: unknown field`, field, names)
  for (const key of foreignKeys) {
    for (const field of key.fields) assertKnown(`${name}.foreignKeys: unknown field`, field, names)
    if (key.fields.length !== key.references.length || key.fields.length === 0)
      throw new StartError(
        `${name}.foreignKeys: the key to ${key.model} must have as many fields as references.`,
      )
  }
}

/** A foreign key that is left out because of a typing mistake would not be limited by scopes. */
const assertForeignKeys = (tables: readonly TableFacts[], { exactText = false }: ValueCapabilities): void => {
  for (const { name, foreignKeys = [] } of tables)
    for (const key of foreignKeys) {
      const place = `${name}.foreignKeys`
      assertKnown(
        `${place}: unknown model`,
        key.model,
        tables.map((table) => table.name),
      )
      const { fields = [] } = tables.find((table) => table.name === key.model) ?? {}
      for (const reference of key.references) {
        assertKnown(
          `${place}: ${key.model} has no field`,
          reference,
          fields.map((field) => field.name),
        )
        if (exactText || !fields.some((field) => field.name === reference && isConfusable(field))) continue
        throw new StartError(
          `${place}: the key to ${key.model} refers to the text ${reference}, and the source does not compare strings exactly, so it could refer to another record. Use a column with a binary collation, or exclude the model.`,
        )
      }
    }
}

/** Generated clients convert names to the naming style of their language, so they cannot have both. */
const assertFields = (model: string, fields: readonly FieldFacts[]): void => {
  const plain = new Map<string, string>()
  for (const field of fields) {
    assertKind(model, field)
    if (field.name === PROTOTYPE) throw prototypeField(model)
    const key = wordsOf(field.name).join(' ')
    const other = plain.get(key)
    if (other !== undefined)
      throw new StartError(
        `${model}: the fields ${other} and ${field.name} differ only in naming style, such as camelCase and snake_case, so generated clients cannot have both. Rename one key in the table and keep the column name: text('${field.name}').`,
      )
    plain.set(key, field.name)
  }
}

const assertKind = (model: string, { name, kind, form, values, element }: FieldFacts): void => {
  const place = `${model}.${name}`
  assertKnown(`${place}: unknown kind`, kind, Object.keys(kinds))
  if (form !== undefined) assertKnown(`${place}: unknown form of ${kind}`, form, formsOf(kind))
  if (kind === 'enum' && (values === undefined || values.length === 0))
    throw new StartError(`${place}: an enum needs its values.`)
  if (element !== undefined) assertKind(model, { ...element, name })
}

/** A JavaScript object cannot have a field with this name. */
export const PROTOTYPE = '__proto__'

export const prototypeField = (place: string): StartError =>
  new StartError(
    `${place}: a field cannot be named __proto__. Rename the key and keep the column name: proto: text('__proto__').`,
  )

/** Tables in which migration tools record the applied migrations. A database may have those of an earlier tool. */
const migrationTables: ReadonlySet<string> = new Set([
  '__drizzle_migrations',
  '_prisma_migrations',
  'alembic_version',
  'django_migrations',
  'flyway_schema_history',
  'knex_migrations',
  'knex_migrations_lock',
  'kysely_migration',
  'kysely_migration_lock',
  'mikro_orm_migrations',
  'schema_migrations',
  'sequelizemeta',
])

const isMigrationTable = (table: string): boolean => migrationTables.has(table.toLowerCase())
