import { assertKnown, StartError } from '../../error/errors.ts'
import { describeModels } from '../../model/describe.ts'
import type { FieldFacts, TableFacts, ValueCapabilities } from '../../model/facts.ts'
import type { ForeignKeyFacts } from '../../model/foreign-keys.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { CheckedKey } from '../sql/broken-keys.ts'
import { type MappedModel, nameOf as usualNameOf } from '../sql/mapping.ts'
import { fieldFacts, type Provider } from './fields.ts'
import { assertNames, type PrismaMetadata, type PrismaModel, type PrismaRelation } from './metadata.ts'
import { isImplicit, oppositeOf, type Schema, type Step, stepsAlong } from './relations.ts'
import { type Mapping, mappingOf } from './values.ts'

/** A model with the names of its parts in the client. */
export interface PrismaMapped extends MappedModel {
  /** The property of the client. */
  readonly delegate: string
  /** The name in the Prisma schema. */
  readonly prismaName: string
  readonly table: string
  readonly schema?: string
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

export interface Described {
  readonly models: readonly PrismaMapped[]
  readonly foreignKeys: readonly CheckedKey[]
  readonly notes: readonly string[]
}

export const describe = (
  metadata: PrismaMetadata,
  provider: Provider,
  { names = {}, exclude = [] }: Choice,
  capabilities: ValueCapabilities,
): Described => {
  const all = Object.keys(metadata.models)
  for (const name of Object.keys(names)) assertKnown('prismaModels: names: unknown model', name, all)
  for (const name of exclude) assertKnown('prismaModels: exclude: unknown model', name, all)
  const given = Object.entries(metadata.models).filter(([name]) => !exclude.includes(name))
  const nameOf = (prismaName: string): string => ownValue(names, prismaName) ?? usualNameOf(prismaName)
  const notes: string[] = []
  const tables = withReferredKinds(
    given.map(([prismaName, model]) =>
      tableFacts(prismaName, model, { metadata, provider, nameOf, notes, exclude }),
    ),
  )
  const models = describeModels(tables, capabilities)
  return {
    notes,
    foreignKeys: given.flatMap(([prismaName, { relations }]) =>
      keysOf(nameOf(prismaName), relations, nameOf),
    ),
    models: given.map(([prismaName, of], at): PrismaMapped => {
      const model = models[at]
      if (model === undefined) throw new Error(`Unknown model ${prismaName}.`)
      return mapped(prismaName, of, { metadata, provider, nameOf, model })
    }),
  }
}

interface Place extends Schema {
  readonly provider: Provider
}

const tableFacts = (
  prismaName: string,
  of: PrismaModel,
  { metadata, provider, nameOf, notes, exclude }: Place & { notes: string[]; exclude: readonly string[] },
): TableFacts => {
  const fields: FieldFacts[] = []
  const key = keyOf(of)
  const relations = Object.entries(of.relations)
  const isOut = ({ model }: PrismaRelation): boolean => exclude.includes(model)
  // Keys to tables without a model.
  const foreign = relations.flatMap(([, relation]) => (isOut(relation) ? (relation.fields ?? []) : []))
  let isWritable = of.isReadOnly !== true
  for (const [name, field] of Object.entries(of.fields)) {
    const facts = fieldFacts(field, metadata, provider)
    if (facts !== undefined) {
      fields.push({ ...facts, name, ...(foreign.includes(name) && { foreign: true }) })
      continue
    }
    notes.push(`${prismaName}.${name} is left out: unknown type ${field.native?.[0] ?? field.type}.`)
    if (field.isNullable === true || field.default !== undefined || !isWritable) continue
    isWritable = false
    notes.push(`${prismaName} is read-only: ${name} is left out, and has neither null nor a default.`)
  }
  assertNames(prismaName, of)
  assertExact(prismaName, of, fields)
  for (const [name, relation] of relations)
    if (isImplicit(prismaName, name, relation, metadata))
      notes.push(
        `${prismaName}.${name} is left out: an implicit many-to-many relation has no model for its join table. Declare the join table as a model to serve it.`,
      )
  return {
    ...{ name: nameOf(prismaName), table: of.table, fields, primaryKey: key },
    uniques: of.uniques.map((unique) => unique.fields).filter((unique) => unique !== key),
    foreignKeys: relations.flatMap(([name, relation]) => {
      const key = isOut(relation) ? undefined : foreignKey(name, relation, nameOf)
      if (key === undefined) return []
      const inverse = oppositeOf(prismaName, name, relation, metadata)
      return [{ ...key, ...(inverse !== undefined && { inverse }) }]
    }),
    ...(!isWritable && { readOnly: true }),
    ...(of.documentation !== undefined && { description: of.documentation }),
  }
}

/** A model without `@id` has a unique constraint on required fields. */
const keyOf = ({ primaryKey, uniques, fields }: PrismaModel): readonly string[] =>
  primaryKey.length > 0
    ? primaryKey
    : (uniques.find((unique) => unique.fields.every((name) => ownValue(fields, name)?.isNullable !== true))
        ?.fields ?? [])

/** @throws StartError if text that the database does not compare exactly identifies records */
const assertExact = (model: string, of: PrismaModel, fields: readonly FieldFacts[]): void => {
  const keys = [keyOf(of), ...Object.values(of.relations).map((relation) => relation.fields ?? [])].flat()
  const vague = fields.find(({ name, conditions }) => conditions === 'inexact' && keys.includes(name))
  if (vague === undefined) return
  throw new StartError(
    `prismaModels: ${model}.${vague.name} is a key of the type citext, which ignores case, so a request could reach another record. Use another type, or exclude the model.`,
  )
}

const foreignKey = (
  name: string,
  { model, fields, references }: PrismaRelation,
  nameOf: Place['nameOf'],
): ForeignKeyFacts | undefined => fields && references && { name, fields, model: nameOf(model), references }

/** On MySQL, a foreign key to a UUID is one too, and one to that. */
const withReferredKinds = (tables: readonly TableFacts[]): readonly TableFacts[] => {
  const isUuid = (model: string, name: string, passed: readonly string[] = []): boolean => {
    const place = `${model}.${name}`
    const table = tables.find((each) => each.name === model)
    if (table === undefined || passed.includes(place)) return false
    if (table.fields.find((field) => field.name === name)?.kind === 'uuid') return true
    return (table.foreignKeys ?? []).some(({ model: target, fields, references }) =>
      references.some(
        (reference, at) => fields[at] === name && isUuid(target, reference, [...passed, place]),
      ),
    )
  }
  return tables.map((table) => ({
    ...table,
    fields: table.fields.map((field): FieldFacts => {
      if (field.kind !== 'text' || !isUuid(table.name, field.name)) return field
      const { maxLength, ...others } = field
      return { ...others, kind: 'uuid', form: 'string' }
    }),
  }))
}

const keysOf = (
  model: string,
  relations: PrismaModel['relations'],
  nameOf: Place['nameOf'],
): readonly CheckedKey[] =>
  Object.values(relations).flatMap(({ model: target, fields, references, onDelete, isNullable }) => {
    if (fields === undefined || references === undefined) return []
    // As Prisma does if the schema says nothing.
    const action = onDelete ?? (isNullable === true ? 'SetNull' : 'Restrict')
    const restricts = action === 'Restrict' || action === 'NoAction' || action === 'SetDefault'
    return [{ model, fields, target: nameOf(target), references, restricts }]
  })

const mapped = (
  prismaName: string,
  of: PrismaModel,
  { metadata, provider, nameOf, model }: Place & { readonly model: Model },
): PrismaMapped => {
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
    model.relations.map(
      (relation) => [relation.name, stepsAlong(prismaName, relation, metadata, nameOf)] as const,
    ),
  )
  const named = <T>(found: T | undefined, name: string): T => {
    if (found === undefined) throw new Error(`${model.name} has no ${name}.`)
    return found
  }
  return {
    ...{ model, columns, prismaName, table: of.table },
    ...(of.schema !== undefined && { schema: of.schema }),
    isZoned: Object.values(of.fields).some(({ native }) => native?.[0] === 'Timestamptz'),
    delegate: prismaName.slice(0, 1).toLowerCase() + prismaName.slice(1),
    indexes: [
      { names: [of.primaryKeyName ?? `${of.table}_pkey`, 'PRIMARY'], fields: model.primaryKey },
      ...of.uniques.map(({ name, fields: own }) => ({
        names: [
          name ??
            defaultName(
              of.table,
              own.map((field) => ownValue(columns, field) ?? field),
              provider,
            ),
        ],
        fields: own,
      })),
    ],
    fieldOf: (name) => named(fields.get(name), `field ${name}`),
    stepsOf: (name) => named(steps.get(name), `relation ${name}`),
  }
}

/** The longest names of constraints. */
const longestNames: Readonly<Record<Provider, number>> = { postgresql: 63, mysql: 64, sqlite: Infinity }

const defaultName = (table: string, columns: readonly string[], provider: Provider): string =>
  `${[table, ...columns].join('_').slice(0, (ownValue(longestNames, provider) ?? Infinity) - '_key'.length)}_key`
