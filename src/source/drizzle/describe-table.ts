import { type Column, getTableColumns, is, SQL, type Table, type View } from 'drizzle-orm'
import { kinds } from '../../model/kinds/index.ts'
import type { Element, Field } from '../../model/model.ts'
import type { TypedField } from './column-types.ts'
import { type ForeignKey, readKeys } from './constraints.ts'
import type { ReadColumn, ReadField } from './read-columns.ts'
import type { Dialect, GivenTable } from './tables.ts'

/** A model before its relations are known. */
export interface Draft {
  readonly given: GivenTable
  readonly name: string
  readonly dialect: Dialect
  readonly table: Table | View
  readonly columns: Readonly<Record<string, Column>>
  readonly fields: readonly Field[]
  readonly primaryKey: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly readOnly: boolean
  /** What a view selects and no field can stand for. */
  readonly leftOut: readonly string[]
}

/** A draft, or in a sentence why there is none. */
export type Drafted = Draft | string

/** The draft of a table's model. */
export const describeTable = (
  given: GivenTable,
  name: string,
  table: Table,
  dialect: Dialect,
  read: ReadField,
): Drafted => {
  const columns = Object.entries(getTableColumns(table)).map(
    ([field, column]) => [field, read(field, column)] as const,
  )
  const { primaryKey, uniques, foreignKeys } = readKeys(table, dialect)
  if (primaryKey.length === 0) return 'it has no primary key'
  const referring = new Set(foreignKeys.flatMap(({ fields }) => fields))
  const place = (field: string, column: Column) => ({
    inPrimaryKey: primaryKey.includes(field),
    foreign: referring.has(field),
    // The next number would refer to whichever record has it.
    countsUp: dialect === 'sqlite' && isRowid(field, column, primaryKey) && !referring.has(field),
  })
  return {
    given,
    name,
    dialect,
    table,
    columns: Object.fromEntries(columns.map(([field, { column }]) => [field, column])),
    fields: columns.map(([field, each]) => describeField(field, each, place(field, each.column))),
    primaryKey,
    uniques: uniques.filter((fields) => !sameSet(fields, primaryKey)),
    foreignKeys,
    readOnly: false,
    leftOut: [],
  }
}

/** A lone `integer primary key` is SQLite's own row number, which it counts up. */
const isRowid = (field: string, column: Column, primaryKey: readonly string[]): boolean =>
  primaryKey.length === 1 && primaryKey[0] === field && column.getSQLType().toLowerCase() === 'integer'

const sameSet = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name) => right.includes(name))

/** What a column's table knows of it. */
interface ColumnPlace {
  readonly inPrimaryKey: boolean
  /** It is a part of a foreign key. */
  readonly foreign: boolean
  /** The database counts the key up by itself (SQLite's rowid). */
  readonly countsUp: boolean
}

/** The field of a table's column. */
const describeField = (name: string, { column, type: read }: ReadColumn, place: ColumnPlace): Field => {
  const { nullable = true, ...type } = read
  const generated = column.generated !== undefined || column.generatedIdentity?.type === 'always'
  const element: Element = { ...type, nullable: nullable && !column.notNull && !place.inPrimaryKey }
  return Object.freeze<Field>({
    name,
    ...element,
    hasDefault: column.hasDefault || generated || place.countsUp,
    ...(generated ? {} : constantDefault(column, element)),
    ...(place.countsUp && !isAutoIncrement(column) && { comesAgain: true }),
    ...(place.foreign && { foreign: true }),
    generated,
    access: 'read-write',
    optional: false,
  })
}

/** SQLite gives the largest number and one, and with AUTOINCREMENT none that there ever was. */
const isAutoIncrement = (column: Column & { readonly autoIncrement?: boolean }): boolean =>
  column.autoIncrement === true

/** The field of a view's column, which nobody writes. */
export const describeViewField = (name: string, read: TypedField, nullable: boolean): Field => {
  const { nullable: _never, ...type } = read
  return Object.freeze<Field>({
    name,
    ...type,
    nullable,
    hasDefault: false,
    generated: false,
    access: 'read-write',
    optional: false,
  })
}

const constantDefault = (column: Column, field: Element): { readonly default?: unknown } => {
  const value = defaultOf(column)
  if (value === undefined) return {}
  if (value === null) return { default: null }
  try {
    return { default: frozen(kinds[field.kind].write(value, field)) }
  } catch {
    // A default that the kind cannot show is still one: it is just not known to the documentation.
    return {}
  }
}

const defaultOf = (column: Column & { readonly defaultText?: string | undefined }): unknown =>
  is(column.default, SQL) ? column.defaultText : column.default

const frozen = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const copy: object = structuredClone(value)
  return freeze(copy)
}

const freeze = (value: object): object => {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) freeze(inner)
  return Object.freeze(value)
}
