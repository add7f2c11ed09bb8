import { sql } from 'drizzle-orm'
import { both } from '../../query/ast.ts'
import type { Awaitable, RecordStore, Row } from '../source.ts'
import type { Acting } from './acting.ts'
import { guardedKeySql, guardShape, keyValues, orderShape, orderSql, whereSql } from './clauses.ts'
import { conditionShape } from './condition-shape.ts'

/** One page of records: one statement. */
export const listIn = (acting: Acting): RecordStore['list'] => {
  const { table, readRows, readingOf, statements } = acting
  const listed = statements({ fetch: 'all', read: readRows })
  return ({ filter, order, limit, offset, fields }, guard) => {
    const { shape: selected, columns, readRows: read } = fields === undefined ? acting : readingOf(fields)
    const condition = both(filter, guard)
    const values: unknown[] = []
    const shape = conditionShape(table, condition, values)
    values.push(limit, offset)
    return listed({
      key: `${shape} ${orderShape(table, order)} ${selected}`,
      values,
      read,
      build: (next) =>
        sql`select ${columns} from ${table.table}${whereSql(table, condition, next)}${orderSql(table, order)} limit ${next()} offset ${next()}`,
    }) as Awaitable<readonly Row[]>
  }
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
