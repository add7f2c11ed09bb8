import { isDeepStrictEqual } from 'node:util'
import { type KindField, unwrapped } from '../../model/codec.ts'
import { canonical, plainNotation } from '../../model/kinds/decimal.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind, ValueForm } from '../../model/model.ts'
import type { TypedField } from './column-facts.ts'
import { arrayText, type CustomColumn, driverValue, madeBy, parsed } from './column-types.ts'
import type { Dialect } from './tables.ts'

/** The forms that a kind's values have, the likeliest first. */
const forms: Readonly<Partial<Record<FieldKind, readonly ValueForm[]>>> = {
  boolean: ['boolean'],
  integer: ['number'],
  float: ['number'],
  bigint: ['bigint', 'string'],
  decimal: ['string', 'number', 'bigint'],
  date: ['date', 'string'],
  datetime: ['date', 'string'],
  localdatetime: ['date', 'string'],
  bytes: ['bytes'],
  json: ['json'],
  array: ['json'],
}

/** A type without the form that a mapper gives to its values. */
export type StatedType = Omit<TypedField, 'form'>

export const formsOf = (kind: FieldKind): readonly ValueForm[] => forms[kind] ?? ['string']

/** Whether a value has a form. An object that knows its JSON, as a decimal or a date of a library, counts as that. */
export const hasForm = (value: unknown, form: ValueForm): boolean => {
  if (form === 'json') return true
  if (form === 'date') return value instanceof Date
  return form === 'bytes' ? value instanceof Uint8Array : typeof unwrapped(value) === form
}

/** A date of JavaScript has milliseconds, whatever its column has. */
export const inForm = (type: StatedType, form: ValueForm): TypedField =>
  form === 'date' && type.fractionDigits !== undefined
    ? { ...type, form, fractionDigits: Math.min(type.fractionDigits, 3) }
    : { ...type, form }

/** In the form of texts where the kind has one: what drivers give without a mapper. */
export const inPlainForm = (type: StatedType): TypedField => {
  const known = formsOf(type.kind)
  return inForm(type, known.includes('string') ? 'string' : (known[0] ?? 'string'))
}

/** What a column is read as, and whether its driver's JSON reaches the mappers parsed. */
export interface Kept {
  readonly type: TypedField
  readonly parsesJson: boolean
  readonly columnType?: string | undefined
}

/**
 * What a column's own mappers hand out, where that is what the SQL type holds in one of the forms that a kind has:
 * `numeric` as a number, `timestamp` as a `Date`, a `text` that is JSON. They are called with a few values, until one does
 * not fit.
 */
export const keptBy = (column: CustomColumn, base: TypedField, dialect: Dialect): Kept | undefined => {
  for (const { type, raws, columnType } of candidatesOf(base, dialect)) {
    for (const parsesJson of base.kind === 'json' ? [true, false] : [false]) {
      const form = formKept(column, type, { base, dialect, parsesJson }, raws)
      if (form !== undefined) return { type: inForm(type, form), parsesJson, columnType }
    }
  }
  return undefined
}

interface Candidate {
  readonly type: TypedField
  /** What the driver gives for some values. */
  readonly raws: readonly unknown[]
  /** As which the column has to be read, so that the driver gives these. */
  readonly columnType?: string
}

const candidatesOf = (base: TypedField, dialect: Dialect): readonly Candidate[] => {
  const raws = samplesOf(base, dialect)
  const own: Candidate = { type: base, raws }
  switch (base.kind) {
    case 'text':
      return [own, { type: { kind: 'json', form: 'json' }, raws: jsonTexts }]
    case 'array':
      // Vectors come as text.
      return [own, { type: base, raws: raws.map((raw) => JSON.stringify(raw)) }]
    case 'bigint':
      return [own, { type: safeInteger, raws: ['-3', '12'] }]
    case 'integer':
      return [
        own,
        { type: { kind: 'boolean', form: 'boolean' }, raws: [1, 0] },
        ...(dialect === 'mysql' && Number(base.maximum) >= Number.MAX_SAFE_INTEGER
          ? [
              {
                type: base.minimum === 0 ? unsigned64 : bits64,
                raws: ['3', '9007199254740993'],
                columnType: 'MySqlBigInt64',
              },
            ]
          : []),
        ...(dialect === 'sqlite'
          ? [
              { type: { ...safeInteger, kind: 'bigint' as const, form: 'bigint' as const }, raws: [-3, 12] },
              ...epochs,
            ]
          : []),
      ]
    default:
      return [own]
  }
}

const bits64: TypedField = { kind: 'bigint', form: 'bigint' }
const unsigned64: TypedField = { ...bits64, minimum: 0n, maximum: 2n ** 64n - 1n }

const safeInteger: TypedField = {
  kind: 'integer',
  form: 'number',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}

/** Dates as SQLite's own column of drizzle has them: milliseconds or seconds since 1970. */
const epochs: readonly Candidate[] = [
  { type: { kind: 'datetime', form: 'date', fractionDigits: 3 }, raws: [1769903999123, 86_400_000] },
  { type: { kind: 'datetime', form: 'date', fractionDigits: 0 }, raws: [1769903999, 86_400] },
]

interface Held {
  readonly base: TypedField
  readonly dialect: Dialect
  readonly parsesJson: boolean
}

const formKept = (
  column: CustomColumn,
  type: TypedField,
  held: Held,
  raws: readonly unknown[],
): ValueForm | undefined => {
  let possible = formsOf(type.kind)
  for (const raw of raws) {
    try {
      const given: unknown = held.parsesJson ? JSON.parse(String(raw)) : raw
      const value: unknown = column.mapFromDriverValue(given)
      possible = possible.filter((form) => hasForm(value, form))
      const [form] = possible
      if (form === undefined) return undefined
      const formed = inForm(type, form)
      const json = jsonOf(formed, value)
      if (!isSame(json, meaning(formed, held, raw))) return undefined
      // What clients send comes in the form of the kind, never as an object of a library.
      const sent = kinds[type.kind].read(json, fieldOf(formed))
      if (!sent.ok || !isSame(storedBy(column, sent.value, held), stored(held, raw))) return undefined
    } catch {
      return undefined
    }
  }
  return possible[0]
}

export const fieldOf = (type: TypedField): KindField => ({ nullable: false, ...type })

export const jsonOf = (type: TypedField, value: unknown): unknown =>
  kinds[type.kind].write(value, fieldOf(type))

/** A raw value as the kind shows it. */
const meaning = (type: TypedField, held: Held, raw: unknown): unknown => {
  if (type.kind === 'boolean') return Boolean(raw)
  if (type.kind === 'array' || type.kind === 'json') return parsed(raw)
  if (type.kind === 'datetime' && typeof raw === 'number')
    return jsonOf(type, new Date(type.fractionDigits === 0 ? raw * 1000 : raw))
  if (type.kind === 'datetime' || type.kind === 'localdatetime') return jsonOf(type, raw)
  if (type.kind === held.base.kind) return stored(held, raw)
  return jsonOf(type, type.kind === 'bigint' ? raw : Number(raw))
}

export const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(plainNumber(one), plainNumber(other))

/** Numbers are the same whatever they are written as: `12.50`, 12.5, 12n. */
const plainNumber = (value: unknown): unknown => {
  const plain =
    typeof value === 'object' || typeof value === 'boolean' ? undefined : plainNotation(String(value))
  return plain === undefined ? value : canonical(plain, 0)
}

/** What the database holds when the column's own mapper has made this of a value. @throws where it makes nothing for a driver */
const storedBy = (column: CustomColumn, value: unknown, held: Held): unknown => {
  const made = madeBy(column, value, held.base)
  return stored(held, driverValue(made))
}

/** What a value is to the database, as JSON. */
const stored = ({ base, dialect }: Held, raw: unknown): unknown => {
  switch (base.kind) {
    case 'integer':
    case 'bigint':
    case 'float':
    case 'decimal':
      return typeof raw === 'boolean' ? Number(raw) : raw
    case 'boolean':
      return Number(raw)
    case 'json':
      return parsed(raw)
    case 'localdatetime':
      // Without a zone, PostgreSQL ignores the one that a text has. MySQL does not.
      return jsonOf(base, typeof raw === 'string' && dialect === 'pg' ? raw.replace(/Z$/, '') : raw)
    case 'date':
      return typeof raw === 'string' && dialect === 'pg' ? raw.replace(/T00:00:00(?:\.0+)?Z$/, '') : raw
    case 'datetime':
    case 'bytes':
      return jsonOf(base, raw)
    case 'array':
      if (typeof raw !== 'string') return arrayText(raw as readonly unknown[])
      return raw.startsWith('[') ? arrayText(JSON.parse(raw)) : raw
    default:
      return typeof raw === 'object' ? undefined : raw
  }
}

type Samples = (base: Omit<TypedField, 'nullable'>, dialect: Dialect) => readonly unknown[]

/** Each with what a mapper may change: case, spaces at the ends, other letters than ASCII, a leading zero. */
export const texts = ({ maxLength = 9 }: Pick<TypedField, 'maxLength'>): readonly string[] =>
  ['Ab', ' zé ', '07'].map((sample) => sample.slice(0, maxLength))

const jsonTexts: readonly string[] = ['{"a":[1,"x",null]}', '[true]', '"s"']

const numbers: Samples = ({ minimum = -3, maximum = 120 }) =>
  [-3, 1, 12].filter((value) => value >= minimum && value <= maximum)

const decimals: Samples = ({ minimum, scale = 2, precision = 9 }, dialect) => {
  const whole = precision - scale > 1 ? '12' : precision - scale > 0 ? '1' : '0'
  const fraction = scale > 0 ? `.${'25'.padEnd(scale, '0').slice(0, scale)}` : ''
  const texts = [...(minimum === undefined ? [`-${whole}${fraction}`] : []), `${whole}${fraction}`]
  return dialect === 'sqlite' ? texts.map(Number) : texts
}

const moments: Samples = ({ fractionDigits = 3 }) => {
  const fraction = fractionDigits > 0 ? `.${'5'.padEnd(Math.min(fractionDigits, 3), '0')}` : ''
  return [`2026-01-31 23:59:59${fraction}`, '1999-07-01 00:00:00']
}

/** A few values of each kind, as a driver hands them out. */
const samples: Readonly<Partial<Record<FieldKind, Samples>>> = {
  text: texts,
  enum: ({ values = [] }) => values.slice(0, 2),
  uuid: () => ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  boolean: (_base, dialect) => (dialect === 'pg' ? [true, false] : [1, 0]),
  integer: numbers,
  bigint: ({ minimum }) => [...(minimum === 0n ? [] : ['-3']), '9007199254740993'],
  float: () => [0.5, 12.25],
  decimal: decimals,
  date: () => ['2026-01-31', '1999-07-01'],
  time: () => ['23:59:59', '00:00:01'],
  datetime: (base, dialect) =>
    moments(base, dialect).map((moment) => (dialect === 'pg' ? `${moment}+00` : moment)),
  localdatetime: moments,
  bytes: () => [Buffer.from([0, 255, 65])],
  json: () => jsonTexts,
  array: ({ element, size }, dialect) => {
    const elements = element === undefined ? [] : (samples[element.kind]?.(element, dialect) ?? [])
    return [
      size === undefined ? elements : Array.from({ length: size }, (_, at) => elements[at % elements.length]),
    ]
  },
}

/** None of a kind of which only the database knows the texts, such as addresses. */
const samplesOf: Samples = (base, dialect) => samples[base.kind]?.(base, dialect) ?? []
