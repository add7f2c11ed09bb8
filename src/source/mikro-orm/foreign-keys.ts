import { isDeepStrictEqual } from 'node:util'
import { ReferenceKind } from '@mikro-orm/core'
import type { ForeignKeyFacts } from '../../model/foreign-keys.ts'
import { ownValue } from '../../model/objects.ts'
import { type DeclaredTable, fieldsOfColumns } from '../sql/declared-table.ts'
import type { DeclaredKey } from '../sql/mapping.ts'
import { type Classes, classesOf, classesWith } from './classes.ts'
import type { EntityColumn } from './columns.ts'
import { isPivot, type Metadata, type Property } from './database.ts'

/** An entity with what is served of it. */
export interface DeclaredEntity extends DeclaredTable<EntityColumn> {
  readonly metadata: Metadata
}

/** The entities that are served, by their classes. */
export type DeclaredEntities = ReadonlyMap<Metadata['class'], DeclaredEntity>

/** @param name of a property, or the path to one of an embeddable: `address.city` */
export const fieldsOfProperty = (entity: DeclaredEntity, name: string): readonly string[] => {
  const inside = entity.columns.flatMap(([field, { path }]) => (path.join('.') === name ? [field] : []))
  const own = ownValue(entity.metadata.properties, name)?.fieldNames
  return own === undefined ? inside : fieldsOfColumns(entity, own)
}

/** The relations whose foreign keys are in the table. */
export const ownedBy = ({ relations }: Metadata): readonly Property[] =>
  relations.filter(
    ({ kind, owner, persist, polymorphic }) =>
      persist !== false &&
      !polymorphic &&
      (kind === ReferenceKind.MANY_TO_ONE || (kind === ReferenceKind.ONE_TO_ONE && owner)),
  )

/** Relations whose key another property writes, or none. MikroORM reads along them. */
const readOnlyOf = ({ relations }: Metadata): readonly Property[] =>
  relations.filter(
    ({ kind, persist, polymorphic, fieldNames, mappedBy }) =>
      persist === false &&
      !polymorphic &&
      fieldNames !== undefined &&
      mappedBy === undefined &&
      (kind === ReferenceKind.MANY_TO_ONE || kind === ReferenceKind.ONE_TO_ONE),
  )

/** A foreign key, or a relation without one. */
interface EntityLink {
  /** The first one has the key. */
  readonly properties: readonly [Property, ...Property[]]
  readonly target: Metadata
  /** By the database. */
  readonly isChecked: boolean
}

const linksOf = ({ metadata }: DeclaredEntity): readonly EntityLink[] => {
  const owned = ownedBy(metadata)
  const others = readOnlyOf(metadata)
  const isSame = (one: Property, other: Property): boolean =>
    one.targetMeta?.class === other.targetMeta?.class && isDeepStrictEqual(one.fieldNames, other.fieldNames)
  const single = others.filter(
    (other, at) =>
      !owned.some((property) => isSame(property, other)) &&
      others.findIndex((property) => isSame(property, other)) === at,
  )
  return [...owned, ...single].flatMap((property) => {
    const { targetMeta: target, persist, createForeignKeyConstraint } = property
    if (target === undefined) return []
    const more = others.filter((other) => other !== property && isSame(property, other))
    const isChecked = persist !== false && createForeignKeyConstraint !== false
    return [{ properties: [property, ...more] as const, target, isChecked }]
  })
}

export const foreignKeysOf = (entity: DeclaredEntity, named: DeclaredEntities): readonly DeclaredKey[] =>
  linksOf(entity).flatMap(({ properties, target, isChecked }): readonly DeclaredKey[] => {
    const [{ fieldNames, referencedColumnNames, deleteRule }] = properties
    const { to, ...names } = namesOf(entity, target, properties, named)
    const fields = fieldsOfColumns(entity, fieldNames)
    return [to.declared, ...to.others].flatMap((metadata): readonly DeclaredKey[] => {
      const other = named.get(metadata.class)
      if (other === undefined) return []
      const { name, ...fromOthers } = names
      const references = fieldsOfColumns(other, referencedColumnNames)
      const isDeclared = metadata.class === to.declared.class
      const facts: ForeignKeyFacts = {
        ...{ model: other.name, fields, references, ...fromOthers },
        ...(isDeclared ? name !== undefined && { name } : { inherited: true as const }),
        ...(!isChecked && { unchecked: true as const }),
      }
      return references.length === fields.length && fields.length > 0 ? [{ facts, onDelete: deleteRule }] : []
    })
  })

type LinkNames = Pick<ForeignKeyFacts, 'name' | 'inverse' | 'across'> & { readonly to: Classes }

/** The properties of a pivot table have names that MikroORM makes, so only those of the relations across it are used. */
const namesOf = (
  entity: DeclaredEntity,
  target: Metadata,
  properties: EntityLink['properties'],
  named: DeclaredEntities,
): LinkNames => {
  const { metadata, columns } = entity
  const all = [...named.values()].map(({ metadata }) => metadata)
  const served = named.get(target.class)?.metadata ?? target
  const classes = [served, ...all.filter(({ root }) => root.class === served.root.class)]
  const crossings = crossingsOf(entity, classes, properties)
  const across = crossings.map(({ name, inverseJoinColumns }) => ({
    name,
    fields: fieldsOfColumns(entity, inverseJoinColumns),
  }))
  const [crossing] = crossings
  if (isPivot(metadata))
    return crossing === undefined
      ? { to: classesWith(served, all, undefined) }
      : { across, to: classesOf(served, all, crossing.name) }
  const own = properties.map(({ name }) => name)
  const inverse =
    served.relations.find(
      ({ mappedBy, targetMeta }) => own.includes(mappedBy) && targetMeta?.class === metadata.class,
    )?.name ?? properties.find(({ inversedBy }) => inversedBy !== undefined)?.inversedBy
  const fields = new Set(columns.map(([field]) => field))
  const name = own.find((candidate) => !fields.has(candidate))
  return {
    ...(name !== undefined && { name }),
    ...(inverse !== undefined && { inverse }),
    ...(across.length > 0 && { across }),
    to: classesWith(served, all, inverse),
  }
}

/** The properties of another entity, or of a class of its table, that lead across this one. */
const crossingsOf = (
  { metadata }: DeclaredEntity,
  targets: readonly Metadata[],
  [{ fieldNames }]: EntityLink['properties'],
): readonly Property[] =>
  targets
    .flatMap(({ relations }) => relations)
    .filter(
      ({ pivotEntity, joinColumns, persist, owner }) =>
        (owner || persist !== false) &&
        pivotEntity === metadata.class &&
        isDeepStrictEqual(joinColumns, fieldNames),
    )
