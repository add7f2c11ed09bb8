import { sql } from 'drizzle-orm'
import type { Condition } from '../../query/ast.ts'
import type { Awaitable, RecordStore } from '../source.ts'
import type { Acting } from './acting.ts'
import { holdsAlways, whereSql } from './clauses.ts'
import { conditionShape } from './condition-shape.ts'
import type { Database } from './database.ts'
import { sharedIn } from './shared-statements.ts'

/** How many rows the database thinks that there are. Where it cannot say so, for whatever reason, nobody fails. */
export const estimateIn = (
  database: Database,
  { table, statements, after, recovering }: Acting,
): RecordStore['estimate'] => {
  const { rowsOf, plan } = table.dialect.statistics
  const quoted = database.toQuery(sql`${table.table}`).sql
  const cells = sharedIn<unknown>(database, statements({ fetch: 'one', read: ([row]) => row?.[0] }))

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
