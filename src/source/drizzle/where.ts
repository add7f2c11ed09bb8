import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Comparison, Condition } from '../../query/ast.ts'
import type { BoundField, BoundRelation, BoundTable } from './bound-table.ts'
import { tieOf, tieSql } from './ties.ts'

/** The next place for a value in a statement. */
export type NextSlot = () => SQLChunk

/**
 * The structure of a condition as a short text, its values taken out. They are added to `values` as the driver takes
 * them, in the order in which `conditionSql` asks for slots.
 */
export const conditionShape = (table: BoundTable, condition: Condition, values: unknown[]): string => {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const tie = tieOf(condition)
      if (tie !== undefined) {
        const { place, encodeCompared } = table.fieldOf(tie.field)
        values.push(encodeCompared(tie.value))
        return `tie${place}(${conditionShape(table, tie.rest, values)})`
      }
      let shape = condition.op
      for (const inner of condition.conditions) shape += `(${conditionShape(table, inner, values)})`
      return shape
    }
    case 'not':
      return `not(${conditionShape(table, condition.condition, values)})`
    case 'related': {
      const { place, target } = table.relationOf(condition.relation)
      return `related${place}(${conditionShape(target, condition.condition, values)})`
    }
    case 'is-null':
    case 'is-not-null':
      return condition.op + table.fieldOf(condition.field).place
    case 'in': {
      const bound = table.fieldOf(condition.field)
      const asOne = listParameter(table, bound, condition.values)
      if (asOne !== undefined) {
        values.push(asOne)
        return `any${bound.place}`
      }
      for (const value of condition.values) values.push(bound.encodeCompared(value))
      return `in${bound.place}:${condition.values.length}`
    }
    default: {
      const { place, encodeCompared } = table.fieldOf(condition.field)
      const { value } = condition
      if (condition.op === 'contains') {
        const { way, parameter } = table.dialect.contains(String(value))
        values.push(parameter)
        return `contains${way}${place}`
      }
      values.push(encodeCompared(value))
      return condition.op + place
    }
  }
}

/** Up to here a list is written out, which databases plan best. */
const WRITTEN_OUT = 20

const listParameter = (
  { dialect }: BoundTable,
  { encodeCompared, field }: BoundField,
  values: readonly unknown[],
): string | undefined =>
  values.length > WRITTEN_OUT ? dialect.anyOf.toParameter(values.map(encodeCompared), field) : undefined

/**
 * A condition in SQL. It may be null where it means false, but never is where it means true.
 *
 * @param changed the table of the whole statement
 */
export const conditionSql = (
  table: BoundTable,
  condition: Condition,
  next: NextSlot,
  changed: BoundTable = table,
): SQL => {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const tie = tieOf(condition)
      if (tie !== undefined)
        return tieSql(table, tie, next, () => conditionSql(table, tie.rest, next, changed))
      return joined(
        condition.op,
        condition.conditions.map((inner) => conditionSql(table, inner, next, changed)),
      )
    }
    case 'not':
      return negated(conditionSql(table, condition.condition, next, changed))
    case 'related':
      return relatedSql(table.relationOf(condition.relation), condition.condition, next, changed)
    case 'is-null':
      return sql`${table.fieldOf(condition.field).name} is null`
    case 'is-not-null':
      return sql`${table.fieldOf(condition.field).name} is not null`
    case 'in': {
      const bound = table.fieldOf(condition.field)
      return listParameter(table, bound, condition.values) === undefined
        ? amongSql(bound, condition.values.map(next))
        : table.dialect.anyOf.sql(bound, next())
    }
    case 'contains':
      return table.dialect.contains(String(condition.value)).sql(table.fieldOf(condition.field).name, next())
    default:
      return comparisons[condition.op](table.fieldOf(condition.field), next())
  }
}

/** Not `exists`: in here no name of the outer table is needed, so that a table may refer to itself. */
const relatedSql = (
  { fields, target, references }: BoundRelation,
  condition: Condition,
  next: NextSlot,
  changed: BoundTable,
): SQL => {
  const names = sql.join(
    references.map(({ name }) => name),
    sql`, `,
  )
  const found = sql`${names} from ${target.table} where ${conditionSql(target, condition, next, changed)}`
  // What is distinct is found before the change begins.
  return target.table === changed.table && !target.dialect.readsWhatItChanges
    ? sql`${namesOf(fields)} in (select * from (select distinct ${found}) as found)`
    : sql`${namesOf(fields)} in (select ${found})`
}

const namesOf = (fields: readonly BoundField[]): SQL => {
  const names = sql.join(
    fields.map(({ name }) => name),
    sql`, `,
  )
  return fields.length === 1 ? names : sql`(${names})`
}

const empty = { and: sql`true`, or: sql`false` }

const joined = (op: 'and' | 'or', conditions: readonly SQL[]): SQL => {
  if (conditions.length === 0) return empty[op]
  return sql`(${sql.join([...conditions], sql.raw(` ${op} `))})`
}

const negated = (condition: SQL): SQL => sql`(${condition}) is not true`

/** Asked twice where the column's own comparison takes more as equal: once so that its index serves, once byte for byte. */
export const equalSql = ({ compared, exact, comparedSlot }: BoundField, slot: SQLChunk): SQL =>
  exact === undefined
    ? sql`${compared} = ${comparedSlot(slot)}`
    : sql`(${compared} = ${slot} and ${exact} = ${slot})`

const amongSql = ({ compared, exact, comparedSlot }: BoundField, slots: readonly SQLChunk[]): SQL => {
  if (slots.length === 0) return empty.or
  const list = sql.join(slots.map(comparedSlot), sql`, `)
  return exact === undefined
    ? sql`${compared} in (${list})`
    : sql`(${compared} in (${list}) and ${exact} in (${list}))`
}

const ranked = ({ compared, ordered, comparedSlot }: BoundField, sign: SQL, slot: SQLChunk): SQL =>
  sql`${ordered(compared)} ${sign} ${ordered(comparedSlot(slot))}`

type CompareSql = (bound: BoundField, slot: SQLChunk) => SQL

const comparisons: Readonly<Record<Exclude<Comparison, 'contains'>, CompareSql>> = {
  eq: equalSql,
  ne: (bound, slot) => negated(equalSql(bound, slot)),
  lt: (bound, slot) => ranked(bound, sql`<`, slot),
  le: (bound, slot) => ranked(bound, sql`<=`, slot),
  gt: (bound, slot) => ranked(bound, sql`>`, slot),
  ge: (bound, slot) => ranked(bound, sql`>=`, slot),
}
