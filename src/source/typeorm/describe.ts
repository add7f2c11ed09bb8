import { type EntityMetadata, getMetadataArgsStorage, InstanceChecker } from 'typeorm'
import { StartError } from '../../error/errors.ts'
import type { ValueCapabilities } from '../../model/facts.ts'
import { caseStyleOf, joinedIn, modelNameOf } from '../../model/naming.ts'
import type { Note } from '../notes.ts'
import { type Declaration, type DeclaredMember, describeDeclared, fieldsIn } from '../sql/declared-table.ts'
import type { Described } from '../sql/mapping.ts'
import { servedBy } from '../sql/served.ts'
import type { MappedTable } from '../sql/tables.ts'
import { listSql, type Sql, sql } from '../sql/text.ts'
import { columnsOf, ownedRelations, tableOf } from './classes.ts'
import { factsOf } from './fields.ts'
import {
  type DeclaredEntity,
  type EntityColumn,
  endsOf,
  fieldsOf,
  foreignFieldsOf,
  foreignKeysOf,
} from './foreign-keys.ts'
import { type ColumnMetadata, codecOf, type TypeormCodec, type TypeormDatabase } from './values.ts'

/** A field with its column. */
export type EntityMember = DeclaredMember<EntityColumn, TypeormCodec>

/** A model with its entity. */
export interface MappedEntity extends MappedTable<EntityMember> {
  readonly metadata: EntityMetadata
}

/** The entities that are served: those given by their names, or all; and the join tables between them. */
const namedEntities = (
  { source }: TypeormDatabase,
  given: Readonly<Record<string, unknown>> | undefined,
): ReadonlyMap<string, EntityMetadata> => {
  const all = source.entityMetadatas.filter(({ tableType }) => tableType !== 'closure-junction')
  return servedBy('typeormModels', given, {
    all: all.filter(({ isJunction }) => !isJunction),
    ownName: ({ name }) => name,
    find: (value, name) => {
      const target = value as EntityMetadata['target']
      if (source.hasMetadata(target)) return source.getMetadata(target)
      if (!isEntity(value)) return undefined
      throw new StartError(
        `typeormModels: ${name} is not an entity of the data source. Add it to the option entities of the DataSource.`,
      )
    },
    joins: (served) =>
      all
        .filter(
          (metadata) =>
            metadata.isJunction && endsOf(metadata).every((ends) => ends.some((end) => served.has(end))),
        )
        .map((metadata) => [modelNameOf(metadata.tableName), metadata]),
  })
}

const isEntity = (value: object): boolean =>
  InstanceChecker.isEntitySchema(value) ||
  getMetadataArgsStorage().tables.some(({ target }) => target === value)

export const describeEntities = (
  database: TypeormDatabase,
  given: Readonly<Record<string, unknown>> | undefined,
  capabilities: ValueCapabilities,
): Described<MappedEntity> => {
  const notes: Note[] = []
  const served = [...namedEntities(database, given)].flatMap(
    ([name, metadata]): readonly DeclaredEntity[] => {
      if (metadata.treeType !== undefined)
        notes.push({
          ...{ place: name, becomes: 'read-only' },
          why: 'TypeORM maintains trees only in save() of its own repository',
        })
      const columns = namedColumns(name, metadata, notes)
      for (const [field, column] of columns)
        if (isPartOfKey(metadata, column.metadata))
          notes.push({
            ...{ place: `${name}.${field}`, becomes: 'read-only' },
            why: 'the relation has several columns. Declare a property for each column, so that clients can write it',
          })
      return [{ name, metadata, columns }]
    },
  )
  const named = new Map(served.map((entity) => [entity.metadata, entity]))
  return describeDeclared(served, capabilities, notes, {
    declared: (entity) => declaredOf(entity, named, database),
    codec: ({ metadata }, field) => codecOf(metadata, field, database),
    mapped: (entity, base): MappedEntity => ({
      ...{ ...base, metadata: entity.metadata },
      indexed: tableOf(entity.metadata).indices.flatMap(({ columns, isUnique, where }) =>
        isUnique || where ? [] : [fieldsOf(entity, columns)],
      ),
      table: entity.metadata.tablePath.split('.').map(database.quoted).join('.'),
      checks: tableOf(entity.metadata).checks.map(({ name, expression }) => ({
        ...{ name, fields: fieldsIn(entity, expression) },
      })),
    }),
  })
}

/** Fields are named as their properties, with those of embedded entities before them, or as their column in the same style. */
const namedColumns = (model: string, metadata: EntityMetadata, notes: Note[]): DeclaredEntity['columns'] => {
  const known = columnsOf(metadata)
  const style =
    caseStyleOf(known.filter(({ isVirtual }) => !isVirtual).map(({ propertyName }) => propertyName)) ??
    'camel'
  return known.flatMap((column): DeclaredEntity['columns'] => {
    const own = { column: column.databaseName, metadata: column }
    if (column.isVirtualProperty) {
      const why = 'TypeORM computes it with a query, so it has no column'
      notes.push({ place: `${model}.${column.propertyName}`, becomes: 'left out', why })
      return []
    }
    const isHidden =
      column.isDiscriminator || column.isMaterializedPath || column.isNestedSetLeft || column.isNestedSetRight
    if (column.isVirtual) return isHidden ? [] : [[joinedIn(style, column.databaseName), own]]
    const path = column.propertyPath.split('.')
    return [[path.length === 1 ? column.propertyName : joinedIn(style, ...path), own]]
  })
}

/** TypeORM writes such columns only together, as a related entity, which overrides declared columns. */
const isPartOfKey = (metadata: EntityMetadata, column: ColumnMetadata): boolean =>
  column.isVirtual &&
  !metadata.isJunction &&
  ownedRelations(metadata).some(({ joinColumns }) => joinColumns.length > 1 && joinColumns.includes(column))

const declaredOf = (
  entity: DeclaredEntity,
  named: ReadonlyMap<EntityMetadata, DeclaredEntity>,
  database: TypeormDatabase,
): Declaration<EntityColumn> => {
  const { metadata } = entity
  const { primaryColumns } = metadata
  const { uniques, indices } = tableOf(metadata)
  // On MySQL, unique keys are indexes. An index of a part of the rows does not count.
  const unique = [...uniques, ...indices.filter(({ isUnique, where }) => isUnique && !where)]
  return {
    // A name may contain that of a schema.
    ...{ table: metadata.tablePath.split('.').at(-1) ?? '', primaryKey: fieldsOf(entity, primaryColumns) },
    facts: (field, { metadata: column }) => ({
      ...factsOf(field, column, database),
      ...(isPartOfKey(metadata, column) && { generated: true, hasDefault: true }),
    }),
    uniques: unique.flatMap(({ name, columns }) => {
      const fields = fieldsOf(entity, columns)
      // Others have columns of another class.
      return fields.length === columns.length ? [{ names: [name], fields }] : []
    }),
    ...{ keys: foreignKeysOf(entity, named), foreign: foreignFieldsOf(entity, named) },
    hidesRecords: metadata.deleteDateColumn !== undefined || metadata.parentEntityMetadata !== undefined,
    readOnly:
      metadata.tableType === 'view' ||
      metadata.treeType !== undefined ||
      primaryColumns.some((column) => isPartOfKey(metadata, column)),
    ...(metadata.comment && { description: metadata.comment }),
  }
}

/** What TypeORM adds to its own selects: not deleted softly, and of this class of a table with several. */
export const filterOf = (metadata: EntityMetadata, at: Sql): Sql | undefined => {
  const { deleteDateColumn, discriminatorColumn, discriminatorValue } = metadata
  const { parentEntityMetadata, childEntityMetadatas } = metadata
  const column = (name: string): Sql => sql`${at}.${sql.identifier(name)}`
  const parts = deleteDateColumn ? [sql`${column(deleteDateColumn.databaseName)} is null`] : []
  if (discriminatorColumn && parentEntityMetadata) {
    const classes = [discriminatorValue, ...childEntityMetadatas.map((child) => child.discriminatorValue)]
    const values = listSql(classes.map((value) => sql.value(value)))
    parts.push(sql`${column(discriminatorColumn.databaseName)} in (${values})`)
  }
  return parts.length === 0 ? undefined : sql.join(parts, sql` and `)
}
