import { accepted, type KindField, type KindRow, type Reading, refused, Unrepresentable } from '../codec.ts'
import { readJsonText, refusedText } from '../json-text.ts'
import { always, never, same } from './row.ts'
import { isStorable } from './text.ts'

/** Nothing that came as JSON is nested so deep; what code hands out may even refer to itself. */
const MAX_DEPTH = 200

/** Data that JSON text can hold and give back as it is. */
const isJson = (value: unknown, depth = 0): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((element) => isJson(element, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return false
  // Object.values() takes three times as long for an object of many keys, and a body may be all keys.
  for (const name in value) if (!isJson(Reflect.get(value, name), depth + 1)) return false
  return true
}

const readText = (text: string): Reading => {
  const reading = readJsonText(text)
  return reading.ok ? accepted(reading.value) : refusedText(reading, 'JSON')
}

/** Any JSON; null is the column's null, and only where it may be. */
const anyJson = ({ nullable }: KindField): object => (nullable ? {} : { not: { type: 'null' } })

export const json: KindRow = Object.freeze<KindRow>({
  comparable: false,
  ordered: false,
  textual: false,
  noun: 'JSON',
  schema: (field) => ({ description: 'Any JSON.', ...anyJson(field) }),
  read: (value) => (isJson(value) ? accepted(value) : refused('wrong_type', 'JSON')),
  textIsJson: true,
  readText,
  write: same,
  writesAsIs: always,
})

/** What JSON makes of a value that nobody knows: of an instance its data, of a bigint a string. */
const writeUnknown = (value: unknown): unknown => {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  try {
    const text: unknown = JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint' ? String(inner) : inner,
    )
    if (typeof text === 'string') return JSON.parse(text)
  } catch (error) {
    throw new Unrepresentable('a value that is no JSON', { cause: error })
  }
  throw new Unrepresentable('a value that is no JSON')
}

const SCALAR = 'text, a number, true or false'

/** What all drivers take as one value. The column's own mapper never gets an object that a client has made. */
const readScalar = (value: unknown): Reading => {
  if (typeof value === 'string')
    return isStorable(value)
      ? accepted(value)
      : refused('invalid_format', 'text in well-formed Unicode, without U+0000')
  return typeof value === 'boolean' || Number.isFinite(value)
    ? accepted(value)
    : refused('wrong_type', SCALAR)
}

/** Values of a type that the source does not know. */
export const opaque: KindRow = Object.freeze<KindRow>({
  comparable: false,
  ordered: false,
  textual: false,
  noun: SCALAR,
  schema: (field) => ({ description: 'Any JSON that the column has.', ...anyJson(field) }),
  sentSchema: ({ nullable }) => ({
    description: 'Text, a number, true or false, as the column takes it.',
    not: { type: ['array', 'object', ...(nullable ? [] : ['null'])] },
  }),
  read: readScalar,
  // Only the column can say what it takes of the application.
  readOwn: accepted,
  readText: readScalar,
  write: writeUnknown,
  writesAsIs: never,
})
