import { sql } from 'drizzle-orm'
import { both, type Condition } from '../../query/ast.ts'
import type { Awaitable, RecordStore } from '../source.ts'
import {
  conditionShape,
  guardedKeySql,
  guardShape,
  holdsAlways,
  keyValues,
  orderShape,
  orderSql,
  whereSql,
} from './conditions.ts'
import type { Database } from './database.ts'
import { type Acting, shareConcurrent } from './statements.ts'

/** One page of records: one statement. */
export const listIn = (acting: Acting): RecordStore['list'] => {
  const { after, table, readingOf, statements } = acting
  const listed = statements({ fetch: 'all', read: (rows) => rows })
  return ({ filter, order, limit, offset, fields }, guard, admits) => {
    const { shape: selected, columns, readRows: read } = fields === undefined ? acting : readingOf(fields)
    const condition = both(filter, guard)
    const values: unknown[] = []
    const shape = conditionShape(table, condition, values)
    values.push(limit, offset)
    const found = listed({
      key: `${shape} ${orderShape(table, order)} ${selected}`,
      values,
      build: (next) =>
        sql`select ${columns} from ${table.table}${whereSql(table, condition, next)}${orderSql(table, order)} limit ${next()} offset ${next()}`,
    })
    return after(found, (rows = []) => (admits === undefined || admits(rows.map(sizeOf)) ? read(rows) : []))
  }
}

/** The bytes of the texts and binary values that the driver gave. A text counts its characters, which are never more. */
const sizeOf = (values: ArrayLike<unknown>): number => {
  let size = 0
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place]
    if (typeof value === 'string') size += value.length
    else if (Array.isArray(value)) size += sizeOf(value)
    else if (value instanceof Uint8Array || value instanceof ArrayBuffer) size += value.byteLength
  }
  return size
}

/** The record of a key. */
export const readIn = ({ table, columns, readFirst, statements }: Acting): RecordStore['read'] => {
  const found = statements({ fetch: 'one', read: readFirst })
  return (key, guard, lock) => {
    const values = keyValues(table, key)
    const locked = lock === undefined ? sql`` : table.dialect.locked
    return found({
      key: `${lock ?? ''}${guardShape(table, guard, values)}`,
      values,
      build: (next) =>
        sql`select ${columns} from ${table.table}${guardedKeySql(table, guard, next)}${locked}`,
    })
  }
}

/** `count(*)` reads no column, so that the database may take the smallest index, or none. */
export const countIn = (database: Database, { table, statements }: Acting): RecordStore['count'] => {
  const counted = shareConcurrent(
    database,
    statements({ fetch: 'one', read: (rows) => Number(rows[0]?.[0]) }),
  )
  return (filter, guard, atMost) => {
    const condition = both(filter, guard)
    const values: unknown[] = []
    const shape = conditionShape(table, condition, values)
    if (atMost !== undefined) values.push(atMost)
    return counted({
      key: atMost === undefined ? shape : `${shape} limit`,
      values,
      build: (next) => {
        const matching = sql`from ${table.table}${whereSql(table, condition, next)}`
        return atMost === undefined
          ? sql`select count(*) ${matching}`
          : sql`select count(*) from (select 1 ${matching} limit ${next()}) as counted`
      },
    }) as Awaitable<number>
  }
}

/** How many rows the database thinks that there are. Where it cannot say so, for whatever reason, nobody fails. */
export const estimateIn = (
  database: Database,
  { table, statements, after, recovering }: Acting,
): RecordStore['estimate'] => {
  const { rowsOf, plan } = table.dialect.statistics
  const quoted = database.toQuery(sql`${table.table}`).sql
  const cells = shareConcurrent<unknown>(database, statements({ fetch: 'one', read: ([row]) => row?.[0] }))

  const ofPlan = (filter: Condition): Awaitable<number | undefined> => {
    if (plan === undefined) return undefined
    const values: unknown[] = []
    const key = `plan ${conditionShape(table, filter, values)}`
    const select = (next: Parameters<typeof whereSql>[2]) =>
      sql`select 1 from ${table.table}${whereSql(table, filter, next)}`
    return after(cells({ key, values, build: (next) => plan.explain(select(next)) }), plan.readRows)
  }

  const ofAll = (filter: Condition): Awaitable<number | undefined> =>
    after(cells({ key: 'rows', values: [], build: () => rowsOf(quoted) }), (rows) => {
      if (rows === null) return ofPlan(filter)
      return Number(rows) > 0 ? Math.round(Number(rows)) : undefined
    })

  return recovering(
    (filter: Condition) => (holdsAlways(filter) ? ofAll(filter) : ofPlan(filter)),
    (): undefined => undefined,
  )
}
