import type { FieldKind } from '../../../src/model/model.ts'
import type { Asked, Filter, Sign } from './asked.ts'

/**
 * What a filter means (contract, section 4), over the JSON of the replies and the texts of the query, without a database
 * and without anything of `src` but the names of the kinds.
 *
 * - Text is compared byte for byte by `==`; ranges go by the collation of the column, which the tests of a database state.
 * - The case of ASCII letters is folded on every database. What else is folded is a declared capability, and how is the
 *   database's: SQLite folds nothing else; PostgreSQL with a libc locale each character by itself (`İ` as `i`), with an
 *   ICU locale by all rules of Unicode (`İ` as `i` and a combining dot). `ß` and `ss` are different everywhere, and the
 *   three forms of sigma are the same wherever letters beyond ASCII are folded.
 */
export interface Meaning {
  readonly kinds: Readonly<Record<string, FieldKind>>
  /** Text that is a key: `=` compares it as a whole. */
  readonly keys: ReadonlySet<string>
  /** Of 32 bits, so that a value is rounded to them first. */
  readonly singles: ReadonlySet<string>
  fold(text: string): string
  /** The order of a text column. */
  collate(field: string, left: string, right: string): number
}

export type Json = Readonly<Record<string, unknown>>

export const holds = (filter: Filter, row: Json, meaning: Meaning): boolean => {
  if ('all' in filter) return filter.all.every((inner) => holds(inner, row, meaning))
  if ('any' in filter) return filter.any.some((inner) => holds(inner, row, meaning))
  if ('not' in filter) return !holds(filter.not, row, meaning)
  return signsMean[filter.sign](filter, row[filter.field], meaning)
}

type SignMeans = (asked: Asked, stored: unknown, meaning: Meaning) => boolean

/** Null is different from everything but null, and neither larger nor smaller than anything. */
const equals: SignMeans = ({ field, values }, stored, meaning) =>
  values.some((value) =>
    value === null || stored === null
      ? value === stored
      : key(field, String(stored), meaning) === key(field, value, meaning),
  )

const inOrder =
  (holdsFor: (order: number) => boolean): SignMeans =>
  ({ field, values: [value] }, stored, meaning) =>
    stored !== null &&
    value !== null &&
    value !== undefined &&
    holdsFor(order(field, String(stored), value, meaning))

const signsMean: Readonly<Record<Sign, SignMeans>> = {
  '=': (asked, stored, meaning) => {
    const { field, values } = asked
    const [value] = values
    const contains = meaning.kinds[field] === 'text' && !meaning.keys.has(field)
    if (!contains || value === null || value === undefined) return equals(asked, stored, meaning)
    return stored !== null && meaning.fold(String(stored)).includes(meaning.fold(value))
  },
  '==': equals,
  '!=': (asked, stored, meaning) => !equals(asked, stored, meaning),
  '>': inOrder((order) => order > 0),
  '>=': inOrder((order) => order >= 0),
  '<': inOrder((order) => order < 0),
  '<=': inOrder((order) => order <= 0),
  '^=': ({ values: [value] }, stored) => stored !== null && String(stored).startsWith(`${value}`),
  '~=': ({ values: [value] }, stored, { fold }) =>
    stored !== null && fold(String(stored)) === fold(`${value}`),
}

const order = (field: string, left: string, right: string, meaning: Meaning): number => {
  if (meaning.kinds[field] === 'text') return meaning.collate(field, left, right)
  const [a, b] = [key(field, left, meaning), key(field, right, meaning)]
  return a < b ? -1 : Number(a > b)
}

/** One sort key, then the text `code`. */
export const bySort =
  (field: string, direction: 'asc' | 'desc', meaning: Meaning) =>
  (left: Json, right: Json): number => {
    const [a, b] = [left[field], right[field]]
    const ascending =
      a === null || b === null
        ? Number(a === null) - Number(b === null)
        : order(field, String(a), String(b), meaning)
    if (ascending !== 0) return direction === 'asc' ? ascending : -ascending
    return meaning.collate('code', String(left['code']), String(right['code']))
  }

type Key = string | number | bigint

/** What two texts of one value have in common, and what comes first. */
const key = (field: string, text: string, { kinds, singles }: Meaning): Key => {
  const kind = kinds[field]
  if (kind === undefined) throw new Error(`There is no ${field}.`)
  if (singles.has(field)) return Math.fround(Number(text))
  return keys[kind](text)
}

const asItIs = (text: string): string => text

const keys: Readonly<Record<FieldKind, (text: string) => Key>> = {
  text: asItIs,
  enum: asItIs,
  uuid: (text) => text.toLowerCase(),
  boolean: asItIs,
  integer: BigInt,
  bigint: BigInt,
  // Zero has no sign.
  float: (text) => Number(text) + 0,
  decimal: (text) => scaled(text),
  date: asItIs,
  time: (text) => fraction(text),
  datetime: (text) => moment(text, /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? '' : 'Z'),
  localdatetime: (text) => moment(text, 'Z'),
  bytes: asItIs,
  json: asItIs,
  array: asItIs,
  file: asItIs,
  image: asItIs,
  token: asItIs,
  opaque: asItIs,
}

const DIGITS = 20

/** A decimal by its value, with more digits than a float has. */
const scaled = (text: string): bigint => {
  const [whole = '', after = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + after.padEnd(DIGITS, '0'))
  return text.startsWith('-') ? -value : value
}

const fraction = (text: string): string => {
  const [seconds = '', after = ''] = text.split('.')
  return `${seconds}.${after.padEnd(9, '0')}`
}

/** An instant in nanoseconds. A date alone is its midnight. */
const moment = (text: string, zone: string): bigint => {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return moment(`${text}T00:00:00`, 'Z')
  const [, seconds = '', after = '', offset = ''] = /^(.{19})(?:\.(\d+))?(.*)$/.exec(text) ?? []
  return BigInt(Date.parse(`${seconds}${offset}${zone}`)) * 1_000_000n + BigInt(after.padEnd(9, '0'))
}

/** The operators that a kind takes (contract, section 4); those of the others are refused but for null. */
export const takes = (kind: FieldKind, sign: Sign): boolean =>
  isOfText(sign) ? kind === 'text' : isTakenByOrder(kind, sign)

/** Signs that take no empty text. */
export const isOfText = (sign: Sign): boolean => sign === '^=' || sign === '~='

const isTakenByOrder = (kind: FieldKind, sign: Sign): boolean =>
  ordered.has(kind) || (compared.has(kind) && ['=', '==', '!='].includes(sign))

const ordered: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'text',
  'integer',
  'bigint',
  'float',
  'decimal',
  'date',
  'time',
  'datetime',
  'localdatetime',
])
const compared: ReadonlySet<FieldKind> = new Set<FieldKind>(['enum', 'uuid', 'boolean', 'bytes', 'token'])
