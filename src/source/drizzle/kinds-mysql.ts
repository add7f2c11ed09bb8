import type { FieldKind, ValueForm } from '../../model/model.ts'
import {
  always,
  bigint,
  boolean,
  char,
  decimal,
  file,
  float,
  image,
  integer,
  json,
  known,
  neverNull,
  type SqlTypes,
  safeInteger,
  type TypedField,
  type TypeRow,
  type TypeTable,
  text,
  textOr,
  unknown,
} from './column-facts.ts'

/** In bytes; so many characters fit at most. */
const textLengths: ReadonlyMap<string | undefined, number> = new Map([
  ['tinytext', 2 ** 8 - 1],
  ['text', 2 ** 16 - 1],
  ['mediumtext', 2 ** 24 - 1],
])

/** MySQL keeps whole seconds unless a column says more. */
const timed =
  (kind: FieldKind, form: ValueForm): TypeRow =>
  ({ fsp = 0 }) => ({ kind, form, fractionDigits: fsp })

/** Drizzle hands out binary strings as text, so that they can be compared but not searched. */
const binary: TypeRow = ({ length }) => ({ kind: 'token', form: 'string', ...known({ maxLength: length }) })

const serial: TypedField = { kind: 'integer', form: 'number', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** In bytes. */
const blob: TypeRow = ({ length }) => ({ kind: 'bytes', form: 'bytes', ...known({ maxLength: length }) })

/** A decimal without a precision has ten digits. */
const DECIMAL_DIGITS = 10

/** The column types of `drizzle-orm/mysql-core`, and our own. */
export const mysqlTypes: TypeTable = {
  MySqlBigInt53: safeInteger,
  MySqlBigInt64: bigint,
  MySqlBinary: binary,
  MySqlBlob: blob,
  MySqlBoolean: boolean,
  MySqlChar: char,
  MySqlCustomColumn: unknown,
  MySqlDate: always({ kind: 'date', form: 'date' }),
  MySqlDateString: always({ kind: 'date', form: 'string' }),
  MySqlDateTime: timed('localdatetime', 'date'),
  MySqlDateTimeString: timed('localdatetime', 'string'),
  MySqlDecimal: decimal('string', DECIMAL_DIGITS),
  MySqlDecimalBigInt: decimal('bigint', DECIMAL_DIGITS),
  MySqlDecimalNumber: decimal('number', DECIMAL_DIGITS),
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
  MySqlSerial: neverNull(always(serial)),
  MySqlSmallInt: integer(16),
  MySqlText: textOr(({ textType }) => textLengths.get(textType)),
  MySqlTime: timed('time', 'string'),
  MySqlTimestamp: timed('datetime', 'date'),
  MySqlTimestampString: timed('datetime', 'string'),
  MySqlTinyInt: integer(8),
  MySqlVarBinary: binary,
  MySqlVarChar: text,
  MySqlYear: always({ kind: 'integer', form: 'number', minimum: 1901, maximum: 2155 }),
}

/** What an SQL type is read as. */
export const mysqlSqlTypes: SqlTypes = {
  bigint: 'MySqlBigInt53',
  binary: 'MySqlBlob',
  blob: 'MySqlBlob',
  bool: 'MySqlBoolean',
  boolean: 'MySqlBoolean',
  char: 'MySqlChar',
  character: 'MySqlChar',
  'character varying': 'MySqlVarChar',
  date: 'MySqlDateString',
  datetime: 'MySqlDateTimeString',
  dec: 'MySqlDecimal',
  decimal: 'MySqlDecimal',
  double: 'MySqlDouble',
  'double precision': 'MySqlDouble',
  enum: 'MySqlEnumColumn',
  float: 'MySqlFloat',
  int: 'MySqlInt',
  integer: 'MySqlInt',
  json: 'MySqlJson',
  longblob: 'MySqlBlob',
  longtext: 'MySqlText',
  mediumblob: 'MySqlBlob',
  mediumint: 'MySqlMediumInt',
  mediumtext: 'MySqlText',
  numeric: 'MySqlDecimal',
  real: 'MySqlReal',
  smallint: 'MySqlSmallInt',
  text: 'MySqlText',
  time: 'MySqlTime',
  timestamp: 'MySqlTimestampString',
  tinyblob: 'MySqlBlob',
  tinyint: 'MySqlTinyInt',
  'tinyint(1)': 'MySqlBoolean',
  tinytext: 'MySqlText',
  varbinary: 'MySqlBlob',
  varchar: 'MySqlVarChar',
  year: 'MySqlYear',
}
