import { isDeepStrictEqual } from 'node:util'
import { StartError } from '../../error/errors.ts'
import { unwrapped } from '../../model/codec.ts'
import { canonical, plainNotation } from '../../model/kinds/decimal.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind, ValueForm } from '../../model/model.ts'
import { driverValue } from './bound-table.ts'
import type { TypedField } from './column-types.ts'
import { arrayText, type CustomColumn, mappedToDriver, parsed } from './custom-column.ts'
import type { Dialect } from './internals.ts'
import { fieldOf, rawOf, readJson, samplesOf } from './mapper-samples.ts'
import { formsOf, inForm, type StatedColumn } from './stated-columns.ts'

interface Held {
  readonly base: TypedField
  readonly dialect: Dialect
}

const jsonOf = (type: TypedField, value: unknown): unknown => kinds[type.kind].write(value, fieldOf(type))

const gives = (column: CustomColumn, raw: unknown, type: TypedField, json: unknown): boolean => {
  try {
    const mapped: unknown = column.mapFromDriverValue(raw)
    return hasForm(mapped, type.form) && isSame(jsonOf(type, mapped), json)
  } catch {
    return false
  }
}

/** An object that knows its JSON, as a decimal or a date of a library, counts as that. */
const hasForm = (value: unknown, form: ValueForm): boolean => {
  if (form === 'json') return true
  if (form === 'date') return value instanceof Date
  return form === 'bytes' ? value instanceof Uint8Array : typeof unwrapped(value) === form
}

const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(plainNumber(one), plainNumber(other))

/** Numbers are the same whatever they are written as: `12.50`, 12.5, 12n. */
const plainNumber = (value: unknown): unknown => {
  if (typeof value === 'object' || typeof value === 'boolean') return value
  const plain = plainNotation(String(value))
  return plain === undefined ? value : canonical(plain, 0)
}

export interface Kept {
  readonly type: TypedField
  /** The driver's JSON reaches the mappers parsed. */
  readonly parsesJson?: boolean
  /** As which the column has to be read, so that the driver gives what the mappers take. */
  readonly columnType?: string
}

interface Candidate extends Kept {
  readonly raw: (json: unknown) => unknown
}

/**
 * What a column's own mappers hand out, where that is what the SQL type holds in one of the forms that a kind has: `numeric`
 * as a number, `timestamp` as a `Date`, a `text` that is JSON. They are called with a few values, until one does not fit.
 */
export const keptBy = (column: CustomColumn, held: Held): Kept | undefined => {
  for (const { raw, ...candidate } of candidatesOf(held)) {
    for (const form of formsOf(candidate.type.kind)) {
      const type = inForm(candidate.type, form)
      const keeps = (json: unknown): boolean =>
        attempt(column, type, json, held, { ...candidate, raw: raw(json) })?.comesBack === true
      if (samplesToKeep(type).every(keeps)) return { ...candidate, type }
    }
  }
  return undefined
}

/** Of tokens, such as addresses, only the database knows the texts. A JSON text tells whether a mapper parses what is parsed. */
const samplesToKeep = (type: TypedField): readonly unknown[] => {
  if (type.kind === 'token') return []
  return type.kind === 'json' ? [...samplesOf(type), 's'] : samplesOf(type)
}

const candidatesOf = ({ base, dialect }: Held): readonly Candidate[] => {
  const raw = (json: unknown): unknown => rawOf(json, base, dialect)
  const own: Candidate = { type: base, raw }
  switch (base.kind) {
    case 'text':
      return [own, { type: { kind: 'json', form: 'json' }, raw: JSON.stringify }]
    case 'json':
      return [{ ...own, parsesJson: true }, own]
    case 'array':
      // Vectors come as text.
      return [own, { type: base, raw: (json) => JSON.stringify(raw(json)) }]
    case 'bigint':
      return [own, { type: safeInteger, raw: String }]
    case 'integer':
      return [own, { type: { kind: 'boolean', form: 'boolean' }, raw: Number }, ...integers[dialect](base)]
    default:
      return [own]
  }
}

const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const safeInteger: TypedField = { kind: 'integer', form: 'number', ...safe }

const integers: Readonly<Record<Dialect, (base: TypedField) => readonly Candidate[]>> = {
  pg: () => [],
  mysql: ({ minimum, maximum }) =>
    Number(maximum) < Number.MAX_SAFE_INTEGER
      ? []
      : [{ type: minimum === 0 ? unsignedBigint : bigint, raw: String, columnType: 'MySqlBigInt64' }],
  sqlite: () => [
    { type: { ...bigint, ...safe }, raw: Number },
    // As drizzle's own column has dates: milliseconds or seconds since 1970.
    { type: { ...datetime, fractionDigits: 3 }, raw: (json) => Date.parse(String(json)) },
    { type: { ...datetime, fractionDigits: 0 }, raw: (json) => Date.parse(String(json)) / 1000 },
  ],
}

const bigint: TypedField = { kind: 'bigint', form: 'bigint' }
const unsignedBigint: TypedField = { ...bigint, minimum: 0n, maximum: 2n ** 64n - 1n }
const datetime: TypedField = { kind: 'datetime', form: 'date' }

/** What a driver's value is to the database, in a form in which equal ones are the same. */
const stored = (raw: unknown, { base, dialect }: Held): unknown => {
  // PostgreSQL ignores the time of a day, and the zone of a local time. MySQL does not.
  const plain = typeof raw === 'string' && dialect === 'pg' ? raw.replace(ignored[base.kind] ?? '', '') : raw
  switch (base.kind) {
    case 'json':
      return parsed(raw)
    case 'array':
      if (typeof raw !== 'string') return arrayText(raw as readonly unknown[])
      return raw.startsWith('[') ? arrayText(JSON.parse(raw)) : raw
    case 'datetime':
    case 'localdatetime':
    case 'bytes':
      return jsonOf(base, plain)
    default:
      return typeof plain === 'boolean' ? Number(plain) : plain
  }
}

const ignored: Readonly<Partial<Record<FieldKind, RegExp>>> = {
  date: /T00:00:00(?:\.0+)?Z$/,
  localdatetime: /Z$/,
}

interface Attempt {
  readonly json: unknown
  readonly made: unknown
  readonly comesBack: boolean
}

/**
 * What a column is whose own mappers change what its SQL type holds: of the kind that the application states, in the form
 * that its mappers take and give. @throws StartError where the mapper takes no value of the kind
 */
export const typeByTrial = (
  column: CustomColumn,
  { type: stated, where }: StatedColumn,
  held: Held,
): TypedField => {
  const { kind, example } = stated
  // Many a mapper keeps whole seconds.
  const usual = samplesOf({ ...stated, fractionDigits: 0 })
  const values = example === undefined ? usual : [example, ...usual]
  const tried = formsOf(kind).map((form) => {
    const type = inForm(stated, form)
    const attempts = values.flatMap((json) => attempt(column, type, json, held) ?? [])
    const comeBack = attempts.filter(({ comesBack }) => comesBack)
    return { type, attempts, worth: comeBack.length * 100 + attempts.length }
  })
  const { type, attempts } = tried.reduce((one, other) => (other.worth > one.worth ? other : one))
  if (attempts.length === 0) {
    const nouns = tried.map(({ type: { form } }) => formNouns[form]).join(' or ')
    throw new StartError(
      `${where}: toDriver of the column takes no ${kinds[kind].noun.replace(/^an? /, '')}, such as ${JSON.stringify(values[0])}. Let it take ${nouns}, or state an example that it takes.`,
    )
  }
  const conditions = conditionsAllowed(column, type, attempts, held)
  return conditions === undefined ? type : { ...type, conditions }
}

const formNouns: Readonly<Record<ValueForm, string>> = {
  string: 'a string',
  number: 'a number',
  bigint: 'a bigint',
  boolean: 'a boolean',
  date: 'a Date',
  bytes: 'a Uint8Array',
  json: 'the value of the JSON',
}

/** Tries one value. @param kept what the driver has to give and get for it, if the mappers keep what it is */
const attempt = (
  column: CustomColumn,
  type: TypedField,
  json: unknown,
  held: Held,
  kept?: Pick<Kept, 'parsesJson'> & { readonly raw: unknown },
): Attempt | undefined => {
  try {
    // What clients send comes in the form of the kind, never as an object of a library.
    const reading = readJson(type, json)
    if (!reading.ok) return undefined
    const made = driverValue(mappedToDriver(column, reading.value, held.base.kind))
    if (kept === undefined) {
      // A number may come as a text, and the other way round.
      const other = typeof made === 'string' ? Number(made) : String(made)
      return { json, made, comesBack: [made, other].some((raw) => gives(column, raw, type, json)) }
    }
    const isKept = isSame(stored(made, held), stored(kept.raw, held))
    const raw = kept.parsesJson ? JSON.parse(String(kept.raw)) : kept.raw
    return { json, made, comesBack: isKept && gives(column, raw, type, jsonOf(type, reading.value)) }
  } catch {
    return undefined
  }
}

/**
 * What conditions may ask of values that are stored as something else. An order has to be the same on both sides, and what
 * is equal has to be stored as the same: an encrypted text is another one each time.
 */
const conditionsAllowed = (
  column: CustomColumn,
  type: TypedField,
  attempts: readonly Attempt[],
  held: Held,
): TypedField['conditions'] => {
  // Of other databases, types that are not known may not even have an equality.
  if (held.base.kind === 'opaque' && held.dialect !== 'sqlite') return 'null'
  const [first] = attempts
  const again = attempt(column, type, first?.json, held)
  if (!isSame(plainBytes(again?.made), plainBytes(first?.made))) return 'null'
  if (!kinds[type.kind].ordered || kinds[type.kind].textual) return 'equality'
  const ascending = attempts.filter(({ json }) => json !== type.example).map(({ made }) => made)
  return ascending.length > 1 && isAscending(ascending, held.base) ? undefined : 'equality'
}

const plainBytes = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value)

const numeric: ReadonlySet<FieldKind> = new Set(['integer', 'bigint', 'float', 'decimal', 'opaque'])

/** Texts of one length that differ only in digits have the same order in every collation. */
const isAscending = (made: readonly unknown[], base: TypedField): boolean => {
  const areNumbers = numeric.has(base.kind) && made.every((value) => !Number.isNaN(Number(value)))
  return made.slice(1).every((value, place) => {
    const before = made[place]
    if (areNumbers) return Number(value) > Number(before)
    if (typeof before !== 'string' || typeof value !== 'string') return false
    return value.length === before.length && value > before
  })
}
