import { StartError } from '../../error/errors.ts'
import type { Relation } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { PrismaMetadata, PrismaRelation } from './metadata.ts'

export interface Step {
  /** The name of the relation field. */
  readonly field: string
  readonly isList: boolean
  /** The name of the other model, as modelrest calls it. */
  readonly model: string
}

export interface Schema {
  readonly metadata: PrismaMetadata
  nameOf(prismaName: string): string
}

/** The name of the relation field on the other side. */
export const oppositeOf = (
  prismaName: string,
  field: string,
  { model, name }: PrismaRelation,
  { models }: PrismaMetadata,
): string | undefined =>
  Object.entries(ownValue(models, model)?.relations ?? {}).find(
    ([other, relation]) =>
      relation.name === name && relation.model === prismaName && !(model === prismaName && other === field),
  )?.[0]

export const isImplicit = (
  prismaName: string,
  field: string,
  relation: PrismaRelation,
  metadata: PrismaMetadata,
): boolean => {
  if (relation.isList !== true) return false
  const opposite = oppositeOf(prismaName, field, relation, metadata)
  return ownValue(ownValue(metadata.models, relation.model)?.relations, opposite ?? field)?.isList === true
}

export const stepsAlong = (
  owner: string,
  { kind, model, fields, references, through }: Relation,
  metadata: PrismaMetadata,
  nameOf: Schema['nameOf'],
): readonly Step[] => {
  const along = (
    from: string,
    to: string,
    isToOne: boolean,
    own: readonly string[],
    other: readonly string[],
  ) => stepAlong(from, to, { isToOne, own, other }, metadata, nameOf)
  if (through === undefined) return [along(owner, model, kind === 'to-one', fields, references)]
  const join = Object.keys(metadata.models).find((name) => nameOf(name) === through.model) ?? through.model
  return [
    along(owner, through.model, false, fields, through.fields),
    along(join, model, true, through.references, references),
  ]
}

interface Ends {
  readonly isToOne: boolean
  readonly own: readonly string[]
  readonly other: readonly string[]
}

/** @throws StartError if the schema does not have the relation field, which Prisma requires on both sides */
const stepAlong = (
  from: string,
  to: string,
  { isToOne, own, other }: Ends,
  metadata: PrismaMetadata,
  nameOf: Schema['nameOf'],
): Step => {
  const is = (one: readonly string[] | undefined, two: readonly string[]) => one?.join() === two.join()
  const found = Object.entries(ownValue(metadata.models, from)?.relations ?? {}).find(([name, relation]) => {
    if (nameOf(relation.model) !== to) return false
    if (isToOne) return is(relation.fields, own) && is(relation.references, other)
    const opposite = ownValue(
      ownValue(metadata.models, relation.model)?.relations,
      oppositeOf(from, name, relation, metadata) ?? '',
    )
    return relation.fields === undefined && is(opposite?.fields, other) && is(opposite?.references, own)
  })
  if (found === undefined)
    throw new StartError(
      `prismaModels: ${from} has no relation field to ${to}. Run \`prisma generate\` again.`,
    )
  return { field: found[0], isList: found[1].isList === true, model: to }
}
