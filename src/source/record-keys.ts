import { ownValue } from '../model/objects.ts'
import { type Condition, haveValues } from '../query/ast.ts'
import type { Row } from './source.ts'

/** The values of the fields of a key, in their order. */
export type Key = readonly unknown[]

/** The largest number of keys in one statement, because some ORMs allow 1,000 parameters. Conditions on several fields are longer. */
export const mostKeys = (fields: readonly string[]): number => (fields.length === 1 ? 500 : 100)

/** Holds for the records with one of these keys. */
export const amongKeys = (fields: readonly string[], keys: readonly Key[]): Condition => {
  const [field = ''] = fields
  return fields.length === 1
    ? { op: 'in', field, values: keys.map(([value]) => value) }
    : { op: 'or', conditions: keys.map((key) => haveValues(fields, key)) }
}

export const keyValues = (row: Row, names: readonly string[]): Key => names.map((name) => ownValue(row, name))

/** Equal for keys of the same values, in the form of their fields. */
export const keyText = (key: Key): string => JSON.stringify(key.map(textOf))

const textOf = (value: unknown): string => {
  if (value instanceof Date) return `time ${value.getTime()}`
  return value instanceof Uint8Array
    ? `bytes ${Buffer.from(value).toString('hex')}`
    : `${typeof value} ${value}`
}
