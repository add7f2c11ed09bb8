import type { EntityMetadata } from 'typeorm'
import { caseStyleOf, joinedIn } from '../../model/naming.ts'
import { type DeclaredColumn, type DeclaredTable, fieldsOfColumns } from '../sql/declared-table.ts'
import type { DeclaredKey } from '../sql/mapping.ts'
import {
  type Classes,
  classesOf,
  classesWith,
  ownedRelations,
  type RelationMetadata,
  tableOf,
} from './classes.ts'
import type { ColumnMetadata } from './values.ts'

export interface EntityColumn extends DeclaredColumn {
  readonly metadata: ColumnMetadata
}

/** An entity with what is served of it. */
export interface DeclaredEntity extends DeclaredTable<EntityColumn> {
  readonly metadata: EntityMetadata
}

export const fieldsOf = (entity: DeclaredEntity, columns: readonly ColumnMetadata[]): readonly string[] =>
  fieldsOfColumns(
    entity,
    columns.map(({ databaseName }) => databaseName),
  )

/** The entities that are served. */
export type DeclaredEntities = ReadonlyMap<EntityMetadata, DeclaredEntity>

/** Foreign keys of the database, and relations that are declared without one. */
export const foreignKeysOf = (entity: DeclaredEntity, named: DeclaredEntities): readonly DeclaredKey[] =>
  linksOf(entity.metadata).flatMap((link) => keysAlong(entity, link, named))

/** The fields with keys to tables that are not served. */
export const foreignFieldsOf = (entity: DeclaredEntity, named: DeclaredEntities): readonly string[] =>
  linksOf(entity.metadata)
    .filter(({ isChecked, to: { declared } }) => isChecked && !named.has(declared))
    .flatMap(({ columns }) => fieldsOf(entity, columns))

/** A foreign key, or a relation without one. */
interface EntityLink {
  readonly columns: readonly ColumnMetadata[]
  readonly referencedColumns: readonly ColumnMetadata[]
  readonly onDelete: string | undefined
  readonly to: Classes
  /** By the database. */
  readonly isChecked: boolean
  readonly names: Pick<DeclaredKey['facts'], 'name' | 'inverse'>
  /** The property of the other entity that leads across this table, with the columns of its other end. */
  readonly across?: { readonly name: string; readonly columns: readonly ColumnMetadata[] }
}

const linksOf = (metadata: EntityMetadata): readonly EntityLink[] => {
  if (metadata.isJunction) return linksOfJunction(metadata)
  const known = ownedRelations(tableOf(metadata)).flatMap(({ foreignKeys }) => foreignKeys)
  // Those of columns: @ForeignKey.
  const others = metadata.foreignKeys.filter((key) => !known.includes(key))
  return [
    ...ownedRelations(metadata).map((relation) => linkOfRelation(metadata, relation)),
    ...others.map(({ columns, referencedColumns, onDelete, referencedEntityMetadata }) => ({
      ...{ columns, referencedColumns, onDelete, isChecked: true, names: {} },
      to: classesWith(referencedEntityMetadata, undefined),
    })),
  ]
}

const linkOfRelation = (metadata: EntityMetadata, relation: RelationMetadata): EntityLink => {
  const {
    inverseEntityMetadata: target,
    joinColumns: columns,
    onDelete,
    foreignKeys,
    propertyPath,
  } = relation
  const inverse = inverseOf(metadata, relation)
  return {
    ...{ columns, onDelete, to: classesWith(target, inverse) },
    referencedColumns: columns.flatMap(({ referencedColumn }) => referencedColumn ?? []),
    // A class may declare another target than the one whose key the database has.
    isChecked: foreignKeys.some((key) => key.referencedEntityMetadata === target),
    names: { name: propertyPath, ...(inverse && { inverse: inverse.propertyName }) },
  }
}

/** The property of the other entity that leads to the records of this class. */
const inverseOf = (
  metadata: EntityMetadata,
  { inverseEntityMetadata, propertyPath }: RelationMetadata,
): RelationMetadata | undefined =>
  inverseEntityMetadata.relations.find(
    (other) =>
      !other.isWithJoinColumn &&
      other.inverseEntityMetadata === metadata &&
      other.inverseSidePropertyPath === propertyPath,
  )

/** Both ends of a join table, with the properties that lead across it. */
const linksOfJunction = ({ ownerColumns, inverseColumns }: EntityMetadata): readonly EntityLink[] => {
  const relation = ownerColumns[0]?.relationMetadata
  if (relation === undefined) return []
  const { inverseRelation, inverseEntityMetadata, createForeignKeyConstraints: isChecked } = relation
  const link = (
    columns: readonly ColumnMetadata[],
    to: Classes,
    across: RelationMetadata | undefined,
    far: readonly ColumnMetadata[],
  ): EntityLink => ({
    ...{ columns, to, isChecked, onDelete: relation.onDelete ?? 'CASCADE' },
    referencedColumns: columns.flatMap(({ referencedColumn }) => referencedColumn ?? []),
    names: {},
    ...(across && { across: { name: across.propertyName, columns: far } }),
  })
  return [
    link(ownerColumns, classesOf(relation), relation, inverseColumns),
    link(inverseColumns, classesWith(inverseEntityMetadata, inverseRelation), inverseRelation, ownerColumns),
  ]
}

/** All classes that have records at the ends of a join table. */
export const endsOf = (metadata: EntityMetadata): readonly (readonly EntityMetadata[])[] =>
  linksOfJunction(metadata).map(({ to: { declared, others } }) => [declared, ...others])

/** As fields are named, with the embedded entity before it. */
const relationNameOf = ({ columns }: DeclaredEntity, path: string): string => {
  const parts = path.split('.')
  return parts.length === 1
    ? path
    : joinedIn(caseStyleOf(columns.map(([field]) => field)) ?? 'camel', ...parts)
}

const keysAlong = (
  entity: DeclaredEntity,
  link: EntityLink,
  named: DeclaredEntities,
): readonly DeclaredKey[] => {
  const { columns, referencedColumns, onDelete, to, isChecked, names, across } = link
  const { name, ...fromOthers } = names
  return [to.declared, ...to.others].flatMap((metadata): readonly DeclaredKey[] => {
    const other = named.get(metadata)
    if (other === undefined) return []
    const facts: DeclaredKey['facts'] = {
      ...{ model: other.name, references: fieldsOf(other, referencedColumns) },
      ...{ fields: fieldsOf(entity, columns), ...fromOthers },
      ...(metadata === to.declared
        ? name !== undefined && { name: relationNameOf(entity, name) }
        : { inherited: true as const }),
      ...(across && { across: [{ name: across.name, fields: fieldsOf(entity, across.columns) }] }),
      ...(!isChecked && { unchecked: true as const }),
    }
    return facts.references.length === facts.fields.length ? [{ facts, onDelete }] : []
  })
}
