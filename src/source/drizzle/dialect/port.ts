import type { Column, SQL, SQLChunk } from 'drizzle-orm'
import type { Field } from '../../../model/model.ts'
import type { DriverRefusal } from '../../sql/errors.ts'
import type { TypedColumn, TypedField } from '../column-types.ts'
import type { Database } from '../database.ts'
import type { DescribedTable } from '../tables.ts'

/** The differences between databases. If a member is missing, standard SQL and drizzle's behavior apply. */
export interface DialectRow {
  readonly noun: string
  readonly unicodeCaseFolding: boolean
  readonly hasBooleans: boolean
  selected(column: TypedColumn, name: SQLChunk): SQLChunk
  /** Converts a value for the driver, if drizzle's column does so inexactly. @throws RangeError if it does not fit */
  toDriver?(column: TypedColumn, field: Field): ((value: unknown) => unknown) | undefined
  /** The SQL that writes a value. @default its placeholder */
  written?(column: TypedColumn, slot: SQLChunk): SQLChunk
  /** The SQL in which "contains" searches. @default the column */
  searched?(column: TypedColumn, name: SQLChunk): SQLChunk
  contains(value: string): Containing
  readonly anyOf: AnyOf
  /** How a column is compared, if it does not accept every value of its field's form. */
  compared?(column: TypedColumn, name: SQLChunk, stored: TypedField): Comparing
  /** Returns the SQL by which `side` is ordered. `side` is the column, or a value that is compared with it. */
  ordered?(column: TypedColumn, side: SQLChunk): SQLChunk
  /** Orders by a nullable column, with null as the largest value. @param side the SQL by which the column is ordered */
  nullsLargest?(name: SQLChunk, side: SQLChunk, direction: 'asc' | 'desc'): SQL
  /** SQL that compares byte for byte. `undefined`: the column itself compares that way. */
  exactText(column: TypedColumn, name: SQLChunk): SQL | undefined
  /** The SQL that sets a column to its default. `undefined` in an insert: omit the column. */
  readonly defaults: { insert(column: TypedColumn): SQL | undefined; update(column: Column): SQL }
  /** An insert may contain the keyword `default` instead of a value. */
  readonly insertsDefault: boolean
  /** Follows `insert into …` if no column has a value. */
  readonly noValues: SQL
  /** Follows a select: locks its rows until the transaction ends. */
  readonly locked: SQL
  /**
   * How conditions on related records are written. `in` reads the records that match once, `exists` lets the planner choose. Not all
   * planners read a table once for `exists`, or can find the records of one parent for `in`: `exists-by-index` uses `exists` where
   * few records are read, and an index finds those that are related to each.
   */
  readonly relatedBy: 'in-always' | 'exists-always' | 'exists-by-index'
  /** A statement that changes a table may also read it in a subquery. */
  readonly readsWhatItChanges: boolean
  /** Whether a table or view exists. `quoted`, here and below: its quoted name, as in a statement. */
  exists(quoted: string): SQL
  /** Selects the file or name of the database. */
  readonly place: SQL
  readonly statistics: Statistics
  /** Compares rows as one range of an index. With an equality, the planner might choose another index. */
  readonly comparesRows: boolean
  readError(error: object): DriverRefusal | undefined
  /** Whether the database refused a statement because it names a column that does not exist. */
  isMissingColumn(error: Error): boolean
  /** Checks that the sessions of the database do not lose data. Absent: they never do. @throws StartError */
  readonly assertSafe?: (database: Database, tables: readonly DescribedTable[]) => Promise<void>
}

/** Replaces the column and the value in a comparison. `toColumn` converts the value first. */
export interface Comparing {
  readonly name?: SQLChunk
  readonly slot?: (slot: SQLChunk) => SQLChunk
  readonly toColumn?: (value: unknown) => unknown
}

export interface Containing {
  /** A name, for statement keys, that identifies the SQL. */
  readonly way: string
  readonly parameter: string
  sql(name: SQLChunk, slot: SQLChunk): SQL
}

/** Passes a list of values as one parameter, which keeps the statement short. */
export interface AnyOf {
  /** `undefined`: a value cannot be represented exactly. */
  toParameter(values: readonly unknown[], stored: TypedField): string | undefined
  sql(side: SQLChunk, slot: SQLChunk): SQL
  /** The same for strings, byte for byte. Absent: strings are compared both ways. */
  exactSql?(exact: SQLChunk, slot: SQLChunk): SQL
}

/** Estimates that a database has without reading rows. */
export interface Statistics {
  /** The rows of a table. 0 or less: it was never analyzed. Null: not stored, but the planner may have an estimate. */
  rowsOf(quoted: string): SQL
  /** The planner's estimate of the rows of a statement. Absent: not available. */
  readonly plan?: { explain(select: SQL): SQL; readRows(cell: unknown): number | undefined }
}
