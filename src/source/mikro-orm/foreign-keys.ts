import { isDeepStrictEqual } from 'node:util'
import { ReferenceKind } from '@mikro-orm/core'
import type { ForeignKeyFacts } from '../../model/foreign-keys.ts'
import { ownValue } from '../../model/objects.ts'
import { type Drawn as DrawnTable, fieldsOf } from '../sql/drawn.ts'
import type { Key } from '../sql/mapping.ts'
import type { Column } from './columns.ts'
import { isPivot, type Metadata, type Property } from './database.ts'

/** An entity with what is served of it. */
export interface Drawn extends DrawnTable<Column> {
  readonly metadata: Metadata
}

/** The entities that are served, by their classes. */
export type Served = ReadonlyMap<Metadata['class'], Drawn>

/** @param name of a property, or the path to one of an embeddable: `address.city` */
export const fieldsOfProperty = (entity: Drawn, name: string): readonly string[] => {
  const inside = entity.columns.flatMap(([field, { path }]) => (path.join('.') === name ? [field] : []))
  const own = ownValue(entity.metadata.properties, name)?.fieldNames
  return own === undefined ? inside : fieldsOf(entity, own)
}

/** The relations whose foreign keys are in the table. */
export const ownedBy = ({ relations }: Metadata): readonly Property[] =>
  relations.filter(
    ({ kind, owner, persist, polymorphic }) =>
      persist !== false &&
      !polymorphic &&
      (kind === ReferenceKind.MANY_TO_ONE || (kind === ReferenceKind.ONE_TO_ONE && owner)),
  )

export const keysOf = (entity: Drawn, named: Served): readonly Key[] =>
  ownedBy(entity.metadata).flatMap((property) => {
    const { targetMeta, fieldNames, referencedColumnNames, createForeignKeyConstraint, deleteRule } = property
    const other = targetMeta && named.get(targetMeta.class)
    if (other === undefined) return []
    const facts: ForeignKeyFacts = {
      model: other.name,
      fields: fieldsOf(entity, fieldNames),
      references: fieldsOf(other, referencedColumnNames),
      ...namesOfRelation(entity, other, property),
      ...(createForeignKeyConstraint === false && { unchecked: true as const }),
    }
    return [{ facts, onDelete: deleteRule }]
  })

/** The properties of a pivot table have names that MikroORM makes, so only those of the relations across it are used. */
const namesOfRelation = (
  { metadata }: Drawn,
  { metadata: target }: Drawn,
  property: Property,
): Pick<ForeignKeyFacts, 'name' | 'inverse' | 'across'> => {
  const crossing = target.relations.find(
    ({ pivotEntity, joinColumns, persist, owner }) =>
      (owner || persist !== false) &&
      pivotEntity === metadata.class &&
      isDeepStrictEqual(joinColumns, property.fieldNames),
  )
  const across = crossing && { across: crossing.name }
  if (isPivot(metadata)) return across ?? {}
  const inverse =
    property.inversedBy ??
    target.relations.find(
      ({ mappedBy, targetMeta }) => mappedBy === property.name && targetMeta?.class === metadata.class,
    )?.name
  return { name: property.name, ...across, ...(inverse !== undefined && { inverse }) }
}
