import { type SQL, sql } from 'drizzle-orm'
import { type Condition, everything, type Order } from '../../query/ast.ts'
import type { BoundTable } from './bound-table.ts'
import { equalSql } from './compare.ts'
import { conditionShape } from './condition-shape.ts'
import { conditionSql, type NextSlot } from './where.ts'

/** The values of a key, as the driver takes them. */
export const keyValues = ({ key }: BoundTable, given: readonly unknown[]): unknown[] => {
  const values: unknown[] = []
  for (const { encodeCompared } of key) values.push(encodeCompared(given[values.length]))
  return values
}

/** The structure of a guard; its values go to `values`. */
export const guardShape = (table: BoundTable, guard: Condition, values: unknown[]): string =>
  guard === everything ? '' : conditionShape(table, guard, values)

/** ` where id = ? and …`: the slots of the key come first. */
export const guardedKeySql = (table: BoundTable, guard: Condition, next: NextSlot): SQL => {
  const conditions = table.key.map((bound) => equalSql(bound, next()))
  if (!holdsAlways(guard)) conditions.push(conditionSql(table, guard, next))
  return sql` where ${sql.join(conditions, sql` and `)}`
}

/** It joins no WHERE. */
export const holdsAlways = (condition: Condition): boolean =>
  condition.op === 'and' && condition.conditions.length === 0

/** ` where …`, or nothing where the condition holds always. */
export const whereSql = (table: BoundTable, condition: Condition, next: NextSlot): SQL =>
  holdsAlways(condition) ? sql`` : sql` where ${conditionSql(table, condition, next)}`

/** The structure of an order. */
export const orderShape = (table: BoundTable, order: readonly Order[]): string => {
  let shape = ''
  for (const { field, direction } of order) shape += direction + table.fieldOf(field).place
  return shape
}

/** ` order by …`. Nulls are the largest value. It is only said of columns that have some: an index of the others stays of use. */
export const orderSql = (table: BoundTable, order: readonly Order[]): SQL => {
  if (order.length === 0) return sql``
  const keys = order.map(({ field, direction }) => {
    const { name, ordered, field: about } = table.fieldOf(field)
    return about.nullable
      ? table.dialect.nullsLargest(name, ordered(name), direction)
      : sql`${ordered(name)} ${sql.raw(direction)}`
  })
  return sql` order by ${sql.join(keys, sql`, `)}`
}
