import type { Column } from 'drizzle-orm'
import type { Element, FieldKind, ValueForm } from '../../model/model.ts'

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

export type TypedField = Omit<Element, 'nullable'> & {
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

export const unknownType: TypedField = Object.freeze({ kind: 'opaque', form: 'json' })

/** Of what mappers of the application make: any JSON that they show again. */
export const mappedType: TypedField = Object.freeze({ ...unknownType, anyJson: true })

export const typeOf = (column: ColumnFacts): TypedField =>
  columnTypes[column.columnType]?.(column) ?? unknownType

type TypeRow = (column: ColumnFacts) => TypedField

const always = (kind: FieldKind, form: ValueForm, facts: Partial<TypedField> = {}): TypeRow => {
  const type = Object.freeze<TypedField>({ kind, form, ...facts })
  return () => type
}

const unknown: TypeRow = () => unknownType
const json = always('json', 'json')
const token = always('token', 'string')
const boolean = always('boolean', 'boolean')
const file = always('file', 'string')
const image = always('image', 'string')

type Size = Pick<Partial<TypedField>, 'maxLength' | 'precision' | 'scale' | 'size'>

const known = (facts: { readonly [Key in keyof Size]: Size[Key] | undefined }): Size =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))

const textOf =
  (lengthOf: (column: ColumnFacts) => number | undefined): TypeRow =>
  (column) => {
    const values = column.enumValues ?? []
    if (values.length > 0) return { kind: 'enum', form: 'string', values: Object.freeze([...values]) }
    return { kind: 'text', form: 'string', ...known({ maxLength: lengthOf(column) }) }
  }

const text = textOf(({ length }) => length)
/** An SQL `char` without a length has one character. */
const char = textOf(({ length = 1 }) => length)

const isUnsigned = (column: ColumnFacts): boolean => column.unsigned ?? / unsigned$/.test(column.getSQLType())

const unsignedMinimum = (column: ColumnFacts): { minimum?: number } =>
  isUnsigned(column) ? { minimum: 0 } : {}

const integer =
  (bits: number): TypeRow =>
  (column) => {
    const [minimum, maximum] = isUnsigned(column) ? [0, 2 ** bits] : [-(2 ** (bits - 1)), 2 ** (bits - 1)]
    return { kind: 'integer', form: 'number', minimum, maximum: maximum - 1 }
  }

/** 64 bits; the column returns only values that a JavaScript number represents exactly. */
const safeInteger: TypeRow = (column) => ({
  kind: 'integer',
  form: 'number',
  minimum: isUnsigned(column) ? 0 : Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})

const bigint: TypeRow = (column) => {
  const [minimum, maximum] = isUnsigned(column) ? [0n, 2n ** 64n] : [-(2n ** 63n), 2n ** 63n]
  return { kind: 'bigint', form: 'bigint', minimum, maximum: maximum - 1n }
}

const float: TypeRow = (column) => ({ kind: 'float', form: 'number', ...unsignedMinimum(column) })

/** With a precision but no scale, the scale is 0. */
const decimal =
  (form: ValueForm, precisionByDefault?: number): TypeRow =>
  (column) => {
    const precision = column.precision ?? precisionByDefault
    const scale = column.scale ?? (precision === undefined ? undefined : 0)
    return { kind: 'decimal', form, ...known({ precision, scale }), ...unsignedMinimum(column) }
  }

const neverNull =
  (row: TypeRow): TypeRow =>
  (column) => ({ ...row(column), nullable: false })

/** Significant digits of SQLite's numeric. Values of unknown scale are not padded. */
const SQLITE_DIGITS = 15

/** PostgreSQL stores microseconds unless the column has a lower precision. */
const PG_FRACTION_DIGITS = 6

const pgTimestamp =
  (form: ValueForm): TypeRow =>
  ({ withTimezone, precision = PG_FRACTION_DIGITS }) => ({
    kind: withTimezone ? 'datetime' : 'localdatetime',
    form,
    fractionDigits: precision,
  })

/** Elements cannot be null, as in drizzle's type of the array. */
const arrayOf = (element: TypedField, size: number | undefined): TypedField => ({
  kind: 'array',
  form: 'json',
  element: Object.freeze({ ...element, nullable: false }),
  ...known({ size }),
})

const vector: TypeRow = ({ dimensions }) => arrayOf({ kind: 'float', form: 'number' }, dimensions)

/** The default precision of a MySQL decimal. */
const MYSQL_DIGITS = 10

/** In bytes, which is also the maximum number of characters. */
const mysqlTextLengths: ReadonlyMap<string | undefined, number> = new Map([
  ['tinytext', 2 ** 8 - 1],
  ['text', 2 ** 16 - 1],
  ['mediumtext', 2 ** 24 - 1],
])

/** MySQL stores whole seconds unless the column has a precision. */
const mysqlTime =
  (kind: FieldKind, form: ValueForm): TypeRow =>
  ({ fsp = 0 }) => ({ kind, form, fractionDigits: fsp })

const mysqlBytes =
  (kind: FieldKind, form: ValueForm): TypeRow =>
  ({ length }) => ({ kind, form, ...known({ maxLength: length }) })

/** Drizzle returns binary strings as text, so they can be compared but not searched. */
const mysqlBinary = mysqlBytes('token', 'string')

/** By `column.columnType`: the types of drizzle's dialects, and those of modelrest. */
export const columnTypes: Readonly<Record<string, TypeRow>> = {
  SQLiteBigInt: bigint,
  SQLiteBlobBuffer: always('bytes', 'bytes'),
  SQLiteBlobJson: json,
  SQLiteBoolean: boolean,
  SQLiteCustomColumn: unknown,
  SQLiteExactDecimal: decimal('string'),
  SQLiteFile: file,
  SQLiteImage: image,
  SQLiteInteger: safeInteger,
  SQLiteNumeric: ({ precision, scale = 0 }) => ({
    kind: 'decimal',
    form: 'string',
    ...(precision === undefined || precision > SQLITE_DIGITS
      ? { precision: SQLITE_DIGITS }
      : { precision, scale }),
  }),
  SQLiteNumericBigInt: always('decimal', 'bigint', { precision: SQLITE_DIGITS, scale: 0 }),
  SQLiteNumericNumber: always('decimal', 'number', { precision: SQLITE_DIGITS }),
  SQLiteReal: float,
  SQLiteText: text,
  SQLiteTextJson: json,
  SQLiteTimestamp: ({ mode }) => ({
    kind: 'datetime',
    form: 'date',
    fractionDigits: mode === 'timestamp_ms' ? 3 : 0,
  }),
  SQLiteUuid: always('uuid', 'string'),

  PgArray: ({ baseColumn, size }) =>
    arrayOf(baseColumn === undefined ? unknownType : typeOf(baseColumn), size),
  PgBigInt53: safeInteger,
  PgBigInt64: bigint,
  PgBigIntText: (column) => ({ ...bigint(column), form: 'string' }),
  PgBigSerial53: neverNull(safeInteger),
  PgBigSerial64: neverNull(bigint),
  PgBinaryVector: token,
  PgBoolean: boolean,
  PgBytea: always('bytes', 'bytes'),
  PgChar: char,
  PgCidr: token,
  PgCitext: text,
  PgCustomColumn: unknown,
  PgDate: always('date', 'date'),
  PgDateString: always('date', 'string'),
  PgDoublePrecision: float,
  PgEnumColumn: text,
  PgEnumObjectColumn: text,
  PgFile: file,
  PgGeometry: json,
  PgGeometryObject: json,
  PgHalfVector: vector,
  PgImage: image,
  PgInet: token,
  PgInteger: integer(32),
  PgInterval: token,
  PgJson: json,
  PgJsonb: json,
  PgLine: json,
  PgLineABC: json,
  PgMacaddr: token,
  PgMacaddr8: token,
  PgNumeric: decimal('string'),
  PgNumericBigInt: decimal('bigint'),
  PgNumericNumber: decimal('number'),
  PgPointObject: json,
  PgPointTuple: json,
  PgReal: float,
  PgSerial: neverNull(integer(32)),
  PgSmallInt: integer(16),
  PgSmallSerial: neverNull(integer(16)),
  PgSparseVector: token,
  PgText: text,
  PgTime: (column) =>
    column.withTimezone
      ? token(column)
      : { kind: 'time', form: 'string', fractionDigits: column.precision ?? PG_FRACTION_DIGITS },
  PgTimestamp: pgTimestamp('date'),
  PgTimestampString: pgTimestamp('string'),
  PgUUID: always('uuid', 'string'),
  PgVarchar: text,
  PgVector: vector,

  MySqlBigInt53: safeInteger,
  MySqlBigInt64: bigint,
  MySqlBinary: mysqlBinary,
  MySqlBits: ({ length = 1 }) => ({
    ...{ kind: 'bytes', form: 'bytes', maxLength: Math.ceil(length / 8) },
    // A condition would compare its number with bytes.
    conditions: 'null',
  }),
  MySqlBlob: mysqlBytes('bytes', 'bytes'),
  MySqlBoolean: boolean,
  MySqlChar: char,
  MySqlCustomColumn: unknown,
  MySqlDate: always('date', 'date'),
  MySqlDateString: always('date', 'string'),
  MySqlDateTime: mysqlTime('localdatetime', 'date'),
  MySqlDateTimeString: mysqlTime('localdatetime', 'string'),
  MySqlDecimal: decimal('string', MYSQL_DIGITS),
  MySqlDecimalBigInt: decimal('bigint', MYSQL_DIGITS),
  MySqlDecimalNumber: decimal('number', MYSQL_DIGITS),
  MySqlDouble: float,
  MySqlEnumColumn: text,
  MySqlEnumObjectColumn: text,
  MySqlFile: file,
  MySqlFloat: float,
  MySqlImage: image,
  MySqlInt: integer(32),
  MySqlJson: json,
  MySqlMediumInt: integer(24),
  MySqlReal: float,
  MySqlSerial: always('integer', 'number', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, nullable: false }),
  MySqlSmallInt: integer(16),
  MySqlText: textOf(({ textType }) => mysqlTextLengths.get(textType)),
  MySqlTime: mysqlTime('time', 'string'),
  MySqlTimestamp: mysqlTime('datetime', 'date'),
  MySqlTimestampString: mysqlTime('datetime', 'string'),
  MySqlTinyInt: integer(8),
  MySqlVarBinary: mysqlBinary,
  MySqlVarChar: text,
  MySqlYear: always('integer', 'number', { minimum: 1901, maximum: 2155 }),

  /** For views: `sql`…`.mapWith(Number)`. */
  NumberExpression: float,
}
