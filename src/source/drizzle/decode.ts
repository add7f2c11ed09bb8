import { Column } from 'drizzle-orm'
import { parse } from 'postgres-array'
import { Unrepresentable } from '../../model/codec.ts'
import type { Element, Field, Model } from '../../model/model.ts'
import type { Row } from '../source.ts'
import { SourceError } from '../source-error.ts'
import type { BoundField } from './bound-table.ts'
import { hasOwnMappers, mappingOf } from './column-facts.ts'
import type { RawRow } from './database.ts'
import { checkOf } from './decode-checks.ts'
import { typeOf } from './field-kinds.ts'
import { mysqlDecoder } from './mysql/columns.ts'
import { readPgTimestamp } from './pg-timestamp.ts'

type Decoder = (raw: unknown) => unknown

/** Columns that drizzle decodes with a loss, and what decodes them without. */
const exactDecoders: Readonly<Record<string, (column: Column, field: Element) => Decoder | undefined>> = {
  PgArray: (column, { element }) => element && arrayDecoder(column, element),
  PgTimestamp: () => readPgTimestamp,
}

/** Where a driver leaves an array as PostgreSQL writes it, drizzle's own reader drops the backslashes in it. */
const arrayDecoder = (column: Column & { readonly baseColumn?: Column }, element: Element): Decoder => {
  const decode = (column.baseColumn && decoderOf(column.baseColumn, element)) ?? asItIs
  return (raw) => {
    const elements: readonly unknown[] = typeof raw === 'string' ? parse(raw) : (raw as readonly unknown[])
    return elements.map((value) => (value === null ? null : decode(value)))
  }
}

const asItIs: Decoder = (raw) => raw

/** `undefined`: the driver's value is the field's. */
const decoderOf = (column: Column, field: Element): Decoder | undefined => {
  const exact = hasOwnMappers(column)
    ? undefined
    : (exactDecoders[column.columnType]?.(column, field) ?? mysqlDecoder(column))
  const isAsItIs = column.mapFromDriverValue === Column.prototype.mapFromDriverValue
  const decode = exact ?? (isAsItIs ? undefined : (raw: unknown) => column.mapFromDriverValue(raw))
  const check = checkOf(field)
  if (check === undefined) return decode
  if (decode === undefined) return (raw) => check(raw, raw)
  // What the column's own mappers change has other digits than what the driver gives.
  const isChanged = mappingOf(column) === 'changed' || typeOf(column).kind !== field.kind
  return (raw) => {
    const value = decode(raw)
    return check(value, isChanged ? value : raw)
  }
}

/**
 * Makes the reader of rows that hold these fields, the primary key among them. Every record has them in this order, so
 * that all have one shape.
 *
 * The reader throws a SourceError `unrepresentable` where a field cannot hold what is stored.
 */
export const rowReader = (model: Model, fields: readonly BoundField[]): ((raw: RawRow) => Row) => {
  const names = fields.map(({ field }) => field.name)
  const decoders = fields.map(({ column, field }) => decoderOf(column, field))
  const count = names.length
  return (raw) => {
    const row: Record<string, unknown> = {}
    let place = 0
    try {
      for (; place < count; place += 1) {
        const value = raw[place]
        const decode = decoders[place]
        row[names[place] as string] = decode === undefined || value === null ? value : decode(value)
      }
    } catch (error) {
      const key = model.primaryKey.map((name) => String(raw[names.indexOf(name)])).join(',')
      throw unrepresentable(`${model.name} ${key}`, fields[place]?.field, error)
    }
    return row
  }
}

const unrepresentable = (record: string, field: Field | undefined, error: unknown): SourceError => {
  const name = field?.name ?? ''
  const cause = new Unrepresentable(`${record}, field ${name}: what is stored has no exact form`, {
    cause: error,
  })
  return new SourceError('unrepresentable', { fields: [name], cause })
}
