import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Condition } from '../../query/ast.ts'
import type { BoundField, BoundTable } from './bound-table.ts'

/** A field that is neither less nor greater than a value: so ask the pages behind a cursor. */
export interface Tie {
  readonly field: string
  readonly value: unknown
  readonly rest: Condition
}

/** Whether a condition asks for a tie. It depends on nothing but the condition, since statements are kept by its shape. */
export const tieOf = (condition: Condition): Tie | undefined => {
  if (condition.op !== 'and' || condition.conditions.length !== 3) return undefined
  const [least, most, rest] = condition.conditions
  if (least?.op !== 'ge' || most?.op !== 'le' || rest === undefined) return undefined
  const { field, value } = least
  return field === most.field && value === most.value ? { field, value, rest } : undefined
}

/** A tie with what else is asked for, in the form that leads straight to the place in an index of both. */
export const tieSql = (
  { fieldOf, dialect }: BoundTable,
  { field, rest }: Tie,
  next: () => SQLChunk,
  restSql: () => SQL,
): SQL => {
  const tied = fieldOf(field)
  const slot = next()
  if (dialect.comparesRows && (rest.op === 'gt' || rest.op === 'lt')) {
    return rows[rest.op](sideOf(tied, slot), sideOf(fieldOf(rest.field), next()))
  }
  const { column, value } = sideOf(tied, slot)
  return sql`(${column} = ${value} and ${restSql()})`
}

interface Sides {
  readonly column: SQLChunk
  readonly value: SQLChunk
}

const sideOf = ({ compared, ordered, comparedSlot }: BoundField, slot: SQLChunk): Sides => ({
  column: ordered(compared),
  value: ordered(comparedSlot(slot)),
})

const rows = {
  gt: (a: Sides, b: Sides) =>
    sql`(${a.column} <= ${a.value} and (${a.column}, ${b.column}) > (${a.value}, ${b.value}))`,
  lt: (a: Sides, b: Sides) =>
    sql`(${a.column} >= ${a.value} and (${a.column}, ${b.column}) < (${a.value}, ${b.value}))`,
} as const
