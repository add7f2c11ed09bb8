import { byBytes } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, fieldOf, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import type { Comparison, Condition, Order } from './ast.ts'
import { assertDefined } from './normal-form.ts'

type Row = Readonly<Record<string, unknown>>

/** How a condition is evaluated without a database. */
export interface Evaluation {
  readonly model: Model
  /** `contains` ignores the case of all Unicode characters, not only of ASCII. @default false */
  readonly unicodeCaseFolding?: boolean
  /**
   * The record at the other end of a to-one relation, and how conditions on it are evaluated. @default relations have no
   * record
   */
  readonly related?: (
    row: Row,
    relation: string,
  ) => { readonly row: Row; readonly by: Evaluation } | undefined
}

/**
 * Whether a record meets a condition. For sources without a query language, and for tests.
 *
 * @throws Error for a value that is undefined, or not of the kind of its field
 */
export const holds = (condition: Condition, row: Row, by: Evaluation): boolean => {
  switch (condition.op) {
    case 'and':
      return condition.conditions.every((inner) => holds(inner, row, by))
    case 'or':
      return condition.conditions.some((inner) => holds(inner, row, by))
    case 'not':
      return !holds(condition.condition, row, by)
    case 'tie': {
      const { field, value } = condition
      return holds({ op: 'eq', field, value }, row, by) && holds(condition.condition, row, by)
    }
    case 'related': {
      const found = by.related?.(row, condition.relation)
      return found !== undefined && holds(condition.condition, found.row, found.by)
    }
    case 'is-null':
      return storedIn(row, condition.field) === null
    case 'is-not-null':
      return storedIn(row, condition.field) !== null
    case 'in':
      return condition.values.some((value) => holds({ op: 'eq', field: condition.field, value }, row, by))
    case 'ne':
      return !holds({ ...condition, op: 'eq' }, row, by)
    default: {
      const { op, field, value } = condition
      assertDefined(field, value)
      const stored = storedIn(row, field)
      if (stored === null || value === null) return false
      return compares[op](stored, value, fieldOf(by.model, field), by)
    }
  }
}

/** Records without a database may omit nulls. */
const storedIn = (row: Row, field: string): unknown => ownValue(row, field) ?? null

type Compare = (stored: unknown, value: unknown, field: Field, by: Evaluation) => boolean

const compares: Readonly<Record<Exclude<Comparison, 'ne'>, Compare>> = {
  eq: (stored, value, field) => compareValues(stored, value, field) === 0,
  lt: (stored, value, field) => compareValues(stored, value, field) < 0,
  le: (stored, value, field) => compareValues(stored, value, field) <= 0,
  gt: (stored, value, field) => compareValues(stored, value, field) > 0,
  ge: (stored, value, field) => compareValues(stored, value, field) >= 0,
  contains: (stored, value, _field, { unicodeCaseFolding = false }) => {
    const fold = unicodeCaseFolding ? foldAll : foldAscii
    return fold(String(stored)).includes(fold(String(value)))
  },
}

const foldAll = (text: string): string => text.toLowerCase()
const foldAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Compares two records by sort keys, for `Array.sort`. Nulls are the largest value. */
export const compareRows =
  (order: readonly Order[], model: Model) =>
  (left: Row, right: Row): number => {
    for (const { field, direction } of order) {
      const [a, b] = [storedIn(left, field), storedIn(right, field)]
      const compared =
        a === null || b === null
          ? Number(a === null) - Number(b === null)
          : compareValues(a, b, fieldOf(model, field))
      if (compared !== 0) return direction === 'asc' ? compared : -compared
    }
    return 0
  }

/**
 * Compares two values of a field that are not null: below zero, zero or above. Decimals and bigints are compared by value,
 * times by their instant with all digits, strings by their bytes, and JSON by its text.
 *
 * @throws Error for a value that is not of the kind
 */
export const compareValues = (left: unknown, right: unknown, { kind }: Pick<Field, 'kind'>): number => {
  const { compare } = kinds[kind]
  return compare === undefined ? byBytes(jsonOf(left), jsonOf(right)) : compare(left, right)
}

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
