import { inspect } from 'node:util'
import type { Field, Row } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'

/** A sample in the form of a field. Samples have the usual form of their kind. */
export const sampleIn = (field: Field, value: unknown): unknown => {
  const { kind, form } = field
  if (form === 'number' && kind === 'decimal' && typeof value === 'string') return Number(value)
  if (form === 'string' && typeof value === 'bigint') return String(value)
  if (form === 'date' && kind === 'date' && typeof value === 'string') return new Date(`${value}T00:00:00Z`)
  if (form === 'string' && value instanceof Date)
    return kind === 'datetime' ? value.toISOString() : value.toISOString().slice(0, -1)
  return value
}

/** Whether a field has enough digits for a sample. */
export const holdsSample = (field: Field, value: unknown): boolean => {
  const { form, kind, fractionDigits = form === 'date' ? 3 : 6, scale } = field
  if (form === 'number' && kind === 'decimal' && typeof value === 'string')
    return scale === undefined
      ? String(Number(value)) === value.replace(/\.?0+$/, '')
      : Number(value).toFixed(scale) === value
  const text = value instanceof Date ? value.toISOString() : String(value)
  const [, fraction = ''] = kind === 'time' || value instanceof Date ? (/\.(\d+)/.exec(text) ?? []) : []
  return fraction.replace(/0+$/, '').length <= fractionDigits
}

/** A value for a message, with all its digits, but not all of a long text. */
export const printed = (value: unknown): string => inspect(shown(value)).slice(0, 60)

/** Bytes and dates as text, with all their digits. Objects of any prototype as plain ones. */
const shown = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return `time ${value.toISOString()}`
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]))
}

/** Asserts that values are equal, whatever the classes of bytes and dates. */
export const equal = (actual: unknown, expected: unknown, wrong: string): void =>
  same(shown(actual), shown(expected), wrong)

/** Asserts that a record has these values. */
export const holdsValues = (row: Row | undefined, values: Row, wrong: string): void =>
  equal(row && Object.fromEntries(Object.keys(values).map((name) => [name, ownOf(row, name)])), values, wrong)

/** Inherited members, such as `constructor`, are not values of a record. */
export const ownOf = (row: Row, name: string): unknown => (Object.hasOwn(row, name) ? row[name] : undefined)
