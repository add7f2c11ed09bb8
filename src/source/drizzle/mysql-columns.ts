import { canonical, plainNotation } from '../../model/kinds/decimal.ts'
import { PreciseDate } from '../../model/kinds/time.ts'
import type { Codec } from '../sql/codecs.ts'
import { nearestSingle, readSingle } from '../sql/singles.ts'
import { type Sql, sql } from '../sql/text.ts'
import { hasOwnMappers, type TypedColumn, type TypedField } from './column-types.ts'

/** How the values of a type of MySQL get to the database and back, where drizzle's own way is not exact. */
export interface ColumnRow extends Pick<Codec, 'selected' | 'written' | 'comparedSlot' | 'ordered'> {
  readonly toDriver?: (value: unknown) => unknown
  /** Converts a value of the driver that the column is compared with. */
  readonly toColumn?: (value: unknown) => unknown
}

type RowOf = (stored: TypedField) => ColumnRow

export const mysqlDecoder = ({ columnType }: TypedColumn): ((raw: unknown) => unknown) | undefined =>
  decoders[columnType]

/** Types that are read as text, even if the column has its own mappers. */
const textForMappers: ReadonlySet<string> = new Set(['MySqlBigInt64', 'MySqlJson'])

/** A column's own mappers receive what drizzle would pass, and return what is written. Comparisons depend on its type. */
export const mysqlRow = (column: TypedColumn, type: TypedField): ColumnRow => {
  const row = rows[column.columnType]?.(type) ?? {}
  if (!hasOwnMappers(column)) return row
  const { selected, written, comparedSlot, toColumn, ordered } = row
  const isText = column.mapping === 'kept' && textForMappers.has(column.columnType)
  return {
    ...(isText && selected !== undefined && { selected }),
    ...(written === undefined && comparedSlot !== undefined && { comparedSlot }),
    ...(written === undefined && toColumn !== undefined && { toColumn }),
    ...(ordered !== undefined && { ordered }),
  }
}

const finite = (value: unknown): unknown => {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('not finite')
  return value
}

/** The maximum precision and scale of a decimal. */
const MOST_DIGITS = 65
const MOST_SCALE = 30

/** One more digit than the column has: a value between two values of the column stays between them. */
const scaleBeside = ({ scale = 0 }: TypedField): number => Math.min(scale + 1, MOST_SCALE)

/** Casts the value: MySQL compares a string with a decimal as inexact floats. */
const decimalSlot =
  (field: TypedField) =>
  (slot: Sql): Sql =>
    sql`cast(${slot} as decimal(${sql.raw(`${MOST_DIGITS}, ${scaleBeside(field)}`)}))`

/** A number that compares like the given one with all values of the column, and fits the cast. */
const comparedDecimal =
  (field: TypedField) =>
  (value: unknown): unknown => {
    const plain = plainNotation(String(value))
    if (plain === undefined) return value
    const scale = scaleBeside(field)
    const sign = plain.startsWith('-') ? '-' : ''
    const [whole = '', fraction = ''] = canonical(plain.replace('-', ''), 0).split('.')
    const wholeDigits = Math.min((field.precision ?? 10) - (field.scale ?? 0), MOST_DIGITS - scale - 1)
    if (whole.length > wholeDigits && whole !== '0') return `${sign}1${'0'.repeat(wholeDigits)}`
    return `${sign}${whole}.${between(fraction, scale)}`
  }

/** Truncates, but not to a value that the column may have. */
const between = (fraction: string, scale: number): string => {
  const kept = fraction.slice(0, scale)
  const isExact = /^0*$/.test(fraction.slice(scale))
  if (isExact || !kept.endsWith('0')) return kept.padEnd(1, '0')
  return `${kept.slice(0, -1)}1`
}

/** `2026-01-31 23:59:59.123456` */
const stored = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?$/

const fractionOf = (digits: string): string => {
  const kept = digits.replace(/0+$/, '')
  return kept === '' ? '' : `.${kept}`
}

/** Keeps microseconds that a `Date` cannot represent. @param moment without a zone, read as UTC */
const dateOf = (moment: string, fraction: string): Date => {
  const text = `${moment}${fraction}Z`
  return fraction.length > 4 ? new PreciseDate(text) : new Date(text)
}

/** Zero dates become an invalid date. */
const readDateTime = (raw: unknown): unknown => {
  if (typeof raw !== 'string') return raw
  const [, date = '', clock = '', digits = ''] = stored.exec(raw) ?? []
  return dateOf(`${date}T${clock}`, fractionOf(digits))
}

/** Zero means a zero date, which is not an instant. */
const readSeconds = (raw: unknown) => {
  const [whole = '', digits = ''] = String(raw).split('.')
  const instant = new Date(Number(whole) * 1000)
  if (Number(raw) === 0 || Number.isNaN(instant.getTime())) throw new RangeError('not an instant')
  return { moment: instant.toISOString().slice(0, 19), fraction: fractionOf(digits) }
}

/** Reads a `timestamp` as seconds since 1970 (`1769903999.123456`), which do not depend on the session time zone. */
const readTimestamp = (raw: unknown): Date => {
  const { moment, fraction } = readSeconds(raw)
  return dateOf(moment, fraction)
}

const readTimestampText = (raw: unknown): string => {
  const { moment, fraction } = readSeconds(raw)
  return moment.replace('T', ' ') + fraction
}

const clockForm = /^([01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?$/

/** A `time` of day. The column may also contain durations, which are not. */
const readTime = (raw: unknown): unknown => {
  if (typeof raw !== 'string') return raw
  if (!clockForm.test(raw)) throw new RangeError('not a time of day')
  const [clock = '', digits = ''] = raw.split('.')
  return clock + fractionOf(digits)
}

/** Converts `2026-01-31T23:59:59.123Z` or a `Date` to `2026-01-31 23:59:59.123`. */
const momentText = (value: unknown): string =>
  (value instanceof Date ? value.toISOString() : String(value)).replace('T', ' ').replace(/Z$/, '')

const dayText = (value: unknown): string =>
  value instanceof Date ? value.toISOString().slice(0, 10) : String(value)

/** The range of a `timestamp`: 1970 to 2038; on MariaDB 11.5 and later, to 2106. */
const FIRST = '1970-01-01 00:00:01'
const LAST = '2038-01-19 03:14:08'
const BEHIND_LAST = '2038-01-20 03:14:08'
const NEVER = '2106-02-07 06:28:16'

/** Just outside the range, the database would read the value in the session time zone and store another instant. */
const timestampText = (value: unknown): string => {
  const text = momentText(value)
  if (text < FIRST || (text >= LAST && text < BEHIND_LAST) || text >= NEVER)
    throw new RangeError('outside the range of a timestamp')
  return text
}

/**
 * A value to compare with. A value outside the range is moved so far that no time zone can bring it back into the range.
 */
const comparedTimestampText = (value: unknown): string => {
  const text = momentText(value)
  if (text < FIRST) return '1969-01-01 00:00:00'
  return text >= LAST && text < BEHIND_LAST ? BEHIND_LAST : text
}

const asText = (name: Sql): Sql => sql`cast(${name} as char)`

/** Drivers may be configured to return 64-bit integers and decimals as floats. */
const exactNumber: ColumnRow = { selected: asText }

const decimal: RowOf = (type) => ({
  selected: asText,
  comparedSlot: decimalSlot(type),
  toColumn: comparedDecimal(type),
})

const double: ColumnRow = { toDriver: finite }

const inSession = (slot: Sql): Sql => sql`convert_tz(${slot}, '+00:00', @@session.time_zone)`

const timestamp: ColumnRow = {
  selected: (name) => sql`cast(unix_timestamp(${name}) as char)`,
  toDriver: timestampText,
  written: inSession,
  comparedSlot: inSession,
  toColumn: comparedTimestampText,
}

/** Without `fatal`, bytes that are not UTF-8 would be replaced. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const readBinary = (raw: unknown): unknown => (raw instanceof Uint8Array ? utf8.decode(raw) : raw)

/** Sorts by the text, not by its index in the list of values. */
const enumerated: ColumnRow = { ordered: (side) => sql`cast(${side} as char)` }

const always =
  (row: ColumnRow): RowOf =>
  () =>
    row

const rows: Readonly<Record<string, RowOf>> = {
  MySqlBigInt53: always(exactNumber),
  MySqlBigInt64: always(exactNumber),
  MySqlDate: always({ toDriver: dayText }),
  MySqlDateTime: always({ selected: asText, toDriver: momentText }),
  MySqlDateTimeString: always({ selected: asText, toDriver: momentText }),
  MySqlDecimal: decimal,
  MySqlDecimalBigInt: decimal,
  MySqlDecimalNumber: decimal,
  MySqlDouble: always(double),
  MySqlEnumColumn: always(enumerated),
  MySqlEnumObjectColumn: always(enumerated),
  // Its text has only six digits.
  MySqlFloat: always({
    selected: (name) => sql`(${name} + 0e0)`,
    toDriver: finite,
    toColumn: nearestSingle,
  }),
  // MySQL has a JSON type, which drivers parse; on MariaDB it is a string, which they do not parse.
  MySqlJson: always({ selected: asText }),
  MySqlReal: always(double),
  MySqlSerial: always(exactNumber),
  MySqlTime: always({ selected: asText }),
  MySqlTimestamp: always(timestamp),
  MySqlTimestampString: always(timestamp),
}

const decoders: Readonly<Record<string, (raw: unknown) => unknown>> = {
  MySqlBinary: readBinary,
  MySqlDateTime: readDateTime,
  MySqlFloat: readSingle,
  MySqlJson: (raw) => JSON.parse(String(raw)),
  MySqlTime: readTime,
  MySqlTimestamp: readTimestamp,
  MySqlTimestampString: readTimestampText,
  MySqlVarBinary: readBinary,
}
