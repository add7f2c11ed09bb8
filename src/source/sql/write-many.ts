import { after } from '../../model/objects.ts'
import type { Awaitable, RecordStore, Row } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import type { Database, StatementPurpose } from './database.ts'
import { groupsOf } from './many.ts'
import { draftOf, type Slots, type StatementDraft, type TableAccess } from './statement.ts'
import type { Table } from './table.ts'
import { listSql, Sql, sql } from './text.ts'
import { insertedColumns, insertedSql, notStored, type WrittenColumn, writtenSql } from './write.ts'

type CreateMany = NonNullable<RecordStore['createMany']>

/** A new record, with its values for the driver. */
interface NewRow {
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
    batchesInTurn(database, batchesOf(table, rows), (batch) =>
      after(insert(batch), (stored) => (stored?.length === batch.rows.length ? stored : notStored())),
    )
}

/** Inserts a batch in one statement. @param ending what follows the values */
export const insertIn = <T>(
  { table, writes }: TableAccess,
  purpose: StatementPurpose<T>,
  ending: Sql,
): ((batch: Batch) => Awaitable<T | undefined>) => {
  const run = writes(purpose)
  return (batch) => run(draftOfBatch(table, batch), (slots) => sql`${insertOf(table, batch, slots)}${ending}`)
}

/** Runs a statement for each batch, one after the other. */
export const batchesInTurn = <T, R>(
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
  const { hasDefaultKeyword } = table.dialect
  const made = rows.map((row) => newRow(table, row))
  const isAlike = (first: NewRow, { shape, columns }: NewRow): boolean =>
    hasDefaultKeyword || (first.shape === shape && columns.length > 0)
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
const insertOf = (table: BoundTable, { rows, columns }: Batch, slots: Slots): Sql => {
  const [only, another] = rows
  if (only !== undefined && another === undefined)
    return sql`insert into ${table.own} ${insertedSql(only.columns, table, slots)}`
  const { constants = [] } = table.table
  // Rows with the same columns have the same text.
  const tuples = new Map<string, Sql>()
  let first = 0
  const all = rows.map((row) => {
    const start = first
    first += row.values.length
    if (row.values.some((value) => value instanceof Sql))
      return tupleOf(row, columns, constants, (place) => slots(start + place))
    const tuple = tuples.get(row.shape) ?? tupleOf(row, columns, constants, sql.slot)
    tuples.set(row.shape, tuple)
    return sql.shifted(tuple, start)
  })
  const names = [...columns.map(({ name }) => name), ...constants.map(({ name }) => sql.identifier(name))]
  return sql`insert into ${table.own} (${listSql(names)}) values ${listSql(all)}`
}

const tupleOf = (
  row: NewRow,
  columns: readonly BoundField[],
  constants: NonNullable<Table['constants']>,
  slots: Slots,
): Sql => {
  const cells = columns.map((bound): Sql => {
    const written = row.columns.find((column) => column.bound === bound)
    return written === undefined ? sql`default` : writtenSql(written, slots)
  })
  return sql`(${listSql([...cells, ...constants.map(({ value }) => sql.value(value))])})`
}
