import { Column, is, SQL } from 'drizzle-orm'
import type { FieldKind } from '../../model/model.ts'
import { arrayLiteral } from '../sql/lists.ts'
import { parseSqlType } from '../sql/sql-type.ts'
import type { Dialect } from '../sql/text.ts'
import type { ColumnFacts } from './column-types.ts'

export type CustomColumn = Column & {
  readonly mapFrom?: ((raw: unknown) => unknown) | undefined
  readonly mapTo?: ((value: unknown) => unknown) | undefined
}

export const isCustom = ({ columnType }: Column): boolean =>
  /^(?:SQLite|Pg|MySql)CustomColumn$/.test(columnType)

export const hasMappers = ({ mapFrom, mapTo }: CustomColumn): boolean =>
  typeof mapFrom === 'function' || typeof mapTo === 'function'

/** Whether what mappers make of a value can be read again by them. */
export const hasBothMappers = ({ mapFrom, mapTo }: CustomColumn): boolean =>
  typeof mapFrom === 'function' && typeof mapTo === 'function'

/** The column with the type and mappers of a built-in one. `undefined`: built-in columns do not have this SQL type. */
export const asBuiltIn = (column: CustomColumn, dialect: Dialect): Column | undefined => {
  const type = factsOfSqlType(column.getSQLType(), dialect)
  return type?.arrays.reduceRight<Column>(
    (baseColumn, size) =>
      withFacts(column, { columnType: 'PgArray', baseColumn, size, ...plainMappers('PgArray') }),
    withFacts(column, { ...type.facts, ...plainMappers(type.facts.columnType) }),
  )
}

/** The column with other properties. An `undefined` hides the column's own property. */
export const withFacts = (column: Column, facts: object): Column =>
  Object.create(
    column,
    Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, { value, enumerable: true }])),
  )

interface Mappers {
  readonly mapFromDriverValue?: (raw: unknown) => unknown
  readonly mapToDriverValue?: (value: unknown) => unknown
}

/** Some drivers return JSON as text, some parsed. */
const parsed = (raw: unknown): unknown => (typeof raw === 'string' ? JSON.parse(raw) : raw)
const textJson: Mappers = {
  mapFromDriverValue: (raw) => JSON.parse(String(raw)),
  mapToDriverValue: (value) => JSON.stringify(value),
}
const pgJson: Mappers = { mapFromDriverValue: parsed, mapToDriverValue: (value) => JSON.stringify(value) }
const asNumber: Mappers = { mapFromDriverValue: Number }
const asText: Mappers = { mapFromDriverValue: String }
const asBytes: Mappers = {
  mapFromDriverValue: (raw) => (raw instanceof ArrayBuffer ? new Uint8Array(raw) : raw),
}
const numberedBoolean: Mappers = {
  // A bit of MySQL is one byte.
  mapFromDriverValue: (raw) => Number(raw instanceof Uint8Array ? raw[0] : raw) !== 0,
  mapToDriverValue: Number,
}

/** Conversions that built-in columns do, and custom columns without mappers do not. */
const plain: Readonly<Record<string, Mappers>> = {
  MySqlBigInt53: asNumber,
  MySqlBoolean: numberedBoolean,
  MySqlDecimal: asText,
  MySqlJson: textJson,
  PgArray: { mapToDriverValue: (value) => arrayLiteral(value as readonly unknown[]) },
  PgBigIntText: asText,
  PgJson: pgJson,
  PgJsonb: pgJson,
  PgHalfVector: textJson,
  PgNumeric: asText,
  PgVector: textJson,
  SQLiteBlobBuffer: asBytes,
  SQLiteBoolean: numberedBoolean,
  SQLiteNumeric: asText,
  SQLiteTextJson: textJson,
}

const plainMappers = (columnType: string): Required<Mappers> => ({
  mapFromDriverValue: Column.prototype.mapFromDriverValue,
  mapToDriverValue: Column.prototype.mapToDriverValue,
  ...plain[columnType],
})

/** Converts between a column without mappers and the kind that the option `columns` states. */
export const mappersBetween = (held: FieldKind, stated: FieldKind): Mappers => {
  if (held === stated) return {}
  if (stated === 'json' && held === 'text') return textJson
  if (stated === 'boolean') return numberedBoolean
  if (stated === 'integer' || stated === 'float') return asNumber
  return held === 'opaque' && stated !== 'bytes' ? asText : {}
}

/** Converts JSON and arrays to text if the column's own mapper does not: drivers treat them differently. */
export const mappedToDriver = (column: CustomColumn, value: unknown, held: FieldKind): unknown => {
  const made: unknown = column.mapToDriverValue(value)
  if (held === 'array') return Array.isArray(made) ? arrayLiteral(made) : made
  const isText = held !== 'json' || is(made, SQL) || (typeof made === 'string' && made !== value)
  return isText ? made : JSON.stringify(made)
}

const columnTypes: Readonly<Record<Dialect, Readonly<Record<string, readonly string[]>>>> = {
  // Dates are missing: SQLite does not have a type for them, and a column may contain strings or numbers.
  sqlite: {
    SQLiteBlobBuffer: ['blob'],
    SQLiteBoolean: ['bool', 'boolean'],
    SQLiteInteger: ['int', 'integer', 'tinyint', 'smallint', 'mediumint', 'bigint'],
    SQLiteNumeric: ['decimal', 'numeric'],
    SQLiteReal: ['real', 'float', 'double', 'double precision'],
    SQLiteText: ['text', 'char', 'character', 'varchar', 'character varying', 'nchar', 'nvarchar', 'clob'],
    SQLiteTextJson: ['json'],
    SQLiteUuid: ['uuid'],
  },
  pg: {
    PgBigIntText: ['bigint', 'int8'],
    PgBoolean: ['bool', 'boolean'],
    PgBytea: ['bytea'],
    PgChar: ['char', 'character'],
    PgCidr: ['cidr'],
    PgCitext: ['citext'],
    PgDateString: ['date'],
    PgDoublePrecision: ['double precision', 'float8'],
    PgHalfVector: ['halfvec'],
    PgInet: ['inet'],
    PgInteger: ['int', 'int4', 'integer'],
    PgInterval: ['interval'],
    PgJson: ['json'],
    PgJsonb: ['jsonb'],
    PgMacaddr: ['macaddr'],
    PgMacaddr8: ['macaddr8'],
    PgNumeric: ['decimal', 'numeric'],
    PgReal: ['real', 'float4'],
    PgSmallInt: ['smallint', 'int2'],
    PgText: ['text'],
    PgTime: ['time', 'time without time zone', 'time with time zone', 'timetz'],
    PgTimestampString: [
      'timestamp',
      'timestamp without time zone',
      'timestamp with time zone',
      'timestamptz',
    ],
    PgUUID: ['uuid'],
    PgVarchar: ['varchar', 'character varying'],
    PgVector: ['vector'],
  },
  mysql: {
    MySqlBigInt53: ['bigint'],
    MySqlBlob: ['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
    MySqlBits: ['bit'],
    MySqlBoolean: ['bool', 'boolean', 'tinyint(1)', 'bit()', 'bit(1)'],
    MySqlChar: ['char', 'character'],
    MySqlDateString: ['date'],
    MySqlDateTimeString: ['datetime'],
    MySqlDecimal: ['dec', 'decimal', 'numeric'],
    MySqlDouble: ['double', 'double precision'],
    MySqlEnumColumn: ['enum'],
    MySqlFloat: ['float'],
    MySqlInt: ['int', 'integer'],
    MySqlJson: ['json'],
    MySqlMediumInt: ['mediumint'],
    MySqlReal: ['real'],
    MySqlSmallInt: ['smallint'],
    MySqlText: ['tinytext', 'text', 'mediumtext', 'longtext'],
    MySqlTime: ['time'],
    MySqlTimestampString: ['timestamp'],
    MySqlTinyInt: ['tinyint'],
    MySqlVarChar: ['varchar', 'character varying'],
    MySqlYear: ['year'],
  },
}

/** Some column types read the first argument as a length, others as a precision. */
const factsOfSqlType = (text: string, dialect: Dialect) => {
  const type = parseSqlType(text)
  if (type === undefined || (type.arrays.length > 0 && dialect !== 'pg')) return undefined
  const { name, args, unsigned, collated, arrays } = type
  const columnType = columnTypeOf(`${name}(${args})`, dialect) ?? columnTypeOf(name, dialect)
  if (columnType === undefined) return undefined
  const [first, second] = args.map((arg) => (/^\d+$/.test(arg) ? Number(arg) : undefined))
  const facts: Omit<ColumnFacts, 'getSQLType'> = {
    columnType,
    length: first,
    precision: first,
    fsp: first,
    scale: second,
    dimensions: first,
    withTimezone: / with time zone$|tz$/.test(name),
    textType: name,
    enumValues: name === 'enum' ? args : undefined,
    unsigned,
    collated,
  }
  return { facts, arrays }
}

const columnTypeOf = (name: string, dialect: Dialect): string | undefined =>
  Object.entries(columnTypes[dialect]).find(([, names]) => names.includes(name))?.[0]
