import { StartError } from '../../error/errors.ts'
import type { Relation } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { PrismaMetadata, PrismaModel } from './metadata.ts'

/** A relation field of the client. */
export interface Step {
  readonly field: string
  readonly isList: boolean
  /** The name of the other model, as modelrest calls it. */
  readonly model: string
}

/** A Prisma schema, and the names of its models in modelrest. */
export interface Schema {
  readonly metadata: PrismaMetadata
  nameOf(prismaName: string): string
}

const relationsIn = ({ models }: PrismaMetadata, model: string): PrismaModel['relations'] =>
  ownValue(models, model)?.relations ?? {}

/** The name of the relation field on the other side. */
export const oppositeOf = (metadata: PrismaMetadata, owner: string, field: string): string | undefined => {
  const { model = '', name } = ownValue(relationsIn(metadata, owner), field) ?? {}
  return Object.entries(relationsIn(metadata, model)).find(
    ([other, relation]) =>
      relation.name === name && relation.model === owner && !(model === owner && other === field),
  )?.[0]
}

/** Whether no model has the foreign keys of a relation. */
export const isImplicit = (metadata: PrismaMetadata, owner: string, field: string): boolean => {
  const relation = ownValue(relationsIn(metadata, owner), field)
  const opposite = ownValue(
    relationsIn(metadata, relation?.model ?? ''),
    oppositeOf(metadata, owner, field) ?? '',
  )
  return relation?.isList === true && opposite?.isList === true
}

/** The relation fields along a relation. Two of them lead through a join table. */
export const stepsAlong = (
  schema: Schema,
  owner: string,
  { kind, model, fields, references, through }: Relation,
): readonly Step[] =>
  through === undefined
    ? [stepAlong(schema, owner, model, kind === 'to-one' ? fields : undefined, references)]
    : [
        stepAlong(schema, owner, through.model, undefined, through.fields),
        stepAlong(schema, prismaNameOf(schema, through.model), model, through.references, references),
      ]

/**
 * @param own the foreign key. `undefined`: the other model has it
 * @throws StartError if the schema does not have the relation field, which Prisma requires on both sides
 */
const stepAlong = (
  schema: Schema,
  owner: string,
  model: string,
  own: readonly string[] | undefined,
  other: readonly string[],
): Step => {
  const { metadata } = schema
  const target = prismaNameOf(schema, model)
  const [from, to, key] = own === undefined ? [target, owner, other] : [owner, target, own]
  const [forward] =
    Object.entries(relationsIn(metadata, from)).find(
      ([, relation]) => relation.model === to && relation.fields?.join() === key.join(),
    ) ?? []
  const field = own === undefined ? oppositeOf(metadata, from, forward ?? '') : forward
  const relation = ownValue(relationsIn(metadata, owner), field ?? '')
  if (field === undefined || relation === undefined)
    throw new StartError(
      `prismaModels: ${owner} has no relation field to ${model}. Run \`prisma generate\` again.`,
    )
  return { field, isList: relation.isList === true, model }
}

const prismaNameOf = ({ metadata, nameOf }: Schema, model: string): string =>
  Object.keys(metadata.models).find((name) => nameOf(name) === model) ?? model
