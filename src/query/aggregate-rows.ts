import { kinds } from '../model/kinds/index.ts'
import { type Field, type FieldKind, fieldOf, type Model } from '../model/model.ts'
import { ownValue, type Values } from '../model/objects.ts'
import { AVERAGE_DIGITS, aggregatedKind } from './aggregate-kinds.ts'
import { type Aggregate, type Aggregation, columnName, everything, type Grouping } from './ast.ts'
import { startOfPart } from './date-parts.ts'
import { compareValues, type Evaluation, holds } from './evaluate.ts'
import { resultModel } from './result-model.ts'

/**
 * Aggregates records that meet the filter already. For sources without a query language, and for tests.
 *
 * @param by whether `having` ignores the case of all characters, as conditions on records do
 * @returns the rows of the result, in the form that `aggregate` of a store must return
 */
export const aggregateRows = (
  { groups, aggregates, having = everything, order, limit, timezone }: Omit<Aggregation, 'filter'>,
  rows: readonly Values[],
  model: Model,
  by: Pick<Evaluation, 'unicodeCaseFolding'> = {},
): readonly Values[] => {
  const keys = groups.map((grouping) => keyOf(grouping, model, timezone))
  const columns = aggregates.map((aggregate) => functionOf(aggregate, model))
  const compare = comparing([...keys, ...columns], order)
  const evaluation = { ...by, model: resultModel({ groups, aggregates }, model) }
  return groupsOf(keys, rows)
    .map(({ values, members }) =>
      Object.fromEntries([
        ...keys.map(({ name }, at) => [name, values[at]] as const),
        ...columns.map(({ name, of }) => [name, of(members)] as const),
      ]),
    )
    .filter((row) => holds(having, row, evaluation))
    .sort(compare)
    .slice(0, limit)
}

/** A column of the result. */
interface RowColumn<From> {
  readonly name: string
  /** Its values are compared like those of this kind. */
  readonly kind: FieldKind
  /** Null: there is no value. */
  readonly of: (from: From) => unknown
}

const keyOf = ({ field: name, part }: Grouping, model: Model, timezone: string): RowColumn<Values> => {
  const field = fieldOf(model, name)
  const valueIn = (row: Values): unknown => ownValue(row, name) ?? null
  const column = { name: columnName({ field: name, ...(part && { part }) }) }
  if (part === undefined) return { ...column, kind: field.kind, of: valueIn }
  const startOf = startOfPart(field, { part, timezone })
  return {
    ...column,
    kind: 'text',
    of: (row) => {
      const value = valueIn(row)
      return value === null ? null : startOf(value)
    },
  }
}

interface Group {
  readonly values: readonly unknown[]
  readonly members: Values[]
}

/** Records with equal keys are next to each other once they are sorted. */
const groupsOf = (keys: readonly RowColumn<Values>[], rows: readonly Values[]): readonly Group[] => {
  if (keys.length === 0) return [{ values: [], members: [...rows] }]
  const compare = (a: Group, b: Group): number =>
    keys.reduce(
      (found, { kind }, at) => (found === 0 ? compareNullable(a.values[at], b.values[at], kind) : found),
      0,
    )
  const sorted = rows.map((row): Group => ({ values: keys.map(({ of }) => of(row)), members: [row] }))
  sorted.sort(compare)
  const groups: Group[] = []
  for (const next of sorted) {
    const last = groups.at(-1)
    if (last !== undefined && compare(last, next) === 0) last.members.push(...next.members)
    else groups.push(next)
  }
  return groups
}

const compareNullable = (a: unknown, b: unknown, kind: FieldKind): number =>
  a === null || b === null ? Number(a === null) - Number(b === null) : compareValues(a, b, { kind })

const comparing =
  (columns: readonly { readonly name: string; readonly kind: FieldKind }[], order: Aggregation['order']) =>
  (left: Values, right: Values): number => {
    for (const { column, direction } of order) {
      const { kind = 'text' } = columns.find(({ name }) => name === column) ?? {}
      const [a, b] = [ownValue(left, column) ?? null, ownValue(right, column) ?? null]
      const compared = compareNullable(a, b, kind)
      if (compared !== 0) return direction === 'asc' ? compared : -compared
    }
    return 0
  }

const functionOf = (aggregate: Aggregate, model: Model): RowColumn<readonly Values[]> => {
  const name = columnName(aggregate)
  if (aggregate.field === undefined) return { name, kind: 'integer', of: (rows) => rows.length }
  const field = fieldOf(model, aggregate.field)
  const { kindOf, of } = functions[aggregate.fn]
  return {
    name,
    kind: kindOf(field),
    of: (rows) =>
      of(
        rows.map((row) => ownValue(row, field.name) ?? null).filter((value) => value !== null),
        field,
      ),
  }
}

interface Function {
  readonly kindOf: (field: Field) => FieldKind
  readonly of: (values: readonly unknown[], field: Field) => unknown
}

const extreme = (sign: 1 | -1): Function => ({
  kindOf: ({ kind }) => kind,
  of: (values, field) =>
    values.reduce<unknown>(
      (found, value) => (found === null || sign * compareValues(value, found, field) > 0 ? value : found),
      null,
    ),
})

const functions: Readonly<Record<Aggregate['fn'], Function>> = {
  count: { kindOf: () => 'integer', of: (values) => values.length },
  count_distinct: {
    kindOf: () => 'integer',
    of: (values, field) => {
      const sorted = values.toSorted((a, b) => compareValues(a, b, field))
      return sorted.filter((value, at) => at === 0 || compareValues(value, sorted[at - 1], field) !== 0)
        .length
    },
  },
  sum: {
    kindOf: (field) => aggregatedKind(field).sum ?? 'float',
    of: (values, field) => {
      if (values.length === 0) return null
      const { sum = 'float' } = aggregatedKind(field)
      if (sum === 'float') return sumOfFloats(values)
      const { units, digits } = exactSum(values, field)
      return sum === 'decimal' ? decimalText(units, digits) : units
    },
  },
  avg: {
    kindOf: (field) => aggregatedKind(field).avg ?? 'float',
    of: (values, field) => {
      if (values.length === 0) return null
      if (aggregatedKind(field).avg !== 'decimal') return sumOfFloats(values) / values.length
      const { units, digits } = exactSum(values, field)
      return exactAverage(units, digits, BigInt(values.length))
    },
  },
  min: extreme(-1),
  max: extreme(1),
}

const sumOfFloats = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + Number(value), 0)

/** A sum in units of the last of `digits` digits after the point. */
const exactSum = (values: readonly unknown[], field: Field) => {
  const texts = values.map((value) => String(kinds[field.kind].write(value, field)))
  const fractions = texts.map((text) => text.split('.')[1]?.length ?? 0)
  const digits = Math.max(field.scale ?? 0, ...fractions)
  const units = texts.reduce((sum, text, at) => {
    const missing = digits - (fractions[at] ?? 0)
    return sum + BigInt(text.replace('.', '') + '0'.repeat(missing))
  }, 0n)
  return { units, digits }
}

/**
 * The average of decimals or integers, with four digits more than the sum. The last digit is rounded, half away from zero.
 *
 * @param units the sum in units of the last of its `digits` digits after the point
 */
export const exactAverage = (units: bigint, digits: number, count: bigint): string => {
  const dividend = (units < 0n ? -units : units) * 10n ** BigInt(AVERAGE_DIGITS)
  const rounded = (2n * dividend + count) / (2n * count)
  return decimalText(units < 0n ? -rounded : rounded, digits + AVERAGE_DIGITS)
}

/** A decimal in units of its last digit, or of the last one of its scale. */
export const unitsOf = (decimal: string, scale = 0): { readonly units: bigint; readonly digits: number } => {
  const [whole = '', fraction = ''] = decimal.split('.')
  const digits = Math.max(scale, fraction.length)
  return { units: BigInt(whole + fraction.padEnd(digits, '0')), digits }
}

/** `1234` with two digits is `12.34`. */
export const decimalText = (units: bigint, digits: number): string => {
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0')
  const point = text.length - digits
  const plain = digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`
  return units < 0n ? `-${plain}` : plain
}
