import { type SQL, sql } from 'drizzle-orm'
import type { Awaitable, Row } from '../source.ts'
import type { BoundTable } from './bound-table.ts'
import type { Database, Purpose, RawRow } from './database.ts'
import { rowReader } from './decode.ts'
import { atOnce, later, type Settling } from './settling.ts'
import { type Asked, statementsOf } from './statements.ts'

/** What the acts on one table have in common. */
export interface Acting extends Settling {
  readonly table: BoundTable
  /** All fields, in the order of the model. */
  readonly columns: SQL
  readonly readRows: (rows: readonly RawRow[]) => readonly Row[]
  readonly readFirst: (rows: readonly RawRow[]) => Row | undefined
  /** Runs statements of one kind, each prepared once. */
  statements<T>(purpose: Purpose<T>): (asked: Asked) => Awaitable<T | undefined>
}

export const actingOn = (database: Database, table: BoundTable): Acting => {
  const readRow = rowReader(table)
  return {
    ...(database.synchronous ? atOnce : later),
    table,
    columns: sql.join(
      table.fields.map(({ selected }) => selected),
      sql`, `,
    ),
    readRows: (rows) => rows.map(readRow),
    readFirst: (rows) => rows[0] && readRow(rows[0]),
    statements: (purpose) => statementsOf(database, purpose),
  }
}
