import { type Hop, hasRelation, type Order, sortName } from '../../query/ast.ts'
import type { BoundField, BoundTable, NamedField } from './bound-table.ts'
import { compileAll, emptySql } from './condition.ts'
import { type Build, draftValues, type StatementDraft } from './statement.ts'
import { sameSql } from './steps.ts'
import { listSql, type Sql, sql } from './text.ts'

/** The order of a statement. */
export interface Sorting {
  /** ` left join …` for sort keys that are reached through relations. */
  readonly joins: Build
  /** ` order by …`, with nulls as the largest value. */
  readonly orderBy: Build
  /** The keys of the order, for the end of another one. */
  readonly keys: () => readonly Sql[]
  /** The sort values of other tables. */
  readonly values: readonly NamedField[]
}

/** The table of a list. Its columns are qualified if the order joins other tables. */
export const sortedTable = (table: BoundTable, order: readonly Order[]): BoundTable =>
  order.some(isJoined) ? table.qualified() : table

export const isJoined = ({ via = [] }: Order): boolean => via.length > 0

interface Join {
  readonly from: BoundTable
  readonly relation: string
  readonly guard: Hop['guard']
  readonly to: BoundTable
  readonly build: Build
}

/** @param table the table of the list, qualified if `sortedTable` is */
export const compileSorting = (
  order: readonly Order[],
  table: BoundTable,
  draft: StatementDraft,
): Sorting => {
  if (!order.some(isJoined)) return ownSorting(order, table, draft)
  const joins: Join[] = []
  const joinedBy = (from: BoundTable, { relation, guard }: Hop): BoundTable => {
    const known = joins.find(
      (join) => join.from === from && join.relation === relation && join.guard === guard,
    )
    const join = known ?? compileJoin(from, { relation, guard }, `sort${joins.length}`, draft)
    if (known === undefined) joins.push(join)
    return join.to
  }
  const keys = order.map((key) => {
    const { field, direction, via = [] } = key
    const sorted = via.reduce(joinedBy, table)
    const bound = sorted.fieldOf(field)
    const join = joins.findIndex(({ to }) => to === sorted)
    draft.key += join < 0 ? direction + bound.place : `@${join}${direction}${bound.place}`
    return { direction, bound, name: sortName(key), isJoined: isJoined(key) }
  })
  const keysSql = () =>
    keys.map(({ bound, direction, isJoined }) => keySql(table, bound, direction, isJoined))
  return {
    joins: (slots) => sql.join(joins.map(({ build }) => build(slots))),
    orderBy: () => sql` order by ${listSql(keysSql())}`,
    keys: keysSql,
    values: keys.filter((key) => key.isJoined),
  }
}

/** The same for a statement that cannot join tables: sort keys of other tables are subqueries on the record itself. */
export const compileSubselects = (
  order: readonly Order[],
  table: BoundTable,
  draft: StatementDraft,
): Omit<Sorting, 'orderBy'> => {
  const keys = order.map((key) => {
    const sorted = table.as(`sorted${table.depth}`)
    const { joins, values } = compileSorting([key], isJoined(key) ? sorted : table, draft)
    const same = sameSql(sorted.key, table.key)
    const [reached] = values
    const subselect = (value: Sql): Sql =>
      sql`(select ${value} from ${sorted.from}${joins(draftValues(draft))} where ${same})`
    const { bound } = reached ?? { bound: table.fieldOf(key.field) }
    return {
      ...{ name: sortName(key), direction: key.direction, isJoined: isJoined(key) },
      bound: isJoined(key)
        ? { ...bound, name: subselect(bound.name), selected: subselect(bound.selected) }
        : bound,
    }
  })
  return {
    joins: emptySql,
    keys: () => keys.map((key) => keySql(table, key.bound, key.direction, key.isJoined)),
    values: keys.filter((key) => key.isJoined),
  }
}

const noValues: readonly NamedField[] = []

/** By fields of the table itself. SQL is built only if the statement is not cached. */
const ownSorting = (order: readonly Order[], table: BoundTable, draft: StatementDraft): Sorting => {
  for (const { field, direction } of order) draft.key += direction + table.fieldOf(field).place
  const keys = () =>
    order.map(({ field, direction }) => keySql(table, table.fieldOf(field), direction, false))
  return {
    joins: emptySql,
    orderBy: order.length === 0 ? emptySql : () => sql` order by ${listSql(keys())}`,
    keys,
    values: noValues,
  }
}

const compileJoin = (
  from: BoundTable,
  { relation, guard }: Pick<Join, 'relation' | 'guard'>,
  alias: string,
  draft: StatementDraft,
): Join => {
  const { fields, target, references, place } = from.relationOf(relation)
  const to = target.as(alias)
  draft.key += `via${place};`
  const holds = compileAll(guard ? [guard] : [], to, draft)
  const same = sameSql(references.map(to.fieldOf), fields.map(from.fieldOf))
  // MySQL finds wrong records if it can join the tables of the subqueries in the condition of an outer join.
  const isKept = guard !== undefined && hasRelation(guard) && to.dialect.relatedBy === 'in-always'
  const build: Build = (slots) => {
    const guarded = holds?.(slots)
    const kept = isKept ? sql`case when ${guarded} then true else false end` : guarded
    return sql` left join ${to.from} on ${same}${kept && sql` and ${kept}`}`
  }
  return { from, relation, guard, to, build }
}

/** Only nullable columns get an expression, which indexes do not support. */
const keySql = (
  { dialect }: BoundTable,
  { name, ordered, field }: BoundField,
  direction: Order['direction'],
  isJoined: boolean,
): Sql => {
  const side = ordered(name)
  if (!field.nullable && !isJoined) return sql`${side} ${sql.raw(direction)}`
  return nullsLargestSql(dialect, name, side, direction)
}

/** Sorts by `side`, with null as the largest value. @param name is null if `side` is */
export const nullsLargestSql = (
  dialect: BoundTable['dialect'],
  name: Sql,
  side: Sql,
  direction: Order['direction'],
): Sql => dialect.nullsLargest?.(name, side, direction) ?? sql`${side} ${nullsLargest[direction]}`

const nullsLargest = { asc: sql`asc nulls last`, desc: sql`desc nulls first` } as const
