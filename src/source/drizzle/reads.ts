import { sql } from 'drizzle-orm'
import { both } from '../../query/ast.ts'
import type { RecordStore } from '../source.ts'
import type { Acting } from './acting.ts'
import { guardedKeySql, guardShape, keyValues, orderShape, orderSql, whereSql } from './clauses.ts'
import { conditionShape } from './condition-shape.ts'

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
