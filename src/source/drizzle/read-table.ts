import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import { ownValue } from '../../model/own-value.ts'
import type { Dialect } from './table.ts'
import { type Extra, extrasOf, fieldsOf, primaryKeyOf } from './table-extras.ts'

/** A foreign key, in field names. */
export interface ForeignKey {
  readonly fields: readonly string[]
  readonly table: Table
  /** Fields of that table, in the same order. */
  readonly references: readonly string[]
  /** A record that is referred to cannot be deleted. */
  readonly restricts: boolean
}

/** What a table says of its keys, in field names. */
export interface TableKeys {
  /** Empty where there is none. */
  readonly primaryKey: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
}

const inlineForeignKeys: Readonly<Record<Dialect, symbol>> = {
  sqlite: Symbol.for('drizzle:SQLiteInlineForeignKeys'),
  pg: Symbol.for('drizzle:PgInlineForeignKeys'),
  mysql: Symbol.for('drizzle:MySqlInlineForeignKeys'),
}

/**
 * Reads the keys of a table. Drizzle's own `getTableConfig` would do, but it is one for each dialect, and loading the
 * two that the application does not use takes longer than all the rest of the start.
 */
export const readKeys = (table: Table, dialect: Dialect): TableKeys => {
  const columns = Object.entries(getTableColumns(table))
  const extras = extrasOf(table)
  const inline = Reflect.get(table, inlineForeignKeys[dialect]) as readonly Extra[]
  return {
    primaryKey: primaryKeyOf(table, extras),
    uniques: distinct([
      ...columns.filter(([, column]) => column.isUnique).map(([name]) => [name]),
      ...extras('UniqueConstraintBuilder').map(({ columns: named = [] }) => fieldsOf(table, named)),
      ...extras('IndexBuilder').flatMap(({ config }) => uniqueIndex(table, config)),
    ]),
    foreignKeys: [...inline, ...extras('ForeignKeyBuilder')].flatMap((extra) => foreignKey(table, extra)),
  }
}

/** The SQL names of a table's primary key. Those of a view or a subquery have none. */
export const primaryKeyColumns = (table: Table): readonly string[] => {
  const columns: Readonly<Record<string, Column>> | undefined = getTableColumns(table)
  if (columns === undefined) return []
  return primaryKeyOf(table, extrasOf(table)).flatMap((field) => ownValue(columns, field)?.name ?? [])
}

/** A part of the records, or an expression, says nothing about all records. */
const uniqueIndex = (table: Table, config: Extra['config']): readonly (readonly string[])[] => {
  if (config?.unique !== true || config.where !== undefined) return []
  const fields = fieldsOf(table, config.columns)
  return fields.length === config.columns.length ? [fields] : []
}

const restricting: readonly unknown[] = [undefined, 'no action', 'restrict']

const foreignKey = (table: Table, { reference, onDelete, _onDelete }: Extra): readonly ForeignKey[] => {
  if (reference === undefined) return []
  const { columns, foreignTable, foreignColumns } = reference()
  return [
    {
      fields: fieldsOf(table, columns),
      table: foreignTable,
      references: fieldsOf(foreignTable, foreignColumns),
      restricts: restricting.includes(typeof onDelete === 'function' ? _onDelete : onDelete),
    },
  ]
}

const distinct = (sets: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(sets.map((fields) => [[...fields].sort().join(), fields])).values(),
]
