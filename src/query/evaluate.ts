import { type Field, fieldOf, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import type { Comparison, Condition, Order } from './ast.ts'

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

/** Whether a record meets a condition. For sources without a query language, and for tests. */
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
      if (
        ownValue(row, field) === null ||
        compareValues(ownValue(row, field), value, fieldOf(by.model, field)) !== 0
      )
        return false
      return holds(condition.condition, row, by)
    }
    case 'related': {
      const found = by.related?.(row, condition.relation)
      return found !== undefined && holds(condition.condition, found.row, found.by)
    }
    case 'is-null':
      return ownValue(row, condition.field) === null
    case 'is-not-null':
      return ownValue(row, condition.field) !== null
    case 'in':
      return condition.values.some((value) => holds({ op: 'eq', field: condition.field, value }, row, by))
    case 'ne':
      return !holds({ ...condition, op: 'eq' }, row, by)
    default: {
      const stored = ownValue(row, condition.field)
      if (stored === null) return false
      return compares[condition.op](stored, condition.value, fieldOf(by.model, condition.field), by)
    }
  }
}

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
      const [a, b] = [ownValue(left, field), ownValue(right, field)]
      const compared =
        a === null || b === null
          ? Number(a === null) - Number(b === null)
          : compareValues(a, b, fieldOf(model, field))
      if (compared !== 0) return direction === 'asc' ? compared : -compared
    }
    return 0
  }

/** Below zero, zero or above. The values have the form of the field and are not null. */
export const compareValues = (left: unknown, right: unknown, field: Pick<Field, 'kind'>): number => {
  const [a, b] = [comparable(left, field), comparable(right, field)]
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return Number(a > b) - Number(a < b)
}

/** Decimals by value, times by instant with all digits, text by its bytes. */
const comparable = (value: unknown, { kind }: Pick<Field, 'kind'>): bigint | number | Uint8Array => {
  if (kind === 'decimal') return scaled(String(value))
  if (typeof value === 'bigint' || typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof Uint8Array) return value
  return Buffer.from(value instanceof Date ? value.toISOString().padEnd(30) : String(value))
}

/** More digits than the decimals of databases have after the point. */
const SCALE = 40

const scaled = (decimal: string): bigint => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(SCALE, '0').slice(0, SCALE))
}
