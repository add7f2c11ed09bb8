import type { FieldFacts } from '../../model/facts.ts'
import { ownValue } from '../../model/objects.ts'
import type { Family } from '../sql/codecs.ts'
import { constantOf } from '../sql/conversions.ts'
import { choiceOf, type DeclaredType, plainFacts, type TypeFacts, typeFacts } from '../sql/types.ts'
import type { PrismaField, PrismaMetadata } from './metadata.ts'

/** The databases that this source knows, by the providers of Prisma. */
export type Provider = 'postgresql' | 'mysql' | 'sqlite'

type Facts = Omit<FieldFacts, 'name'>

/** What a field of Prisma holds. `undefined`: modelrest does not know its type. */
export const fieldFacts = (
  metadata: PrismaMetadata,
  provider: Provider,
  model: string,
  name: string,
): Facts | undefined => {
  const field = ownValue(ownValue(metadata.models, model)?.fields, name)
  const facts = field && scalarFacts(field, metadata, provider)
  if (field === undefined || facts === undefined) return undefined
  const { default: given, isUpdatedAt = false, isList = false, documentation } = field
  const isOfUuid = provider === 'mysql' && facts.kind === 'text' && isUuid(metadata, model, name)
  const scalar = isOfUuid ? plainFacts('uuid') : facts
  const typed = isList
    ? plainFacts('array', { element: Object.freeze({ nullable: false, ...scalar }) })
    : scalar
  const constant = defaultOf(name, given, typed)
  return {
    ...typed,
    nullable: field.isNullable === true,
    // A list is empty by default.
    hasDefault: given !== undefined || isUpdatedAt || isList,
    ...(constant !== undefined && { default: constant }),
    ...(documentation !== undefined && { description: documentation }),
  }
}

const scalarFacts = (
  { type, native }: PrismaField,
  { enums }: PrismaMetadata,
  provider: Provider,
): TypeFacts | undefined => {
  // Prisma drops the offset of such a time.
  if (native?.[0] === 'Timetz') return undefined
  const values = ownValue(enums, type)
  return values === undefined
    ? ownValue(types, type)?.(native ?? [], provider)
    : { ...choiceOf(values), form: 'string' }
}

/**
 * MySQL compares strings by their collation, so a text cannot identify a record. A UUID can: `@default(uuid())` writes those in
 * lower case. So can a foreign key to one.
 */
const isUuid = (
  metadata: PrismaMetadata,
  model: string,
  name: string,
  passed: readonly string[] = [],
): boolean => {
  const { fields = {}, relations = {} } = ownValue(metadata.models, model) ?? {}
  const place = `${model}.${name}`
  if (passed.includes(place)) return false
  if (nameOfFunction(ownValue(fields, name)?.default) === 'uuid') return true
  return Object.values(relations).some(({ model: target, fields: own = [], references = [] }) => {
    const reference = references.find((_reference, at) => own[at] === name)
    return reference !== undefined && isUuid(metadata, target, reference, [...passed, place])
  })
}

/** The function that makes a default. */
export const nameOfFunction = (given: PrismaField['default']): string | undefined =>
  typeof given === 'object' && given !== null && 'name' in given ? given.name : undefined

/** The default as JSON. `undefined`: the client or the database computes it. */
const defaultOf = (name: string, given: PrismaField['default'], facts: TypeFacts): unknown => {
  if (given === undefined) return facts.kind === 'array' ? [] : undefined
  if (nameOfFunction(given) !== undefined) return undefined
  const { kind } = facts.element ?? facts
  const plain = Array.isArray(given) ? given.map((value) => jsonOf(value, kind)) : jsonOf(given, kind)
  return constantOf(plain, { ...facts, name })
}

/** How DMMF writes a constant, as JSON of the kind. */
const jsonOf = (value: unknown, kind: TypeFacts['kind']): unknown => {
  if (kind === 'json') return JSON.parse(String(value))
  if (kind !== 'date' && kind !== 'time' && kind !== 'datetime') return value
  const text = new Date(String(value)).toISOString()
  if (kind === 'datetime') return text
  return kind === 'date' ? text.slice(0, 10) : text.slice(11, -1)
}

type TypeRow = (native: readonly string[], provider: Provider) => TypeFacts

const families: Readonly<Record<Provider, Family>> = { postgresql: 'pg', mysql: 'mysql', sqlite: 'sqlite' }

/** `['UnsignedInt']`, `['VarChar', '20']` as in DDL. */
const declared = ([name = '', first, second]: readonly string[]): DeclaredType => {
  const lower = name.toLowerCase()
  return {
    name: lower.replace('unsigned', ''),
    ...(first !== undefined && { length: Number(first), precision: Number(first) }),
    ...(second !== undefined && { scale: Number(second) }),
    unsigned: lower.startsWith('unsigned'),
  }
}

/** What the type of the column says, or else the type that Prisma gives the column. */
const asDeclared =
  (...usual: readonly string[]): TypeRow =>
  (native, provider) =>
    ownValue(ownTypes, native[0] ?? '') ??
    typeFacts(declared(native.length > 0 ? native : usual), ownValue(families, provider) ?? 'pg')

/** Types of columns that are not what they are called in SQL, or not there for Prisma. */
const ownTypes: Readonly<Record<string, TypeFacts>> = {
  Citext: { ...plainFacts('text'), conditions: 'inexact' },
  Xml: { ...plainFacts('token'), conditions: 'null' },
  Oid: plainFacts('integer', { minimum: 0, maximum: 2 ** 32 - 1 }),
  Year: plainFacts('integer', { minimum: 1901, maximum: 2155 }),
}

/** The characters of a `String` column that MySQL gives it by default. */
const MYSQL_LENGTH = '191'

const text: TypeRow = (native, provider) => {
  if (native[0] === 'Char' && native[1] === undefined) return plainFacts('text', { maxLength: 1 })
  return asDeclared('Text')(
    provider === 'mysql' && native.length === 0 ? ['VarChar', MYSQL_LENGTH] : native,
    provider,
  )
}

/** The client limits integers on SQLite too. */
const integer: TypeRow = (native, provider) =>
  asDeclared('Int')(native, provider === 'sqlite' ? 'postgresql' : provider)

/** Significant digits of the floating-point numbers that SQLite stores. */
const SQLITE_DIGITS = 15

/** What Prisma gives a column without arguments. */
const DECIMAL = ['65', '30'] as const

const decimal: TypeRow = ([name, ...args], provider) => {
  if (provider === 'sqlite') return plainFacts('decimal', { form: 'number', precision: SQLITE_DIGITS })
  const [precision, scale = 0] = name === 'Money' ? [19, 2] : args.length > 0 ? args : DECIMAL
  return plainFacts('decimal', { precision: Number(precision), scale: Number(scale) })
}

/** Prisma reads and writes milliseconds, whatever the column stores. */
const MILLISECONDS = 3

const instant: TypeRow = ([name, digits], provider) => {
  if (name === 'Date') return plainFacts('date', { form: 'date' })
  const stored = digits ?? (provider === 'mysql' && name !== undefined ? 0 : MILLISECONDS)
  return plainFacts(name === 'Time' ? 'time' : 'datetime', {
    fractionDigits: Math.min(Number(stored), MILLISECONDS),
  })
}

/** By the types of the client. */
const types: Readonly<Record<string, TypeRow>> = {
  String: text,
  Boolean: () => plainFacts('boolean'),
  Int: integer,
  BigInt: (native, provider) => ({ ...asDeclared('BigInt')(native, provider), form: 'bigint' }),
  Float: () => plainFacts('float'),
  Decimal: decimal,
  DateTime: instant,
  Json: () => plainFacts('json'),
  Bytes: asDeclared('LongBlob'),
}
