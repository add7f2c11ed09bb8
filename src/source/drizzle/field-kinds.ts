import type { ColumnFacts, TypedField, TypeTable } from './column-facts.ts'
import { mysqlTypes } from './kinds-mysql.ts'
import { pgTypes } from './kinds-pg.ts'
import { sqliteTypes } from './kinds-sqlite.ts'
import { float, unknownType } from './type-rows.ts'

const types: TypeTable = {
  ...sqliteTypes,
  ...pgTypes,
  ...mysqlTypes,
  /** Of views: `sql`…`.mapWith(Number)`. */
  NumberExpression: float,
}

/** What a column's type says of its field. A type that is not known is `opaque`. */
export const typeOf = (column: ColumnFacts): TypedField =>
  types[column.columnType]?.(column, typeOf) ?? unknownType
