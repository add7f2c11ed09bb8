import { Column } from 'drizzle-orm'
import { parse } from 'postgres-array'
import { Unrepresentable } from '../../model/codec.ts'
import { canonical, plainNotation } from '../../model/kinds/decimal.ts'
import { kinds } from '../../model/kinds/index.ts'
import { PreciseDate } from '../../model/kinds/time.ts'
import type { Element, FieldKind, ValueForm } from '../../model/model.ts'
import { hasOwnMappers, type TypedColumn, typeOf } from './column-types.ts'
import { mysqlDecoder } from './mysql-columns.ts'

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
export const decoderOf = (column: TypedColumn, field: Element): Decoder | undefined => {
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

type Check = (value: unknown, raw: unknown) => unknown

const refuse = (): never => {
  throw new Unrepresentable('not exact')
}

/** Drivers return 64-bit integers as numbers or, if so configured, as bigints. */
const safeInteger: Check = (value) => {
  const number = typeof value === 'bigint' ? Number(value) : value
  return Number.isSafeInteger(number) ? number : refuse()
}

const MAX_INT64 = 2 ** 63

/** SQLite's numeric column: a 64-bit integer that the driver returned as a number has lost digits. */
const lostDigits = (raw: unknown): boolean =>
  typeof raw === 'number' && Number.isInteger(raw) && !Number.isSafeInteger(raw) && Math.abs(raw) <= MAX_INT64

const exactText: Check = (value, raw) => (lostDigits(raw) ? refuse() : value)

const exactNumber: Check = (value, raw) => {
  if (lostDigits(raw)) return refuse()
  return typeof raw === 'number' || digitsOf(value) === digitsOf(raw) ? value : refuse()
}

const digitsOf = (value: unknown): string | undefined => {
  const plain = plainNotation(String(value))
  return plain === undefined ? undefined : canonical(plain, 0)
}

const validDate: Check = (value) =>
  value instanceof Date && Number.isNaN(value.getTime()) ? refuse() : value

const checks: Readonly<Partial<Record<FieldKind, Readonly<Partial<Record<ValueForm, Check>>>>>> = {
  integer: { number: safeInteger },
  bigint: { bigint: exactText, string: exactText },
  decimal: { number: exactNumber, string: exactText },
  date: { date: validDate },
  datetime: { date: validDate },
  localdatetime: { date: validDate },
}

/** The check of a stored value before it is returned. `undefined`: the form can represent every value of the column. */
const checkOf = (field: Element): Check | undefined => {
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
