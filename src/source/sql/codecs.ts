import { Buffer } from 'node:buffer'
import { shortest, Unrepresentable } from '../../model/codec.ts'
import { kinds } from '../../model/kinds/index.ts'
import { isSameJson } from '../../model/kinds/json.ts'
import type { Field, FieldKind } from '../../model/model.ts'
import { SourceError } from '../source.ts'
import { isTextList, textList } from './lists.ts'
import { withSingles } from './singles.ts'
import { type Sql, sql } from './text.ts'
import { dateOf, dateOfSeconds, FIRST, isoText, LAST, movedBy, secondsOf, utcText } from './times.ts'

/** Databases that differ in their SQL. */
export type Family = 'pg' | 'mysql' | 'mariadb' | 'sqlite'

export const isMysql = (family: Family): boolean => family === 'mysql' || family === 'mariadb'

/** How the values of a column get to the database and back. Where a member is missing, they pass as they are. */
export interface Codec {
  /** A value of the field for the driver, or SQL. Null stays null. @throws SourceError `value` or `type` if the column cannot hold it */
  readonly encode: (value: unknown) => unknown
  /** The same for a value to compare with. `null`: the column cannot hold such a value, so no record has it. */
  readonly encodeCompared: (value: unknown) => unknown
  /** The same for a value to compare with by order. @throws SourceError `value` for one that has no place in the order. @default as `encodeCompared` */
  readonly encodeRanked?: (value: unknown) => unknown
  /** A value of the driver, never null, in the form of the field. @throws an error if it cannot be represented exactly */
  readonly decode?: (raw: unknown) => unknown
  /** The SQL that reads the column. */
  readonly selected?: (column: Sql) => Sql
  /** The SQL that writes a parameter. */
  readonly written?: (slot: Sql) => Sql
  /** The SQL of the column in comparisons, if the column does not accept every value of its field. */
  readonly compared?: (column: Sql) => Sql
  /** The same in comparisons by order. @default as `compared` */
  readonly ranked?: (column: Sql) => Sql
  /** The SQL of a parameter in comparisons. */
  readonly comparedSlot?: (slot: Sql) => Sql
  /** The SQL by which a side of a comparison is ordered: the column or a parameter. */
  readonly ordered?: (side: Sql) => Sql
  /** Makes what `ordered` made of a value into the value again. */
  readonly unordered?: (side: Sql) => Sql
  /** Equal values may be stored in several forms, which only their order shows. @default false */
  readonly isMixed?: boolean
  /** The SQL in which a text is searched. */
  readonly searched?: (column: Sql) => Sql
  /** For text: SQL that compares byte for byte, if the column does not. */
  readonly exact?: (side: Sql) => Sql
}

/** The same, as the type of a column says it, of values that are not null. The engine makes a `Codec` of it. */
export interface ColumnCodec
  extends Pick<Codec, 'exact' | 'isMixed' | 'ordered' | 'searched' | 'written'>,
    Required<Pick<Codec, 'decode' | 'selected'>> {
  /** What the driver gets for a value. */
  readonly param: (value: unknown) => unknown
  /** Whether the column can hold a value. @default the database finds out */
  readonly fits?: (value: unknown) => boolean
  /** For a time of SQLite that is stored as a number: the SQL of the seconds since 1970. @default that of a text */
  readonly seconds?: (column: Sql) => Sql
  /** @default as `ranked` */
  readonly compared?: (column: Sql) => Sql
  /** @default as `ordered` */
  readonly ranked?: (column: Sql) => Sql
  /** Values that `fits` refuses are compared too. @default as `written` */
  readonly comparedSlot?: (slot: Sql) => Sql
}

/** The same, also through the entities of an ORM. */
export interface EntityCodec extends ColumnCodec {
  /** The value as entities have it. */
  readonly inEntity: (value: unknown) => unknown
  /** The value of an entity in the form of the field. */
  readonly ofEntity: (value: unknown) => unknown
}

/** A column as its ORM declares it. */
export interface StoredColumn {
  readonly field: Pick<Field, 'kind' | 'form' | 'element'>
  /** The name of its type in the database, in lower case and without a length. */
  readonly type: string
  /** The collation that is declared for the column. */
  readonly collation?: string | undefined
  /** In SQLite: it has times in several forms, for example because the database fills some in itself. */
  readonly isMixed?: boolean
  /** How far the times of a column without a zone are from UTC, in milliseconds. @default 0 */
  readonly offset?: number
}

/** How a column is read and written by statements that do not pass through the conversions of an ORM. */
export const codecOf = (column: StoredColumn, family: Family): ColumnCodec => {
  const { field, collation } = column
  const exact = exactOf(column, family)
  const codec: ColumnCodec = {
    ...{ selected: itself, param: itself, decode: checked(field) },
    ...(exact && { exact }),
    // PostgreSQL cannot search with a nondeterministic collation.
    ...(family === 'pg' && collation && { searched: (column: Sql) => sql`${column} collate "default"` }),
    ...ofKind[field.kind]?.(column, family),
  }
  return withSingles(codec, column, family)
}

export const entityCodecOf = (column: StoredColumn, family: Family): EntityCodec => ({
  ...{ ...codecOf(column, family), inEntity: itself, ofEntity: checked(column.field) },
})

const NOT_EXACT = 'not exact'

/** A value that a driver or an ORM made, in the form of the field. @throws Unrepresentable for one that the field cannot have */
export const checked =
  (field: Pick<Field, 'kind' | 'form'>) =>
  (value: unknown): unknown =>
    formed((checks[field.kind] ?? itself)(value), field)

export const itself = <T>(value: T): T => value

/**
 * Through a conversion of the application, which may refuse a value by any error.
 *
 * @param show what the application makes of a stored value
 * @param isList whether the column stores lists. @default false
 */
export const convertedBy = (
  { name, anyJson }: Pick<Field, 'name' | 'anyJson'>,
  convert: (value: unknown) => unknown,
  show: (stored: unknown) => unknown,
  isList = false,
): Required<Pick<ColumnCodec, 'param' | 'fits'>> => ({
  param: (value) => {
    try {
      return convert(value)
    } catch (cause) {
      throw new SourceError('value', { fields: [name], cause })
    }
  },
  fits: (value) => {
    try {
      const stored = convert(value)
      return anyJson !== true || isShownAgain(value, stored, show, isList)
    } catch {
      return false
    }
  },
})

/** Whether responses will show a value as it was sent. The application may turn a text or number into anything. */
export const isShownAgain = (
  value: unknown,
  stored: unknown,
  show: (stored: unknown) => unknown,
  isList = false,
): boolean => {
  if (stored === null || stored === undefined) return true
  if (!isScalar(stored) && !(isList && Array.isArray(stored))) return false
  const shown = kinds.opaque.write(show(stored), shortest)
  return typeof value !== 'object' || isSameJson(shown, kinds.opaque.write(value, shortest))
}

/** Drivers take other objects for several values, or for parts of a statement. */
const isScalar = (stored: unknown): boolean =>
  typeof stored !== 'object' || stored instanceof Date || stored instanceof Uint8Array

/** Without digits beyond milliseconds, as ORMs keep times. */
export const plainDate = (value: unknown): Date => new Date((value as Date).getTime())

const collated: readonly FieldKind[] = ['text', 'uuid', 'token', 'opaque']
/** Types of MySQL that compare their values byte for byte, or have one form for each. */
const bytewise = /^(uuid|(var)?binary|(tiny|medium|long)?blob)$/
const inexact: ReadonlySet<string> = new Set(['citext', 'char', 'character', 'bpchar'])

const exactOf = (
  { field: { kind }, type, collation }: StoredColumn,
  family: Family,
): ColumnCodec['exact'] => {
  if (isMysql(family))
    return collated.includes(kind) && !bytewise.test(type)
      ? (column) => sql`cast(convert(${column} using utf8mb4) as binary)`
      : undefined
  if (kind !== 'text') return undefined
  // The table may use `collate nocase`, which the ORM need not know.
  if (family === 'sqlite') return (column) => sql`${column} collate binary`
  // Unlike a cast to text, `concat` keeps the trailing spaces of a `char`.
  if (collation) return (column) => sql`concat(${column}) collate "C"`
  return inexact.has(type) ? (column) => sql`concat(${column})` : undefined
}

const asText =
  (family: Family) =>
  (column: Sql): Sql => {
    if (family === 'pg') return sql`${column}::text`
    return isMysql(family) ? sql`cast(${column} as char)` : sql`cast(${column} as text)`
  }

/** Drivers return some types as objects or as numbers with fewer digits, depending on their options. */
const inText = (_column: unknown, family: Family): Partial<ColumnCodec> => ({ selected: asText(family) })

const digits: OfKind = ({ field: { form } }, family) =>
  form === 'string' || form === 'bigint' ? { selected: asText(family) } : undefined

/** Beyond the first and the last year, any time compares as the end of them. */
const movedText = (value: unknown, offset: number): string => {
  const moved = (value as Date).getTime() + offset
  if (moved > LAST) return '9999-12-31 23:59:59.999999'
  return moved < FIRST ? '0001-01-01 00:00:00' : utcText(movedBy(value as Date, offset))
}

const localTime: OfKind = ({ offset = 0 }, family) => ({
  selected: asText(family),
  decode: (raw) => movedBy(dateOf(raw), -offset),
  param: (value) => (family === 'pg' ? isoText(value) : movedText(value, offset)),
})

const instant: OfKind = (column, family) => {
  if (family === 'pg')
    return { selected: (column) => sql`timezone('UTC', ${column})::text`, param: isoText, decode: dateOf }
  if (family === 'sqlite')
    return {
      ...{ decode: dateOf, param: utcText },
      ...(column.isMixed && { selected: readMilliseconds, ordered: milliseconds, isMixed: true }),
    }
  if (column.type !== 'timestamp') return localTime(column, family)
  return {
    ...{
      selected: (column) => sql`cast(unix_timestamp(${column}) as char)`,
      decode: dateOfSeconds,
      fits: isTimestamp,
    },
    ...{ param: secondsOf, written: (slot) => sql`from_unixtime(${seconds(slot)})` },
    // The clock of the session's zone may show an hour twice.
    ...{ ranked: (column) => sql`unix_timestamp(${column})`, comparedSlot: seconds },
  }
}

const milliseconds = (column: Sql): Sql => sql`strftime('%Y-%m-%d %H:%M:%f', ${column})`

/** What is not a time is not shown as null. */
const readMilliseconds = (column: Sql): Sql => sql`coalesce(${milliseconds(column)}, ${column})`

const seconds = (slot: Sql): Sql => sql`cast(${slot} as decimal(20, 6))`

/** The last second of a `timestamp` of MySQL. Without a check, the database would store null. */
const LAST_SECOND = 2 ** 31 - 1

const isTimestamp = (value: unknown): boolean => {
  const second = Math.floor((value as Date).getTime() / 1000)
  return second > 0 && second <= LAST_SECOND
}

/** The error of the parser would contain the text. */
const parsed = (raw: unknown): unknown => {
  try {
    return JSON.parse(String(raw))
  } catch {
    throw new Unrepresentable(NOT_EXACT)
  }
}

const bytesOf = (value: unknown): Buffer => Buffer.from(value as Uint8Array)

type OfKind = (column: StoredColumn, family: Family) => Partial<ColumnCodec> | undefined

const ofKind: Readonly<Partial<Record<FieldKind, OfKind>>> = {
  ...{ bigint: digits, decimal: digits, date: inText, time: inText },
  // Not all drivers of SQLite return integers beyond those of JavaScript.
  integer: (_column, family) => (family === 'sqlite' ? { selected: asText(family) } : undefined),
  boolean: (_column, family) => (family === 'sqlite' ? { param: Number } : undefined),
  bytes: () => ({ param: bytesOf }),
  // A token that is not of the type's form is equal to none, but PostgreSQL would refuse it.
  token: (_column, family) =>
    family === 'pg' ? { selected: asText(family), compared: asText(family) } : undefined,
  // Drivers parse JSON, and some ORMs do so again.
  json: (_column, family) => ({ selected: asText(family), decode: parsed }),
  array: (column, family) => {
    const { element } = column.field
    if (family !== 'pg' || element === undefined) return undefined
    if (isTextList(column.field)) return textList(element, codecOf({ ...column, field: element }, family))
    return element.kind === 'bigint' || element.kind === 'decimal'
      ? { selected: (column) => sql`${column}::text[]` }
      : undefined
  },
  // MySQL sorts its index in the list of values, but compares it by its text.
  enum: ({ type }, family) =>
    isMysql(family) && type === 'enum'
      ? { ordered: (column) => sql`cast(${column} as char)`, compared: itself }
      : undefined,
  ...{ localdatetime: localTime, datetime: instant },
}

const safe = (value: unknown): unknown => {
  const found = typeof value === 'string' ? Number(value) : value
  if (Number.isSafeInteger(found)) return found
  throw new Unrepresentable(NOT_EXACT)
}

const matching =
  (form: RegExp) =>
  (value: unknown): unknown => {
    if (form.test(String(value))) return value
    throw new Unrepresentable(NOT_EXACT)
  }

const whole = matching(/^-?\d+$/)
const timeForm = matching(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?$/)

/** MySQL returns bytes. TypeORM does not know how many bits a column has. */
const bit = (bytes: Uint8Array): unknown => {
  const [first = 0] = bytes
  if (bytes.length === 1 && first <= 1) return first
  throw new Unrepresentable(NOT_EXACT)
}

/** What stored values must be, whatever the column was declared as. */
const checks: Readonly<Partial<Record<FieldKind, (value: unknown) => unknown>>> = {
  integer: safe,
  boolean: (value) => value === true || Number(value instanceof Uint8Array ? bit(value) : value) === 1,
  bigint: (value) => (typeof value === 'number' ? safe(value) : whole(value)),
  float: (value) => {
    const found = Number(value)
    if (Number.isFinite(found)) return found
    throw new Unrepresentable(NOT_EXACT)
  },
  decimal: matching(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i),
  time: (value) =>
    String(timeForm(value))
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, ''),
  date: matching(/^\d{4}-\d\d-\d\d$/),
}

/** Values of drivers that were told to return other types than usual. */
const formed = (value: unknown, { kind, form }: Pick<Field, 'kind' | 'form'>): unknown => {
  if (kind === 'enum') return String(value)
  if (form === 'number' && typeof value === 'string') return Number(value)
  return form === 'string' && typeof value === 'number' ? String(value) : value
}
