import { sql } from 'drizzle-orm'
import { both } from '../../query/ast.ts'
import type { Awaitable, RecordStore } from '../source.ts'
import type { Acting } from './acting.ts'
import { whereSql } from './clauses.ts'
import { conditionShape } from './condition-shape.ts'
import type { Database } from './database.ts'
import { sharedIn } from './shared-statements.ts'

/** `count(*)` reads no column, so that the database may take the smallest index, or none. */
export const countIn = (database: Database, { table, statements }: Acting): RecordStore['count'] => {
  const counted = sharedIn(database, statements({ fetch: 'one', read: (rows) => Number(rows[0]?.[0]) }))
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
