import type { Column, SQL, SQLChunk } from 'drizzle-orm'
import type { Field } from '../../../model/model.ts'
import type { DriverRefusal } from '../../sql/errors.ts'
import type { TypedColumn, TypedField } from '../column-types.ts'
import type { Database } from '../database.ts'
import type { DescribedTable } from '../tables.ts'

/** All that the databases do differently. What is absent is done as SQL and drizzle have it. */
export interface DialectRow {
  readonly noun: string
  readonly unicodeCaseFolding: boolean
  readonly hasBooleans: boolean
  selected(column: TypedColumn, name: SQLChunk): SQLChunk
  /** A value as the driver takes it, if drizzle's own column does it with a loss. @throws RangeError if the column cannot hold it */
  toDriver?(column: TypedColumn, field: Field): ((value: unknown) => unknown) | undefined
  /** What is written of a value, if that is not the value itself. */
  written?(column: TypedColumn, slot: SQLChunk): SQLChunk
  /** What a text is looked for in, if that is not the column as it is. */
  searched?(column: TypedColumn, name: SQLChunk): SQLChunk
  contains(value: string): Containing
  readonly anyOf: AnyOf
  /** How a column is compared, if that is not with any value of its field's form. */
  compared?(column: TypedColumn, name: SQLChunk, stored: TypedField): Comparing
  /** The column, or a value for it, where it is about smaller and larger. */
  ordered?(column: TypedColumn, side: SQLChunk): SQLChunk
  /** An order by a column that may be null, null the largest. @param side the column where it is about smaller and larger */
  nullsLargest?(name: SQLChunk, side: SQLChunk, direction: 'asc' | 'desc'): SQL
  /** The text of a column whose own comparison may take different texts as equal. `undefined`: it does not. */
  exactText(column: TypedColumn, name: SQLChunk): SQL | undefined
  /** What writes the default of a column. `undefined` in an insert: the column is left out. */
  readonly defaults: { insert(column: TypedColumn): SQL | undefined; update(column: Column): SQL }
  /** Behind `insert into …`, if no column is given a value. */
  readonly noValues: SQL
  /** Behind a select: no other transaction changes what it reads before this one ends. */
  readonly locked: SQL
  /** A statement that changes a table may read the same one in a subquery. */
  readonly readsWhatItChanges: boolean
  /** Whether there is a table or view. `quoted`: its name as it stands in a statement, here and below. */
  exists(quoted: string): SQL
  readonly statistics: Statistics
  /** An index takes a comparison of rows as one range. An equality would tempt the planner into another index. */
  readonly comparesRows: boolean
  readError(error: object): DriverRefusal | undefined
  /** Whether the sessions of the database are such that nothing is lost in them. Absent: they always are. @throws StartError */
  readonly assertSafe?: (database: Database, tables: readonly DescribedTable[]) => Promise<void>
}

/** What stands in a comparison in place of the column and of the value. `toColumn`: what is made of the value before. */
export interface Comparing {
  readonly name?: SQLChunk
  readonly slot?: (slot: SQLChunk) => SQLChunk
  readonly toColumn?: (value: unknown) => unknown
}

export interface Containing {
  /** Ways differ in their SQL, by this name. */
  readonly way: string
  readonly parameter: string
  sql(name: SQLChunk, slot: SQLChunk): SQL
}

/** A list of values as one parameter, so that a statement does not grow with it. */
export interface AnyOf {
  /** `undefined`: there are values among them that have no exact text in it. */
  toParameter(values: readonly unknown[], stored: TypedField): string | undefined
  sql(side: SQLChunk, slot: SQLChunk): SQL
  /** The same of texts, byte for byte. Absent: they are asked both ways. */
  exactSql?(exact: SQLChunk, slot: SQLChunk): SQL
}

/** What a database knows of its tables without looking at their rows. */
export interface Statistics {
  /** The rows of a table. Nothing above 0: it was never analysed. Null: no number is kept, but the planner may know. */
  rowsOf(quoted: string): SQL
  /** How many rows the planner expects of a statement. Absent: it does not say. */
  readonly plan?: { explain(select: SQL): SQL; readRows(cell: unknown): number | undefined }
}
