import { MAX_ISSUES } from '../../error/errors.ts'
import {
  accepted,
  atScale,
  comparison,
  type KindField,
  type KindRow,
  type Reading,
  refused,
  Unrepresentable,
  writtenAsIs,
} from '../codec.ts'
import { isStorable } from './text.ts'

/** Nothing that came as JSON is nested so deep; what code hands out may even refer to itself. */
const MAX_OWN_DEPTH = 200

const isJson = (value: unknown, depth = 0): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > MAX_OWN_DEPTH) return false
  if (Array.isArray(value)) return value.every((element) => isJson(element, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return false
  // Object.values() takes three times as long for an object of many keys, and a body may be all keys.
  for (const name in value) if (!isJson(Reflect.get(value, name), depth + 1)) return false
  return true
}

/** Null is the column's null. */
const anyJson = ({ nullable }: KindField): object => (nullable ? {} : { not: { type: 'null' } })

export const json: KindRow = Object.freeze<KindRow>({
  ...comparison.none,
  noun: 'JSON',
  schema: (field) => ({ description: 'Any JSON value.', ...anyJson(field) }),
  read: (value) => (isJson(value) ? accepted(value) : refused('wrong_type', 'JSON')),
  textIsJson: true,
  readText: (text) => {
    const reading = readJsonText(text)
    return reading.ok ? accepted(reading.value) : refusedText(reading, 'JSON')
  },
  ...writtenAsIs,
})

/** Of an instance its data, of a bigint a string. */
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
  ...comparison.none,
  noun: SCALAR,
  schema: (field) => ({ description: 'Any JSON value.', ...anyJson(field) }),
  sentSchema: ({ nullable }) => ({
    description: 'A string, a number, true or false, whichever the column accepts.',
    not: { type: ['array', 'object', ...(nullable ? [] : ['null'])] },
  }),
  read: readScalar,
  // Only the column can say what it takes of the application.
  readOwn: accepted,
  readText: readScalar,
  write: writeUnknown,
})

/** Deeper nesting than this is refused: everything that later walks the value does so by recursion. */
export const MAX_DEPTH = 100

/** A number that JavaScript cannot hold exactly, as it was sent. */
export interface Imprecise {
  readonly path: readonly (string | number)[]
  readonly source: string
}

/** JSON text as a value, or why it is refused. `position`: the character where it is malformed, as far as is known. */
export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: 'malformed'; readonly position: number | undefined }
  | { readonly ok: false; readonly reason: 'too-deep' }
  | { readonly ok: false; readonly reason: 'imprecise'; readonly numbers: readonly Imprecise[] }

/** Its time grows only with the length of the text, whatever is wrong with it. */
export const readJsonText = (text: string): JsonReading => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    return { ok: false, reason: 'malformed', position: position === undefined ? undefined : Number(position) }
  }
  if (text.length <= 2 * MAX_DEPTH && !mayBeImprecise.test(text)) return { ok: true, value }
  return findFault(text) ?? { ok: true, value }
}

export const refusedText = ({ reason }: Extract<JsonReading, { ok: false }>, expected: string): Reading => {
  if (reason === 'imprecise')
    return refused('imprecise_number', `${expected}, with longer numbers as strings`)
  return refused(
    'invalid_format',
    reason === 'malformed' ? expected : `${expected}, at most ${MAX_DEPTH} levels deep`,
  )
}

/** Sixteen digits or a three-digit exponent: below that a double is always exact enough to be written back. */
const mayBeImprecise = /[\d.]{16}|[eE][+-]?\d{3}/

interface Level {
  /** Of the element in an array; -1: it is an object. */
  index: number
  /** Where the key of the member is in the text, quotes included. */
  keyFrom: number
  keyTo: number
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]

/** A reviver would take a hundred times as long. */
const findFault = (text: string): JsonReading | undefined => {
  const levels: Level[] = []
  const numbers: Imprecise[] = []
  let level: Level | undefined
  let stringFrom = 0
  let stringTo = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      stringFrom = at
      at = endOfString(text, at)
      stringTo = at + 1
    } else if (code === COMMA) {
      if (level !== undefined && level.index >= 0) level.index++
    } else if (code === COLON) {
      if (level !== undefined) [level.keyFrom, level.keyTo] = [stringFrom, stringTo]
    } else if (code === 0x5b || code === 0x7b) {
      level = { index: code === 0x5b ? 0 : -1, keyFrom: 0, keyTo: 0 }
      if (levels.push(level) > MAX_DEPTH) return { ok: false, reason: 'too-deep' }
    } else if (code === 0x5d || code === 0x7d) {
      levels.pop()
      level = levels.at(-1)
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const from = at
      while (isOfNumber(text.charCodeAt(at + 1))) at++
      if (numbers.length === MAX_ISSUES || isShort(text, from, at + 1)) continue
      const source = text.slice(from, at + 1)
      if (!isExact(source)) numbers.push({ path: pathOf(text, levels), source })
    }
  }
  return numbers.length > 0 ? { ok: false, reason: 'imprecise', numbers } : undefined
}

const endOfString = (text: string, from: number): number => {
  for (let at = from + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE || Number.isNaN(code)) return at
  }
}

const isOfNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2d || code === 0x2b || (code | 0x20) === 0x65

/** Too few characters for sixteen digits or an exponent of three. */
const isShort = (text: string, from: number, to: number): boolean =>
  to - from < 16 && !(to - from >= 5 && mayBeImprecise.test(text.slice(from, to)))

/** Longer exponents are of numbers that no double comes near, or of zero. */
const EXPONENT_DIGITS = 4

const isExact = (source: string): boolean => {
  const value = Number(source)
  // Fifteen digits survive, unless a double holds fewer so close to zero.
  if (source.length <= 15 && Math.abs(value) > 1e-307 && Number.isFinite(value)) return true
  return plain(source) === plain(String(value))
}

/** Equal numbers are equal texts: sign, digits without outer zeros, exponent of the last digit. */
const plain = (number: string): string | undefined => {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = atScale(digits, 0)
  if (significant === '') return '0'
  if (exponent.replace(/^[+-]?0*/, '').length > EXPONENT_DIGITS) return undefined
  const scale = Number(exponent) - fraction.length + digits.length - significant.length
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${scale}`
}

/** A key that is longer is not decoded: it is cut wherever it is told. */
const LONG_KEY = 2000

const pathOf = (text: string, levels: readonly Level[]): readonly (string | number)[] =>
  levels.map(({ index, keyFrom, keyTo }) => {
    if (index >= 0) return index
    return keyTo - keyFrom > LONG_KEY
      ? text.slice(keyFrom + 1, keyFrom + LONG_KEY)
      : String(JSON.parse(text.slice(keyFrom, keyTo)))
  })
