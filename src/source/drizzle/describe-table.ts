import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import { describeField } from './describe-field.ts'
import type { Drafted } from './draft.ts'
import type { GivenTable } from './given-tables.ts'
import type { ReadNamed } from './read-columns.ts'
import { readKeys } from './read-table.ts'
import type { Dialect } from './table.ts'

/** The draft of a table's model. */
export const describeTable = (
  given: GivenTable,
  name: string,
  table: Table,
  dialect: Dialect,
  read: ReadNamed,
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
