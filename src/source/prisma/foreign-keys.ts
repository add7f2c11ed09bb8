import { StartError } from '../../error/errors.ts'
import type { Relation } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { Family } from '../sql/codecs.ts'
import type { DeclaredKey } from '../sql/mapping.ts'
import type { PrismaMetadata, PrismaModel, PrismaRelation } from './metadata.ts'

/** A Prisma schema, and what is served of it. Parameters are names in the Prisma schema. */
export interface PrismaSchema {
  readonly metadata: PrismaMetadata
  readonly family: Family
  readonly quoted: (name: string) => string
  nameOf(prismaName: string): string
  isServed(prismaName: string): boolean
}

const relationsOf = ({ models }: PrismaMetadata, model: string): PrismaModel['relations'] =>
  ownValue(models, model)?.relations ?? {}

/** A relation field of the client. */
export interface RelationField {
  readonly name: string
  readonly isList: boolean
}

/** The foreign keys to models that are served. */
export const foreignKeysOf = (
  { metadata, nameOf, isServed }: PrismaSchema,
  owner: string,
): readonly DeclaredKey[] =>
  Object.entries(relationsOf(metadata, owner)).flatMap(
    ([name, { model, fields, references, onDelete, isNullable }]) => {
      if (fields === undefined || references === undefined || !isServed(model)) return []
      const [inverse] = otherSideOf(metadata, owner, name) ?? []
      const across = acrossOf(metadata, owner, name)
      const ends = {
        ...{ model: nameOf(model), fields, references, ...(inverse !== undefined && { inverse }) },
        ...(across.length > 0 && { across }),
      }
      // As Prisma does if the schema says nothing.
      const action = onDelete ?? (isNullable ? 'SetNull' : 'Restrict')
      return [{ facts: { name, ...ends }, onDelete: ownValue(actions, action) }]
    },
  )

/** The model of the join table of an implicit many-to-many relation, which a schema may declare beside it. */
export const joinModelOf = ({ models }: PrismaMetadata, { name }: PrismaRelation): string | undefined =>
  Object.entries(models).find(([, { table }]) => table === `_${name}`)?.[0]

/** The implicit many-to-many relations whose join table is the owner of a foreign key. */
const acrossOf = (metadata: PrismaMetadata, owner: string, key: string) => {
  const own = relationsOf(metadata, owner)
  const near = ownValue(own, key)?.model ?? ''
  return Object.entries(relationsOf(metadata, near)).flatMap(([name, relation]) => {
    const isImplicit = relation.isList && otherSideOf(metadata, near, name)?.[1].isList
    // Both ends of a relation of a model to itself have the same model.
    if (!isImplicit || relation.model === near || joinModelOf(metadata, relation) !== owner) return []
    const far = Object.values(own).find(({ model, fields }) => model === relation.model && fields)
    return far?.fields === undefined ? [] : [{ name, fields: far.fields }]
  })
}

/** How the database calls what it does on delete. */
const actions: Readonly<Record<string, string>> = { Cascade: 'CASCADE', SetNull: 'SET NULL' }

/** The relation field on the other side, with its name. */
export const otherSideOf = (
  metadata: PrismaMetadata,
  owner: string,
  field: string,
): readonly [string, PrismaRelation] | undefined => {
  const { model = '', name } = ownValue(relationsOf(metadata, owner), field) ?? {}
  return Object.entries(relationsOf(metadata, model)).find(
    ([other, relation]) =>
      relation.name === name && relation.model === owner && !(model === owner && other === field),
  )
}

/** @throws StartError if the schema does not have the relation field, which Prisma requires on both sides */
export const fieldAlong = (
  { metadata, nameOf }: PrismaSchema,
  owner: string,
  { kind, model, fields, references }: Relation,
): RelationField => {
  const [key, isOwn] = kind === 'to-one' ? [fields, true] : [references, false]
  const [name, found] =
    Object.entries(relationsOf(metadata, owner)).find(([field, relation]) => {
      const owning = isOwn ? relation : otherSideOf(metadata, owner, field)?.[1]
      return nameOf(relation.model) === model && owning?.fields?.join() === key.join()
    }) ?? []
  if (name === undefined)
    throw new StartError(
      `prismaModels: ${owner} has no relation field to ${model}. Run \`prisma generate\` again.`,
    )
  return { name, isList: found?.isList === true }
}
