import type { Column } from 'drizzle-orm'
import type { Family } from '../sql/codecs.ts'
import {
  always,
  choiceOf,
  opaqueFacts,
  plainFacts,
  SQLITE_DIGITS,
  safeInteger,
  type TypeFacts,
  typeFacts,
  withElements,
} from '../sql/types.ts'

/** Properties of drizzle's columns on which a kind depends. Most exist only on some types. */
export interface ColumnFacts {
  readonly columnType: string
  getSQLType(): string
  readonly enumValues?: readonly string[] | undefined
  readonly length?: number | undefined
  readonly precision?: number | undefined
  readonly scale?: number | undefined
  /** MySQL: fractional digits of a second. */
  readonly fsp?: number | undefined
  readonly withTimezone?: boolean | undefined
  readonly mode?: string | undefined
  readonly textType?: string | undefined
  readonly dimensions?: number | undefined
  readonly size?: number | undefined
  readonly baseColumn?: ColumnFacts | undefined
  readonly unsigned?: boolean | undefined
  /** SQLite uses the largest number plus one, and with AUTOINCREMENT never reuses a number. */
  readonly autoIncrement?: boolean | undefined
  readonly defaultText?: string | undefined
  /** Has its own collation, in which different strings may be equal. */
  readonly collated?: boolean | undefined
  /**
   * For custom types that are read by their SQL type: they have no mappers, or their mappers keep or change the values of
   * the SQL type.
   */
  readonly mapping?: 'none' | 'kept' | 'changed' | undefined
}

/** A drizzle column. Drizzle's type does not declare these properties. */
export type TypedColumn = Column & ColumnFacts

export type TypedField = TypeFacts & {
  /** The type itself forbids null. */
  readonly nullable?: false
}

/** The column's own mappers convert between the driver and modelrest, so the driver must be used as drizzle uses it. */
export const hasOwnMappers = ({ mapping }: ColumnFacts): boolean =>
  mapping === 'kept' || mapping === 'changed'

export const withColumnType = <Builder extends object>(builder: Builder, columnType: string): Builder => {
  Object.assign(Object(Reflect.get(builder, 'config')), { columnType })
  return builder
}

export const unknownType: TypedField = opaqueFacts

/** Of what mappers of the application make: any JSON that they show again. */
export const mappedType: TypedField = Object.freeze({ ...unknownType, anyJson: true })

export const typeOf = (column: ColumnFacts): TypedField =>
  columnTypes[column.columnType]?.(column) ?? unknownType

type TypeRow = (column: ColumnFacts) => TypedField

const familyOf = (columnType: string): Family => {
  if (columnType.startsWith('MySql')) return 'mysql'
  return columnType.startsWith('Pg') ? 'pg' : 'sqlite'
}

const isUnsigned = (column: ColumnFacts): boolean => column.unsigned ?? / unsigned$/.test(column.getSQLType())

/** The facts of an SQL type. @param more what drizzle makes of its values. @param shortest the length of a column without one */
const as =
  (
    name: string | ((column: ColumnFacts) => string),
    more: Partial<TypedField> = {},
    shortest?: number,
  ): TypeRow =>
  (column) => {
    const { columnType, length = shortest, fsp, precision = fsp, scale, enumValues = [] } = column
    const type = typeof name === 'string' ? name : name(column)
    const facts = typeFacts(
      { name: type, length, precision, scale, unsigned: isUnsigned(column) },
      familyOf(columnType),
    )
    return facts.kind === 'text' && enumValues.length > 0 ? choiceOf(enumValues) : { ...facts, ...more }
  }

const neverNull =
  (row: TypeRow): TypeRow =>
  (column) => ({ ...row(column), nullable: false })

const unknown: TypeRow = () => unknownType
const json = always('json')
const jsonDocument = always('json', { jsonPaths: true })
const token = always('token')
const boolean = always('boolean')
const file = always('file')
const image = always('image')
const float = as('double')
const text = as('text')
/** An SQL `char` without a length has one character. */
const char = as('char', {}, 1)
const bigint = as('bigint', { form: 'bigint' })

/** 64 bits; the column returns only values that a JavaScript number represents exactly. */
const wholeNumber: TypeRow = (column) => (isUnsigned(column) ? { ...safeInteger, minimum: 0 } : safeInteger)

/** Elements cannot be null, as in drizzle's type of the array. */
const listOf = ({ comparesElements: _, ...element }: TypedField, size: number | undefined): TypedField =>
  plainFacts('array', {
    element: Object.freeze({ ...element, nullable: false }),
    ...(size !== undefined && { size }),
  })

const vector: TypeRow = ({ dimensions }) => listOf(plainFacts('float'), dimensions)

const pgTimestamp = ({ withTimezone }: ColumnFacts): string => (withTimezone ? 'timestamptz' : 'timestamp')

/** Drizzle returns binary strings as text, so they can be compared but not searched. */
const mysqlBinary: TypeRow = ({ length }) =>
  plainFacts('token', length === undefined ? {} : { maxLength: length })

/** By `column.columnType`: the types of drizzle's dialects, and those of modelrest. */
export const columnTypes: Readonly<Record<string, TypeRow>> = {
  SQLiteBigInt: bigint,
  SQLiteBlobBuffer: always('bytes'),
  SQLiteBlobJson: jsonDocument,
  SQLiteBoolean: boolean,
  SQLiteCustomColumn: unknown,
  SQLiteExactDecimal: ({ precision, scale }) => typeFacts({ name: 'numeric', precision, scale }, 'pg'),
  SQLiteFile: file,
  SQLiteImage: image,
  SQLiteInteger: wholeNumber,
  SQLiteNumeric: as('numeric', { form: 'string' }),
  SQLiteNumericBigInt: always('decimal', { form: 'bigint', precision: SQLITE_DIGITS, scale: 0 }),
  SQLiteNumericNumber: always('decimal', { form: 'number', precision: SQLITE_DIGITS }),
  SQLiteReal: float,
  SQLiteText: text,
  SQLiteTextJson: jsonDocument,
  SQLiteTimestamp: ({ mode }) => plainFacts('datetime', { fractionDigits: mode === 'timestamp_ms' ? 3 : 0 }),
  SQLiteUuid: always('uuid'),

  PgArray: ({ baseColumn, size }) =>
    withElements(listOf(baseColumn === undefined ? unknownType : typeOf(baseColumn), size)),
  PgBigInt53: wholeNumber,
  PgBigInt64: bigint,
  PgBigIntText: as('bigint'),
  PgBigSerial53: neverNull(wholeNumber),
  PgBigSerial64: neverNull(bigint),
  PgBinaryVector: token,
  PgBoolean: boolean,
  PgBytea: as('bytea'),
  PgChar: char,
  PgCidr: as('cidr'),
  PgCitext: text,
  PgCustomColumn: unknown,
  PgDate: as('date', { form: 'date' }),
  PgDateString: as('date'),
  PgDoublePrecision: float,
  PgEnumColumn: text,
  PgEnumObjectColumn: text,
  PgFile: file,
  PgGeometry: json,
  PgGeometryObject: json,
  PgHalfVector: vector,
  PgImage: image,
  PgInet: as('inet'),
  PgInteger: as('int'),
  PgInterval: as('interval'),
  PgJson: jsonDocument,
  PgJsonb: jsonDocument,
  PgLine: json,
  PgLineABC: json,
  PgMacaddr: as('macaddr'),
  PgMacaddr8: as('macaddr8'),
  PgNumeric: as('numeric'),
  PgNumericBigInt: as('numeric', { form: 'bigint' }),
  PgNumericNumber: as('numeric', { form: 'number' }),
  PgPointObject: json,
  PgPointTuple: json,
  PgReal: float,
  PgSerial: neverNull(as('int')),
  PgSmallInt: as('smallint'),
  PgSmallSerial: neverNull(as('smallint')),
  PgSparseVector: token,
  PgText: text,
  PgTime: as(({ withTimezone }) => (withTimezone ? 'timetz' : 'time')),
  PgTimestamp: as(pgTimestamp),
  PgTimestampString: as(pgTimestamp, { form: 'string' }),
  PgUUID: as('uuid'),
  PgVarchar: as('varchar'),
  PgVector: vector,

  MySqlBigInt53: wholeNumber,
  MySqlBigInt64: bigint,
  MySqlBinary: mysqlBinary,
  MySqlBits: as('bit'),
  MySqlBlob: as(({ textType = 'longblob' }) => textType),
  MySqlBoolean: boolean,
  MySqlChar: char,
  MySqlCustomColumn: unknown,
  MySqlDate: as('date', { form: 'date' }),
  MySqlDateString: as('date'),
  MySqlDateTime: as('datetime'),
  MySqlDateTimeString: as('datetime', { form: 'string' }),
  MySqlDecimal: as('decimal'),
  MySqlDecimalBigInt: as('decimal', { form: 'bigint' }),
  MySqlDecimalNumber: as('decimal', { form: 'number' }),
  MySqlDouble: float,
  MySqlEnumColumn: text,
  MySqlEnumObjectColumn: text,
  MySqlFile: file,
  MySqlFloat: float,
  MySqlImage: image,
  MySqlInt: as('int'),
  MySqlJson: jsonDocument,
  MySqlMediumInt: as('mediumint'),
  MySqlReal: float,
  MySqlSerial: neverNull(always('integer', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  MySqlSmallInt: as('smallint'),
  MySqlText: as(({ textType = 'longtext' }) => textType),
  MySqlTime: as('time'),
  MySqlTimestamp: as('timestamp'),
  MySqlTimestampString: as('timestamp', { form: 'string' }),
  MySqlTinyInt: as('tinyint'),
  MySqlVarBinary: mysqlBinary,
  MySqlVarChar: as('varchar'),
  MySqlYear: as('year'),

  /** For views: `sql`…`.mapWith(Number)`. */
  NumberExpression: always('float'),
}
