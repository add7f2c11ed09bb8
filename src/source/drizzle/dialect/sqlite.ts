import { type Column, getTableName, is, isTable, SQL, sql } from 'drizzle-orm'
import { ownValue } from '../../../model/objects.ts'
import { assertDeclared, declaredTypes, type StoredAs } from '../../sql/declared-types.ts'
import { readSqliteError } from '../../sql/sqlite-errors.ts'
import { isCustom } from '../custom-column.ts'
import { type Database, runOnce } from '../database.ts'
import type { DescribedTable } from '../tables.ts'
import type { DialectRow } from './port.ts'

/** SQLite does not have a keyword for a column's default, so it comes from drizzle. */
const knownDefault = (column: Column): SQL | undefined => {
  if (column.default === undefined) return undefined
  return is(column.default, SQL) ? column.default : sql`${sql.param(column.default, column)}`
}

const unquoted = (quoted: string): string => quoted.slice(1, -1).replaceAll('""', '"')

/** SQLite's JSON loses a digit of fractions and cannot contain blobs. */
const isExactInJson = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value)

const stored: Readonly<Record<string, 'number' | 'text'>> = {
  integer: 'number',
  real: 'number',
  text: 'text',
}

/** Columns whose own mappers may read anything are not compared. */
const storedAs = (database: Database, { model, table, columns }: DescribedTable): readonly StoredAs[] =>
  !isTable(table)
    ? []
    : Object.values(columns).flatMap((column): readonly StoredAs[] => {
        const as = isCustom(column) ? undefined : ownValue(stored, column.getSQLType())
        const about = { model: model.name, table: getTableName(table) }
        return as === undefined ? [] : [{ ...about, column: database.columnName(column), as }]
      })

const assertSafe: DialectRow['assertSafe'] = async (database, tables) => {
  const rows = await runOnce(database, sql.raw(declaredTypes), (found) => found.map((row) => Array.from(row)))
  assertDeclared(
    'drizzleModels',
    rows ?? [],
    tables.flatMap((described) => storedAs(database, described)),
  )
}

export const sqlite: DialectRow = {
  assertSafe,
  noun: 'SQLite',
  unicodeCaseFolding: false,
  hasBooleans: false,
  selected: (column, name) =>
    column.columnType === 'SQLiteNumericBigInt' ? sql`cast(${name} as text)` : name,
  // Not `like`, which compares character by character and starts again at each character of the text: 50 searches for
  // 31 `a` and a `z` in a string of 100,000 `a` would block the process for seconds. `instr` on the lower-case string
  // compares blocks of memory. It takes two to three times as long for other strings.
  contains: (value) => ({
    way: 'any',
    parameter: value,
    sql: (name, slot) => sql`instr(lower(${name}), lower(${slot})) > 0`,
  }),
  anyOf: {
    toParameter: (values) => (values.every(isExactInJson) ? JSON.stringify(values) : undefined),
    sql: (side, slot) => sql`${side} in (select value from json_each(${slot}))`,
  },
  // Drizzle stores the digits as a blob, which sorts by bytes.
  ordered: ({ columnType }, side) => (columnType === 'SQLiteBigInt' ? sql`cast(${side} as integer)` : side),
  // The table may use `collate nocase`, which drizzle does not know.
  exactText: (_column, name) => sql`${name} collate binary`,
  defaults: { insert: knownDefault, update: (column) => knownDefault(column) ?? sql`null` },
  insertsDefault: false,
  noValues: sql`default values`,
  // Transactions begin with the write lock.
  locked: sql``,
  relatedBy: 'exists-by-index',
  readsWhatItChanges: true,
  exists: (quoted) =>
    sql`exists (select 1 from sqlite_master where type in ('table', 'view') and name = ${unquoted(quoted)} collate nocase)`,
  place: sql`select file from pragma_database_list where name = 'main'`,
  // `sqlite_stat1` exists once ANALYZE has run. Its strings begin with the number of rows: `1000 10 1`.
  statistics: {
    rowsOf: (quoted) =>
      sql`select max(cast(stat as integer)) from sqlite_stat1 where tbl = ${unquoted(quoted)} collate nocase`,
  },
  comparesRows: false,
  readError: readSqliteError,
  isMissingColumn: ({ message }) => /no such column/.test(message),
}
