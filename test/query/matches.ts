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
  'starts-with': (stored, asked) => String(stored).startsWith(String(asked)),
  'equals-ignoring-case': (stored, asked) => String(stored).toLowerCase() === String(asked).toLowerCase(),
}

/** The records at the other end of a relation. */
export type RelatedTo = (record: Sample, relation: string) => readonly Sample[]

const unrelated: RelatedTo = () => {
  throw new Error('No client can ask for a condition on a related record.')
}

const inside = (document: unknown, path: readonly (string | number)[]): unknown => {
  const found = path.reduce<unknown>(
    (at, step) =>
      Array.isArray(at) === (typeof step === 'number') && Object.hasOwn(Object(at), step)
        ? Reflect.get(Object(at), step)
        : undefined,
    document,
  )
  return found ?? null
}

const isInside = (stored: unknown, { is, value }: Extract<Condition, { readonly op: 'json' }>): boolean => {
  if (is !== 'matches') return typeof stored === typeof value && comparisons[is](stored, value)
  if (typeof stored === 'string' && typeof value === 'string') return comparisons.contains(stored, value)
  return Array.isArray(stored) ? stored.includes(value) : stored === value
}

/** What a condition means, in plain code. */
export const matches = (record: Sample, condition: Condition, related: RelatedTo = unrelated): boolean => {
  switch (condition.op) {
    case 'and':
      return condition.conditions.every((inner) => matches(record, inner, related))
    case 'or':
      return condition.conditions.some((inner) => matches(record, inner, related))
    case 'not':
      return !matches(record, condition.condition, related)
    case 'tie':
      return (
        matches(record, { op: 'eq', field: condition.field, value: condition.value }) &&
        matches(record, condition.condition, related)
      )
    case 'is-null':
      return record[condition.field] === null
    case 'is-not-null':
      return record[condition.field] !== null
    case 'in':
      return condition.values.some((value) => matches(record, { op: 'eq', field: condition.field, value }))
    case 'related':
      return related(record, condition.relation).some((other) => matches(other, condition.condition, related))
    case 'has-element': {
      const stored = record[condition.field]
      return Array.isArray(stored) && stored.some((each) => orderOf(each, condition.value) === 0)
    }
    case 'json-null':
      return inside(record[condition.field], condition.path) === null
    case 'json':
      return isInside(inside(record[condition.field], condition.path), condition)
    default: {
      const stored = record[condition.field]
      return stored === null ? condition.op === 'ne' : comparisons[condition.op](stored, condition.value)
    }
  }
}

const byOrder =
  (order: readonly Order[], related: RelatedTo) =>
  (a: Sample, b: Sample): number => {
    for (const key of order) {
      const [left, right] = [a, b].map((record) => {
        const last = (key.via ?? []).reduce<Sample | undefined>(
          (from, { relation }) => from && related(from, relation)[0],
          record,
        )
        return last?.[key.field] ?? null
      })
      const ascending =
        left === null || right === null
          ? Number(left === null) - Number(right === null)
          : orderOf(left, right)
      if (ascending !== 0) return key.direction === 'asc' ? ascending : -ascending
    }
    return 0
  }

/** The records that a selection asks for. */
export const select = (
  records: readonly Sample[],
  { filter, order, limit, offset }: Selection,
  related: RelatedTo = unrelated,
) =>
  records
    .filter((record) => matches(record, filter, related))
    .sort(byOrder(order, related))
    .slice(offset, offset + limit)
