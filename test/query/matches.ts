import type { Comparison, Condition, Order, Selection } from '../../src/query/ast.ts'

/** A record with comparable values: numbers, strings, booleans, dates, null. */
export type Sample = Readonly<Record<string, unknown>>

const compared = (value: unknown): number | string => {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' ? value : Number(value)
}

const orderOf = (a: unknown, b: unknown): number => {
  const [left, right] = [compared(a), compared(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

const comparisons: Readonly<Record<Comparison, (stored: unknown, asked: unknown) => boolean>> = {
  eq: (stored, asked) => orderOf(stored, asked) === 0,
  ne: (stored, asked) => orderOf(stored, asked) !== 0,
  lt: (stored, asked) => orderOf(stored, asked) < 0,
  le: (stored, asked) => orderOf(stored, asked) <= 0,
  gt: (stored, asked) => orderOf(stored, asked) > 0,
  ge: (stored, asked) => orderOf(stored, asked) >= 0,
  contains: (stored, asked) => String(stored).toLowerCase().includes(String(asked).toLowerCase()),
}

/** What a condition means, in plain code. */
export const matches = (record: Sample, condition: Condition): boolean => {
  switch (condition.op) {
    case 'and':
      return condition.conditions.every((inner) => matches(record, inner))
    case 'or':
      return condition.conditions.some((inner) => matches(record, inner))
    case 'not':
      return !matches(record, condition.condition)
    case 'tie':
      return (
        matches(record, { op: 'eq', field: condition.field, value: condition.value }) &&
        matches(record, condition.condition)
      )
    case 'is-null':
      return record[condition.field] === null
    case 'is-not-null':
      return record[condition.field] !== null
    case 'in':
      return condition.values.some((value) => matches(record, { op: 'eq', field: condition.field, value }))
    case 'related':
      throw new Error('No client can ask for a condition on a related record.')
    default: {
      const stored = record[condition.field]
      return stored === null ? condition.op === 'ne' : comparisons[condition.op](stored, condition.value)
    }
  }
}

const byOrder =
  (order: readonly Order[]) =>
  (a: Sample, b: Sample): number => {
    for (const { field, direction } of order) {
      const [left, right] = [a[field], b[field]]
      const ascending =
        left === null || right === null
          ? Number(left === null) - Number(right === null)
          : orderOf(left, right)
      if (ascending !== 0) return direction === 'asc' ? ascending : -ascending
    }
    return 0
  }

/** The records that a selection asks for. */
export const select = (records: readonly Sample[], { filter, order, limit, offset }: Selection) =>
  records
    .filter((record) => matches(record, filter))
    .sort(byOrder(order))
    .slice(offset, offset + limit)
