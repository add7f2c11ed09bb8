import type { FieldKind } from '../../model/model.ts'
import { aggregatedKind } from '../../query/aggregate-kinds.ts'
import { decimalText, exactAverage } from '../../query/aggregate-rows.ts'
import { type Aggregate, columnName, type Grouping } from '../../query/ast.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import { fieldReader } from './bound-table.ts'
import { itself } from './codecs.ts'
import type { Database } from './database.ts'
import { partSql } from './date-parts.ts'
import { exactSum } from './exact-sum.ts'
import type { Compared } from './figures.ts'
import { type Sql, sql } from './text.ts'
import { plainFacts } from './types.ts'

/** A column of the result of an aggregation. */
export interface ResultColumn {
  readonly name: string
  /** What the statement selects for it. */
  readonly selected: readonly Sql[]
  /** The name of what is selected, by which the statement groups and sorts. */
  readonly alias?: Sql
  /** What groups the records. */
  readonly groupedBy: readonly Sql[]
  /** Sorts by it. */
  readonly keys: readonly Sql[]
  /** What conditions on the result compare. */
  readonly compared: () => Compared
  /** The value of what was selected, unless its first part is null. */
  read(parts: readonly unknown[]): unknown
}

/** A value that the database computes, and that a driver gets as it is. */
const comparedAs = (kind: FieldKind, name: Sql) => (): Compared => ({
  ...{ name, codec: { encode: itself, encodeCompared: itself }, stored: plainFacts(kind) },
})

/** @param place its index among the groups */
export const groupColumn = (
  database: Database,
  table: BoundTable,
  { grouping, timezone, place }: { grouping: Grouping; timezone: string; place: number },
): ResultColumn => {
  const bound = table.fieldOf(grouping.field)
  const name = columnName(grouping)
  if (grouping.part !== undefined) {
    const alias = sql.identifier(`part${place} of group`)
    const start = partSql(database, bound, { part: grouping.part, timezone })
    // All of the group have the same, which the database may not know.
    const compared = comparedAs('text', sql`min(${start})`)
    return { name, selected: [start], alias, groupedBy: [alias], keys: [alias], compared, read: String }
  }
  const { selected, ordered, exact, column } = bound
  // Strings that are equal in the collation are different values.
  const both = (side: Sql) => (exact === undefined ? [side] : [side, exact])
  const { name: stored } = bound
  // A value that has no place in the order is not null.
  const groupedBy = column.codec.isMixed ? [ordered(stored), sql`${stored} is null`] : both(stored)
  const read = fieldReader(bound)
  return {
    ...{ name, selected: [selected], groupedBy, keys: both(ordered(stored)) },
    compared: () => ({ name: stored, codec: column.codec, stored: column.stored }),
    read: ([value]) => read(value),
  }
}

export const aggregateColumn = (
  database: Database,
  table: BoundTable,
  aggregate: Aggregate,
): ResultColumn => {
  const name = columnName(aggregate)
  if (aggregate.field === undefined) return countColumn(name, sql`count(*)`)
  const bound = table.fieldOf(aggregate.field)
  return { name, ...functions[aggregate.fn](database, bound, name) }
}

type Result = Omit<ResultColumn, 'name'>

const countColumn = (name: string, count: Sql): ResultColumn => ({
  ...{ name, selected: [count], groupedBy: [], keys: [count], compared: comparedAs('integer', count) },
  read: ([value]) => Number(value),
})

const extreme =
  (fn: 'min' | 'max') =>
  (_database: Database, bound: BoundField): Result => {
    const { codec, stored: type } = bound.column
    const found = sql`${sql.raw(fn)}(${bound.ordered(bound.name)})`
    const value = codec.unordered?.(found) ?? found
    const read = fieldReader(bound)
    return {
      ...{ selected: [codec.selected?.(value) ?? value], groupedBy: [], keys: [found] },
      compared: () => ({ name: value, codec, stored: type }),
      read: ([stored]) => read(stored),
    }
  }

/** Sums of single-precision numbers would lose digits. */
const asFloat = ({ dialect }: Database, { name }: BoundField): Sql =>
  dialect === 'pg' ? sql`${name}::double precision` : sql`(${name} + 0e0)`

const sumOfFloats = (database: Database, bound: BoundField): Result => {
  const sum = sql`sum(${asFloat(database, bound)})`
  const compared = comparedAs('float', sum)
  return { selected: [sum], groupedBy: [], keys: [sum], compared, read: ([value]) => Number(value) }
}

const averageOfFloats = (database: Database, bound: BoundField): Result => {
  const value = asFloat(database, bound)
  // PostgreSQL squares the values of its own average.
  const quotient = sql`sum(${value}) / count(${bound.name})`
  return {
    ...{ selected: [sql`sum(${value})`, sql`count(${bound.name})`], groupedBy: [] },
    ...{ keys: [quotient], compared: comparedAs('float', sql`(${quotient})`) },
    read: ([sum, count]) => Number(sum) / Number(count),
  }
}

const exactAverageOf = (database: Database, bound: BoundField): Result => {
  const { columns, average, read } = exactSum(database, bound)
  const count = sql`count(${bound.name})`
  return {
    ...{ selected: [...columns, count], groupedBy: [], ...average(count) },
    read: (parts) => {
      const { units, digits } = read(parts.slice(0, -1))
      return exactAverage(units, digits, BigInt(String(parts.at(-1))))
    },
  }
}

const functions: Readonly<
  Record<Aggregate['fn'], (database: Database, bound: BoundField, name: string) => Result>
> = {
  count: (_database, bound, name) => countColumn(name, sql`count(${bound.name})`),
  count_distinct: (_database, { ordered, exact, name, column }, result) =>
    countColumn(result, sql`count(distinct ${exact ?? (column.codec.isMixed ? ordered(name) : name)})`),
  min: extreme('min'),
  max: extreme('max'),
  sum: (database, bound) => {
    const { sum = 'float' } = aggregatedKind(bound.field)
    if (sum === 'float') return sumOfFloats(database, bound)
    const { columns, sum: figure, read } = exactSum(database, bound)
    return {
      ...{ selected: columns, groupedBy: [], ...figure },
      read: (parts) => {
        const { units, digits } = read(parts)
        return sum === 'decimal' ? decimalText(units, digits) : units
      },
    }
  },
  avg: (database, bound) =>
    aggregatedKind(bound.field).avg === 'decimal'
      ? exactAverageOf(database, bound)
      : averageOfFloats(database, bound),
}
