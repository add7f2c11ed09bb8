import { kinds } from '../../src/model/kinds/index.ts'
import { type Field, fieldOf, type Model } from '../../src/model/model.ts'
import type { Comparison, Condition, Order } from '../../src/query/ast.ts'
import type { Row } from '../../src/source/source.ts'

export interface Rules {
  readonly model: Model
  readonly unicodeCaseFolding: boolean
}

/** Whether a record meets a condition: the meaning of `query/ast.ts`, without a database. */
export const holds = (condition: Condition, row: Row, rules: Rules): boolean => {
  switch (condition.op) {
    case 'and':
      return condition.conditions.every((inner) => holds(inner, row, rules))
    case 'or':
      return condition.conditions.some((inner) => holds(inner, row, rules))
    case 'not':
      return !holds(condition.condition, row, rules)
    case 'tie': {
      const { field, value } = condition
      const stored = row[field]
      if (stored === null || order(stored, value, fieldOf(rules.model, field)) !== 0) return false
      return holds(condition.condition, row, rules)
    }
    case 'is-null':
      return row[condition.field] === null
    case 'is-not-null':
      return row[condition.field] !== null
    case 'in':
      return condition.values.some((value) => holds({ op: 'eq', field: condition.field, value }, row, rules))
    case 'ne':
      return !holds({ ...condition, op: 'eq' }, row, rules)
    case 'related':
      throw new Error('No client can ask for a condition on a related record.')
    default: {
      const stored = row[condition.field]
      if (stored === null) return false
      return compares[condition.op](stored, condition.value, fieldOf(rules.model, condition.field), rules)
    }
  }
}

type Compare = (stored: unknown, value: unknown, field: Field, rules: Rules) => boolean

const compares: Readonly<Record<Exclude<Comparison, 'ne'>, Compare>> = {
  eq: (stored, value, field) => order(stored, value, field) === 0,
  lt: (stored, value, field) => order(stored, value, field) < 0,
  le: (stored, value, field) => order(stored, value, field) <= 0,
  gt: (stored, value, field) => order(stored, value, field) > 0,
  ge: (stored, value, field) => order(stored, value, field) >= 0,
  contains: (stored, value, _field, { unicodeCaseFolding }) => {
    const folded = unicodeCaseFolding ? foldAll : foldAscii
    return folded(String(stored)).includes(folded(String(value)))
  },
}

const foldAll = (text: string): string => text.toLowerCase()
const foldAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Below zero, zero or above, as `sort` wants it. */
export const order = (left: unknown, right: unknown, field: Field): number => {
  const [a, b] = [comparable(left, field), comparable(right, field)]
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return Number(a > b) - Number(a < b)
}

/** Decimals by value, dates by instant with all digits, text by its bytes. */
const comparable = (value: unknown, field: Field): bigint | number | Uint8Array => {
  if (field.kind === 'decimal') return scaled(String(value))
  if (typeof value === 'bigint' || typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof Uint8Array) return value
  return Buffer.from(value instanceof Date ? value.toISOString().padEnd(30) : String(value))
}

const SCALE = 10

const scaled = (decimal: string): bigint => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(SCALE, '0'))
}

/** Compares records by sort keys, null the largest. */
export const byOrder =
  (keys: readonly Order[], model: Model) =>
  (left: Row, right: Row): number => {
    for (const { field, direction } of keys) {
      const [a, b] = [left[field], right[field]]
      const compared =
        a === null || b === null
          ? Number(a === null) - Number(b === null)
          : order(a, b, fieldOf(model, field))
      if (compared !== 0) return direction === 'asc' ? compared : -compared
    }
    return 0
  }

export const isComparable = ({ kind }: Field): boolean => kinds[kind].comparable
export const isOrdered = ({ kind }: Field): boolean => kinds[kind].ordered
export const isTextual = ({ kind }: Field): boolean => kinds[kind].textual
