import { isDeepStrictEqual } from 'node:util'
import { assertKnown, StartError } from '../../error/errors.ts'
import type { FieldFacts, TableFacts, ValueCapabilities } from '../../model/facts.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import {
  type Described,
  describeDrawn,
  type Key,
  type MappedModel,
  nameOf as usualNameOf,
} from '../sql/mapping.ts'
import { fieldFacts, nameOfFunction, type Provider } from './fields.ts'
import { assertNames, type PrismaMetadata, type PrismaModel } from './metadata.ts'
import { isImplicit, oppositeOf, type Schema, type Step, stepsAlong } from './relations.ts'
import { type Mapping, mappingOf } from './values.ts'

/** A model with the names of its parts in the client. */
export interface PrismaMapped extends MappedModel {
  /** The property of the client. */
  readonly delegate: string
  /** The name in the Prisma schema. */
  readonly prismaName: string
  /** The name of the table in the database, without its schema. */
  readonly name: string
  /** The table in SQL. */
  readonly table: string
  quoted(name: string): string
  /** The form of a key that the database counts up. `undefined`: it does not. */
  readonly counted: Field['form'] | undefined
  /** A field is a `timestamptz`. */
  readonly isZoned: boolean
  fieldOf(name: string): MappedField
  /** The relation fields of the client along a relation. Two of them lead through a join table. */
  stepsOf(relation: string): readonly Step[]
}

export interface MappedField extends Mapping {
  readonly field: Field
  /** The characters of each stored value. The database ignores spaces at the end when it compares them. */
  readonly padded?: number
  /** The value as the database has it. */
  stored(value: unknown): unknown
}

/** Which models of a Prisma schema are served, and under which names. */
export interface Choice {
  /** Name in the Prisma schema -> name of the model. */
  readonly names?: Readonly<Record<string, string>>
  readonly exclude?: readonly string[]
}

/** A model of the Prisma schema that is served. */
interface Drawn {
  /** Of the model. */
  readonly name: string
  readonly prismaName: string
  readonly of: PrismaModel
}

export const describeSchema = (
  metadata: PrismaMetadata,
  provider: Provider,
  { names = {}, exclude = [] }: Choice,
  capabilities: ValueCapabilities,
): Described<PrismaMapped> => {
  const all = Object.keys(metadata.models)
  for (const name of Object.keys(names)) assertKnown('prismaModels: names: unknown model', name, all)
  for (const name of exclude) assertKnown('prismaModels: exclude: unknown model', name, all)
  const nameOf = (prismaName: string): string => ownValue(names, prismaName) ?? usualNameOf(prismaName)
  const schema: ServedSchema = { metadata, provider, nameOf, isServed: (name) => !exclude.includes(name) }
  const drawn = Object.entries(metadata.models)
    .filter(([prismaName]) => schema.isServed(prismaName))
    .map(([prismaName, of]): Drawn => ({ name: nameOf(prismaName), prismaName, of }))
  const notes = drawn.flatMap((one) => notesOf(schema, one))
  return describeDrawn(drawn, capabilities, notes, {
    facts: (one) => tableFacts(schema, one),
    keys: (one) => keysOf(schema, one),
    mapped: (one, model) => mapped(schema, one, model),
  })
}

interface ServedSchema extends Schema {
  readonly provider: Provider
  /** @param prismaName the name in the Prisma schema */
  isServed(prismaName: string): boolean
}

const tableFacts = (schema: ServedSchema, one: Drawn): TableFacts => {
  const { name: model, prismaName, of } = one
  const primaryKey = primaryKeyOf(of)
  // Keys to tables without a model.
  const foreign = Object.values(of.relations).flatMap(({ model, fields = [] }) =>
    schema.isServed(model) ? [] : fields,
  )
  const fields = Object.keys(of.fields).flatMap((name): readonly FieldFacts[] => {
    const facts = fieldFacts(schema.metadata, schema.provider, prismaName, name)
    return facts === undefined ? [] : [{ ...facts, name, ...(foreign.includes(name) && { foreign: true }) }]
  })
  assertNames(prismaName, of)
  assertExact(prismaName, of, fields)
  return {
    ...{ name: model, table: of.table, fields, primaryKey },
    uniques: of.uniques.map((unique) => unique.fields).filter((unique) => unique !== primaryKey),
    foreignKeys: keysOf(schema, one).map(({ facts }) => facts),
    readOnly: of.isReadOnly === true || unfilledIn(schema, one).length > 0,
    ...(of.documentation !== undefined && { description: of.documentation }),
  }
}

const unknownIn = ({ metadata, provider }: ServedSchema, { prismaName, of }: Drawn): readonly string[] =>
  Object.keys(of.fields).filter((name) => fieldFacts(metadata, provider, prismaName, name) === undefined)

/** The fields of unknown types without which no record can be stored. */
const unfilledIn = (schema: ServedSchema, one: Drawn): readonly string[] =>
  unknownIn(schema, one).filter((name) => {
    const field = ownValue(one.of.fields, name)
    return field?.isNullable !== true && field?.default === undefined
  })

const notesOf = (schema: ServedSchema, one: Drawn): readonly string[] => {
  const { prismaName, of } = one
  const unknown = unknownIn(schema, one).map((name) => {
    const field = ownValue(of.fields, name)
    return `${prismaName}.${name} is left out: unknown type ${field?.native?.[0] ?? field?.type}.`
  })
  const unfilled = (of.isReadOnly === true ? [] : unfilledIn(schema, one)).map(
    (name) => `${prismaName} is read-only: ${name} is left out, and has neither null nor a default.`,
  )
  const implicit = Object.keys(of.relations)
    .filter((name) => isImplicit(schema.metadata, prismaName, name))
    .map(
      (name) =>
        `${prismaName}.${name} is left out: an implicit many-to-many relation has no model for its join table. Declare the join table as a model to serve it.`,
    )
  return [...unknown, ...unfilled, ...implicit]
}

/** A model without `@id` has a unique constraint on required fields. */
const primaryKeyOf = ({ primaryKey, uniques, fields }: PrismaModel): readonly string[] =>
  primaryKey.length > 0
    ? primaryKey
    : (uniques.find((unique) => unique.fields.every((name) => ownValue(fields, name)?.isNullable !== true))
        ?.fields ?? [])

/** @throws StartError if text that the database does not compare exactly identifies records */
const assertExact = (model: string, of: PrismaModel, fields: readonly FieldFacts[]): void => {
  const foreign = Object.values(of.relations).flatMap((relation) => relation.fields ?? [])
  const keys = [...primaryKeyOf(of), ...foreign]
  const vague = fields.find(({ name, conditions }) => conditions === 'inexact' && keys.includes(name))
  if (vague === undefined) return
  throw new StartError(
    `prismaModels: ${model}.${vague.name} is a key of the type citext, which ignores case, so a request could reach another record. Use another type, or exclude the model.`,
  )
}

/** The foreign keys to models that are served. */
const keysOf = ({ metadata, nameOf, isServed }: ServedSchema, { prismaName, of }: Drawn): readonly Key[] =>
  Object.entries(of.relations).flatMap(([name, { model, fields, references, onDelete, isNullable }]) => {
    if (fields === undefined || references === undefined || !isServed(model)) return []
    const inverse = oppositeOf(metadata, prismaName, name)
    return [
      {
        facts: { name, fields, model: nameOf(model), references, ...(inverse !== undefined && { inverse }) },
        // As Prisma does if the schema says nothing.
        onDelete: ownValue(actions, onDelete ?? (isNullable === true ? 'SetNull' : 'Restrict')),
      },
    ]
  })

/** How the database calls what it does on delete. */
const actions: Readonly<Record<string, string>> = { Cascade: 'CASCADE', SetNull: 'SET NULL' }

const mapped = (schema: ServedSchema, { prismaName, of }: Drawn, model: Model): PrismaMapped => {
  const { metadata, provider } = schema
  const columns = Object.fromEntries(
    Object.entries(of.fields).map(([name, { column }]) => [name, column ?? name]),
  )
  const fields = new Map(
    model.fields.map((field) => {
      const { type, native } = ownValue(of.fields, field.name) ?? { type: '' }
      const names = ownValue(metadata.storedNames, type)
      const mapping = mappingOf(field)
      const isPadded = provider === 'postgresql' && native?.[0] === 'Char' && field.kind === 'text'
      const bound: MappedField = {
        ...{ field, ...mapping, ...(isPadded && { padded: Number(native[1] ?? 1) }) },
        stored: (value) => ownValue(names, String(value)) ?? mapping.write(value),
      }
      return [field.name, bound] as const
    }),
  )
  const steps = new Map(
    model.relations.map((relation) => [relation.name, stepsAlong(schema, prismaName, relation)]),
  )
  const named = <T>(found: T | undefined, name: string): T => {
    if (found === undefined) throw new Error(`${model.name} has no ${name}.`)
    return found
  }
  const quoted = quotedIn(provider)
  return {
    ...{ model, columns, prismaName, quoted, name: of.table },
    table: [...(of.schema === undefined ? [] : [of.schema]), of.table].map(quoted).join('.'),
    isZoned: Object.values(of.fields).some(({ native }) => native?.[0] === 'Timestamptz'),
    delegate: delegateNameOf(prismaName),
    counted: model.fields.find(
      ({ name }) =>
        isDeepStrictEqual(model.primaryKey, [name]) &&
        nameOfFunction(ownValue(of.fields, name)?.default) === 'autoincrement',
    )?.form,
    indexes: [
      { names: [of.primaryKeyName ?? `${of.table}_pkey`, 'PRIMARY'], fields: model.primaryKey },
      ...of.uniques.map(({ name, fields: own }) => ({
        names: [
          name ?? uniqueName(provider, [of.table, ...own.map((field) => ownValue(columns, field) ?? field)]),
        ],
        fields: own,
      })),
    ],
    fieldOf: (name) => named(fields.get(name), `field ${name}`),
    stepsOf: (name) => named(steps.get(name), `relation ${name}`),
  }
}

/** Makes the name of a table or column in SQL. */
export const quotedIn = (provider: Provider): ((name: string) => string) => {
  const quote = provider === 'mysql' ? '`' : '"'
  return (name) => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`
}

/** The property of the client for a model. */
export const delegateNameOf = (prismaName: string): string =>
  prismaName.slice(0, 1).toLowerCase() + prismaName.slice(1)

/** The longest names of constraints. */
const longestNames: Readonly<Record<Provider, number>> = { postgresql: 63, mysql: 64, sqlite: Infinity }

/** As Prisma names a unique constraint. */
const uniqueName = (provider: Provider, parts: readonly string[]): string =>
  `${parts.join('_').slice(0, (ownValue(longestNames, provider) ?? Infinity) - '_key'.length)}_key`
