import type { ColumnFacts } from './column-types.ts'
import type { Dialect } from './tables.ts'

/** An SQL type, taken apart: `NUMERIC(10, 2)`, `int unsigned`, `timestamp(3) with time zone`, `"public"."citext"[]`. */
export interface SqlType {
  /** In lower case, with one space between words, without arguments and arrays: `timestamp with time zone`. */
  readonly name: string
  /** What stands in parentheses; of an enum its values. */
  readonly args: readonly string[]
  readonly unsigned: boolean
  /** It names a collation of its own. */
  readonly collated: boolean
  /** One for each array around it, from the outside, with its size where the type says one. */
  readonly arrays: readonly (number | undefined)[]
}

/** Column type -> the names of the SQL types that are read as it. */
const columnTypes: Readonly<Record<Dialect, Readonly<Record<string, readonly string[]>>>> = {
  // No dates: SQLite has no type for them, and a column may hold texts or numbers.
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
    MySqlBoolean: ['bool', 'boolean', 'tinyint(1)'],
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

/**
 * The facts of the built-in column of an SQL type, and the arrays around it. `undefined`: no built-in column has it.
 *
 * Each row of the column types looks at the facts that it needs: the first argument is a length to one, a precision to
 * another.
 */
export const factsOfSqlType = (
  text: string,
  dialect: Dialect,
):
  | { readonly facts: Partial<ColumnFacts> & { columnType: string }; readonly arrays: SqlType['arrays'] }
  | undefined => {
  const type = parseSqlType(text)
  if (type === undefined || (type.arrays.length > 0 && dialect !== 'pg')) return undefined
  const { name, args, unsigned, collated, arrays } = type
  const columnType = columnTypeOf(`${name}(${args})`, dialect) ?? columnTypeOf(name, dialect)
  if (columnType === undefined) return undefined
  const [first, second] = args.map((arg) => (/^\d+$/.test(arg) ? Number(arg) : undefined))
  const facts = {
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

const TEXT = `'(?:[^']|'')*'`

/** A name, what stands in parentheses, more of the name, arrays. Each piece begins with a character that the one before cannot hold. */
const typeForm = new RegExp(
  `^([a-z_][\\w$ ]*)(?:\\(((?:${TEXT}|[^'()])*)\\))?([a-z_][\\w$ ]*)?((?:\\[\\d*\\])*)$`,
)

const argument = new RegExp(`${TEXT}|[^', ]+`, 'g')

/** A literal, a quoted name that keeps its quotes, another quoted name, or what stands outside of quotes. */
const quotation = new RegExp(`(${TEXT})|("[^"]*[^"a-z_\\d$][^"]*")|["\`]([\\w$]+)["\`]|([^'"\`]+)`, 'g')

/** Schemas in which a type of a known name is the known type. */
const knownSchema = /^(?:pg_catalog|public|extensions) ?\. ?/

/** What may stand behind a type and changes nothing of what its values look like, but for the sign. */
const attributes =
  /(?: ?\b(?:unsigned|zerofill|(?:not )?null|(?:collate|character set|charset) (?:[\w$]+\.)?(?:"[^"]+"|[\w$-]+)))+$/

/** Takes an SQL type apart. `undefined`: it has another form than the types of SQLite, PostgreSQL and MySQL. */
export const parseSqlType = (text: string): SqlType | undefined => {
  const plain = unquoted(text.trim().replaceAll(/\s+/g, ' '))
  const [behind = ''] = attributes.exec(plain) ?? []
  const type = plain.slice(0, plain.length - behind.length).replace(knownSchema, '')
  const [, first = '', args = '', more = '', arrays = ''] = typeForm.exec(type) ?? []
  if (first === '') return undefined
  return {
    name: `${first} ${more}`.trim(),
    args: args.match(argument)?.map(withoutQuotes) ?? [],
    // MySQL makes a number unsigned that is filled up with zeros.
    unsigned: /unsigned|zerofill/.test(behind),
    collated: behind.includes('collate '),
    arrays: Array.from(arrays.matchAll(/\d+|\[\]/g), ([size]) => (size === '[]' ? undefined : Number(size))),
  }
}

/** Names are in lower case to a database. In quotes they stay as they are, so that `"Text"` is not the type `text`. */
const unquoted = (text: string): string =>
  text.replaceAll(quotation, (...found) => {
    const [, literal, quoted, name, bare] = found as (string | undefined)[]
    return literal ?? quoted ?? name ?? bare?.toLowerCase().replaceAll(/ ?([()[\]]) ?/g, '$1') ?? ''
  })

const withoutQuotes = (text: string): string =>
  text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text
