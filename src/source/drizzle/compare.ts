import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Comparison } from '../../query/ast.ts'
import type { BoundField } from './bound-table.ts'

export const negated = (condition: SQL): SQL => sql`(${condition}) is not true`

/** Asked twice where the column's own comparison takes more as equal: once so that its index serves, once byte for byte. */
export const equalSql = ({ compared, exact, comparedSlot }: BoundField, slot: SQLChunk): SQL =>
  exact === undefined
    ? sql`${compared} = ${comparedSlot(slot)}`
    : sql`(${compared} = ${slot} and ${exact} = ${slot})`

export const amongSql = ({ compared, exact, comparedSlot }: BoundField, slots: readonly SQLChunk[]): SQL => {
  if (slots.length === 0) return sql`false`
  const list = sql.join(slots.map(comparedSlot), sql`, `)
  return exact === undefined
    ? sql`${compared} in (${list})`
    : sql`(${compared} in (${list}) and ${exact} in (${list}))`
}

const ranked = ({ compared, ordered, comparedSlot }: BoundField, sign: SQL, slot: SQLChunk): SQL =>
  sql`${ordered(compared)} ${sign} ${ordered(comparedSlot(slot))}`

type CompareSql = (bound: BoundField, slot: SQLChunk) => SQL

/** What each comparison is in SQL. */
export const comparisons: Readonly<Record<Exclude<Comparison, 'contains'>, CompareSql>> = {
  eq: equalSql,
  ne: (bound, slot) => negated(equalSql(bound, slot)),
  lt: (bound, slot) => ranked(bound, sql`<`, slot),
  le: (bound, slot) => ranked(bound, sql`<=`, slot),
  gt: (bound, slot) => ranked(bound, sql`>`, slot),
  ge: (bound, slot) => ranked(bound, sql`>=`, slot),
}
