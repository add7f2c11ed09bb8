import { type EntityMetadata, getMetadataArgsStorage, InstanceChecker } from 'typeorm'
import { StartError } from '../../error/errors.ts'
import type { ValueCapabilities } from '../../model/facts.ts'
import { caseStyleOf, joinedIn, modelNameOf } from '../../model/naming.ts'
import { type Declared, type DrawnMember, describeDeclared, fieldsIn } from '../sql/drawn.ts'
import type { Described } from '../sql/mapping.ts'
import { servedBy } from '../sql/served.ts'
import type { MappedTable } from '../sql/tables.ts'
import { factsOf } from './fields.ts'
import { type Column, type Drawn, fieldsOf, keysOf } from './foreign-keys.ts'
import { type Codec, type ColumnMetadata, codecOf, type Database } from './values.ts'

/** A field with its column. */
export type Member = DrawnMember<Column, Codec>

/** A model with its entity. */
export interface MappedEntity extends MappedTable<Member> {
  readonly metadata: EntityMetadata
}

/** The entities that are served: those given by their names, or all; and the join tables between them. */
const namedEntities = (
  { source }: Database,
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
          ({ isJunction, foreignKeys }) =>
            isJunction && foreignKeys.every((key) => served.has(key.referencedEntityMetadata)),
        )
        .map((metadata) => [modelNameOf(metadata.tableName), metadata]),
  })
}

const isEntity = (value: object): boolean =>
  InstanceChecker.isEntitySchema(value) ||
  getMetadataArgsStorage().tables.some(({ target }) => target === value)

export const describeEntities = (
  database: Database,
  given: Readonly<Record<string, unknown>> | undefined,
  capabilities: ValueCapabilities,
): Described<MappedEntity> => {
  const notes: string[] = []
  const drawn = [...namedEntities(database, given)].flatMap(([name, metadata]): readonly Drawn[] => {
    if (metadata.primaryColumns.length === 0) {
      notes.push(`${name} is left out: it has no primary column. Declare one, also for a view.`)
      return []
    }
    if (metadata.treeType !== undefined)
      notes.push(`${name} is read-only: TypeORM maintains its tree only in save() of its own repository.`)
    const columns = namedColumns(name, metadata, notes)
    for (const [field, column] of columns)
      if (isPartOfKey(metadata, column.metadata))
        notes.push(
          `${name}.${field} is read-only: it is one of several columns of a relation. Declare a property for it, so that clients can write it.`,
        )
    return [{ name, metadata, columns }]
  })
  const named = new Map(drawn.map((entity) => [entity.metadata, entity]))
  return describeDeclared(drawn, capabilities, notes, {
    declared: (entity) => declaredOf(entity, named, database),
    codec: ({ metadata }, field) => codecOf(metadata, field, database),
    mapped: (entity, base): MappedEntity => ({
      ...{ ...base, metadata: entity.metadata, living: livingOf(entity.metadata) },
      table: entity.metadata.tablePath.split('.').map(database.quoted).join('.'),
      checks: entity.metadata.checks.map(({ name, expression }) => ({
        ...{ name, fields: fieldsIn(entity, expression) },
      })),
    }),
  })
}

/** Fields are named as their properties, with those of embedded entities before them, or as their column in the same style. */
const namedColumns = (model: string, metadata: EntityMetadata, notes: string[]): Drawn['columns'] => {
  const style =
    caseStyleOf(
      metadata.columns.filter(({ isVirtual }) => !isVirtual).map(({ propertyName }) => propertyName),
    ) ?? 'camel'
  return metadata.columns.flatMap((column): Drawn['columns'] => {
    const own = { column: column.databaseName, metadata: column }
    if (column.isVirtualProperty) {
      notes.push(`${model}.${column.propertyName} is left out: it is not a column, but a query.`)
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
const isPartOfKey = ({ isJunction, relations }: EntityMetadata, column: ColumnMetadata): boolean =>
  column.isVirtual &&
  !isJunction &&
  relations.some(({ joinColumns }) => joinColumns.length > 1 && joinColumns.includes(column))

const declaredOf = (
  entity: Drawn,
  named: ReadonlyMap<EntityMetadata, Drawn>,
  database: Database,
): Declared<Column> => {
  const { metadata } = entity
  const { primaryColumns, uniques, indices, foreignKeys } = metadata
  // On MySQL, unique keys are indexes. An index of a part of the rows does not count.
  const unique = [...uniques, ...indices.filter(({ isUnique, where }) => isUnique && !where)]
  return {
    ...{ table: metadata.tableName, primaryKey: fieldsOf(entity, primaryColumns) },
    facts: (field, { metadata: column }) => ({
      ...factsOf(field, column, database),
      ...(isPartOfKey(metadata, column) && { generated: true, hasDefault: true }),
    }),
    uniques: unique.map(({ name, columns }) => ({ names: [name], fields: fieldsOf(entity, columns) })),
    keys: keysOf(entity, named),
    foreign: foreignKeys
      .filter(({ referencedEntityMetadata: target }) => !named.has(target))
      .flatMap((key) => fieldsOf(entity, key.columns)),
    readOnly:
      metadata.tableType === 'view' ||
      metadata.treeType !== undefined ||
      primaryColumns.some((column) => isPartOfKey(metadata, column)),
    ...(metadata.comment && { description: metadata.comment }),
  }
}

/** What TypeORM adds to its own selects: not deleted softly, and of this class of a table with several. */
const livingOf = (metadata: EntityMetadata): MappedEntity['living'] => {
  const { deleteDateColumn, discriminatorColumn, parentEntityMetadata, childEntityMetadatas } = metadata
  return (at, { quoted, value }) => {
    const deleted = deleteDateColumn ? [`${at}.${quoted(deleteDateColumn.databaseName)} is null`] : []
    if (!discriminatorColumn || !parentEntityMetadata) return deleted
    const { databaseName } = discriminatorColumn
    const classes = [metadata, ...childEntityMetadatas].map((own) =>
      value(own.discriminatorValue, databaseName),
    )
    return [...deleted, `${at}.${quoted(databaseName)} in (${classes.join(', ')})`]
  }
}
