import { Column, getTableColumns, getTableName, is, SQL, type Table } from 'drizzle-orm'
import { extrasOf, fieldsOf, type Named, primaryKeyOf } from './table-extras.ts'

/** A check constraint, in field names. */
export interface Check {
  readonly name: string
  readonly fields: readonly string[]
}

/** The checks of a table that have a name. */
export const readChecks = (table: Table): readonly Check[] =>
  extrasOf(table)('CheckBuilder').flatMap(({ name, value }) =>
    name === undefined || value === undefined ? [] : [{ name, fields: fieldsOf(table, columnsIn(value)) }],
  )

const columnsIn = (expression: SQL): readonly Named[] =>
  expression.queryChunks.flatMap((chunk) => {
    if (is(chunk, SQL)) return columnsIn(chunk)
    return is(chunk, Column) ? [chunk] : []
  })

/** A unique index or key, by the names that it may have in the database. */
export interface Index {
  readonly names: readonly string[]
  readonly fields: readonly string[]
}

/** The unique indexes and keys of a table. One without a name of its own has the one that drizzle or MySQL gives it. */
export const readIndexes = (table: Table): readonly Index[] => {
  const columns: readonly (readonly [string, Column])[] = Object.entries(getTableColumns(table))
  const extras = extrasOf(table)
  const given = [
    ...extras('UniqueConstraintBuilder').map(({ name, columns: named = [] }) => ({ name, named })),
    ...extras('IndexBuilder').map(({ config }) => ({ name: config?.name, named: config?.columns ?? [] })),
  ]
  return [
    { names: ['PRIMARY'], fields: primaryKeyOf(table, extras) },
    ...columns
      .filter(([, column]) => column.isUnique)
      .map(([field, { name, uniqueName }]) => ({ names: [uniqueName ?? name, name], fields: [field] })),
    ...given.map(({ name, named }) => ({
      names: [name ?? `${getTableName(table)}_${named.map((column) => column.name).join('_')}_unique`],
      fields: fieldsOf(table, named),
    })),
  ]
}
