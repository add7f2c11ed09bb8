import type { ValueForm } from '../../model/model.ts'
import {
  always,
  bigint,
  boolean,
  bytes,
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
  type TypeRow,
  type TypeTable,
  text,
  token,
  unknown,
  unknownType,
  uuid,
} from './column-facts.ts'

/** PostgreSQL keeps microseconds unless a column says less. */
const MICROSECONDS = 6

const timestamp =
  (form: ValueForm): TypeRow =>
  ({ withTimezone, precision = MICROSECONDS }) => ({
    kind: withTimezone ? 'datetime' : 'localdatetime',
    form,
    fractionDigits: precision,
  })

const time: TypeRow = (column, typeOf) =>
  column.withTimezone
    ? token(column, typeOf)
    : { kind: 'time', form: 'string', fractionDigits: column.precision ?? MICROSECONDS }

const vector: TypeRow = ({ dimensions }) => ({
  kind: 'array',
  form: 'json',
  element: Object.freeze({ kind: 'float', form: 'number', nullable: false }),
  ...known({ size: dimensions }),
})

/** Elements are not null, as the type that drizzle gives to the array says. */
const array: TypeRow = ({ baseColumn, size }, typeOf) => ({
  kind: 'array',
  form: 'json',
  element: Object.freeze({
    ...(baseColumn === undefined ? unknownType : typeOf(baseColumn)),
    nullable: false,
  }),
  ...known({ size }),
})

/** The column types of `drizzle-orm/pg-core`, and our own. */
export const pgTypes: TypeTable = {
  PgArray: array,
  PgBigInt53: safeInteger,
  PgBigInt64: bigint,
  PgBigIntText: (column, typeOf) => ({ ...bigint(column, typeOf), form: 'string' }),
  PgBigSerial53: neverNull(safeInteger),
  PgBigSerial64: neverNull(bigint),
  PgBinaryVector: token,
  PgBoolean: boolean,
  PgBytea: bytes,
  PgChar: char,
  PgCidr: token,
  PgCitext: text,
  PgCustomColumn: unknown,
  PgDate: always({ kind: 'date', form: 'date' }),
  PgDateString: always({ kind: 'date', form: 'string' }),
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
  PgTime: time,
  PgTimestamp: timestamp('date'),
  PgTimestampString: timestamp('string'),
  PgUUID: uuid,
  PgVarchar: text,
  PgVector: vector,
}

/** What an SQL type is read as. */
export const pgSqlTypes: SqlTypes = {
  bigint: 'PgBigIntText',
  bool: 'PgBoolean',
  boolean: 'PgBoolean',
  bytea: 'PgBytea',
  char: 'PgChar',
  character: 'PgChar',
  'character varying': 'PgVarchar',
  cidr: 'PgCidr',
  citext: 'PgCitext',
  date: 'PgDateString',
  decimal: 'PgNumeric',
  'double precision': 'PgDoublePrecision',
  float4: 'PgReal',
  float8: 'PgDoublePrecision',
  halfvec: 'PgHalfVector',
  inet: 'PgInet',
  int: 'PgInteger',
  int2: 'PgSmallInt',
  int4: 'PgInteger',
  int8: 'PgBigIntText',
  integer: 'PgInteger',
  interval: 'PgInterval',
  json: 'PgJson',
  jsonb: 'PgJsonb',
  macaddr: 'PgMacaddr',
  macaddr8: 'PgMacaddr8',
  numeric: 'PgNumeric',
  real: 'PgReal',
  smallint: 'PgSmallInt',
  text: 'PgText',
  time: 'PgTime',
  'time with time zone': 'PgTime',
  'time without time zone': 'PgTime',
  timestamp: 'PgTimestampString',
  'timestamp with time zone': 'PgTimestampString',
  'timestamp without time zone': 'PgTimestampString',
  timestamptz: 'PgTimestampString',
  timetz: 'PgTime',
  uuid: 'PgUUID',
  varchar: 'PgVarchar',
  vector: 'PgVector',
}
