import { isTable, type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Comparison, Condition, Order } from '../../query/ast.ts'
import type { BoundField, BoundRelation, BoundTable } from './bound-table.ts'
import { addValue, type Build, listSql, type StatementDraft } from './statements.ts'

/** ` where …` with all of the conditions, or empty SQL if they always hold. */
export const compileWhere = (conditions: readonly Condition[], draft: StatementDraft): Build => {
  const builds: Build[] = []
  for (const condition of conditions)
    if (!holdsAlways(condition)) builds.push(compileCondition(draft.table, condition, draft))
  if (builds.length === 0) return nothing
  return (slots) => {
    const parts = builds.map((build) => build(slots))
    return sql` where ${sql.join(parts, sql` and `)}`
  }
}

export const compileKey = (key: readonly unknown[], guard: Condition, draft: StatementDraft): Build => {
  const { table, values } = draft
  const first = values.length
  // A view may not have an index of the key. A related record may be found in several ways.
  draft.hasOnePlan = isTable(table.table) && !hasRelation(guard)
  for (const { encodeCompared } of table.key) values.push(encodeCompared(key[values.length - first]))
  const guarded = holdsAlways(guard) ? undefined : compileCondition(table, guard, draft)
  return (slots) => {
    const conditions = table.key.map((bound, place) => equalSql(bound, slots(first + place)))
    if (guarded !== undefined) conditions.push(guarded(slots))
    return sql` where ${sql.join(conditions, sql` and `)}`
  }
}

/** ` order by …`, with nulls as the largest value. Only nullable columns get an expression, which indexes do not support. */
export const compileOrder = (order: readonly Order[], draft: StatementDraft): Build => {
  const { fieldOf, dialect } = draft.table
  for (const { field, direction } of order) draft.key += direction + fieldOf(field).place
  if (order.length === 0) return nothing
  return () => {
    const keys = order.map(({ field, direction }) => {
      const { name, ordered, field: about } = fieldOf(field)
      const side = ordered(name)
      if (!about.nullable) return sql`${side} ${sql.raw(direction)}`
      return dialect.nullsLargest?.(name, side, direction) ?? sql`${side} ${nullsLargest[direction]}`
    })
    return sql` order by ${listSql(keys)}`
  }
}

const nullsLargest = { asc: sql`asc nulls last`, desc: sql`desc nulls first` } as const

const hasRelation = (condition: Condition): boolean => {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.conditions.some(hasRelation)
    case 'not':
      return hasRelation(condition.condition)
    default:
      return condition.op === 'related'
  }
}

export const holdsAlways = (condition: Condition): boolean =>
  condition.op === 'and' && condition.conditions.length === 0

const nothing: Build = () => sql``

/** Longest list that is written as single values, which query planners handle best. */
const WRITTEN_OUT = 20

/**
 * Compiles a condition in one pass: appends its structure to the key of the draft (a prefix code in which each name is
 * followed by its operands), and its values to those of the draft. The result builds the SQL, which may evaluate to null
 * instead of false, but never instead of true.
 */
const compileCondition = (table: BoundTable, condition: Condition, draft: StatementDraft): Build => {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const { op, conditions } = condition
      draft.key += `${op}${conditions.length};`
      const builds = conditions.map((inner) => compileCondition(table, inner, draft))
      if (builds.length === 0) return () => (op === 'and' ? sql`true` : sql`false`)
      return (slots) => {
        const parts = builds.map((build) => build(slots))
        return sql`(${sql.join(parts, sql.raw(` ${op} `))})`
      }
    }
    case 'not': {
      draft.key += 'not;'
      const build = compileCondition(table, condition.condition, draft)
      return (slots) => negated(build(slots))
    }
    case 'related': {
      const relation = table.relationOf(condition.relation)
      draft.key += `related${relation.place};`
      const build = compileCondition(relation.target, condition.condition, draft)
      return (slots) => relatedSql(relation, build(slots), draft.table)
    }
    case 'is-null':
    case 'is-not-null': {
      const { name, place } = table.fieldOf(condition.field)
      const test = condition.op === 'is-null' ? 'is null' : 'is not null'
      draft.key += `${condition.op}${place};`
      return () => sql`${name} ${sql.raw(test)}`
    }
    case 'in':
      return compileList(table, condition, draft)
    case 'tie':
      return compileTie(table, condition, draft)
    case 'contains': {
      const { searched, place } = table.fieldOf(condition.field)
      const containing = table.dialect.contains(String(condition.value))
      draft.key += `contains${containing.way}${place};`
      const at = addValue(draft, containing.parameter)
      return (slots) => containing.sql(searched, slots(at))
    }
    default: {
      const { op, field, value } = condition
      const bound = table.fieldOf(field)
      draft.key += `${op}${bound.place};`
      const at = addValue(draft, bound.encodeCompared(value))
      return (slots) => comparisons[op](bound, slots(at))
    }
  }
}

type Node<Op extends Condition['op']> = Extract<Condition, { readonly op: Op }>

const compileList = (table: BoundTable, { field, values }: Node<'in'>, draft: StatementDraft): Build => {
  const bound = table.fieldOf(field)
  const encoded = values.map(bound.encodeCompared)
  const { anyOf } = table.dialect
  const parameter = values.length > WRITTEN_OUT ? anyOf.toParameter(encoded, bound.stored) : undefined
  if (parameter !== undefined) {
    draft.key += `any${bound.place};`
    const at = addValue(draft, parameter)
    return (slots) => {
      const { exact } = bound
      return exact !== undefined && anyOf.exactSql !== undefined
        ? anyOf.exactSql(exact, slots(at))
        : bothWays(bound, (side) => anyOf.sql(side, slots(at)))
    }
  }
  draft.key += `in${bound.place}:${values.length};`
  const places = encoded.map((value) => addValue(draft, value))
  return (slots) => amongSql(bound, places.map(slots))
}

/** This form lets the database seek the position in an index of the tied field and the next one. */
const compileTie = (
  table: BoundTable,
  { field, value, condition }: Node<'tie'>,
  draft: StatementDraft,
): Build => {
  const tied = table.fieldOf(field)
  draft.key += `tie${tied.place};`
  const at = addValue(draft, tied.encodeCompared(value))
  if (table.dialect.comparesRows && (condition.op === 'gt' || condition.op === 'lt')) {
    const { op } = condition
    const last = table.fieldOf(condition.field)
    draft.key += `${op}${last.place};`
    const lastAt = addValue(draft, last.encodeCompared(condition.value))
    return (slots) => rowsSql[op](sidesOf(tied, slots(at)), sidesOf(last, slots(lastAt)))
  }
  const build = compileCondition(table, condition, draft)
  return (slots) => {
    const { column, value } = sidesOf(tied, slots(at))
    return sql`(${column} = ${value} and ${build(slots)})`
  }
}

interface Sides {
  readonly column: SQLChunk
  readonly value: SQLChunk
}

const sidesOf = ({ compared, ordered, comparedSlot }: BoundField, slot: SQLChunk): Sides => ({
  column: ordered(compared),
  value: ordered(comparedSlot(slot)),
})

const rowsSql = {
  gt: (a: Sides, b: Sides) =>
    sql`(${a.column} <= ${a.value} and (${a.column}, ${b.column}) > (${a.value}, ${b.value}))`,
  lt: (a: Sides, b: Sides) =>
    sql`(${a.column} >= ${a.value} and (${a.column}, ${b.column}) < (${a.value}, ${b.value}))`,
} as const

/** Not `exists`, which would need the name of the outer table: a table may refer to itself. */
const relatedSql = (
  { fields, target, references }: BoundRelation,
  condition: SQL,
  { table }: BoundTable,
): SQL => {
  const found = sql`${namesOf(references)} from ${target.table} where ${condition}`
  const names = fields.length === 1 ? namesOf(fields) : sql`(${namesOf(fields)})`
  // With `distinct`, MySQL completes the subquery before the change begins.
  return target.table === table && !target.dialect.readsWhatItChanges
    ? sql`${names} in (select * from (select distinct ${found}) as found)`
    : sql`${names} in (select ${found})`
}

const namesOf = (fields: readonly BoundField[]): SQL => listSql(fields.map(({ name }) => name))

const negated = (condition: SQL): SQL => sql`(${condition}) is not true`

/**
 * If different strings are equal in the column's collation, compares twice: once to use the index, once byte for byte.
 */
const bothWays = ({ compared, exact }: BoundField, compare: (side: SQLChunk) => SQL): SQL =>
  exact === undefined ? compare(compared) : sql`(${compare(compared)} and ${compare(exact)})`

export const equalSql = (bound: BoundField, slot: SQLChunk): SQL =>
  bothWays(bound, (side) => sql`${side} = ${bound.comparedSlot(slot)}`)

const amongSql = (bound: BoundField, slots: readonly SQLChunk[]): SQL => {
  if (slots.length === 0) return sql`false`
  const list = listSql(slots.map(bound.comparedSlot))
  return bothWays(bound, (side) => sql`${side} in (${list})`)
}

const ranked =
  (sign: SQL) =>
  (bound: BoundField, slot: SQLChunk): SQL => {
    const { column, value } = sidesOf(bound, slot)
    return sql`${column} ${sign} ${value}`
  }

type CompareSql = (bound: BoundField, slot: SQLChunk) => SQL

const comparisons: Readonly<Record<Exclude<Comparison, 'contains'>, CompareSql>> = {
  eq: equalSql,
  ne: (bound, slot) => negated(equalSql(bound, slot)),
  lt: ranked(sql`<`),
  le: ranked(sql`<=`),
  gt: ranked(sql`>`),
  ge: ranked(sql`>=`),
}
