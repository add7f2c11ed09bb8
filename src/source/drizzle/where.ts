import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Condition } from '../../query/ast.ts'
import type { BoundField, BoundRelation, BoundTable } from './bound-table.ts'
import { amongSql, comparisons, negated } from './compare.ts'
import { listParameter } from './list-parameter.ts'
import { tieOf, tieSql } from './ties.ts'

/** The next place for a value in a statement. */
export type NextSlot = () => SQLChunk

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
