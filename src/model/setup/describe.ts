import { assertKnown, StartError } from '../../error/errors.ts'
import {
  type FieldFacts,
  formsOf,
  PROTOTYPE,
  prototypeField,
  shadowedIn,
  type TableFacts,
  type ValueCapabilities,
} from '../facts.ts'
import { isConfusable, kinds } from '../kinds/index.ts'
import type { Field, Model, Relation } from '../model.ts'
import { pathOf } from '../naming.ts'
import { keylessOperations } from '../operations.ts'
import { comparisonsWith } from '../text-comparisons.ts'
import { relationsOf } from './relations.ts'

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
  assertTables(tables, capabilities)
  const relations = relationsOf(tables)
  return Object.freeze(
    tables.map((table) => describeModel(table, capabilities, relations.get(table.name) ?? [])),
  )
}

const describeModel = (
  facts: TableFacts,
  capabilities: ValueCapabilities,
  relations: readonly Relation[],
): Model => {
  const {
    name,
    app = 'app',
    table,
    primaryKey,
    uniques = [],
    readOnly = false,
    hidesRecords,
    description,
  } = facts
  const checked = (facts.foreignKeys ?? []).filter(({ unchecked }) => unchecked === undefined)
  const foreign = checked.map((key) => key.fields)
  const namesAlone = new Set([primaryKey, ...uniques, ...foreign].filter(({ length }) => length === 1).flat())
  const shadowed = shadowedIn({
    ...facts,
    foreign: (facts.foreignKeys ?? []).flatMap((key) => key.fields),
  })
  const fields = facts.fields.map((field) =>
    describeField(
      facts,
      field,
      {
        isForeign: foreign.flat().includes(field.name),
        isOfOneRecord: namesAlone.has(field.name),
        shadowedBy: shadowed.get(field.name),
      },
      capabilities,
    ),
  )
  return Object.freeze<Model>({
    name,
    app,
    path: pathOf(name),
    fields: Object.freeze(fields),
    primaryKey: Object.freeze([...primaryKey]),
    uniques: Object.freeze(uniques.map((unique) => Object.freeze([...unique]))),
    relations: Object.freeze([...relations]),
    readOnly: readOnly || primaryKey.length === 0,
    ...(primaryKey.length === 0 && { operations: keylessOperations }),
    ...(hidesRecords === true && { hidesRecords }),
    ...(table !== undefined && isMigrationTable(table) && { internal: true as const }),
    deprecated: false,
    ...(description !== undefined && { description }),
    count: Object.freeze({ allowed: Object.freeze(['exact', 'estimated', 'none'] as const) }),
  })
}

/** What the keys and the other fields of the table say about a field. */
interface FieldRole {
  readonly isForeign: boolean
  readonly isOfOneRecord: boolean
  readonly shadowedBy: string | undefined
}

const describeField = (
  { name: model, primaryKey }: TableFacts,
  facts: FieldFacts,
  { isForeign, isOfOneRecord, shadowedBy }: FieldRole,
  capabilities: ValueCapabilities,
): Field => {
  const { exactText = false, exactKeys = false } = capabilities
  const { literalContains = false, databaseDefaults = false } = capabilities
  const { textual } = kinds[facts.kind]
  const isKey = primaryKey.includes(facts.name)
  const isInexact = !exactText && !(exactKeys && isOfOneRecord) && isConfusable(facts)
  if (isInexact && isKey && !exactKeys)
    throw new StartError(
      `${model}: the primary key ${facts.name} is text, and the source does not compare strings exactly, so a request could reach another record. Use a column with a binary collation, or exclude the model.`,
    )
  const comparisons = textual ? comparisonsWith(capabilities, isInexact) : []
  const { generated = false, hasDefault = facts.default !== undefined } = facts
  const isUnknownDefault = hasDefault && facts.default === undefined && !generated && !isKey
  const { jsonPaths = false, arrayElements = false } = capabilities
  const { jsonPaths: hasPaths, comparesElements, ...others } = facts
  const field = Object.freeze<Field>({
    form: formsOf(facts.kind)[0] ?? 'string',
    nullable: false,
    ...others,
    ...(jsonPaths && hasPaths && { jsonPaths: hasPaths }),
    ...(arrayElements && comparesElements && { comparesElements }),
    hasDefault,
    generated,
    access: facts.access ?? 'read-write',
    ...(shadowedBy !== undefined && { shadowedBy }),
    optional: false,
    ...(isForeign && { foreign: true }),
    ...(isInexact && { conditions: facts.conditions === undefined ? 'inexact' : 'null' }),
    ...(textual && !literalContains && { literalOnly: true }),
    ...(comparisons.length > 0 && { comparisons: Object.freeze(comparisons) }),
    ...(isUnknownDefault && !databaseDefaults && { neededOnReplace: true }),
  })
  assertDefault(model, field)
  return field
}

const assertDefault = (model: string, field: Field): void => {
  if (field.default === undefined || field.default === null) return
  const reading = kinds[field.kind].read(field.default, field)
  if (!reading.ok && reading.code === 'wrong_type')
    throw new StartError(`${model}.${field.name}: the default must be JSON for the kind ${field.kind}.`)
}

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

/** @throws StartError for a mistake in the facts of one table, or in its foreign keys to the others */
const assertTables = (tables: readonly TableFacts[], capabilities: ValueCapabilities): void => {
  const names = tables.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new StartError(`Two tables have the model name ${twice}. Rename one.`)
  for (const table of tables) assertTable(table)
  assertForeignKeys(tables, capabilities)
}

const assertTable = ({ name, fields, primaryKey, uniques = [], foreignKeys = [] }: TableFacts): void => {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name))
    throw new StartError(`The model name ${JSON.stringify(name)} must be in PascalCase, such as OrderItem.`)
  for (const field of fields) {
    assertKind(name, field)
    if (field.name === PROTOTYPE) throw prototypeField(name)
  }
  const names = fields.map((field) => field.name)
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
const assertForeignKeys = (
  tables: readonly TableFacts[],
  { exactText = false, exactKeys = false }: ValueCapabilities,
): void => {
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
        const isKept = exactText || (exactKeys && key.unchecked === undefined)
        if (isKept || !fields.some((field) => field.name === reference && isConfusable(field))) continue
        throw new StartError(
          `${place}: the key to ${key.model} refers to the text ${reference}, and the source does not compare strings exactly, so it could refer to another record. Use a column with a binary collation, or exclude the model.`,
        )
      }
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
