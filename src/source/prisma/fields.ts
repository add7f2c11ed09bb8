import type { FieldFacts } from '../../model/facts.ts'
import type { FieldKind } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { Family } from '../sql/codecs.ts'
import { constantOf } from '../sql/conversions.ts'
import { choiceOf, type DeclaredType, plainFacts, type TypeFacts, typeFacts } from '../sql/types.ts'
import type { PrismaField, PrismaMetadata } from './metadata.ts'
import { proseOf } from './prose.ts'

/** What a field of Prisma holds. `undefined`: modelrest does not know its type. */
export const fieldFacts = (
  metadata: PrismaMetadata,
  family: Family,
  model: string,
  name: string,
  field: PrismaField,
): FieldFacts | undefined => {
  const known = scalarFacts(field, metadata, family)
  if (known === undefined) return undefined
  const { default: given, isUpdatedAt, isList, isNullable, documentation } = field
  const isOfUuid = family === 'mysql' && known.kind === 'text' && isUuid(metadata, model, name)
  const scalar = isOfUuid ? plainFacts('uuid') : known
  const element = Object.freeze({ nullable: false, ...scalar })
  const facts = { name, ...(isList ? plainFacts('array', { element }) : scalar) }
  // A list is empty by default.
  const stated = given === undefined && isList ? [] : given
  const constant = constantOf(jsonOf(stated, scalar.kind), facts)
  const description = proseOf(documentation)
  return {
    ...{ ...facts, nullable: isNullable === true, hasDefault: stated !== undefined || isUpdatedAt === true },
    ...(constant !== undefined && { default: constant }),
    ...(description !== undefined && { description }),
  }
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

/** How DMMF writes a constant, as JSON of the kind. `undefined`: the client or the database computes it. */
const jsonOf = (value: PrismaField['default'], kind: FieldKind): unknown => {
  if (value === undefined || nameOfFunction(value) !== undefined) return undefined
  if (Array.isArray(value)) return value.map((one) => jsonOf(one, kind))
  if (kind === 'json') return JSON.parse(String(value))
  const [from, to] = ownValue(partsOfTimes, kind) ?? []
  return from === undefined ? value : new Date(String(value)).toISOString().slice(from, to)
}

/** Where they stand in a time in UTC. */
const partsOfTimes: Readonly<Record<string, readonly [number, number?]>> = {
  ...{ date: [0, 10], time: [11, -1], datetime: [0] },
}

const scalarFacts = (
  { type, native }: PrismaField,
  { enums }: PrismaMetadata,
  family: Family,
): TypeFacts | undefined => {
  // Prisma drops the offset of such a time.
  if (native?.[0] === 'Timetz') return undefined
  const values = ownValue(enums, type)
  if (values !== undefined) return { ...choiceOf(values), form: 'string' }
  const usual = type === 'String' && family === 'mysql' ? MYSQL_STRING : ownValue(usualColumns, type)
  if (usual === undefined) return undefined
  const declared = native ?? usual
  // The client limits integers on SQLite too.
  const limiting = type === 'Int' && family === 'sqlite' ? 'pg' : family
  const stored = ownValue(ownTypes, declared[0]) ?? typeFacts(typeOf(declared), limiting)
  return ownValue(ofClient, type)?.(stored) ?? stored
}

/** The columns of fields that do not state one. */
const usualColumns: Readonly<Record<string, readonly [string, ...string[]]>> = {
  ...{ String: ['Text'], Boolean: ['Boolean'], Int: ['Int'], BigInt: ['BigInt'], Float: ['Double'] },
  ...{ Decimal: ['Decimal'], DateTime: ['DateTime', '3'], Json: ['Json'], Bytes: ['LongBlob'] },
}
const MYSQL_STRING = ['VarChar', '191'] as const

/** The arguments of types that state none. */
const usualArguments: Readonly<Record<string, readonly string[]>> = {
  ...{ char: ['1'], decimal: ['65', '30'], money: ['19', '2'] },
}

/** `['UnsignedInt']`, `['VarChar', '20']` as in DDL. */
const typeOf = ([stated, ...args]: readonly [string, ...string[]]): DeclaredType => {
  const lower = stated.toLowerCase()
  const name = lower.replace('unsigned', '')
  const [first, second] = (args.length > 0 ? args : (ownValue(usualArguments, name) ?? [])).map(Number)
  return {
    name: name === 'money' ? 'decimal' : name,
    ...{ length: first, precision: first, scale: second, unsigned: lower !== name },
  }
}

/** Types of columns that are not what they are called in SQL, or not there for Prisma. */
const ownTypes: Readonly<Record<string, TypeFacts>> = {
  Citext: { ...plainFacts('text'), conditions: 'inexact' },
  Xml: { ...plainFacts('token'), conditions: 'null' },
  Oid: plainFacts('integer', { minimum: 0, maximum: 2 ** 32 - 1 }),
  Year: plainFacts('integer', { minimum: 1901, maximum: 2155 }),
}

/** Prisma reads and writes milliseconds, whatever the column stores. */
const MILLISECONDS = 3

/** What the client shows instead of the type of the column. */
const ofClient: Readonly<Record<string, (stored: TypeFacts) => TypeFacts>> = {
  Boolean: () => plainFacts('boolean'),
  BigInt: (stored) => ({ ...stored, form: 'bigint' }),
  Float: () => plainFacts('float'),
  DateTime: ({ kind, fractionDigits = 0 }) =>
    kind === 'date'
      ? plainFacts('date', { form: 'date' })
      : plainFacts(kind === 'time' ? 'time' : 'datetime', {
          fractionDigits: Math.min(fractionDigits, MILLISECONDS),
        }),
  Json: () => plainFacts('json'),
}
