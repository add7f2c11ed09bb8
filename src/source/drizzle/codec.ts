import { Column, is, SQL } from 'drizzle-orm'
import { parse } from 'postgres-array'
import { Unrepresentable } from '../../model/codec.ts'
import { canonical, plainNotation } from '../../model/kinds/decimal.ts'
import { kinds } from '../../model/kinds/index.ts'
import { PreciseDate } from '../../model/kinds/time.ts'
import type { Element, Field, FieldKind, ValueForm } from '../../model/model.ts'
import { isPlainObject } from '../../model/objects.ts'
import { SourceError } from '../source.ts'
import { type Codec, isShownAgain } from '../sql/codecs.ts'
import { pgSingle } from '../sql/singles.ts'
import { type Dialect, Sql, sql } from '../sql/text.ts'
import { hasOwnMappers, type TypedColumn, type TypedField, typeOf } from './column-types.ts'
import { isCustom } from './custom-column.ts'
import { type ColumnRow, mysqlDecoder, mysqlRow } from './mysql-columns.ts'

/** An expression of the application. */
type ToSql = (expression: SQL) => Sql

/** How the values of a column of drizzle get to the database and back. */
export const codecOf = (dialect: Dialect, field: Field, column: TypedColumn, toSql: ToSql): Codec => {
  const stored = typeOf(column)
  const { toDriver, toColumn, exact, ...sides } = codecRows[dialect](column, stored)
  const encode = encoderOf({ field, column, toDriver, toSql, hasBooleans: dialect !== 'sqlite' })
  const isConfusable = kinds[stored.kind].confusable?.(stored) === true
  // PostgreSQL compares a token as text already.
  const isExact = !isConfusable || sides.compared !== undefined || exact === undefined
  const decode = decoderOf(column, field)
  return {
    ...sides,
    ...{ encode, encodeCompared: comparedEncoderOf({ column, stored, encode }, toColumn) },
    ...(decode && { decode }),
    ...(!isExact && { exact }),
  }
}

/** What depends on the type of the column in its database. */
interface CodecRow
  extends ColumnRow,
    Pick<Codec, 'compared' | 'ranked' | 'unordered' | 'searched' | 'exact'> {}

/** `char` and `citext` do not compare byte for byte. */
const pgExactTypes: ReadonlySet<string> = new Set(['PgText', 'PgVarchar'])

/** Read as text: otherwise both the driver and drizzle parse JSON, and the string `"1"` becomes the number 1. */
const pgJsonTypes: ReadonlySet<string> = new Set(['PgJson', 'PgJsonb'])

const pgRow = ({ columnType, mapping, collated }: TypedColumn, { kind }: TypedField): CodecRow => ({
  ...(pgJsonTypes.has(columnType) && mapping !== 'changed' && { selected: (name) => sql`${name}::text` }),
  // PostgreSQL cannot search with a nondeterministic collation.
  ...(collated === true && { searched: (name) => sql`${name} collate "default"` }),
  // A value that the column's type cannot hold is not an error: no record matches it.
  ...(kind === 'token' && { compared: (name) => sql`nullif(concat(${name}), '')`, ranked: (name) => name }),
  ...(columnType === 'PgReal' && { toColumn: pgSingle }),
  ...(collated === true && { exact: (name) => sql`${name} collate "C"` }),
  // Unlike a cast to text, `concat` keeps the trailing spaces of a `char`.
  ...(collated !== true && !pgExactTypes.has(columnType) && { exact: (name) => sql`concat(${name})` }),
})

const sqliteRow = ({ columnType }: TypedColumn): CodecRow => ({
  ...(columnType === 'SQLiteNumericBigInt' && { selected: (name) => sql`cast(${name} as text)` }),
  // Drizzle stores the digits as a blob, which sorts by bytes.
  ...(columnType === 'SQLiteBigInt' && {
    ordered: (side) => sql`cast(${side} as integer)`,
    unordered: (side) => sql`cast(${side} as blob)`,
  }),
  // The table may use `collate nocase`, which drizzle does not know.
  exact: (name) => sql`${name} collate binary`,
})

/** These types of MySQL compare byte for byte. */
const mysqlBinaryTypes: ReadonlySet<string> = new Set(['MySqlBinary', 'MySqlVarBinary'])

const codecRows: Readonly<Record<Dialect, (column: TypedColumn, stored: TypedField) => CodecRow>> = {
  pg: pgRow,
  sqlite: sqliteRow,
  mysql: (column, stored) => ({
    ...mysqlRow(column, stored),
    // Most collations ignore case, accents and trailing spaces; those by code point ignore trailing spaces.
    ...(!mysqlBinaryTypes.has(column.columnType) && {
      exact: (name) => sql`cast(convert(${name} using utf8mb4) as binary)`,
    }),
  }),
}

class NotForDrivers extends Error {
  override readonly name: string = 'NotForDrivers'
}

/**
 * Returns the value if all drivers accept it as a single value. mysql2 expands other objects into the statement, and other
 * drivers store `[object Object]`.
 *
 * @throws NotForDrivers
 */
export const driverValue = (value: unknown): unknown => {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'boolean':
      return value
    case 'number':
      // MySQL would read `NaN` in a statement as a column name.
      if (!Number.isFinite(value)) throw new NotForDrivers('not a finite number')
      return value
    case 'object':
      if (value === null || value instanceof Uint8Array || is(value, SQL)) return value
      if (value instanceof Date && !Number.isNaN(value.getTime())) return value
      if (value instanceof ArrayBuffer) return new Uint8Array(value)
  }
  throw new NotForDrivers(`a value of type ${typeof value}`)
}

interface Encoding {
  readonly field: Field
  readonly column: TypedColumn
  readonly toDriver: ColumnRow['toDriver']
  readonly toSql: ToSql
  readonly hasBooleans: boolean
}

/** The only place that converts values for the driver. */
const encoderOf = ({ field, column, toDriver, toSql, hasBooleans }: Encoding): Codec['encode'] => {
  const isMapped = column.mapToDriverValue !== Column.prototype.mapToDriverValue
  const mapped = isMapped ? (value: unknown): unknown => column.mapToDriverValue(value) : undefined
  const convert = toDriver ?? mapped
  const isOwn = isOfApplication(column)
  return (value) => {
    if (value === null) return value
    // Expressions become part of the statement.
    if (isExpression(value)) return toSql(value)
    try {
      const made = driverValue(convert === undefined ? value : convert(value))
      if (field.anyJson === true && !isKept(column, value, made))
        throw new SourceError('value', { fields: [field.name] })
      if (isExpression(made)) return toSql(made)
      return typeof made === 'boolean' && !hasBooleans ? Number(made) : made
    } catch (error) {
      if (error instanceof NotForDrivers)
        throw new SourceError('type', { fields: [field.name], cause: error })
      // Columns throw this for too many digits or an invalid date. A custom type may throw anything.
      if (isOwn || error instanceof RangeError)
        throw new SourceError('value', { fields: [field.name], cause: error })
      throw error
    }
  }
}

/** Whether a list or an object that a client may have sent is shown as it is. An expression cannot be read before it is stored. */
const isKept = (column: TypedColumn, value: unknown, made: unknown): boolean =>
  !(Array.isArray(value) || isPlainObject(value)) ||
  (!isExpression(made) && isShownAgain(value, made, (stored) => column.mapFromDriverValue(stored)))

const isExpression = (value: unknown): value is SQL => typeof value === 'object' && is(value, SQL)

const isOfApplication = (column: TypedColumn): boolean => isCustom(column) || hasOwnMappers(column)

/** If a column's own mapper refuses a value, or returns one that the SQL type cannot read, no record matches it. */
const comparedEncoderOf = (
  { column, stored, encode }: { column: TypedColumn; stored: TypedField; encode: Codec['encode'] },
  toColumn: ColumnRow['toColumn'],
): Codec['encodeCompared'] => {
  if (!isOfApplication(column))
    return toColumn === undefined ? encode : (value) => driverValue(toColumn(value))
  return (value) => {
    try {
      const made = encode(value)
      if (made instanceof Sql) return made
      return isReadableAs(stored, made) ? driverValue(toColumn === undefined ? made : toColumn(made)) : null
    } catch (error) {
      if (error instanceof SourceError) return null
      throw error
    }
  }
}

/** PostgreSQL refuses to compare a number or a UUID with a string in another format. */
const isReadableAs = ({ kind, ...type }: TypedField, made: unknown): boolean => {
  if (made === null || typeof made !== 'string') return true
  return !exactlyRead.has(kind) || kinds[kind].readText(made, { kind, nullable: false, ...type }).ok
}

const exactlyRead: ReadonlySet<FieldKind> = new Set(['uuid', 'integer', 'bigint', 'decimal', 'float'])

type Decoder = (raw: unknown) => unknown

/** Exact decoders for columns that drizzle decodes inexactly. */
const exactDecoders: Readonly<Record<string, (column: Column, field: Element) => Decoder | undefined>> = {
  PgArray: (column, { element }) => element && arrayDecoder(column, element),
  PgTimestamp: () => readPgTimestamp,
}

/** If a driver returns an array as PostgreSQL's text, drizzle's decoder drops its backslashes. */
const arrayDecoder = (column: Column & { readonly baseColumn?: Column }, element: Element): Decoder => {
  const decode = (column.baseColumn && decoderOf(column.baseColumn, element)) ?? asItIs
  return (raw) => {
    const elements: readonly unknown[] = typeof raw === 'string' ? parse(raw) : (raw as readonly unknown[])
    return elements.map((value) => (value === null ? null : decode(value)))
  }
}

const asItIs: Decoder = (raw) => raw

/** How a raw value of the driver becomes one of the field, or is refused because it is not exact. */
const decoderOf = (column: TypedColumn, field: Element): Decoder | undefined => {
  const exact = hasOwnMappers(column)
    ? undefined
    : (exactDecoders[column.columnType]?.(column, field) ?? mysqlDecoder(column))
  const isAsItIs = column.mapFromDriverValue === Column.prototype.mapFromDriverValue
  const decode = exact ?? (isAsItIs ? undefined : (raw: unknown) => column.mapFromDriverValue(raw))
  const check = checkOf(field)
  if (check === undefined) return decode
  if (decode === undefined) return (raw) => check(raw, raw)
  // If the column's own mappers change a value, its digits differ from those of the driver.
  const isChanged = column.mapping === 'changed' || typeOf(column).kind !== field.kind
  return (raw) => {
    const value = decode(raw)
    return check(value, isChanged ? value : raw)
  }
}

type ValueCheck = (value: unknown, raw: unknown) => unknown

const refuse = (): never => {
  throw new Unrepresentable('not exact')
}

/** Drivers return 64-bit integers as numbers or, if so configured, as bigints. */
const safeInteger: ValueCheck = (value) => {
  const number = typeof value === 'bigint' ? Number(value) : value
  return Number.isSafeInteger(number) ? number : refuse()
}

const MAX_INT64 = 2 ** 63

/** SQLite's numeric column: a 64-bit integer that the driver returned as a number has lost digits. */
const lostDigits = (raw: unknown): boolean =>
  typeof raw === 'number' && Number.isInteger(raw) && !Number.isSafeInteger(raw) && Math.abs(raw) <= MAX_INT64

const exactText: ValueCheck = (value, raw) => (lostDigits(raw) ? refuse() : value)

const exactNumber: ValueCheck = (value, raw) => {
  if (lostDigits(raw)) return refuse()
  return typeof raw === 'number' || digitsOf(value) === digitsOf(raw) ? value : refuse()
}

const digitsOf = (value: unknown): string | undefined => {
  const plain = plainNotation(String(value))
  return plain === undefined ? undefined : canonical(plain, 0)
}

const validDate: ValueCheck = (value) =>
  value instanceof Date && Number.isNaN(value.getTime()) ? refuse() : value

const checks: Readonly<Partial<Record<FieldKind, Readonly<Partial<Record<ValueForm, ValueCheck>>>>>> = {
  integer: { number: safeInteger },
  bigint: { bigint: exactText, string: exactText },
  decimal: { number: exactNumber, string: exactText },
  date: { date: validDate },
  datetime: { date: validDate },
  localdatetime: { date: validDate },
}

/** The check of a stored value before it is returned. `undefined`: the form can represent every value of the column. */
const checkOf = (field: Element): ValueCheck | undefined => {
  if (field.kind === 'integer' && kinds.integer.writesAsIs?.(field)) return undefined
  return checks[field.kind]?.[field.form]
}

/** `2026-01-31 23:59:59.123456+05:30`. Does not match years after 9999 or BC. */
const timestampForm =
  /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:([+-])(\d\d)(?::(\d\d)(?::(\d\d))?)?)?$/

const NEVER = Number.NaN

/** Reads PostgreSQL's text of a `timestamp`; without a zone, as UTC. `infinity` becomes an invalid date. */
const readPgTimestamp = (raw: unknown): unknown => {
  if (typeof raw !== 'string') return raw
  const match = timestampForm.exec(raw)
  if (match === null) return new Date(NEVER)
  const [, date, clock, fraction = '', sign, hours = '0', minutes = '0', seconds = '0'] = match
  const shift = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  const local = Date.parse(`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  const instant = new Date(sign === '-' ? local + shift : local - shift)
  if (fraction.length <= 3 || Number.isNaN(instant.getTime())) return instant
  // The offset does not affect the fraction of a second.
  return new PreciseDate(`${instant.toISOString().slice(0, 19)}.${fraction}Z`)
}
