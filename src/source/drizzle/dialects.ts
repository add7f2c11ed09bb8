import { type Column, is, SQL, type SQLChunk, sql } from 'drizzle-orm'
import { readPgError } from '../sql/pg-errors.ts'
import { readSqliteError } from '../sql/sqlite-errors.ts'
import { pgAnyOf, sqliteAnyOf } from './any-of.ts'
import { isCollated, mappingOf } from './column-types.ts'
import { pgContains, sqliteContains } from './contains.ts'
import type { Database, ServedDialect } from './database.ts'
import type { DialectRow } from './dialect-row.ts'
import { mysqlRow } from './mysql/row.ts'
import { pgStatistics, sqliteStatistics } from './statistics.ts'

/** SQLite has no keyword for a column's default; drizzle knows it. */
const knownDefault = (column: Column): SQL | undefined => {
  if (column.default === undefined) return undefined
  return is(column.default, SQL) ? column.default : sql`${sql.param(column.default, column)}`
}

const unquoted = (quoted: string): string => quoted.slice(1, -1).replaceAll('""', '"')

/** PostgreSQL's own text types compare byte for byte; `char` and `citext` do not. */
const exactPgTypes: ReadonlySet<string> = new Set(['PgText', 'PgVarchar'])

/** The drivers parse JSON and drizzle parses it again, so that the string `"1"` becomes the number 1: read as text, it is parsed once. */
const pgJson: ReadonlySet<string> = new Set(['PgJson', 'PgJsonb'])

/** A number beyond single precision is infinity, which drivers take as text. */
const singlePrecision = (value: unknown): unknown => {
  const single = Math.fround(Number(value))
  return Number.isFinite(single) ? single : String(single)
}

const nullsLargest: DialectRow['nullsLargest'] = (_name, side, direction) =>
  direction === 'asc' ? sql`${side} asc nulls last` : sql`${side} desc nulls first`

/** Drizzle's columns and the values of fields are all that there is to writing. */
const asItIs = {
  toDriver: (): undefined => undefined,
  written: (_column: Column, slot: SQLChunk): SQLChunk => slot,
  noValues: sql`default values`,
  readsWhatItChanges: true,
  nullsLargest,
} as const

export const dialectRows: Readonly<Record<ServedDialect, DialectRow>> = Object.freeze({
  sqlite: {
    ...asItIs,
    noun: 'SQLite',
    unicodeCaseFolding: false,
    hasBooleans: false,
    selected: (column, name) =>
      column.columnType === 'SQLiteNumericBigInt' ? sql`cast(${name} as text)` : name,
    contains: sqliteContains,
    anyOf: sqliteAnyOf,
    compared: () => ({}),
    // Drizzle stores the digits as a blob, whose bytes have another order.
    ordered: ({ columnType }, side) => (columnType === 'SQLiteBigInt' ? sql`cast(${side} as integer)` : side),
    // A table may have been made with `collate nocase`, which drizzle does not know of.
    exactText: (_column, name) => sql`${name} collate binary`,
    defaults: { insert: knownDefault, update: (column) => knownDefault(column) ?? sql`null` },
    // It begins its transactions as the one that writes.
    locked: sql``,
    exists: (quoted) =>
      sql`exists (select 1 from sqlite_master where type in ('table', 'view') and name = ${unquoted(quoted)} collate nocase)`,
    statistics: sqliteStatistics,
    comparesRows: false,
    readError: readSqliteError,
  },
  pg: {
    ...asItIs,
    noun: 'PostgreSQL',
    // By the locale of the database, which is hardly ever plain C.
    unicodeCaseFolding: true,
    hasBooleans: true,
    selected: (column, name) =>
      pgJson.has(column.columnType) && mappingOf(column) !== 'changed' ? sql`${name}::text` : name,
    // A collation that takes different texts as equal cannot be searched in.
    searched: (column, name) => (isCollated(column) ? sql`${name} collate "default"` : name),
    contains: pgContains,
    anyOf: pgAnyOf,
    // A value that its type cannot read or hold is not an error: there is just no record that has it.
    compared: (column, name, { kind }) => {
      if (kind === 'token') return { name: sql`nullif(concat(${name}), '')` }
      return column.columnType === 'PgReal' ? { toColumn: singlePrecision } : {}
    },
    ordered: (_column, side) => side,
    // `concat` keeps the spaces at the end of a `char`, which a cast to text does not.
    exactText: (column, name) => {
      if (isCollated(column)) return sql`${name} collate "C"`
      return exactPgTypes.has(column.columnType) ? undefined : sql`concat(${name})`
    },
    defaults: { insert: () => undefined, update: () => sql`default` },
    locked: sql` for update`,
    exists: (quoted) => sql`to_regclass(${quoted}) is not null`,
    statistics: pgStatistics,
    comparesRows: true,
    readError: readPgError,
  },
  mysql: mysqlRow,
} satisfies Record<ServedDialect, DialectRow>)

export const dialectOf = ({ dialect }: Database): DialectRow => dialectRows[dialect]
