import { isDeepStrictEqual } from 'node:util'
import { StartError } from '../../error/errors.ts'
import { unwrapped } from '../../model/codec.ts'
import { formsOf } from '../../model/facts.ts'
import { canonical, plainNotation } from '../../model/kinds/decimal.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind, ValueForm } from '../../model/model.ts'
import { driverValue } from './codec.ts'
import type { TypedField } from './column-types.ts'
import { arrayText, type CustomColumn, mappedToDriver, parsed } from './custom-column.ts'
import type { Dialect } from './internals.ts'
import { fieldOf, rawOf, readJson, samplesOf } from './mapper-samples.ts'
import { inForm, type StatedColumn } from './stated-columns.ts'

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

/** An object with `toJSON`, such as a library's decimal or date, counts as its JSON. */
const hasForm = (value: unknown, form: ValueForm): boolean => {
  if (form === 'json') return true
  if (form === 'date') return value instanceof Date
  return form === 'bytes' ? value instanceof Uint8Array : typeof unwrapped(value) === form
}

const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(plainNumber(one), plainNumber(other))

/** Normalizes numbers: `12.50` equals 12.5. */
const plainNumber = (value: unknown): unknown => {
  if (typeof value === 'object' || typeof value === 'boolean') return value
  const plain = plainNotation(String(value))
  return plain === undefined ? value : canonical(plain, 0)
}

export interface Kept {
  readonly type: TypedField
  /** The mappers receive parsed JSON. */
  readonly parsesJson?: boolean
  /** The column type with which the driver returns what the mappers accept. */
  readonly columnType?: string
}

interface Candidate extends Kept {
  readonly raw: (json: unknown) => unknown
}

/**
 * The form in which a column's own mappers return the values of the SQL type: `numeric` as a number, `timestamp` as a `Date`,
 * `text` as JSON. Calls them with sample values until one does not match. `undefined`: they change the values.
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

/**
 * Only the database knows the valid strings of tokens, such as network addresses. A JSON string shows whether a mapper
 * parses JSON again.
 */
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
    // As drizzle's own column stores dates: milliseconds or seconds since 1970.
    { type: { ...datetime, fractionDigits: 3 }, raw: (json) => Date.parse(String(json)) },
    { type: { ...datetime, fractionDigits: 0 }, raw: (json) => Date.parse(String(json)) / 1000 },
  ],
}

const bigint: TypedField = { kind: 'bigint', form: 'bigint' }
const unsignedBigint: TypedField = { ...bigint, minimum: 0n, maximum: 2n ** 64n - 1n }
const datetime: TypedField = { kind: 'datetime', form: 'date' }

/** A driver's value in a form in which values that are equal in the database are equal. */
const stored = (raw: unknown, { base, dialect }: Held): unknown => {
  // PostgreSQL ignores the time in a date, and the zone in a local time. MySQL does not.
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
 * The type of a column whose own mappers change its values: of the kind that the application states, in the form that the
 * mappers accept and return. @throws StartError if the mappers do not accept a value of this kind
 */
export const typeByTrial = (
  column: CustomColumn,
  { type: stated, where }: StatedColumn,
  held: Held,
): TypedField => {
  const { kind, example } = stated
  // Many mappers keep only whole seconds.
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
      `${where}: toDriver of the column does not accept ${kinds[kind].noun}, such as ${JSON.stringify(values[0])}. Make it accept ${nouns}, or set an example that it accepts.`,
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
  json: 'a JSON value',
}

/** Tries one value. @param kept the driver's value for it, if the mappers do not change values */
const attempt = (
  column: CustomColumn,
  type: TypedField,
  json: unknown,
  held: Held,
  kept?: Pick<Kept, 'parsesJson'> & { readonly raw: unknown },
): Attempt | undefined => {
  try {
    // Values of clients have the form of the kind; they are never library objects.
    const reading = readJson(type, json)
    if (!reading.ok) return undefined
    const made = driverValue(mappedToDriver(column, reading.value, held.base.kind))
    if (kept === undefined) {
      // Drivers may return a number as a string, or a string as a number.
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
 * The conditions that a column supports if its stored values differ. Comparing by order needs the same order on both sides;
 * equality needs equal stored values, which an encrypted text does not have.
 */
const conditionsAllowed = (
  column: CustomColumn,
  type: TypedField,
  attempts: readonly Attempt[],
  held: Held,
): TypedField['conditions'] => {
  // On other databases, an unknown type might not support equality.
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

/** Strings of equal length that differ only in digits have the same order in every collation. */
const isAscending = (made: readonly unknown[], base: TypedField): boolean => {
  const areNumbers = numeric.has(base.kind) && made.every((value) => !Number.isNaN(Number(value)))
  return made.slice(1).every((value, place) => {
    const before = made[place]
    if (areNumbers) return Number(value) > Number(before)
    if (typeof before !== 'string' || typeof value !== 'string') return false
    return value.length === before.length && value > before
  })
}
