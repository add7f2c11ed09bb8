import type { EntityMetadata } from 'typeorm'
import type { ColumnMetadata } from './values.ts'

export type RelationMetadata = EntityMetadata['relations'][number]

/** The entity that has the keys, uniques and checks of a table with several classes. The metadata of the others lack them. */
export const tableOf = (metadata: EntityMetadata): EntityMetadata => metadata.parentEntityMetadata ?? metadata

/** The relations of a class. Those in embedded entities are complete only in the metadata of the table. */
const relationsOf = (metadata: EntityMetadata): readonly RelationMetadata[] => {
  const table = tableOf(metadata)
  if (table === metadata) return metadata.relations
  return metadata.relations.map((relation) =>
    relation.embeddedMetadata === undefined ? relation : (sameIn(table, relation) ?? relation),
  )
}

const sameIn = (
  { relations }: EntityMetadata,
  { propertyPath }: Pick<RelationMetadata, 'propertyPath'>,
): RelationMetadata | undefined => relations.find((relation) => relation.propertyPath === propertyPath)

export const ownedRelations = (metadata: EntityMetadata): readonly RelationMetadata[] =>
  relationsOf(metadata).filter(({ isWithJoinColumn }) => isWithJoinColumn)

/** The columns of a class. TypeORM adds the foreign keys of all others. */
export const columnsOf = (metadata: EntityMetadata): readonly ColumnMetadata[] => {
  const keysOf = (entity: EntityMetadata): ReadonlySet<ColumnMetadata> =>
    new Set(ownedRelations(entity).flatMap(({ joinColumns }) => joinColumns))
  const [own, all] = [keysOf(metadata), keysOf(tableOf(metadata))]
  return metadata.columns.filter((column) => !column.isVirtual || own.has(column) || !all.has(column))
}

/** The classes of one table that a foreign key may refer to. */
export interface Classes {
  /** Says which records the key may refer to. */
  readonly declared: EntityMetadata
  /** The others that have the relation from the other side. */
  readonly others: readonly EntityMetadata[]
}

/** @param inverse the relation from the other side. Absent: all classes that inherit from this one have it */
export const classesWith = (declared: EntityMetadata, inverse: RelationMetadata | undefined): Classes => {
  const table = tableOf(declared)
  const others =
    inverse === undefined
      ? declared.childEntityMetadatas
      : [table, ...table.childEntityMetadatas].filter((metadata) => sameIn(metadata, inverse))
  return { declared, others: others.filter((metadata) => metadata !== declared) }
}

/** The classes of a relation whose join table it declares. The table has it, even if only one of its classes declares it. */
export const classesOf = (relation: RelationMetadata): Classes => {
  const { target, entityMetadata: table } = relation
  const isInherited =
    table.target === target ||
    (typeof target === 'function' &&
      typeof table.target === 'function' &&
      Reflect.get(table.target, 'prototype') instanceof target)
  const holders = table.childEntityMetadatas.filter((metadata) => sameIn(metadata, relation))
  const highest = holders.find((metadata) =>
    holders.every((other) => other === metadata || metadata.childEntityMetadatas.includes(other)),
  )
  const declared = isInherited ? table : (highest ?? table)
  return classesWith(declared, relation)
}
