import { Column, getTableColumns, getTableUniqueName, is, isTable, SQL, Table, type View } from 'drizzle-orm'
import type { FieldFacts } from '../../model/facts.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { Dialect } from '../sql/text.ts'
import type { ColumnFacts, TypedColumn } from './column-types.ts'
import { primaryKeyColumns, readKeys, type TableKeys } from './constraints.ts'
import { withFacts } from './custom-column.ts'
import { decoderOf, partOf } from './internals.ts'
import type { ReadColumn } from './read-columns.ts'
import type { GivenTable } from './tables.ts'

/** A model without its relations, which are added later. */
export interface Draft extends TableDescription {
  readonly given: GivenTable
  readonly name: string
  readonly dialect: Dialect
  readonly table: Table | View
}

interface TableDescription extends TableKeys {
  readonly columns: Readonly<Record<string, Column>>
  readonly fields: readonly FieldFacts[]
  readonly readOnly: boolean
  /** Selected columns of a view that cannot become fields. */
  readonly leftOut: readonly string[]
}

type ReadField = (field: string, column: Column) => ReadColumn

/** The draft of the model of a table or view, or a sentence that says why it is omitted. */
export const modelDraft = (
  given: GivenTable,
  name: string,
  dialect: Dialect,
  read: ReadField,
): Draft | string => {
  const { source: table } = given
  const found = isTable(table) ? describeTable(table, dialect, read) : describeView(table, read)
  return typeof found === 'string' ? found : { ...found, given, name, dialect, table }
}

const describeTable = (table: Table, dialect: Dialect, read: ReadField): TableDescription | string => {
  const keys = readKeys(table, dialect)
  const { primaryKey } = keys
  const referring = new Set(keys.foreignKeys.flatMap(({ fields }) => fields))
  const columns = Object.entries(getTableColumns(table)).map(
    ([field, column]) => [field, read(field, column)] as const,
  )
  const fields = columns.map(([name, read]) => {
    const foreign = referring.has(name)
    // Another record may get the same number later.
    const countsUp = dialect === 'sqlite' && isRowid(name, read.column, primaryKey) && !foreign
    const inPrimaryKey = primaryKey.includes(name)
    return describeField(name, read, { inPrimaryKey, foreign, countsUp })
  })
  return { ...keys, columns: columnsOf(columns), fields, readOnly: false, leftOut: [] }
}

const columnsOf = (columns: readonly (readonly [string, ReadColumn])[]): TableDescription['columns'] =>
  Object.fromEntries(columns.map(([field, { column }]) => [field, column]))

/** A single `integer primary key` is SQLite's row id, which SQLite generates. */
const isRowid = (field: string, column: Column, primaryKey: readonly string[]): boolean =>
  primaryKey.length === 1 && primaryKey[0] === field && column.getSQLType().toLowerCase() === 'integer'

/** @param place properties of the table. `countsUp`: the database generates the key by counting */
const describeField = (
  name: string,
  read: ReadColumn,
  place: Readonly<Record<'inPrimaryKey' | 'foreign' | 'countsUp', boolean>>,
): FieldFacts => {
  const { column, type } = read
  const generated = column.generated !== undefined || column.generatedIdentity?.type === 'always'
  const field = plainField(name, read, type.nullable !== false && !column.notNull && !place.inPrimaryKey)
  return Object.freeze({
    ...field,
    hasDefault: column.hasDefault || generated || place.countsUp,
    ...(!generated && constantDefault(column, field)),
    ...(place.countsUp && column.autoIncrement !== true && { comesAgain: true }),
    ...(place.foreign && { foreign: true }),
    generated,
  })
}

const plainField = (name: string, { type }: ReadColumn, nullable: boolean) => ({
  name,
  ...type,
  nullable,
})

const constantDefault = (
  column: TypedColumn,
  field: ReturnType<typeof plainField>,
): { readonly default?: unknown } => {
  const value: unknown = is(column.default, SQL) ? column.defaultText : column.default
  if (value === undefined) return {}
  if (value === null) return { default: null }
  try {
    return { default: frozen(structuredClone(kinds[field.kind].write(value, field))) }
  } catch {
    // A default that the kind cannot write as JSON still applies, but the OpenAPI document does not show it.
    return {}
  }
}

const frozen = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

interface ViewConfig {
  readonly name: string
  readonly schema: string | undefined
  readonly selectedFields: Readonly<Record<string, unknown>>
}

interface Selected {
  readonly field: string
  readonly column: Column
  /** The selected column. */
  readonly origin: Column
}

const describeView = (view: View, read: ReadField): TableDescription | string => {
  const config = partOf(view, 'ViewBaseConfig') as ViewConfig
  const selection = selectionOf(config)
  const primaryKey = keyOf(selection)
  // Columns of several tables come from a join, which may have no record of any of them.
  const joined = new Set(selection.map(({ origin }) => getTableUniqueName(origin.table))).size > 1
  const columns = selection.map(({ field, column }) => [field, read(field, column)] as const)
  const fields = columns.map(([name, read]) => {
    const nullable = !primaryKey.includes(name) && (joined || !read.column.notNull)
    return Object.freeze(plainField(name, read, nullable))
  })
  const served = new Set(selection.map(({ field }) => field))
  const leftOut = Object.keys(config.selectedFields).filter((name) => !served.has(name))
  const keys: TableKeys = { primaryKey, uniques: [], foreignKeys: [] }
  return { ...keys, columns: columnsOf(columns), fields, readOnly: true, leftOut }
}

/** Groups (`select({ user: users })`) and unnamed expressions do not have a column in the view. */
const selectionOf = ({ name, schema, selectedFields }: ViewConfig): readonly Selected[] => {
  const table = new Table(name, schema, name)
  return Object.keys(selectedFields).flatMap((field) => {
    // Reads the descriptor: through drizzle's proxy, the property is a column of the view instead.
    const origin: unknown = Object.getOwnPropertyDescriptor(selectedFields, field)?.value
    if (is(origin, Column)) return [{ field, origin, column: selectedFields[field] as Column }]
    if (!is(origin, SQL.Aliased)) return []
    const column = expressionColumn(table, origin)
    return [{ field, origin: column, column }]
  })
}

/** The primary key of the only table whose whole key is selected; with several or no such tables, the field `id`. */
const keyOf = (selection: readonly Selected[]): readonly string[] => {
  const selectionsByTable = Map.groupBy(selection, ({ origin }) => getTableUniqueName(origin.table))
  const keys = [...selectionsByTable.values()].flatMap((selected) => {
    const key = selected[0] === undefined ? [] : primaryKeyColumns(selected[0].origin.table)
    const fields = key.flatMap((name) => selected.find(({ origin }) => origin.name === name)?.field ?? [])
    return key.length > 0 && fields.length === key.length ? [fields] : []
  })
  if (keys.length === 1) return keys[0] ?? []
  return selection.some(({ field }) => field === 'id') ? ['id'] : []
}

interface Decoder {
  readonly mapFromDriverValue: (value: unknown) => unknown
}

/** The decoder of an expression determines its type (`sql`…`.mapWith(Number)`, or with a column). */
const expressionColumn = (table: Table, { sql, fieldAlias }: SQL.Aliased): Column => {
  const decoder = decoderOf(sql) as Decoder
  const place = { table, name: fieldAlias, notNull: false, keyAsName: false }
  return withFacts(is(decoder, Column) ? decoder : computedColumn(decoder), place)
}

/** A column of which only the decoder is known. */
const computedColumn = (decoder: Decoder): Column => {
  const facts: ColumnFacts & Decoder = {
    columnType: decoder.mapFromDriverValue === Number ? 'NumberExpression' : 'Expression',
    getSQLType: () => 'expression',
    mapFromDriverValue: (value) => decoder.mapFromDriverValue(value),
  }
  return withFacts(Object.create(Column.prototype), facts)
}
