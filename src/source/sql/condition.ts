import type { TextComparison } from '../../model/text-comparisons.ts'
import { type Comparison, type Condition, everything, hasRelation } from '../../query/ast.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import { withImpliedRanges } from './implied.ts'
import { compileElement, compileJson } from './inside.ts'
import { addValue, type Build, draftOf, draftValues, type StatementDraft } from './statement.ts'
import { enterRelation } from './steps.ts'
import { listSql, type Sql, sql } from './text.ts'

/** All of the conditions on records of `table`. `undefined`: they always hold. */
export const compileAll = (
  conditions: readonly Condition[],
  table: BoundTable,
  draft: StatementDraft,
): Build | undefined => {
  const builds: Build[] = []
  const all = table.dialect.concludesRanges ? conditions : withImpliedRanges(conditions, table)
  for (const condition of all)
    if (!holdsAlways(condition)) builds.push(compileCondition(table, condition, draft))
  const { filter } = table
  if (builds.length === 0) return filter && (() => filter)
  return (slots) => {
    const parts = builds.map((build) => build(slots))
    return sql.join(filter === undefined ? parts : [filter, ...parts], sql` and `)
  }
}

/** The condition that a record has this key and meets the guard. */
export const compileKey = (key: readonly unknown[], guard: Condition, draft: StatementDraft): Build => {
  const { table, values } = draft
  const first = values.length
  // A view may not have an index of the key. A related record may be found in several ways.
  draft.hasOnePlan = !table.table.isView && (holdsAlways(guard) || !hasRelation(guard))
  draft.extent = 'one'
  for (const { encodeCompared } of table.key) values.push(encodeCompared(key[values.length - first]))
  const guarded = holdsAlways(guard) ? undefined : compileCondition(table, guard, draft)
  return (slots) => {
    const conditions = table.key.map((bound, place) => equalSql(bound, slots(first + place)))
    if (table.filter !== undefined) conditions.push(table.filter)
    if (guarded !== undefined) conditions.push(guarded(slots))
    return sql.join(conditions, sql` and `)
  }
}

/** All of the conditions with their values, for a statement that an ORM makes. */
export const conditionSql = (table: BoundTable, conditions: readonly Condition[]): Sql => {
  const draft = draftOf(table)
  const build = compileAll(conditions, table, draft)
  return build === undefined ? sql`true` : sql`(${build(draftValues(draft))})`
}

/** A condition in a query that the application makes in its ORM, which adds to it what it adds to its own. */
export const conditionIn = (table: BoundTable, alias: string, condition: Condition): Sql =>
  conditionSql({ ...table.as(alias), filter: undefined }, [condition])

export const holdsAlways = (condition: Condition): boolean =>
  condition.op === 'and' && condition.conditions.length === 0

export const emptySql: Build = () => sql``

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
      const { condition: inner } = condition
      if (inner.op === 'related') {
        // Planners know this form, and find the records without a related one in a single pass.
        const { build, isTwoValued } = compileRelated(table, inner, draft)
        return (slots) => (isTwoValued ? sql`not (${build(slots)})` : negated(build(slots)))
      }
      const build = compileCondition(table, inner, draft)
      return (slots) => negated(build(slots))
    }
    case 'related':
      return compileRelated(table, condition, draft).build
    case 'is-null':
    case 'is-not-null': {
      const { name, place } = table.fieldOf(condition.field)
      const test = condition.op === 'is-null' ? 'is null' : 'is not null'
      draft.key += `${condition.op}${place};`
      return () => sql`${name} ${sql.raw(test)}`
    }
    case 'in':
      return compileList(table, condition, draft)
    case 'has-element':
      return compileElement(table, condition, draft)
    case 'json':
    case 'json-null':
      return compileJson(table, condition, draft)
    case 'tie':
      return compileTie(table, condition, draft)
    default: {
      const { op, field, value } = condition
      if (isOfText(op)) return compileText(table, { op, field, value }, draft)
      const bound = table.fieldOf(field)
      draft.key += `${op}${bound.place};`
      const encode = op === 'eq' || op === 'ne' ? bound.encodeCompared : bound.encodeRanked
      const at = addValue(draft, encode(value))
      return (slots) => comparisons[op](bound, slots(at))
    }
  }
}

const compileText = (
  table: BoundTable,
  { op, field, value }: { readonly op: TextComparison; readonly field: string; readonly value: unknown },
  draft: StatementDraft,
): Build => {
  const bound = table.fieldOf(field)
  const { way, parameters, sql: compare } = table.dialect.text[op](String(value))
  draft.key += `${op}-${way}${bound.place};`
  const places = parameters.map((parameter) => addValue(draft, parameter))
  return (slots) => compare(bound, places.map(slots))
}

type Node<Op extends Condition['op']> = Extract<Condition, { readonly op: Op }>

const compileList = (table: BoundTable, { field, values }: Node<'in'>, draft: StatementDraft): Build => {
  const bound = table.fieldOf(field)
  const encoded = values.map(bound.encodeCompared)
  const { anyOf } = table.dialect
  const parameter = values.length > WRITTEN_OUT ? anyOf.toParameter(encoded, bound.column.stored) : undefined
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
    const lastAt = addValue(draft, last.encodeRanked(condition.value))
    return (slots) => rowsSql[op](sidesOf(tied, slots(at)), sidesOf(last, slots(lastAt)))
  }
  const build = compileCondition(table, condition, draft)
  return (slots) => {
    const { column, value } = sidesOf(tied, slots(at))
    return sql`(${column} = ${value} and ${build(slots)})`
  }
}

interface Sides {
  readonly column: Sql
  readonly value: Sql
}

const sidesOf = ({ ranked, ordered, comparedSlot }: BoundField, slot: Sql): Sides => ({
  column: ordered(ranked),
  value: ordered(comparedSlot(slot)),
})

const rowsSql = {
  gt: (a: Sides, b: Sides) =>
    sql`(${a.column} <= ${a.value} and (${a.column}, ${b.column}) > (${a.value}, ${b.value}))`,
  lt: (a: Sides, b: Sides) =>
    sql`(${a.column} >= ${a.value} and (${a.column}, ${b.column}) < (${a.value}, ${b.value}))`,
} as const

const compileRelated = (
  table: BoundTable,
  { relation: name, condition, link = everything }: Node<'related'>,
  draft: StatementDraft,
): { readonly build: Build; readonly isTwoValued: boolean } => {
  const relation = table.relationOf(name)
  const { fields, references, target, through } = relation
  draft.key += `related${relation.place};`
  if (through === undefined) {
    const { inner, isTwoValued, sql: related } = enterRelation(table, relation, condition, draft)
    const build = compileInner(inner, condition, draft)
    return { isTwoValued, build: (slots) => related(build?.(slots)) }
  }
  const joined = enterRelation(
    table,
    { fields, target: through.target, references: through.fields },
    link,
    draft,
  )
  const other = enterRelation(
    joined.inner,
    { fields: through.references, target, references },
    condition,
    draft,
  )
  const buildLink = compileInner(joined.inner, link, draft)
  const build = compileInner(other.inner, condition, draft)
  return {
    isTwoValued: joined.isTwoValued,
    build: (slots) => {
      const found = other.sql(build?.(slots))
      return joined.sql(buildLink === undefined ? found : sql`${buildLink(slots)} and ${found}`)
    },
  }
}

/** `undefined`: it always holds. */
const compileInner = (table: BoundTable, condition: Condition, draft: StatementDraft): Build | undefined => {
  const { filter } = table
  if (!holdsAlways(condition)) {
    const build = compileCondition(table, condition, draft)
    return filter === undefined ? build : (slots) => sql`${filter} and ${build(slots)}`
  }
  draft.key += 'and0;'
  return filter && (() => filter)
}

const negated = (condition: Sql): Sql => sql`(${condition}) is not true`

/**
 * If different strings are equal in the column's collation, compares twice: once to use the index, once byte for byte.
 */
const bothWays = ({ compared, exact }: BoundField, compare: (side: Sql, isExact: boolean) => Sql): Sql =>
  exact === undefined
    ? compare(compared, false)
    : sql`(${compare(compared, false)} and ${compare(exact, true)})`

/** @param exactSlot what the bytes of the field are compared with */
export const equalSql = (bound: BoundField, slot: Sql, exactSlot: Sql = slot): Sql =>
  bothWays(bound, (side, isExact) => sql`${side} = ${bound.comparedSlot(isExact ? exactSlot : slot)}`)

const amongSql = (bound: BoundField, slots: readonly Sql[]): Sql => {
  if (slots.length === 0) return sql`false`
  const list = listSql(slots.map(bound.comparedSlot))
  return bothWays(bound, (side) => sql`${side} in (${list})`)
}

const ranked =
  (sign: Sql) =>
  (bound: BoundField, slot: Sql): Sql => {
    const { column, value } = sidesOf(bound, slot)
    return sql`${column} ${sign} ${value}`
  }

const isOfText = (op: Comparison): op is TextComparison => !Object.hasOwn(comparisons, op)

type CompareSql = (bound: BoundField, slot: Sql) => Sql

const comparisons: Readonly<Record<Exclude<Comparison, TextComparison>, CompareSql>> = {
  eq: equalSql,
  ne: (bound, slot) => negated(equalSql(bound, slot)),
  lt: ranked(sql`<`),
  le: ranked(sql`<=`),
  gt: ranked(sql`>`),
  ge: ranked(sql`>=`),
}
