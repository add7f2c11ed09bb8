import { type Column, type SQLChunk, sql } from 'drizzle-orm'
import { hasOwnMappers, mappingOf, type TypedField } from '../column-facts.ts'
import type { Comparing, DialectRow } from '../dialect-row.ts'
import { comparedDecimal, decimalSlot } from './decimals.ts'
import {
  comparedTimestampText,
  dayText,
  momentText,
  readDateTime,
  readTime,
  readTimestamp,
  readTimestampText,
  timestampText,
} from './moments.ts'
import { asSingle, finite, readSingle } from './numbers.ts'

/** What is to be said of a column type beyond what drizzle does. */
interface ColumnRow {
  /** In the list of those to read, so that no setting of the driver changes what comes. */
  readonly selected?: (name: SQLChunk) => SQLChunk
  readonly decode?: (raw: unknown) => unknown
  readonly toDriver?: (value: unknown) => unknown
  readonly written?: (slot: SQLChunk) => SQLChunk
  readonly compared?: (stored: TypedField) => Comparing
  readonly ordered?: (side: SQLChunk) => SQLChunk
}

const asText = (name: SQLChunk): SQLChunk => sql`cast(${name} as char)`

/** Drivers hand out numbers of 64 bits and decimals as floats where they are told to. */
const exactNumber: ColumnRow = { selected: asText }

const decimal: ColumnRow = {
  selected: asText,
  compared: (field) => ({
    slot: (slot) => decimalSlot(field, slot),
    toColumn: comparedDecimal(field),
  }),
}

const double: ColumnRow = { toDriver: finite }

const inSession = (slot: SQLChunk): SQLChunk => sql`convert_tz(${slot}, '+00:00', @@session.time_zone)`

const timestamp: ColumnRow = {
  selected: (name) => sql`cast(unix_timestamp(${name}) as char)`,
  toDriver: timestampText,
  written: inSession,
  compared: () => ({ slot: inSession, toColumn: comparedTimestampText }),
}

/** Bytes that are no text would be replaced. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const binary: ColumnRow = {
  decode: (raw) => (raw instanceof Uint8Array ? utf8.decode(raw) : raw),
}

/** By what it is, not by the place of its value in the list. */
const enumerated: ColumnRow = { ordered: (side) => sql`cast(${side} as char)` }

const rows: Readonly<Record<string, ColumnRow>> = {
  MySqlBigInt53: exactNumber,
  MySqlBigInt64: exactNumber,
  MySqlBinary: binary,
  MySqlDate: { toDriver: dayText },
  MySqlDateTime: { selected: asText, decode: readDateTime, toDriver: momentText },
  MySqlDateTimeString: { selected: asText, toDriver: momentText },
  MySqlDecimal: decimal,
  MySqlDecimalBigInt: decimal,
  MySqlDecimalNumber: decimal,
  MySqlDouble: double,
  MySqlEnumColumn: enumerated,
  MySqlEnumObjectColumn: enumerated,
  // As text it has six digits.
  MySqlFloat: {
    selected: (name) => sql`(${name} + 0e0)`,
    decode: readSingle,
    toDriver: finite,
    compared: () => ({ toColumn: asSingle }),
  },
  // A type of its own, or a text: the one is parsed by drivers, the other by nobody.
  MySqlJson: { selected: asText, decode: (raw) => JSON.parse(String(raw)) },
  MySqlReal: double,
  MySqlSerial: exactNumber,
  MySqlTime: { selected: asText, decode: readTime },
  MySqlTimestamp: { ...timestamp, decode: readTimestamp },
  MySqlTimestampString: { ...timestamp, decode: readTimestampText },
  MySqlVarBinary: binary,
}

/** What decodes a column without a loss, where drizzle does not. */
export const mysqlDecoder = ({ columnType }: Column): ((raw: unknown) => unknown) | undefined =>
  rows[columnType]?.decode

/** These are read as text, whatever the column's own mappers make of it. */
const textForMappers: ReadonlySet<string> = new Set(['MySqlBigInt64', 'MySqlJson'])

/** A column's own mappers get what drizzle's would, and make what is written. How it is compared follows from its type. */
const rowFor = (column: Column): ColumnRow => {
  const row = rows[column.columnType] ?? {}
  if (!hasOwnMappers(column)) return row
  const { selected, written, compared, ordered } = row
  const isText = mappingOf(column) === 'kept' && textForMappers.has(column.columnType)
  return {
    ...(isText && selected !== undefined && { selected }),
    ...(written === undefined && compared !== undefined && { compared }),
    ...(ordered !== undefined && { ordered }),
  }
}

/** How the columns of MySQL are read, written and compared. */
export const mysqlColumns: Pick<DialectRow, 'selected' | 'toDriver' | 'written' | 'compared' | 'ordered'> =
  Object.freeze({
    selected: (column: Column, name: SQLChunk) => rowFor(column).selected?.(name) ?? name,
    toDriver: (column: Column) => rowFor(column).toDriver,
    written: (column: Column, slot: SQLChunk) => rowFor(column).written?.(slot) ?? slot,
    compared: (column: Column, _name: SQLChunk, stored: TypedField) =>
      rowFor(column).compared?.(stored) ?? {},
    ordered: (column: Column, side: SQLChunk) => rowFor(column).ordered?.(side) ?? side,
  })
