import type { TextComparison } from '../../model/text-comparisons.ts'
import type { JsonComparison, JsonScalar, JsonStep } from '../../query/json-path.ts'
import type { DriverRefusal } from './errors.ts'
import type { Sql } from './text.ts'
import type { TypeFacts } from './types.ts'

/** The differences between databases. If a member is missing, standard SQL applies. */
export interface DialectRow {
  readonly noun: string
  readonly unicodeCaseFolding: boolean
  /** Compares text with a value, by each comparison that is not one of bytes or of order. */
  readonly text: Readonly<Record<TextComparison, (value: string) => TextTest>>
  /** Looks inside JSON. */
  readonly json: JsonDialect
  readonly anyOf: AnyOf
  /** Orders by a nullable column, with null as the largest value. @param side the SQL by which the column is ordered */
  nullsLargest?(name: Sql, side: Sql, direction: 'asc' | 'desc'): Sql
  /** The keyword `default` stands for the default of a column, also of one record among several. */
  readonly hasDefaultKeyword: boolean
  /** Follows `insert into …` if no column has a value. */
  readonly noValues: Sql
  /** Follows a select: locks its rows until the transaction ends. */
  readonly locked: Sql
  /**
   * How conditions on related records are written. `in` reads the records that match once, `exists` lets the planner choose. Not all
   * planners read a table once for `exists`, or can find the records of one parent for `in`: `exists-by-index` uses `exists` where
   * few records are read, and an index finds those that are related to each.
   */
  readonly relatedBy: 'in-always' | 'exists-always' | 'exists-by-index'
  /**
   * Whether a range of the records leaves the plan for `relatedBy` as it is. Otherwise, their condition on related records needs the same
   * range.
   */
  readonly concludesRanges: boolean
  /** A statement that changes a table may also read it in a subquery. */
  readonly readsWhatItChanges: boolean
  /** Whether a table or view exists. `quoted`, here and below: its quoted name, as in a statement. */
  exists(quoted: string): Sql
  /** Reads something that only a working database has. */
  readonly ping: Sql
  /** Selects the file or name of the database. */
  readonly place: Sql
  readonly statistics: Statistics
  /** Compares rows as one range of an index. With an equality, the planner might choose another index. */
  readonly comparesRows: boolean
  readError(error: object): DriverRefusal | undefined
  /** Whether the database refused a statement because it names a column that does not exist. */
  isMissingColumn(error: Error): boolean
}

/** How a database looks inside JSON. */
export interface JsonDialect {
  test(path: readonly JsonStep[], op: JsonComparison, value: JsonScalar): JsonTest
  /** The value at the path is missing or null. */
  isNull(path: readonly JsonStep[]): JsonTest
}

export interface JsonTest {
  /** A name, for statement keys, that identifies the SQL. */
  readonly way: string
  readonly parameters: readonly unknown[]
  /** @param document the column @param slots those of the parameters, in the same order */
  sql(document: Sql, slots: readonly Sql[]): Sql
}

/** The column of a text. */
export interface TextColumn {
  /** The SQL in which it is searched. */
  readonly searched: Sql
  /** An expression that compares byte for byte, if the column itself does not. */
  readonly exact: Sql | undefined
}

export interface TextTest {
  /** A name, for statement keys, that identifies the SQL. */
  readonly way: string
  readonly parameters: readonly string[]
  /** @param slots those of the parameters, in the same order */
  sql(column: TextColumn, slots: readonly Sql[]): Sql
}

/** Passes a list of values as one parameter, which keeps the statement short. */
export interface AnyOf {
  /** `undefined`: a value cannot be represented exactly. */
  toParameter(values: readonly unknown[], stored: TypeFacts): string | undefined
  sql(side: Sql, slot: Sql): Sql
  /** The same for strings, byte for byte. Absent: strings are compared both ways. */
  exactSql?(exact: Sql, slot: Sql): Sql
}

/** Estimates that a database has without reading rows. */
export interface Statistics {
  /** The rows of a table. 0 or less: it was never analyzed. Null: not stored, but the planner may have an estimate. */
  rowsOf(quoted: string): Sql
  /** The planner's estimate of the rows of a statement. Absent: not available. */
  readonly plan?: { explain(select: Sql): Sql; readRows(cell: unknown): number | undefined }
}
