import { isTable, type SQL, sql } from 'drizzle-orm'
import { both, type Condition, everything, type Order } from '../../query/ast.ts'
import type { Awaitable, RecordStore, Row } from '../source.ts'
import type { BoundTable } from './bound-table.ts'
import type { Database, Purpose, RawRow } from './database.ts'
import { rowReader } from './decode.ts'
import type { Refusals } from './refusals.ts'
import { atOnce, later } from './settling.ts'
import { statementsOf } from './statements.ts'
import { conditionShape, conditionSql, equalSql, type NextSlot } from './where.ts'
import { assignedSql, insertedSql, insertWrites, updateWrites } from './writes.ts'

/** The acts on the records of one table. What the database refuses is told by `refusals`. */
export const recordStore = (database: Database, table: BoundTable, refusals: Refusals): RecordStore => {
  const { recovering, after } = database.synchronous ? atOnce : later
  const { model, fields, table: from } = table
  const readRow = rowReader(table)
  const readFirst = (rows: readonly RawRow[]): Row | undefined => rows[0] && readRow(rows[0])
  const columns = sql.join(
    fields.map(({ selected }) => selected),
    sql`, `,
  )

  const statements = <T>(purpose: Purpose<T>) => statementsOf(database, purpose)
  const readRows = (rows: readonly RawRow[]): readonly Row[] => rows.map(readRow)
  const readCount = (rows: readonly RawRow[]): number => Number(rows[0]?.[0])
  const changes = isTable(from) ? { changes: from } : {}
  const listed = statements({ fetch: 'all', read: readRows })
  const counted = statements({ fetch: 'one', read: readCount })
  const found = statements({ fetch: 'one', read: readFirst })
  const created = statements({ fetch: 'all', read: readFirst, ...changes })
  const updated = statements({ fetch: 'all', read: readFirst, ...changes })
  const removed = statements({ fetch: 'all', read: (rows) => rows.length > 0, ...changes })

  const list: RecordStore['list'] = ({ filter, order, limit, offset }, guard) => {
    const condition = both(filter, guard)
    const values: unknown[] = []
    const shape = conditionShape(table, condition, values)
    values.push(limit, offset)
    return listed({
      key: `${shape} ${orderShape(table, order)}`,
      values,
      build: (next) =>
        sql`select ${columns} from ${from}${whereSql(table, condition, next)}${orderSql(table, order)} limit ${next()} offset ${next()}`,
    }) as Awaitable<readonly Row[]>
  }

  const count: RecordStore['count'] = (filter, guard) => {
    const condition = both(filter, guard)
    const values: unknown[] = []
    return counted({
      key: conditionShape(table, condition, values),
      values,
      build: (next) => sql`select count(*) from ${from}${whereSql(table, condition, next)}`,
    }) as Awaitable<number>
  }

  const read: RecordStore['read'] = (key, guard) => {
    const values = keyValues(table, key)
    return found({
      key: guardShape(table, guard, values),
      values,
      build: (next) => sql`select ${columns} from ${from}${guardedKeySql(table, guard, next)}`,
    })
  }

  const create: RecordStore['create'] = (row) => {
    const writes = insertWrites(table, row)
    const stored = created({
      key: writes.key,
      values: writes.values,
      build: (next) => sql`insert into ${from} ${insertedSql(writes, next)} returning ${columns}`,
    })
    return after(stored, (record) => record ?? notStored(model.name))
  }

  const update: RecordStore['update'] = (key, row, guard) => {
    if (isEmpty(row)) return read(key, guard)
    const writes = updateWrites(table, row)
    const values = [...writes.values, ...keyValues(table, key)]
    return updated({
      key: `${writes.key} ${guardShape(table, guard, values)}`,
      values,
      build: (next) =>
        sql`update ${from} set ${assignedSql(writes, next)}${guardedKeySql(table, guard, next)} returning ${columns}`,
    })
  }

  const remove: RecordStore['remove'] = (key, guard) => {
    const values = keyValues(table, key)
    return removed({
      key: guardShape(table, guard, values),
      values,
      build: (next) => sql`delete from ${from}${guardedKeySql(table, guard, next)} returning 1`,
    }) as Awaitable<boolean>
  }

  return Object.freeze<RecordStore>({
    list: recovering(list, refusals.read),
    count: recovering(count, refusals.read),
    read: recovering(read, refusals.read),
    create: recovering(create, refusals.create),
    update: recovering(update, refusals.update),
    remove: recovering(remove, refusals.remove),
  })
}

const isEmpty = (row: Row): boolean => Object.values(row).every((value) => value === undefined)

const notStored = (name: string): never => {
  throw new Error(`The database took a new ${name} without storing it: a trigger may have left it out.`)
}

const keyValues = ({ key }: BoundTable, given: readonly unknown[]): unknown[] => {
  const values: unknown[] = []
  for (const { encodeCompared } of key) values.push(encodeCompared(given[values.length]))
  return values
}

const guardShape = (table: BoundTable, guard: Condition, values: unknown[]): string =>
  guard === everything ? '' : conditionShape(table, guard, values)

const guardedKeySql = (table: BoundTable, guard: Condition, next: NextSlot): SQL => {
  const conditions = table.key.map((bound) => equalSql(bound, next()))
  if (!holdsAlways(guard)) conditions.push(conditionSql(table, guard, next))
  return sql` where ${sql.join(conditions, sql` and `)}`
}

const holdsAlways = (condition: Condition): boolean =>
  condition.op === 'and' && condition.conditions.length === 0

const whereSql = (table: BoundTable, condition: Condition, next: NextSlot): SQL =>
  holdsAlways(condition) ? sql`` : sql` where ${conditionSql(table, condition, next)}`

const orderShape = (table: BoundTable, order: readonly Order[]): string => {
  let shape = ''
  for (const { field, direction } of order) shape += direction + table.fieldOf(field).place
  return shape
}

/** Nulls are the largest value. It is only said of columns that have some: an index of the others stays of use. */
const orderSql = (table: BoundTable, order: readonly Order[]): SQL => {
  if (order.length === 0) return sql``
  const keys = order.map(({ field, direction }) => {
    const { name, field: about } = table.fieldOf(field)
    return sql`${name} ${sql.raw(about.nullable ? nullsLargest[direction] : direction)}`
  })
  return sql` order by ${sql.join(keys, sql`, `)}`
}

const nullsLargest = { asc: 'asc nulls last', desc: 'desc nulls first' } as const
