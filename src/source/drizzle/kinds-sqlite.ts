import {
  always,
  bigint,
  boolean,
  bytes,
  decimal,
  file,
  float,
  image,
  json,
  type SqlTypes,
  safeInteger,
  type TypeTable,
  text,
  unknown,
  uuid,
} from './column-facts.ts'

const DIGITS = 15

/** SQLite's numeric keeps 15 digits. Where its scale is not known, nothing is padded. */
const numeric = { kind: 'decimal', precision: DIGITS } as const

/** The column types of `drizzle-orm/sqlite-core`, and our own. */
export const sqliteTypes: TypeTable = {
  SQLiteBigInt: bigint,
  SQLiteBlobBuffer: bytes,
  SQLiteBlobJson: json,
  SQLiteBoolean: boolean,
  SQLiteCustomColumn: unknown,
  SQLiteExactDecimal: decimal('string'),
  SQLiteFile: file,
  SQLiteImage: image,
  SQLiteInteger: safeInteger,
  SQLiteNumeric: ({ precision, scale = 0 }) =>
    precision === undefined || precision > DIGITS
      ? { ...numeric, form: 'string' }
      : { ...numeric, form: 'string', precision, scale },
  SQLiteNumericBigInt: always({ ...numeric, form: 'bigint', scale: 0 }),
  SQLiteNumericNumber: always({ ...numeric, form: 'number' }),
  SQLiteReal: float,
  SQLiteText: text,
  SQLiteTextJson: json,
  SQLiteTimestamp: ({ mode }) => ({
    kind: 'datetime',
    form: 'date',
    fractionDigits: mode === 'timestamp_ms' ? 3 : 0,
  }),
  SQLiteUuid: uuid,
}

/**
 * What an SQL type is read as. Dates are not among them: SQLite has no type for them, and a column may hold texts or
 * numbers.
 */
export const sqliteSqlTypes: SqlTypes = {
  bigint: 'SQLiteInteger',
  blob: 'SQLiteBlobBuffer',
  bool: 'SQLiteBoolean',
  boolean: 'SQLiteBoolean',
  char: 'SQLiteText',
  character: 'SQLiteText',
  'character varying': 'SQLiteText',
  clob: 'SQLiteText',
  decimal: 'SQLiteNumeric',
  double: 'SQLiteReal',
  'double precision': 'SQLiteReal',
  float: 'SQLiteReal',
  int: 'SQLiteInteger',
  integer: 'SQLiteInteger',
  json: 'SQLiteTextJson',
  mediumint: 'SQLiteInteger',
  nchar: 'SQLiteText',
  numeric: 'SQLiteNumeric',
  nvarchar: 'SQLiteText',
  real: 'SQLiteReal',
  smallint: 'SQLiteInteger',
  text: 'SQLiteText',
  tinyint: 'SQLiteInteger',
  uuid: 'SQLiteUuid',
  varchar: 'SQLiteText',
}
