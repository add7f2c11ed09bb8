import { ownValue } from '../../model/objects.ts'
import { aggregatedKind } from '../../query/aggregate-kinds.ts'
import { decimalText, exactAverage, unitsOf } from '../../query/aggregate-rows.ts'
import { type Aggregate, type Aggregation, columnName, type Grouping } from '../../query/ast.ts'
import { type Row, SourceError } from '../source.ts'
import { columnAt, decoded, type Raw, type SortKey, withNullsLast } from './selects.ts'
import type { Sized } from './sizes.ts'
import { columnSql, type MappedTable, type Member, memberOf, type Scope } from './tables.ts'
import { onText } from './text.ts'

/** The parts of a statement that aggregates. */
export interface Aggregating {
  /** The columns of the result, named by `columnAt`. */
  readonly selects: readonly string[]
  /** Those of them that are values of fields. */
  readonly sized: readonly Sized<string>[]
  readonly groups: readonly string[]
  readonly order: readonly SortKey[]
  readonly rowOf: (raw: Raw) => Row
}

/** A column of the result of an aggregation. */
interface Result {
  readonly name: string
  readonly selects: readonly string[]
  /** What it is sorted by. */
  readonly sorted: readonly string[]
  readonly decode: (raw: readonly unknown[]) => unknown
  /** Its values are those of a field. */
  readonly field?: Member['field']
}

/**
 * @param at the name of the table in this statement, in SQL
 * @throws SourceError `type` for a sum that the database cannot compute exactly
 */
export const aggregating = (
  scope: Scope,
  table: MappedTable,
  at: string,
  { groups, aggregates, order }: Pick<Aggregation, 'groups' | 'aggregates' | 'order'>,
): Aggregating => {
  const grouped = groups.map((grouping) => groupOf(scope, table, at, grouping))
  const results: Result[] = [
    ...grouped.map(({ result }) => result),
    ...aggregates.map((aggregate) => functionOf(scope, table, at, aggregate)),
  ]
  const selects = results.flatMap((result) => result.selects.map((sql) => ({ result, sql })))
  const keys = order.flatMap(({ column, direction }) => {
    const sorted = results.find(({ name }) => name === column)?.sorted ?? []
    return sorted.map((sql) => ({ sql, direction, isNullable: true }))
  })
  return {
    selects: selects.map(({ sql }) => sql),
    sized: selects.flatMap(({ result: { field }, sql }) =>
      field === undefined ? [] : [{ field, value: sql }],
    ),
    groups: grouped.map(({ key }) => key),
    order: withNullsLast(scope, keys),
    rowOf: (raw) =>
      Object.fromEntries(
        results.map((result) => {
          const own = selects.flatMap(({ result: of }, place) =>
            of === result ? [ownValue(raw, columnAt(place))] : [],
          )
          return [result.name, result.decode(own)]
        }),
      ),
  }
}

/** Strings that a collation takes as equal are different groups. */
const groupOf = (
  scope: Scope,
  table: MappedTable,
  at: string,
  grouping: Grouping,
): { readonly key: string; readonly result: Result } => {
  const member = memberOf(table, grouping.field)
  const { codec } = member
  const column = columnSql(scope, at, member)
  const key = onText(codec.exact ?? codec.sorted, column)
  // MySQL does not know that the value depends on a key that is made of it.
  const value = key === column ? column : `min(${column})`
  return {
    key,
    result: {
      ...{ name: columnName(grouping), selects: [onText(codec.read, value)] },
      ...{
        sorted: [codec.exact === undefined && key !== column ? `min(${key})` : value],
        decode: decodeGroup(member),
      },
      field: member.field,
    },
  }
}

const decodeGroup =
  (
    member: Member,
    decode: (raw: unknown, count: unknown) => unknown = member.codec.decode,
  ): Result['decode'] =>
  ([raw, count]) =>
    decoded(
      member,
      raw,
      () => 'a group of records',
      (value) => decode(value, count),
    )

const functionOf = (scope: Scope, table: MappedTable, at: string, aggregate: Aggregate): Result => {
  const name = columnName(aggregate)
  const { fn, field } = aggregate
  if (field === undefined) return counting(name, '*')
  const member = memberOf(table, field)
  const column = columnSql(scope, at, member)
  if (fn === 'count') return counting(name, column)
  if (fn === 'min' || fn === 'max') {
    const value = extreme(fn, member, column, scope)
    const selects = [onText(member.codec.read, value)]
    return { name, selects, sorted: [value], decode: decodeGroup(member), field: member.field }
  }
  const { sum } = aggregatedKind(member.field)
  if (sum === 'float') return ofFloats(name, fn, column, scope)
  // A sum of SQLite fails if it is larger than 64 bits.
  const sorted = `${fn}(${column}${scope.family === 'sqlite' ? ' * 1.0' : ''})`
  const summed = exactSum(member, column, scope)
  // PostgreSQL has decimals that are not a number, or infinite.
  const decode = decodeGroup(member, (raw, count) => {
    const { units, digits } = summed.decode(raw)
    if (fn === 'avg') return exactAverage(units, digits, BigInt(String(count)))
    return sum === 'bigint' ? units : decimalText(units, digits)
  })
  if (fn === 'avg') return { name, selects: [summed.sql, `count(${column})`], sorted: [sorted], decode }
  return { name, selects: [summed.sql], sorted: summed.sorted, decode }
}

/** Sums of single precision would lose digits, and an average of PostgreSQL fails if the square of a value has no number. */
const ofFloats = (name: string, fn: 'sum' | 'avg', column: string, { family }: Scope): Result => {
  const sum = `sum(${family === 'pg' ? `${column}::double precision` : `(${column} + 0e0)`})`
  const sql = fn === 'sum' ? sum : `${sum} / count(${column})`
  return { name, selects: [sql], sorted: [sql], decode: ([raw]) => (raw === null ? null : Number(raw)) }
}

const counting = (name: string, counted: string): Result => {
  const sql = `count(${counted})`
  return { name, selects: [sql], sorted: [sql], decode: ([raw]) => Number(raw) }
}

const extreme = (fn: 'min' | 'max', { field, codec }: Member, column: string, { family }: Scope): string => {
  // PostgreSQL has no smallest UUID, but as strings, they have the same order.
  if (family === 'pg' && field.kind === 'uuid') return `${fn}(${column}::text)`
  if (family === 'pg' && field.kind === 'boolean') return `${fn}(${column}::int)::boolean`
  return `${fn}(${onText(codec.sorted, column)})`
}

interface Units {
  readonly sql: string
  readonly sorted: readonly string[]
  /** The sum in units of its last digit. */
  readonly decode: (raw: unknown) => ReturnType<typeof unitsOf>
}

/** Half of the bits of an integer: the sums of both halves fit into 64 bits. */
const HALF = 2n ** 32n

/** The digits of a sum as text. SQLite adds decimals as integers, because it keeps them as binary fractions. */
const exactSum = ({ field }: Member, column: string, { family }: Scope): Units => {
  if (family === 'sqlite') {
    const isDecimal = field.kind === 'decimal'
    const digits = isDecimal ? field.scale : 0
    if (digits === undefined) throw new SourceError('type', { fields: [field.name] })
    const units = isDecimal ? `cast(round(${column} * 1e${digits}) as integer)` : column
    const [high, low] = [`sum(${units} >> 32)`, `sum(${units} & ${HALF - 1n})`]
    return {
      sql: `${high} || ' ' || ${low}`,
      sorted: [`${high} + ${low} / ${HALF}`, `${low} % ${HALF}`],
      decode: (raw) => {
        const [most = '0', least = '0'] = String(raw).split(' ')
        return { units: BigInt(most) * HALF + BigInt(least), digits }
      },
    }
  }
  const sum = `sum(${column})`
  return {
    sql: family === 'pg' ? `${sum}::text` : `cast(${sum} as char)`,
    sorted: [sum],
    decode: (raw) => unitsOf(String(raw), field.scale),
  }
}
