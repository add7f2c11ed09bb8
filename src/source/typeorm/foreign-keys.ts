import type { EntityMetadata } from 'typeorm'
import { type DrawnColumn, type Drawn as DrawnTable, fieldsOf as fieldsOfColumns } from '../sql/drawn.ts'
import type { Key } from '../sql/mapping.ts'
import type { ColumnMetadata } from './values.ts'

export interface Column extends DrawnColumn {
  readonly metadata: ColumnMetadata
}

/** An entity with what is served of it. */
export interface Drawn extends DrawnTable<Column> {
  readonly metadata: EntityMetadata
}

export const fieldsOf = (entity: Drawn, columns: readonly ColumnMetadata[]): readonly string[] =>
  fieldsOfColumns(
    entity,
    columns.map(({ databaseName }) => databaseName),
  )

/** Foreign keys of the database, and relations that are declared without one. */
export const keysOf = (entity: Drawn, named: ReadonlyMap<EntityMetadata, Drawn>): readonly Key[] => {
  const { metadata } = entity
  const owned = metadata.relations.filter(({ isWithJoinColumn }) => isWithJoinColumn)
  const relationOf = (key: (typeof metadata.foreignKeys)[number]) =>
    owned.find((relation) => relation.foreignKeys.includes(key))
  const checked = metadata.foreignKeys.map((key) => ({
    ...{ columns: key.columns, references: key.referencedColumns, target: key.referencedEntityMetadata },
    ...{ relation: relationOf(key), isChecked: true, onDelete: key.onDelete },
  }))
  const unchecked = owned
    .filter(({ foreignKeys }) => foreignKeys.length === 0)
    .map((relation) => ({
      columns: relation.joinColumns,
      references: relation.joinColumns.flatMap(({ referencedColumn }) => referencedColumn ?? []),
      ...{ target: relation.inverseEntityMetadata, relation, isChecked: false, onDelete: relation.onDelete },
    }))
  return [...checked, ...unchecked].flatMap(
    ({ columns, references, target, relation, isChecked, onDelete }) => {
      const other = named.get(target)
      if (other === undefined) return []
      const inverse = relation?.inverseRelation?.propertyName
      return [
        {
          facts: {
            ...{
              model: other.name,
              fields: fieldsOf(entity, columns),
              references: fieldsOf(other, references),
            },
            ...(relation && { name: relation.propertyName }),
            ...(inverse !== undefined && { inverse }),
            ...(!isChecked && { unchecked: true as const }),
          },
          onDelete,
        },
      ]
    },
  )
}
