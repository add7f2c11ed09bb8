import { Column, getTableUniqueName, is, SQL, Table, type View, ViewBaseConfig } from 'drizzle-orm'
import { describeViewField } from './describe-field.ts'
import type { Drafted } from './draft.ts'
import { expressionColumn } from './expression-column.ts'
import type { GivenTable } from './given-tables.ts'
import type { ReadNamed } from './read-columns.ts'
import { primaryKeyColumns } from './read-table.ts'
import type { Dialect } from './table.ts'

interface ViewConfig {
  readonly name: string
  readonly schema: string | undefined
  readonly selectedFields: Readonly<Record<string, unknown>>
}

/** A column of the view, and the one that it was selected from. */
interface Selected {
  readonly field: string
  readonly column: Column
  readonly origin: Column
}

/** The draft of a view's model, which is read-only. */
export const describeView = (
  given: GivenTable,
  name: string,
  view: View,
  dialect: Dialect,
  read: ReadNamed,
): Drafted => {
  const config = Reflect.get(view, ViewBaseConfig) as ViewConfig
  const selection = selectionOf(config)
  const primaryKey = keyOf(selection)
  if (primaryKey.length === 0) return 'none of its fields is known to be a key (a primary key, or `id`)'
  const columns = selection.map(({ field, column }) => [field, read(field, column)] as const)
  // Columns of several tables come from a join, which may leave out any of them.
  const joined = new Set(selection.map(({ origin }) => getTableUniqueName(origin.table))).size > 1
  return {
    given,
    name,
    dialect,
    table: view,
    columns: Object.fromEntries(columns.map(([field, { column }]) => [field, column])),
    fields: columns.map(([field, { column, type }]) =>
      describeViewField(field, type, !primaryKey.includes(field) && (joined || !column.notNull)),
    ),
    primaryKey,
    uniques: [],
    foreignKeys: [],
    readOnly: true,
    leftOut: Object.keys(config.selectedFields).filter(
      (name) => !selection.some(({ field }) => field === name),
    ),
  }
}

/** Groups (`select({ user: users })`) and expressions without a name have no column in the view. */
const selectionOf = ({ name, schema, selectedFields }: ViewConfig): readonly Selected[] => {
  const table = new Table(name, schema, name)
  return Object.keys(selectedFields).flatMap((field) => {
    // The property itself is the origin. Read through drizzle's proxy, it is a column of the view.
    const origin: unknown = Object.getOwnPropertyDescriptor(selectedFields, field)?.value
    if (is(origin, Column)) return [{ field, origin, column: selectedFields[field] as Column }]
    if (!is(origin, SQL.Aliased)) return []
    const column = expressionColumn(table, origin)
    return [{ field, origin: column, column }]
  })
}

/** The whole primary key of the one table that is there with it; of several, or of none, the field `id`. */
const keyOf = (selection: readonly Selected[]): readonly string[] => {
  const tables = new Map(selection.map(({ origin }) => [getTableUniqueName(origin.table), origin.table]))
  const keys = [...tables.values()].flatMap((table) => {
    const key = primaryKeyColumns(table).map(
      (name) => selection.find(({ origin }) => origin.name === name && isOf(table, origin))?.field,
    )
    const fields = key.filter((field) => field !== undefined)
    return key.length > 0 && fields.length === key.length ? [fields] : []
  })
  if (keys.length === 1) return keys[0] ?? []
  return selection.some(({ field }) => field === 'id') ? ['id'] : []
}

const isOf = (table: Table, column: Column): boolean =>
  getTableUniqueName(column.table) === getTableUniqueName(table)
