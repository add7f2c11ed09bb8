import { type Query, type SQL, type SQLChunk, sql } from 'drizzle-orm'
import { after } from '../../model/objects.ts'
import type { Awaitable, RecordStore, Row } from '../source.ts'
import { groupsOf } from '../sql/many.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import { insertedColumns, insertedSql, notStored, type WrittenColumn, writtenSql } from './changes.ts'
import type { Database, Purpose } from './database.ts'
import type { Dialect } from './internals.ts'
import { draftOf, isSql, listSql, type Slots, type StatementDraft, type TableAccess } from './statements.ts'

type CreateMany = NonNullable<RecordStore['createMany']>

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

export const createManyIn = (access: TableAccess): CreateMany => {
  const { database, table, columns, readRows } = access
  const insert = insertIn(access, { fetch: 'all', read: readRows }, sql` returning ${columns}`)
  return (rows) =>
    inTurn(database, batchesOf(table, rows), (batch) =>
      after(insert(batch), (stored) => (stored?.length === batch.rows.length ? stored : notStored())),
    )
}

/** Inserts a batch in one statement. @param ending what follows the values */
export const insertIn = <T>(
  { database, table, writes, writesOnce }: TableAccess,
  purpose: Purpose<T>,
  ending: SQL,
): ((batch: Batch) => Awaitable<T | undefined>) => {
  const [run, runOnce] = [writes(purpose), writesOnce(purpose)]
  return (batch) => {
    const query = queryOfMany(database, table, batch, ending)
    return query === undefined
      ? run(draftOfBatch(table, batch), (slots) => sql`${insertOf(table, batch, slots)}${ending}`)
      : runOnce(query)
  }
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
  const made = rows.map((row) => newRow(table, row))
  const isAlike = (first: NewRow, { shape, columns }: NewRow): boolean =>
    insertsDefault || (first.shape === shape && columns.length > 0)
  return groupsOf(made, table.fields.length, isAlike).map((group) => ({
    rows: group,
    columns: columnsOf(table, group),
  }))
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

const draftOfBatch = (table: BoundTable, { rows }: Batch): StatementDraft => {
  const draft = draftOf(table, `many ${rows.map(({ shape }) => shape).join()}`)
  for (const { values } of rows) draft.values.push(...values)
  return draft
}

/** `insert into … values (…), (…)` */
const insertOf = (table: BoundTable, { rows, columns }: Batch, slots: Slots): SQL => {
  const [only, another] = rows
  if (only !== undefined && another === undefined)
    return sql`insert into ${table.table} ${insertedSql(only.columns, table, slots)}`
  let first = 0
  const tuples = rows.map((row) => {
    const start = first
    first += row.values.length
    return tupleOf(row, columns, (place) => slots(start + place))
  })
  return insertInto(table, columns, listSql(tuples))
}

const insertInto = ({ table }: BoundTable, columns: readonly BoundField[], tuples: SQL): SQL =>
  sql`insert into ${table} (${listSql(columns.map(({ name }) => name))}) values ${tuples}`

const tupleOf = (row: NewRow, columns: readonly BoundField[], slots: Slots): SQL => {
  const cells = columns.map((bound): SQLChunk => {
    const written = row.columns.find((column) => column.bound === bound)
    return written === undefined ? sql`default` : writtenSql(written, slots)
  })
  return sql`(${listSql(cells)})`
}

/** Pieces of SQL, and between them the places of values. */
type Pieces = readonly string[]

/** No name and no text of a statement can contain it. */
const MARK = '\0'

/** The SQL of a statement as text, with marks in place of values. `undefined`: it has values of its own. */
const piecesOf = (database: Database, statement: SQL): Pieces | undefined => {
  const query = database.toQuery(statement)
  return query.params.length > 0 ? undefined : query.sql.split(MARK)
}

const slotText: Readonly<Record<Dialect, (count: number) => string>> = {
  sqlite: () => '?',
  pg: (count) => `$${count}`,
  mysql: () => '?',
}

/**
 * The same statement as that of `insertOf`, made of the SQL of one record for all with the same columns: drizzle takes longer to
 * write a cell than SQLite takes to store it. `undefined`: a value is an SQL expression, or there is only one record.
 */
const queryOfMany = (
  database: Database,
  table: BoundTable,
  { rows, columns }: Batch,
  ending: SQL,
): Query | undefined => {
  if (rows.length < 2) return undefined
  const [start, , end] =
    piecesOf(database, sql`${insertInto(table, columns, sql.raw(`${MARK}0${MARK}`))}${ending}`) ?? []
  if (start === undefined || end === undefined) return undefined
  const shapes = new Map<string, Pieces>()
  const params: unknown[] = []
  const tuples: string[] = []
  for (const row of rows) {
    const pieces =
      shapes.get(row.shape) ??
      piecesOf(
        database,
        tupleOf(row, columns, (place) => sql.raw(`${MARK}${place}${MARK}`)),
      )
    if (pieces === undefined || row.values.some(isSql)) return undefined
    shapes.set(row.shape, pieces)
    let tuple = ''
    for (const [at, piece] of pieces.entries())
      tuple += at % 2 === 0 ? piece : slotText[database.dialect](params.push(row.values.at(Number(piece))))
    tuples.push(tuple)
  }
  return { sql: `${start}${tuples.join(', ')}${end}`, params }
}
