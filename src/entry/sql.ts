export type {
  SqlConnection,
  SqlDatabase,
  SqlFetch,
} from '../source/sql/port.ts'
export { type SqlSourceOptions, sqlSource } from '../source/sql/sql-source.ts'
export type { SqlColumn, SqlForeignKey, SqlIndex, SqlTable } from '../source/sql/stated-tables.ts'
export type { Codec as SqlCodec } from '../source/sql/table.ts'
export { type Dialect as SqlDialect, type Sql, sql } from '../source/sql/text.ts'
export { transactionOn } from '../source/sql/transaction-on.ts'
