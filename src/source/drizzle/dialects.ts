import { type Column, is, SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Field } from '../../model/model.ts'
import { type AnyOf, pgAnyOf, sqliteAnyOf } from './any-of.ts'
import { type Containing, pgContains, sqliteContains } from './contains.ts'
import type { Database, ServedDialect } from './database.ts'
import type { DriverRefusal } from './errors.ts'
import { readPgError } from './pg-errors.ts'
import { readSqliteError } from './sqlite-errors.ts'
import { pgStatistics, type Statistics, sqliteStatistics } from './statistics.ts'

/** All that the databases do differently. */
export interface DialectRow {
  readonly noun: string
  /** `contains` folds the case of all of Unicode. */
  readonly unicodeCaseFolding: boolean
  /** A column in the list of those to read. */
  selected(column: Column, name: SQLChunk): SQLChunk
  /** A value anywhere in a text, without regard to case. */
  contains(value: string): Containing
  readonly anyOf: AnyOf
  /** How a column is compared, where that is not with any value of its field's form. */
  compared(column: Column, name: SQLChunk, field: Field): Comparing
  /** The column, or a value for it, where it is about smaller and larger. */
  ordered(column: Column, side: SQLChunk): SQLChunk
  /** The text of a column whose own comparison may take different texts as equal. `undefined`: it does not. */
  exactText(column: Column, name: SQLChunk): SQL | undefined
  /** What writes the default of a column. `undefined` in an insert: the column is left out. */
  readonly defaults: { insert(column: Column): SQL | undefined; update(column: Column): SQL }
  /** Behind a select: nobody else changes what it reads before the transaction ends. */
  readonly locked: SQL
  /** Whether there is a table or view. @param quoted its name as it stands in a statement */
  exists(quoted: string): SQL
  readonly statistics: Statistics
  /** An index takes a comparison of rows as one range. An equality would tempt the planner into another index. */
  readonly comparesRows: boolean
  /** What the driver's error means. `undefined`: something else. */
  readError(error: object): DriverRefusal | undefined
}

/** What stands in a comparison in place of the column, and what is made of the value. */
export interface Comparing {
  readonly name?: SQLChunk
  readonly toColumn?: (value: unknown) => unknown
}

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

export const dialectRows: Readonly<Record<ServedDialect, DialectRow>> = Object.freeze({
  sqlite: {
    noun: 'SQLite',
    unicodeCaseFolding: false,
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
    noun: 'PostgreSQL',
    // By the locale of the database, which is hardly ever plain C.
    unicodeCaseFolding: true,
    selected: (column, name) => (pgJson.has(column.columnType) ? sql`${name}::text` : name),
    contains: pgContains,
    anyOf: pgAnyOf,
    // A value that its type cannot read or hold is not an error: there is just no record that has it.
    compared: (column, name, { kind }) => {
      if (kind === 'token') return { name: sql`nullif(concat(${name}), '')` }
      return column.columnType === 'PgReal' ? { toColumn: (value) => Math.fround(Number(value)) } : {}
    },
    ordered: (_column, side) => side,
    // `concat` keeps the spaces at the end of a `char`, which a cast to text does not.
    exactText: (column, name) => (exactPgTypes.has(column.columnType) ? undefined : sql`concat(${name})`),
    defaults: { insert: () => undefined, update: () => sql`default` },
    locked: sql` for update`,
    exists: (quoted) => sql`to_regclass(${quoted}) is not null`,
    statistics: pgStatistics,
    comparesRows: true,
    readError: readPgError,
  },
} satisfies Record<ServedDialect, DialectRow>)

export const dialectOf = ({ dialect }: Database): DialectRow => dialectRows[dialect]
