import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind } from '../../model/model.ts'
import { parseSqlType } from '../sql/sql-type.ts'
import type { SqlColumn } from '../sql/stated-tables.ts'
import { type Dialect, type Sql, sql } from '../sql/text.ts'
import {
  choiceOf,
  declaredType,
  nativeArrayFacts,
  opaqueFacts,
  type TypeFacts,
  typeFacts,
} from '../sql/types.ts'
import { literalIn } from './ddl.ts'
import type { CatalogColumn } from './facts.ts'

/** What becomes of a column. */
export interface ColumnOutcome {
  readonly column: SqlColumn
  /** The type because of which clients cannot write it. Absent: they can. */
  readonly reason?: string
}

interface Place {
  readonly field: string
  readonly dialect: Dialect
  /** What a check of the table allows it. */
  readonly choice?: readonly string[] | undefined
  readonly isKey: boolean
  readonly hasComments: boolean
  /** MySQL, which does not return the keys that it makes by an expression. */
  readonly hidesKeys: boolean
}

/** The column of a source for one of the catalog. */
export const readColumn = (given: CatalogColumn, place: Place): ColumnOutcome => {
  const { dialect, field } = place
  const type = typeIn(given, dialect)
  const facts = factsOf(type, given.values, dialect)
  const base = {
    ...{ name: field, column: given.name, type },
    ...(given.nullable && { nullable: true }),
    ...(given.collation !== undefined && { collation: given.collation }),
    ...(place.hasComments && given.comment !== undefined && { description: given.comment }),
  }
  if (facts === opaqueFacts) return withoutMeaning(base, dialect)
  const chosen = facts.kind === 'text' ? place.choice : undefined
  const values = chosen ?? given.values
  const known = chosen === undefined ? facts : choiceOf(chosen)
  return { column: { ...base, ...writing(given, place, known), ...(values !== undefined && { values }) } }
}

/** The type in words that the engine knows. */
const typeIn = ({ type, values }: CatalogColumn, dialect: Dialect): string => {
  if (dialect === 'sqlite') return sqliteType(type)
  if (dialect === 'mysql') return /^tinyint\(1\)/.test(type) ? 'boolean' : type
  // The name of an enum is not one that the engine reads.
  if (values !== undefined) return type.endsWith('[]') ? 'text[]' : 'text'
  return type === 'bpchar' ? 'text' : type
}

const sqliteType = (type: string): string => {
  const { name } = declaredType(type)
  const [, length = ''] = /(\(\d+\))/.exec(type) ?? []
  if (name === 'tinyint' && length === '(1)') return 'boolean'
  if (typeFacts(declaredType(type), 'sqlite') !== opaqueFacts) return type
  const affine = affinities.find(([part]) => part.test(type))?.[1].replace('()', length)
  if (affine !== undefined) return affine
  if (name.startsWith('timestamp')) return 'datetime'
  return type.trim() === '' ? 'any' : type
}

/** How SQLite itself reads types that it was not made for. */
const affinities: readonly (readonly [RegExp, string])[] = [
  [/int/i, 'integer'],
  [/char/i, 'varchar()'],
  [/clob|text/i, 'text'],
  [/real|floa|doub/i, 'real'],
]

const factsOf = (type: string, values: CatalogColumn['values'], dialect: Dialect): TypeFacts => {
  const { name = '', args = [], arrays = [] } = parseSqlType(type) ?? {}
  const labels = values ?? (name === 'enum' ? args : undefined)
  const one = labels === undefined ? typeFacts(declaredType(type), dialect) : choiceOf(labels)
  if (arrays.length === 0) return one
  return dialect === 'pg' && arrays.length === 1 ? nativeArrayFacts(one) : opaqueFacts
}

/** Types of MySQL whose values are bytes in a form of its own. */
const shapes = /^(geometry|point|linestring|polygon|multi\w+|geom\w*collection|vector)\b/

/** The exact text of a value. */
const shownIn: Readonly<Record<Dialect, (type: string) => (column: Sql) => Sql>> = {
  pg: () => (column) => sql`${column}::text`,
  mysql: (type) => (column) => (shapes.test(type) ? sql`hex(${column})` : sql`cast(${column} as char)`),
  // A cast would round numbers, and take bytes for text.
  sqlite: () => (column) =>
    sql`case typeof(${column}) when 'blob' then hex(${column}) when 'real' then printf('%!.17g', ${column}) else cast(${column} as text) end`,
}

/** Clients read the value as text, and cannot write it. */
const withoutMeaning = (base: SqlColumn, dialect: Dialect): ColumnOutcome => ({
  reason: base.type,
  column: {
    ...{ ...base, kind: 'token', conditions: 'null', generated: true },
    codec: { encode: (value) => value, decode: String, selected: shownIn[dialect](base.type) },
  },
})

/** How new records get a value. */
const writing = (given: CatalogColumn, place: Place, facts: TypeFacts): Partial<SqlColumn> => {
  const { identity, isGenerated, default: expression } = given
  if (isGenerated) return { generated: true }
  if (identity !== undefined && (facts.kind === 'integer' || facts.kind === 'bigint'))
    return { autoIncrement: true, ...(identity === 'always' && { generated: true }) }
  if (expression === undefined) return {}
  const constant = literalIn(expression)
  if (constant === null) return {}
  const json = constant === undefined ? undefined : jsonOf(constant, facts, place.dialect)
  if (json !== undefined) return { default: json }
  if (place.isKey && place.hidesKeys)
    return /^\(?uuid\(\)\)?$/i.test(expression) ? { makeDefault: randomKey } : {}
  return { defaultSql: sql.raw(`(${expression})`) }
}

const randomKey = (): string => globalThis.crypto.randomUUID()

type Literal = string | boolean

const asNumber = (value: Literal): unknown => (value === '' ? undefined : Number(value))

const asFlag = (value: Literal): unknown => flags.get(String(value).toLowerCase())

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'true'].map((text) => [text, true] as const),
  ...['0', 'f', 'false'].map((text) => [text, false] as const),
])

/** Of a time with a zone, or of one that SQLite has in UTC. Others depend on the time zone of the connection. */
const asMoment = (value: Literal, dialect: Dialect): unknown => {
  const [, date, time, hours, minutes = '00'] = moment.exec(String(value)) ?? []
  if (date === undefined) return undefined
  if (hours !== undefined) return new Date(`${date}T${time}${hours}:${minutes}`).toISOString()
  return dialect === 'sqlite' ? `${date}T${time}Z` : undefined
}

const moment = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)(?:([+-]\d\d)(?::?(\d\d))?)?$/

/** Literals as JSON of a field. Other kinds depend on their database. */
const literals: Readonly<Partial<Record<FieldKind, (value: Literal, dialect: Dialect) => unknown>>> = {
  ...{ text: String, enum: String, uuid: String, bigint: String, decimal: String, date: String },
  ...{ integer: asNumber, float: asNumber, boolean: asFlag, datetime: asMoment },
}

const jsonOf = (value: Literal, facts: TypeFacts, dialect: Dialect): unknown => {
  const json = literals[facts.kind]?.(value, dialect)
  return json !== undefined && kinds[facts.kind].read(json, { ...facts, nullable: false }).ok
    ? json
    : undefined
}
