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
  const { relations, foreignKeys } = entity.metadata
  const owned = relations.filter(({ isWithJoinColumn }) => isWithJoinColumn)
  const unchecked = owned
    .filter((relation) => relation.foreignKeys.length === 0)
    .map((relation) => ({
      ...{ relation, columns: relation.joinColumns, onDelete: relation.onDelete },
      referencedColumns: relation.joinColumns.flatMap(({ referencedColumn }) => referencedColumn ?? []),
      referencedEntityMetadata: relation.inverseEntityMetadata,
    }))
  return [...foreignKeys, ...unchecked].flatMap((key): readonly Key[] => {
    const other = named.get(key.referencedEntityMetadata)
    if (other === undefined) return []
    const isChecked = !('relation' in key)
    const relation = isChecked ? owned.find((one) => one.foreignKeys.includes(key)) : key.relation
    const inverse = relation?.inverseRelation?.propertyName
    const facts: Key['facts'] = {
      ...{ model: other.name, references: fieldsOf(other, key.referencedColumns) },
      fields: fieldsOf(entity, key.columns),
      ...(relation && { name: relation.propertyName }),
      ...(inverse !== undefined && { inverse }),
      ...(!isChecked && { unchecked: true }),
    }
    return [{ facts, onDelete: key.onDelete }]
  })
}
