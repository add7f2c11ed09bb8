import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import { type Comparison, type Condition, everything, type Order } from '../../query/ast.ts'
import type { BoundField, BoundRelation, BoundTable } from './bound-table.ts'

/** The next place for a value in a statement. */
export type NextSlot = () => SQLChunk

/**
 * A condition in SQL. It may be null where it means false, but never is where it means true.
 *
 * @param changed the table of the whole statement
 */
const conditionSql = (
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
      return table.dialect
        .contains(String(condition.value))
        .sql(table.fieldOf(condition.field).searched, next())
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

/** A list as one parameter. `undefined`: it is written out. */
const listParameter = (
  { dialect }: BoundTable,
  { encodeCompared, stored }: BoundField,
  values: readonly unknown[],
): string | undefined =>
  values.length > WRITTEN_OUT ? dialect.anyOf.toParameter(values.map(encodeCompared), stored) : undefined

/** A field that is neither less nor greater than a value: so ask the pages behind a cursor. */
interface Tie {
  readonly field: string
  readonly value: unknown
  readonly rest: Condition
}

/** Whether a condition asks for a tie. It depends on nothing but the condition, since statements are kept by its shape. */
const tieOf = (condition: Condition): Tie | undefined => {
  if (condition.op !== 'and' || condition.conditions.length !== 3) return undefined
  const [least, most, rest] = condition.conditions
  if (least?.op !== 'ge' || most?.op !== 'le' || rest === undefined) return undefined
  const { field, value } = least
  return field === most.field && value === most.value ? { field, value, rest } : undefined
}

/** A tie with what else is asked for, in the form that leads straight to the place in an index of both. */
const tieSql = (
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

const negated = (condition: SQL): SQL => sql`(${condition}) is not true`

/** Asked twice where the column's own comparison takes more as equal: once so that its index serves, once byte for byte. */
export const equalSql = ({ compared, exact, comparedSlot }: BoundField, slot: SQLChunk): SQL =>
  exact === undefined
    ? sql`${compared} = ${comparedSlot(slot)}`
    : sql`(${compared} = ${slot} and ${exact} = ${slot})`

const amongSql = ({ compared, exact, comparedSlot }: BoundField, slots: readonly SQLChunk[]): SQL => {
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
const comparisons: Readonly<Record<Exclude<Comparison, 'contains'>, CompareSql>> = {
  eq: equalSql,
  ne: (bound, slot) => negated(equalSql(bound, slot)),
  lt: (bound, slot) => ranked(bound, sql`<`, slot),
  le: (bound, slot) => ranked(bound, sql`<=`, slot),
  gt: (bound, slot) => ranked(bound, sql`>`, slot),
  ge: (bound, slot) => ranked(bound, sql`>=`, slot),
}

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
