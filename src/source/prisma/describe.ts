import { assertKnown, StartError } from '../../error/errors.ts'
import type { FieldFacts, TableFacts, ValueCapabilities } from '../../model/facts.ts'
import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { Note } from '../notes.ts'
import type { Family } from '../sql/codecs.ts'
import {
  type DeclaredKey,
  type Described,
  describeMapped,
  type MappedModel,
  ormModelName,
} from '../sql/mapping.ts'
import { fieldFacts, nameOfFunction } from './fields.ts'
import {
  fieldAlong,
  foreignKeysOf,
  joinModelOf,
  otherSideOf,
  type PrismaSchema,
  type RelationField,
} from './foreign-keys.ts'
import type { PrismaModel } from './metadata.ts'
import { proseOf } from './prose.ts'
import { type Mapping, mappingOf } from './values.ts'

/** A model with the names of its parts in the client. */
export interface PrismaMapped extends MappedModel {
  /** The property of the client. */
  readonly delegate: string
  /** The model in the Prisma schema. */
  readonly of: PrismaModel
  /** The name of the table in the database, without its schema. */
  readonly name: string
  /** The table in SQL. */
  readonly table: string
  /** Field -> name of its column. */
  readonly columns: Readonly<Record<string, string>>
  fieldOf(name: string): MappedField
  /** @param relation not one through a join table */
  along(relation: string): RelationField
}

export interface MappedField extends Mapping {
  /** The characters of each stored value. The database ignores spaces at the end when it compares them. */
  readonly padded?: number
  /** The value as the database has it. */
  stored(value: unknown): unknown
}

/** Which models of a Prisma schema are served, and under which names. */
interface Choice {
  /** Name in the Prisma schema -> name of the model. */
  readonly names?: Readonly<Record<string, string>>
  readonly exclude?: readonly string[]
}

/** A model of the Prisma schema that is served. */
interface ServedModel {
  /** Of the model. */
  readonly name: string
  readonly prismaName: string
  readonly of: PrismaModel
  readonly facts: TableFacts
  readonly keys: readonly DeclaredKey[]
}

export const describeSchema = (
  { names = {}, exclude = [] }: Choice,
  given: Pick<PrismaSchema, 'metadata' | 'family' | 'quoted'>,
  capabilities: ValueCapabilities,
): Described<PrismaMapped> => {
  const { models } = given.metadata
  const all = Object.keys(models)
  for (const name of Object.keys(names)) assertKnown('prismaModels: names: unknown model', name, all)
  for (const name of exclude) assertKnown('prismaModels: exclude: unknown model', name, all)
  const keyless = Object.entries(models).flatMap(([prismaName, of]) =>
    primaryKeyOf(of).length === 0 ? [prismaName] : [],
  )
  const schema: PrismaSchema = {
    ...given,
    nameOf: (prismaName) => ownValue(names, prismaName) ?? ormModelName(prismaName),
    isServed: (prismaName) => !exclude.includes(prismaName) && !keyless.includes(prismaName),
  }
  const notes: Note[] = keyless
    .filter((prismaName) => !exclude.includes(prismaName))
    .map((place) => ({
      ...{ place, becomes: 'left out' },
      why: 'Prisma pages by keys. Mark a field of the view with @unique, or several with @@unique, if they are',
    }))
  const served = Object.entries(models)
    .filter(([prismaName]) => schema.isServed(prismaName))
    .map(([prismaName, of]) => drawnOf(schema, prismaName, of, notes))
  return describeMapped(served, capabilities, notes, {
    facts: ({ facts }) => facts,
    keys: ({ keys }) => keys,
    mapped: (one, model) => mapped(schema, one, model),
  })
}

const drawnOf = (schema: PrismaSchema, prismaName: string, of: PrismaModel, notes: Note[]): ServedModel => {
  const { metadata, family, nameOf, isServed } = schema
  const name = nameOf(prismaName)
  const primaryKey = primaryKeyOf(of)
  const owned = Object.values(of.relations).flatMap(({ model, fields = [] }) =>
    fields.map((field) => ({ model, field })),
  )
  let readOnly = of.isReadOnly === true
  const fields = Object.entries(of.fields).flatMap(([field, stated]) => {
    const { type, native = [type], isNullable, default: given } = stated
    const facts = fieldFacts(metadata, family, prismaName, field, stated)
    const isForeign = owned.some((own) => own.field === field && !isServed(own.model))
    if (facts !== undefined) return [{ ...facts, ...(isForeign && { foreign: true as const }) }]
    notes.push({
      ...{ place: `${prismaName}.${field}`, becomes: 'left out' },
      why: `modelrest does not know the type ${native[0]}`,
    })
    if (of.isReadOnly || isNullable || given !== undefined) return []
    notes.push({
      ...{ place: prismaName, becomes: 'read-only' },
      why: `new records need ${field}, which is left out. Make it optional, or give it a default`,
    })
    readOnly = true
    return []
  })
  for (const [name, relation] of Object.entries(of.relations)) {
    const isImplicit = relation.isList && otherSideOf(metadata, prismaName, name)?.[1].isList
    if (isImplicit && joinModelOf(metadata, relation) === undefined)
      notes.push({
        ...{ place: `${prismaName}.${name} ("_${relation.name}")`, becomes: 'left out' },
        why: 'implicit many-to-many relations have no model for their join table. To serve one, declare a model beside it, with @@map and the name in parentheses',
      })
  }
  assertComparable(prismaName, of, fields, [...primaryKey, ...owned.map(({ field }) => field)])
  const keys = foreignKeysOf(schema, prismaName)
  const description = proseOf(of.documentation)
  const facts = {
    ...{ name, table: of.table, fields, primaryKey, readOnly },
    uniques: of.uniques.map((unique) => unique.fields).filter((unique) => unique !== primaryKey),
    foreignKeys: keys.map((key) => key.facts),
    ...(description !== undefined && { description }),
  }
  return { name, prismaName, of, facts, keys }
}

/** A model without `@id` has a unique constraint on required fields. */
const primaryKeyOf = ({ primaryKey, uniques, fields }: PrismaModel): readonly string[] =>
  primaryKey.length > 0
    ? primaryKey
    : (uniques.find((unique) => unique.fields.every((name) => !ownValue(fields, name)?.isNullable))?.fields ??
      [])

/** Prisma reads them as operators in conditions. */
const operators: readonly string[] = ['AND', 'OR', 'NOT']

/** @throws StartError if a field has the name of an operator, or text that the database does not compare exactly is a key */
const assertComparable = (
  prismaName: string,
  of: PrismaModel,
  fields: readonly FieldFacts[],
  keys: readonly string[],
): void => {
  const operator = operators.find((name) => Object.hasOwn({ ...of.fields, ...of.relations }, name))
  if (operator !== undefined)
    throw new StartError(
      `prismaModels: ${prismaName}.${operator} has the name of an operator, so conditions on it do not work. Rename the field in the Prisma schema and keep the column with @map("${operator}"), or exclude the model.`,
    )
  const vague = fields.find(({ name, conditions }) => conditions === 'inexact' && keys.includes(name))
  if (vague !== undefined)
    throw new StartError(
      `prismaModels: ${prismaName}.${vague.name} is a key of the type citext, which ignores case, so a request could reach another record. Use another type, or exclude the model.`,
    )
}

const mapped = (schema: PrismaSchema, one: ServedModel, model: Model): PrismaMapped => {
  const { prismaName, of } = one
  const { metadata, family, quoted } = schema
  const columnOf = (name: string): string => ownValue(of.fields, name)?.column ?? name
  const fields = new Map(
    model.fields.map((field): [string, MappedField] => {
      const { type, native } = ownValue(of.fields, field.name) ?? { type: '' }
      const names = ownValue(metadata.storedNames, type)
      const mapping = mappingOf(field, { family, type: native?.[0].toLowerCase() ?? type })
      const isPadded = family === 'pg' && native?.[0] === 'Char' && field.kind === 'text'
      return [
        field.name,
        {
          ...{ ...mapping, ...(isPadded && { padded: Number(native[1] ?? 1) }) },
          stored: (value) => ownValue(names, String(value)) ?? mapping.write(value),
        },
      ]
    }),
  )
  const along = new Map(
    model.relations
      .filter(({ through }) => through === undefined)
      .map((relation) => [relation.name, fieldAlong(schema, prismaName, relation)]),
  )
  return {
    ...{ model, of, name: of.table, delegate: delegateNameOf(prismaName) },
    table: [of.schema ?? [], of.table].flat().map(quoted).join('.'),
    columns: Object.fromEntries(Object.keys(of.fields).map((name) => [name, columnOf(name)])),
    indexes: [
      { names: [of.primaryKeyName ?? `${of.table}_pkey`, 'PRIMARY'], fields: model.primaryKey },
      ...of.uniques.map(({ name, fields: own }) => ({
        names: [name ?? uniqueName(family, [of.table, ...own.map(columnOf)])],
        fields: own,
      })),
    ],
    fieldOf: foundIn(fields, model),
    along: foundIn(along, model),
  }
}

const foundIn =
  <Of>(all: ReadonlyMap<string, Of>, { name: model }: Model) =>
  (name: string): Of => {
    const found = all.get(name)
    if (found === undefined) throw new Error(`${model} has no ${name}.`)
    return found
  }

/** Whether the database counts up the values of a field. */
export const isCounted = ({ of }: PrismaMapped, name: string): boolean =>
  nameOfFunction(ownValue(of.fields, name)?.default) === 'autoincrement'

/** The property of the client for a model. */
export const delegateNameOf = (prismaName: string): string =>
  prismaName.slice(0, 1).toLowerCase() + prismaName.slice(1)

/** As Prisma names a unique constraint. SQLite tells the columns instead. */
const uniqueName = (family: Family, parts: readonly string[]): string => {
  const longest = family === 'pg' ? 63 : 64
  return `${parts.join('_').slice(0, longest - '_key'.length)}_key`
}
