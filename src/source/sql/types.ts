import { kinds } from '../../model/kinds/index.ts'
import type { Element, FieldKind } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Family, isMysql } from './codecs.ts'
import { parseSqlType } from './sql-type.ts'

/** What follows from the type of a column. */
export type TypeFacts = Omit<Element, 'nullable'>

/** A type of the database as an ORM declares it. */
export interface DeclaredType {
  /** In lower case: `int`, `timestamp with time zone`. */
  readonly name: string
  readonly length?: number | undefined
  /** Of a decimal, or the fractional digits of a second. */
  readonly precision?: number | undefined
  readonly scale?: number | undefined
  readonly unsigned?: boolean
}

/** Reads a type as it stands in DDL: `DECIMAL(10, 2) UNSIGNED`. */
export const declaredType = (sql: string): DeclaredType => {
  const { name, args, unsigned } = parseSqlType(sql) ?? { name: sql.toLowerCase(), args: [], unsigned: false }
  const [first, second] = args.map((arg) => (/^\d+$/.test(arg) ? Number(arg) : undefined))
  return {
    name: precisionName({ name, precision: first, scale: second }),
    ...(first !== undefined && { length: first, precision: first }),
    ...(second !== undefined && { scale: second }),
    ...(unsigned && { unsigned }),
  }
}

/** The bits of a number of single precision. */
const SINGLE_BITS = 24

/** The precision of a number says which type it has: `float(53)` is `float8`. With a scale, it says the digits that are shown. */
export const precisionName = ({ name, precision, scale }: Omit<DeclaredType, 'unsigned'>): string => {
  if (name !== 'float' || precision === undefined || scale !== undefined) return name
  return precision > SINGLE_BITS ? 'float8' : 'float4'
}

type TypeRow = (declared: DeclaredType, family: Family) => TypeFacts

const usual: Readonly<Partial<Record<FieldKind, Element['form']>>> = {
  ...{ boolean: 'boolean', integer: 'number', float: 'number', bytes: 'bytes', json: 'json', array: 'json' },
  ...{ opaque: 'json', datetime: 'date', localdatetime: 'date' },
}

/** The facts of a kind with its usual form. */
export const plainFacts = (kind: FieldKind, facts: Partial<TypeFacts> = {}): TypeFacts =>
  Object.freeze({ kind, form: usual[kind] ?? 'string', ...facts })

/** The same facts for all columns. */
export const always = (kind: FieldKind, more?: Partial<TypeFacts>): (() => TypeFacts) => {
  const facts = plainFacts(kind, more)
  return () => facts
}

/** Any JSON, without conditions. */
export const opaqueFacts: TypeFacts = plainFacts('opaque')

export const safeInteger: TypeFacts = plainFacts('integer', {
  ...{ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
})

/** SQLite has a format of its own for `jsonb`. */
const jsonDocument: TypeRow = ({ name }, family) =>
  plainFacts('json', family === 'sqlite' && name === 'jsonb' ? {} : { jsonPaths: true })

/** SQLite does not limit integers by the names of their types. */
const integer =
  (bits: number): TypeRow =>
  ({ unsigned }, family) => {
    if (family === 'sqlite') return safeInteger
    const [minimum, maximum] = unsigned ? [0, 2 ** bits] : [-(2 ** (bits - 1)), 2 ** (bits - 1)]
    return plainFacts('integer', { minimum, maximum: maximum - 1 })
  }

const bigint: TypeRow = ({ unsigned }) => {
  const [minimum, maximum] = unsigned ? [0n, 2n ** 64n] : [-(2n ** 63n), 2n ** 63n]
  return plainFacts('bigint', { minimum, maximum: maximum - 1n })
}

const float: TypeRow = ({ unsigned }) => plainFacts('float', unsigned ? { minimum: 0 } : {})

/** Significant digits that SQLite keeps of a decimal, which it stores as a number of 64 bits. */
export const SQLITE_DIGITS = 15
const MYSQL_DIGITS = 10

const decimal: TypeRow = ({ precision: given, scale: stated, unsigned }, family) => {
  const precision = given ?? (isMysql(family) ? MYSQL_DIGITS : undefined)
  const scale = stated ?? (precision === undefined ? undefined : 0)
  const isInexact = family === 'sqlite'
  if (isInexact && (precision === undefined || precision > SQLITE_DIGITS))
    return plainFacts('decimal', { form: 'number', precision: SQLITE_DIGITS })
  return plainFacts('decimal', {
    ...(isInexact && { form: 'number' }),
    ...(unsigned && { minimum: 0 }),
    ...(precision !== undefined && { precision }),
    ...(scale !== undefined && { scale }),
  })
}

const mysqlLengths: Readonly<Record<string, number>> = {
  ...{ tinytext: 2 ** 8 - 1, text: 2 ** 16 - 1, mediumtext: 2 ** 24 - 1 },
  ...{ binary: 1, tinyblob: 2 ** 8 - 1, blob: 2 ** 16 - 1, mediumblob: 2 ** 24 - 1 },
}

const limited =
  (kind: 'text' | 'bytes'): TypeRow =>
  ({ name, length }, family) => {
    const maxLength = length || (isMysql(family) ? ownValue(mysqlLengths, name) : undefined)
    return plainFacts(kind, maxLength === undefined ? {} : { maxLength })
  }

/** Fractional digits of a second where the column does not state them. */
const fractionsOf: Readonly<Record<Family, number>> = { pg: 6, mysql: 0, mariadb: 0, sqlite: 3 }

const moment =
  (kind: 'time' | 'datetime' | 'localdatetime'): TypeRow =>
  ({ precision }, family) =>
    plainFacts(kind, {
      fractionDigits: kind !== 'time' && family === 'sqlite' ? 3 : (precision ?? fractionsOf[family]),
    })

const rows = (names: string, row: TypeRow): Readonly<Record<string, TypeRow>> =>
  Object.fromEntries(names.split(', ').map((name) => [name, row]))

const common: Readonly<Record<string, TypeRow>> = {
  ...rows('int, integer', integer(32)),
  ...rows('smallint', integer(16)),
  ...rows('mediumint', integer(24)),
  ...rows('tinyint', integer(8)),
  ...rows('bigint', bigint),
  ...rows('decimal, numeric, dec', decimal),
  ...rows('double, double precision, float, float4, float8, real, number', float),
  ...rows('varchar, nvarchar, char, nchar, character varying, character, varchar binary', limited('text')),
  ...rows('text, tinytext, mediumtext, longtext, citext, clob', limited('text')),
  ...rows('boolean, bool', always('boolean')),
  ...rows('uuid', always('uuid')),
  ...rows('date', always('date')),
  ...rows('time', moment('time')),
  ...rows('datetime', moment('localdatetime')),
  ...rows('json, jsonb', jsonDocument),
  ...rows('blob, tinyblob, mediumblob, longblob, binary, varbinary, bytea', limited('bytes')),
}

const pg: Readonly<Record<string, TypeRow>> = {
  ...rows('int2, tinyint', integer(16)),
  ...rows('int4, mediumint', integer(32)),
  ...rows('int8', bigint),
  ...rows('timestamp, timestamp without time zone', moment('localdatetime')),
  ...rows('timestamptz, timestamp with time zone', moment('datetime')),
  ...rows('time without time zone', moment('time')),
  ...rows('interval, inet, cidr, macaddr, macaddr8, money, timetz, time with time zone', always('token')),
  ...rows('bit, bit varying, varbit, tsvector, ltree, int4range, int8range, numrange', always('token')),
  ...rows('tsrange, tstzrange, daterange', always('token')),
  // They have no order, and some are equal to others of the same size.
  ...rows('xml, lseg, box, path, polygon, line', always('token', { conditions: 'null' })),
}

/** Conditions would compare bits as numbers, and bytes as text. */
const bits: TypeRow = ({ length = 1 }) =>
  length === 1
    ? plainFacts('boolean')
    : plainFacts('bytes', { maxLength: Math.ceil(length / 8), conditions: 'null' })

const mysql: Readonly<Record<string, TypeRow>> = {
  bit: bits,
  ...rows('timestamp', moment('datetime')),
  ...rows('year', always('integer', { minimum: 1901, maximum: 2155 })),
}

const byFamily: Readonly<Record<Family, Readonly<Record<string, TypeRow>>>> = {
  // All ORMs store date-times in UTC there, as text.
  ...{ pg, mysql, mariadb: mysql, sqlite: rows('datetime', moment('datetime')) },
}

/** The names of the types that a database has. */
export const typeNames = (family: Family): readonly string[] =>
  [common, byFamily[family]].flatMap(Object.keys)

/** `opaqueFacts` for a type that is not known. */
export const typeFacts = (declared: DeclaredType, family: Family): TypeFacts => {
  const row = ownValue(byFamily[family], declared.name) ?? ownValue(common, declared.name)
  return row?.(declared, family) ?? opaqueFacts
}

/** Elements whose values node-postgres parses as ORMs show them, or that can be read as text. */
const elements: readonly FieldKind[] = [
  ...(['text', 'enum', 'uuid', 'integer', 'float', 'boolean', 'bigint', 'decimal'] as const),
  ...(['date', 'time', 'datetime', 'localdatetime', 'json', 'bytes'] as const),
]

export const arrayFacts = (element: TypeFacts): TypeFacts =>
  elements.includes(element.kind)
    ? plainFacts('array', { element: Object.freeze({ ...element, nullable: false }) })
    : opaqueFacts

/** An array of PostgreSQL, in which it finds elements. */
export const nativeArrayFacts = (element: TypeFacts): TypeFacts => withElements(arrayFacts(element))

/** The facts of an array of the database's own. */
export const withElements = (facts: TypeFacts): TypeFacts =>
  facts.element !== undefined && kinds[facts.element.kind].comparable
    ? Object.freeze({ ...facts, comparesElements: true })
    : facts

/** An enum of numbers is stored as text, and its values are the same in JSON. */
export const choiceOf = (values: readonly unknown[]): TypeFacts =>
  values.length === 0 ? opaqueFacts : plainFacts('enum', { values: Object.freeze(values.map(String)) })
