import { type Column, is, SQL, sql } from 'drizzle-orm'
import { readSqliteError } from '../../sql/sqlite-errors.ts'
import type { DialectRow } from './port.ts'

/** SQLite has no keyword for a column's default; drizzle knows it. */
const knownDefault = (column: Column): SQL | undefined => {
  if (column.default === undefined) return undefined
  return is(column.default, SQL) ? column.default : sql`${sql.param(column.default, column)}`
}

const unquoted = (quoted: string): string => quoted.slice(1, -1).replaceAll('""', '"')

/** Numbers with a fraction, which SQLite reads a digit short, and blobs have no place in its JSON. */
const isExactInJson = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value)

export const sqlite: DialectRow = {
  noun: 'SQLite',
  unicodeCaseFolding: false,
  hasBooleans: false,
  selected: (column, name) =>
    column.columnType === 'SQLiteNumericBigInt' ? sql`cast(${name} as text)` : name,
  // Not `like`, which compares letter by letter, again at each character of the text: an `a` 100,000 times, asked for 50
  // times for 31 of them and a `z`, would hold a process for seconds. The text is lowered once, and memory is compared as a
  // whole. For a text of no such kind that costs twice to three times as much.
  contains: (value) => ({
    way: 'any',
    parameter: value,
    sql: (name, slot) => sql`instr(lower(${name}), lower(${slot})) > 0`,
  }),
  anyOf: {
    toParameter: (values) => (values.every(isExactInJson) ? JSON.stringify(values) : undefined),
    sql: (side, slot) => sql`${side} in (select value from json_each(${slot}))`,
  },
  // Drizzle stores the digits as a blob, whose bytes have another order.
  ordered: ({ columnType }, side) => (columnType === 'SQLiteBigInt' ? sql`cast(${side} as integer)` : side),
  // A table may have been made with `collate nocase`, which drizzle does not know of.
  exactText: (_column, name) => sql`${name} collate binary`,
  defaults: { insert: knownDefault, update: (column) => knownDefault(column) ?? sql`null` },
  noValues: sql`default values`,
  // It begins its transactions as the one that writes.
  locked: sql``,
  readsWhatItChanges: true,
  exists: (quoted) =>
    sql`exists (select 1 from sqlite_master where type in ('table', 'view') and name = ${unquoted(quoted)} collate nocase)`,
  // There is a table of statistics once ANALYZE has run. Its texts begin with the number of rows: `1000 10 1`.
  statistics: {
    rowsOf: (quoted) =>
      sql`select max(cast(stat as integer)) from sqlite_stat1 where tbl = ${unquoted(quoted)} collate nocase`,
  },
  comparesRows: false,
  readError: readSqliteError,
}
