import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import { after } from '../../model/objects.ts'
import type { Awaitable, RecordStore, Row } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import { insertedColumns, insertedSql, notStored, type WrittenColumn, writtenSql } from './changes.ts'
import type { Database } from './database.ts'
import {
  type Build,
  draftOf,
  listSql,
  type Slots,
  type StatementDraft,
  type TableAccess,
} from './statements.ts'

type CreateMany = NonNullable<RecordStore['createMany']>

/** The smallest limit of the supported databases is 32,766 values in one statement. */
const MOST_VALUES = 30_000

/** A new record, with its values for the driver. */
export interface NewRow {
  readonly row: Row
  readonly columns: readonly WrittenColumn[]
  readonly values: readonly unknown[]
  /** The same for rows whose values are in the same columns. */
  readonly shape: string
}

/** Some of the records, which one statement inserts. */
export interface Batch {
  readonly rows: readonly NewRow[]
  readonly columns: readonly BoundField[]
}

export const createManyIn = ({ database, table, columns, readRows, writes }: TableAccess): CreateMany => {
  const run = writes({ fetch: 'all', read: readRows })
  return (rows) =>
    inTurn(database, batchesOf(table, rows), (batch) => {
      const insert: Build = (slots) => sql`${insertOf(table, batch, slots)} returning ${columns}`
      return after(run(draftOfBatch(table, batch), insert), (stored) =>
        stored?.length === batch.rows.length ? stored : notStored(table.model.name),
      )
    })
}

/** Runs a statement for each batch, one after the other. */
export const inTurn = <T, R>(
  { synchronous }: Database,
  parts: readonly T[],
  act: (part: T) => Awaitable<readonly R[]>,
): Awaitable<readonly R[]> =>
  synchronous ? parts.flatMap((part) => act(part) as readonly R[]) : allInTurn(parts, act)

const allInTurn = async <T, R>(
  parts: readonly T[],
  act: (part: T) => Awaitable<readonly R[]>,
): Promise<readonly R[]> => {
  const all: R[] = []
  for (const part of parts) all.push(...(await act(part)))
  return all
}

/** Splits records, in their order, by the number of values that a statement can have, and by their columns if they must be the same. */
export const batchesOf = (table: BoundTable, rows: readonly Row[]): readonly Batch[] => {
  const { insertsDefault } = table.dialect
  const most = Math.max(1, Math.floor(MOST_VALUES / Math.max(1, table.fields.length)))
  const groups: NewRow[][] = []
  for (const row of rows) {
    const made = newRow(table, row)
    const last = groups.at(-1)
    const fits =
      last !== undefined &&
      last.length < most &&
      (insertsDefault || (last[0]?.shape === made.shape && made.columns.length > 0))
    if (fits) last.push(made)
    else groups.push([made])
  }
  return groups.map((group) => ({ rows: group, columns: columnsOf(table, group) }))
}

const newRow = (table: BoundTable, row: Row): NewRow => {
  const draft = draftOf(table)
  const columns = insertedColumns(row, draft)
  return { row, columns, values: draft.values, shape: draft.key }
}

const columnsOf = (table: BoundTable, rows: readonly NewRow[]): readonly BoundField[] => {
  const used = new Set(rows.flatMap(({ columns }) => columns.map(({ bound }) => bound)))
  const columns = table.fields.filter((bound) => used.has(bound))
  return columns.length > 0 ? columns : table.key.slice(0, 1)
}

export const draftOfBatch = (table: BoundTable, { rows }: Batch): StatementDraft => {
  const draft = draftOf(table, `many ${rows.map(({ shape }) => shape).join()}`)
  for (const { values } of rows) draft.values.push(...values)
  return draft
}

/** `insert into … values (…), (…)` */
export const insertOf = (table: BoundTable, { rows, columns }: Batch, slots: Slots): SQL => {
  const [only, another] = rows
  if (only !== undefined && another === undefined)
    return sql`insert into ${table.table} ${insertedSql(only.columns, table, slots)}`
  let first = 0
  const tuples = rows.map((row) => {
    const start = first
    first += row.values.length
    const cells = columns.map((bound): SQLChunk => {
      const written = row.columns.find((column) => column.bound === bound)
      return written === undefined ? sql`default` : writtenSql(written, (place) => slots(start + place))
    })
    return sql`(${listSql(cells)})`
  })
  return sql`insert into ${table.table} (${listSql(columns.map(({ name }) => name))}) values ${listSql(tuples)}`
}
