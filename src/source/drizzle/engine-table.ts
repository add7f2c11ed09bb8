import {
  type Table as DrizzlesTable,
  getTableColumns,
  getTableName,
  getViewName,
  is,
  isTable,
  SQL,
} from 'drizzle-orm'
import type { Field } from '../../model/model.ts'
import { lazily, ownValue } from '../../model/objects.ts'
import type { Column, ForeignKey } from '../sql/table.ts'
import { sql } from '../sql/text.ts'
import { codecOf } from './codec.ts'
import { type TypedColumn, typeOf } from './column-types.ts'
import { type DeclaredForeignKey, readChecks, readIndexes, readKeys } from './constraints.ts'
import type { DrizzleConnection } from './database.ts'
import type { DescribedTable, DrizzleTable } from './tables.ts'

/** What it needs of drizzle's table is read when it is first asked for. */
export const drizzleTable = (database: DrizzleConnection, described: DescribedTable): DrizzleTable => {
  const { model, table, columns } = described
  const ofTable = <T>(read: (own: DrizzlesTable) => readonly T[]) =>
    lazily(() => (isTable(table) ? read(table) : []))
  const parts = {
    columns: lazily(() =>
      model.fields.map((field) => {
        const column = ownValue(columns, field.name)
        if (column === undefined) throw new Error(`${model.name} has no column for ${field.name}`)
        return columnOf(database, field, column)
      }),
    ),
    indexes: ofTable(readIndexes),
    checks: ofTable(readChecks),
    foreignKeys: ofTable((own) => readKeys(own, database.dialect).foreignKeys.map(foreignKeyIn(database))),
  }
  return Object.freeze<DrizzleTable>({
    ...{ described, model, sql: database.textOf(table), isView: !isTable(table) },
    name: isTable(table) ? getTableName(table) : getViewName(table),
    get columns() {
      return parts.columns()
    },
    get indexes() {
      return parts.indexes()
    },
    get checks() {
      return parts.checks()
    },
    get foreignKeys() {
      return parts.foreignKeys()
    },
  })
}

const foreignKeyIn =
  (database: DrizzleConnection) =>
  ({ table, ...key }: DeclaredForeignKey): ForeignKey => {
    const own = getTableColumns(table)
    const columns = key.references.flatMap((name) => ownValue(own, name) ?? []).map(database.columnName)
    return { ...key, table: database.textOf(table), columns }
  }

const columnOf = (database: DrizzleConnection, field: Field, column: TypedColumn): Column => {
  const { toSql } = database
  const codec = codecOf(database.dialect, field, column, toSql)
  const { default: given, defaultFn, onUpdateFn, mapping, autoIncrement } = column
  // Drizzle fills in what it knows of new records.
  const makeDefault = defaultFn ?? (given === undefined ? onUpdateFn : undefined)
  return Object.freeze<Column>({
    ...{ field, codec, name: database.columnName(column), stored: typeOf(column) },
    ...(mapping === 'changed' && { isMapped: true }),
    ...(autoIncrement === true && { autoIncrement }),
    ...(given !== undefined && { default: is(given, SQL) ? toSql(given) : { constant: given } }),
    ...(makeDefault && { makeDefault }),
    ...(onUpdateFn && { makeUpdate: onUpdateFn }),
    ...ofSqlite(column),
    inQuery: toSql(column),
  })
}

/** How SQLite stores what it has no type for. */
const ofSqlite = (column: TypedColumn): Pick<Column, 'decimal' | 'seconds'> => {
  const { columnType, precision = 0, scale, mode } = column
  if (columnType === 'SQLiteExactDecimal') {
    const units = column.getSQLType() === 'text' ? { precision } : 'number'
    return { decimal: { scale: scale ?? 0, units } }
  }
  if (columnType.startsWith('SQLiteNumeric')) return { decimal: { scale } }
  if (columnType !== 'SQLiteTimestamp') return {}
  return {
    // Divisions round toward zero, and times before 1970 are negative.
    seconds: (name) =>
      mode === 'timestamp_ms' ? sql`((${name} - (${name} % 1000 + 1000) % 1000) / 1000)` : name,
  }
}
