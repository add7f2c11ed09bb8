import { type SQL, sql } from 'drizzle-orm'
import { onceFor } from '../../model/once-for.ts'
import type { Awaitable, Row } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import type { Database, Purpose, RawRow } from './database.ts'
import { rowReader } from './decode.ts'
import { atOnce, later, type Settling } from './settling.ts'
import { type Asked, statementsOf } from './statements.ts'

/** What a statement reads of its table. */
export interface Reading {
  /** For the keys of statements; empty where it is all fields. */
  readonly shape: string
  /** In the order of the model. */
  readonly columns: SQL
  readonly readRows: (rows: readonly RawRow[]) => readonly Row[]
}

/** What the acts on one table have in common. */
export interface Acting extends Settling, Reading {
  readonly table: BoundTable
  /** Some of the fields. */
  readonly readingOf: (names: readonly string[]) => Reading
  readonly readFirst: (rows: readonly RawRow[]) => Row | undefined
  /** Runs statements of one kind, each prepared once, here or `inside` of a transaction. */
  statements<T>(purpose: Purpose<T>): (asked: Asked, inside?: Database) => Awaitable<T | undefined>
}

export const actingOn = (database: Database, table: BoundTable): Acting => {
  const readRow = rowReader(table.model, table.fields)
  return {
    ...(database.synchronous ? atOnce : later),
    ...reading('', table.fields, readRow),
    table,
    // The same choice comes as the same array, as long as its query string is kept.
    readingOf: onceFor((names: readonly string[]) => {
      const fields = names.map(table.fieldOf).sort((a, b) => a.place - b.place)
      return reading(fields.map(({ place }) => place).join(), fields, rowReader(table.model, fields))
    }),
    readFirst: (rows) => rows[0] && readRow(rows[0]),
    statements: (purpose) => statementsOf(database, purpose, table),
  }
}

const reading = (shape: string, fields: readonly BoundField[], readRow: (raw: RawRow) => Row): Reading => ({
  shape,
  columns: sql.join(
    fields.map(({ selected }) => selected),
    sql`, `,
  ),
  readRows: (rows) => rows.map(readRow),
})
