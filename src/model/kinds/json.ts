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

/** Request bodies are never nested this deep, but values from code may even be circular. */
const MAX_OWN_DEPTH = 200

export const isJson = (value: unknown, depth = 0): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > MAX_OWN_DEPTH) return false
  if (Array.isArray(value)) {
    for (const element of value) if (!isJson(element, depth + 1)) return false
    return true
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return false
  // Object.values() takes three times as long for an object with many keys, which a client may send.
  for (const name in value) if (!isJson(Reflect.get(value, name), depth + 1)) return false
  return true
}

/** Compares JSON regardless of the order of keys. It takes a fraction of the time of `isDeepStrictEqual`. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    for (let at = 0; at < one.length; at += 1) if (!isSameJson(one[at], other[at])) return false
    return true
  }
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  for (const name of names)
    if (!Object.hasOwn(other, name) || !isSameJson(Reflect.get(one, name), Reflect.get(other, name)))
      return false
  return true
}

/** JSON null is stored as the null of the column. */
const anyJson = ({ nullable }: KindField): object => (nullable ? {} : { not: { type: 'null' } })

export const jsonKind: KindRow = Object.freeze<KindRow>({
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

/** Instances become their data, and bigints become strings. */
const writeUnknown = (value: unknown): unknown => {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  try {
    const text: unknown = JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint' ? String(inner) : inner,
    )
    if (typeof text === 'string') return JSON.parse(text)
  } catch (error) {
    throw new Unrepresentable('a value that is not JSON', { cause: error })
  }
  throw new Unrepresentable('a value that is not JSON')
}

const SCALAR = 'text, a number, true or false'

/** Unless the source checks them, only scalars, so that the mapper of a column never gets an object that a client created. */
const readUnknown = (value: unknown, { anyJson }: KindField): Reading => {
  if (anyJson === true && typeof value === 'object')
    return isJson(value) ? accepted(value) : refused('wrong_type', 'JSON')
  if (typeof value === 'string')
    return isStorable(value)
      ? accepted(value)
      : refused('invalid_format', 'text in well-formed Unicode, without U+0000')
  return typeof value === 'boolean' || Number.isFinite(value)
    ? accepted(value)
    : refused('wrong_type', SCALAR)
}

/** Values of a column type that the source does not know. */
export const opaqueKind: KindRow = Object.freeze<KindRow>({
  ...comparison.none,
  noun: SCALAR,
  schema: (field) => ({ description: 'Any JSON value.', ...anyJson(field) }),
  sentSchema: (field) =>
    field.anyJson === true
      ? { description: 'Any JSON value that the column accepts.', ...anyJson(field) }
      : {
          description: 'A string, a number, true or false, whichever the column accepts.',
          not: { type: ['array', 'object', ...(field.nullable ? [] : ['null'])] },
        },
  read: readUnknown,
  // Only the column knows which values of the application it accepts.
  readOwn: accepted,
  readText: readUnknown,
  write: writeUnknown,
})

/** The maximum nesting, because all later code walks the value recursively. */
export const MAX_DEPTH = 100

/** A number that JavaScript cannot represent exactly, as it was sent. */
export interface Imprecise {
  readonly path: readonly (string | number)[]
  readonly source: string
}

/**
 * The value of a JSON text, or the reason for refusing it. `position`: the index of the character where it is malformed, if known.
 */
export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: 'malformed'; readonly position: number | undefined }
  | { readonly ok: false; readonly reason: 'too-deep' }
  | { readonly ok: false; readonly reason: 'imprecise'; readonly numbers: readonly Imprecise[] }

/** Takes linear time, even if the text is malformed. */
export const readJsonText = (text: string): JsonReading => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { ok: false, reason: 'malformed', position: positionIn(String(error), text) }
  }
  if (text.length <= 2 * MAX_DEPTH && !mayBeImprecise.test(text)) return { ok: true, value }
  return findFault(text) ?? { ok: true, value }
}

/** V8 does not always report the position. It may quote the text, which clients write, but never at the end. */
const positionIn = (message: string, text: string): number | undefined => {
  const position = / JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1]
  if (position !== undefined) return Number(position)
  return /: Unexpected end of JSON input$/.test(message) ? text.length : undefined
}

export const refusedText = ({ reason }: Extract<JsonReading, { ok: false }>, expected: string): Reading => {
  if (reason === 'imprecise')
    return refused('imprecise_number', `${expected}, with longer numbers as strings`)
  return refused(
    'invalid_format',
    reason === 'malformed' ? expected : `${expected}, at most ${MAX_DEPTH} levels deep`,
  )
}

/** Sixteen digits or a three-digit exponent. With less, a double always converts back to the same number. */
const mayBeImprecise = /[\d.]{16}|[eE][+-]?\d{3}/

interface Level {
  /** The index of the current array element, or -1 in an object. */
  index: number
  /** The position of the current key in the text, including its quotes. */
  keyFrom: number
  keyTo: number
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]

/** A reviver for JSON.parse would be a hundred times slower. */
const findFault = (text: string): JsonReading | undefined => {
  // One for each depth, used again and again.
  const levels: Level[] = []
  let depth = 0
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
      if (depth === MAX_DEPTH) return { ok: false, reason: 'too-deep' }
      if (depth === levels.length) levels.push({ index: 0, keyFrom: 0, keyTo: 0 })
      level = levels.at(depth) as Level
      level.index = code === 0x5b ? 0 : -1
      level.keyFrom = 0
      level.keyTo = 0
      depth += 1
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1
      level = depth === 0 ? undefined : levels.at(depth - 1)
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const from = at
      while (isOfNumber(text.charCodeAt(at + 1))) at++
      if (numbers.length === MAX_ISSUES || isShort(text, from, at + 1)) continue
      const source = text.slice(from, at + 1)
      if (!isExact(source)) numbers.push({ path: pathOf(text, levels.slice(0, depth)), source })
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

/** Too short for sixteen digits, and without an exponent near the limits of doubles. */
const isShort = (text: string, from: number, to: number): boolean => {
  if (to - from >= 16) return false
  for (let at = to - 4; at > from; at--)
    if ((text.charCodeAt(at) | 0x20) === 0x65) return isUsualExponent(text, at + 1, to)
  return true
}

/** With the few digits before such an exponent, a number is far from the limits of doubles. */
const USUAL_EXPONENT = 290

/** Without a substring for each number, of which a body may have a hundred thousand. */
const isUsualExponent = (text: string, from: number, to: number): boolean => {
  let exponent = 0
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30
    if (digit >= 0) exponent = 10 * exponent + digit
  }
  return exponent <= USUAL_EXPONENT
}

/** Numbers with longer exponents are zero or far outside the range of doubles. */
const EXPONENT_DIGITS = 4

const isExact = (source: string): boolean => {
  const value = Number(source)
  // Fifteen digits are exact, except for subnormal doubles close to zero.
  if (source.length <= 15 && Math.abs(value) > 1e-307 && Number.isFinite(value)) return true
  return plain(source) === plain(String(value))
}

/**
 * A canonical text, the same for equal numbers: sign, digits without leading and trailing zeros, exponent of the last
 * digit.
 */
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

/** Longer keys are not decoded, because error messages cut them anyway. */
const LONG_KEY = 2000

const pathOf = (text: string, levels: readonly Level[]): readonly (string | number)[] =>
  levels.map(({ index, keyFrom, keyTo }) => {
    if (index >= 0) return index
    return keyTo - keyFrom > LONG_KEY
      ? text.slice(keyFrom + 1, keyFrom + LONG_KEY)
      : String(JSON.parse(text.slice(keyFrom, keyTo)))
  })
