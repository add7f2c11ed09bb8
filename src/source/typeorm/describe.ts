import { type EntityMetadata, getMetadataArgsStorage, InstanceChecker } from 'typeorm'
import { StartError } from '../../error/errors.ts'
import type { FieldFacts, TableFacts, ValueCapabilities } from '../../model/facts.ts'
import { caseStyleOf, joinedIn, modelNameOf } from '../../model/naming.ts'
import { type Described, describeDrawn, givenOnce, mergedUniques, namedOnce, nameOf } from '../sql/mapping.ts'
import type { MappedTable, Member as SqlMember } from '../sql/tables.ts'
import { factsOf } from './fields.ts'
import { type Drawn, fieldsOf, keysOf } from './foreign-keys.ts'
import { type Codec, type ColumnMetadata, codecOf, type Database } from './values.ts'

/** A field with its column. */
export interface Member extends SqlMember {
  readonly metadata: ColumnMetadata
  readonly codec: Codec
}

/** A model with its entity. */
export interface MappedEntity extends MappedTable<Member> {
  readonly metadata: EntityMetadata
}

/** Model name -> metadata of its entity or join table. */
export type NamedEntities = ReadonlyMap<string, EntityMetadata>

/** The entities that are served: those given by their names, or all; and the join tables between them. */
export const namedEntities = (
  { source }: Database,
  given: Readonly<Record<string, unknown>> | undefined,
): NamedEntities => {
  const all = source.entityMetadatas.filter(({ tableType }) => tableType !== 'closure-junction')
  const entities = all.filter(({ isJunction }) => !isJunction)
  const find = (value: object, name: string): EntityMetadata | undefined => {
    const target = value as EntityMetadata['target']
    if (source.hasMetadata(target)) return source.getMetadata(target)
    if (!isEntity(value)) return undefined
    throw new StartError(
      `typeormModels: ${name} is not an entity of the data source. Add it to the option entities of the DataSource.`,
    )
  }
  const named: readonly (readonly [string, EntityMetadata])[] =
    given === undefined
      ? entities.map((metadata) => [nameOf(metadata.name), metadata])
      : givenOnce('typeormModels', given, find, ({ name }) => name)
  const served = new Set(named.map(([, metadata]) => metadata))
  const joins = all
    .filter(
      ({ isJunction, foreignKeys }) =>
        isJunction && foreignKeys.every((key) => served.has(key.referencedEntityMetadata)),
    )
    .map((metadata) => [modelNameOf(metadata.tableName), metadata] as const)
  return namedOnce('typeormModels', [...named, ...joins])
}

const isEntity = (value: object): boolean =>
  InstanceChecker.isEntitySchema(value) ||
  getMetadataArgsStorage().tables.some(({ target }) => target === value)

export const describeEntities = (
  database: Database,
  entities: NamedEntities,
  capabilities: ValueCapabilities,
): Described<MappedEntity> => {
  const notes: string[] = []
  const drawn = [...entities].flatMap(([name, metadata]): readonly Drawn[] => {
    if (metadata.primaryColumns.length === 0) {
      notes.push(`${name} is left out: it has no primary column. Declare one, also for a view.`)
      return []
    }
    if (metadata.treeType !== undefined)
      notes.push(`${name} is read-only: TypeORM maintains its tree only in save() of its own repository.`)
    const columns = namedColumns(name, metadata, notes)
    for (const [field, column] of columns)
      if (isPartOfKey(metadata, column))
        notes.push(
          `${name}.${field} is read-only: it is one of several columns of a relation. Declare a property for it, so that clients can write it.`,
        )
    return [{ name, metadata, columns }]
  })
  const named = new Map(drawn.map((entity) => [entity.metadata, entity]))
  return describeDrawn(drawn, capabilities, notes, {
    facts: (entity) => tableFacts(entity, named, database),
    keys: (entity) => keysOf(entity, named),
    mapped: (entity, model) => mapped(entity, model, database),
  })
}

/** Fields are named as their properties, with those of embedded entities before them, or as their column in the same style. */
const namedColumns = (model: string, metadata: EntityMetadata, notes: string[]): Drawn['columns'] => {
  const style =
    caseStyleOf(
      metadata.columns.filter(({ isVirtual }) => !isVirtual).map(({ propertyName }) => propertyName),
    ) ?? 'camel'
  return metadata.columns.flatMap((column): Drawn['columns'] => {
    if (column.isVirtualProperty) {
      notes.push(`${model}.${column.propertyName} is left out: it is not a column, but a query.`)
      return []
    }
    const isHidden =
      column.isDiscriminator || column.isMaterializedPath || column.isNestedSetLeft || column.isNestedSetRight
    if (column.isVirtual && isHidden) return []
    if (column.isVirtual) return [[joinedIn(style, column.databaseName), column]]
    const path = column.propertyPath.split('.')
    return [[path.length === 1 ? column.propertyName : joinedIn(style, ...path), column]]
  })
}

/** TypeORM writes such columns only together, as a related entity, which overrides declared columns. */
const isPartOfKey = ({ isJunction, relations }: EntityMetadata, column: ColumnMetadata): boolean =>
  column.isVirtual &&
  !isJunction &&
  relations.some(({ joinColumns }) => joinColumns.length > 1 && joinColumns.includes(column))

const tableFacts = (
  entity: Drawn,
  named: ReadonlyMap<EntityMetadata, Drawn>,
  database: Database,
): TableFacts => {
  const { name, metadata, columns } = entity
  const keys = keysOf(entity, named)
  const lonely = new Set(
    metadata.foreignKeys
      .filter(({ referencedEntityMetadata: target }) => !named.has(target))
      .flatMap((key) => fieldsOf(entity, key.columns)),
  )
  return {
    ...{ name, table: metadata.tableName, primaryKey: fieldsOf(entity, metadata.primaryColumns) },
    fields: columns.map(
      ([field, column]): FieldFacts => ({
        ...factsOf(field, column, database),
        ...(column.isPrimary && { nullable: false }),
        ...(isPartOfKey(metadata, column) && { generated: true, hasDefault: true }),
        ...(lonely.has(field) && { foreign: true as const }),
      }),
    ),
    uniques: uniquesOf(entity).map(({ fields }) => fields),
    foreignKeys: keys.map(({ facts }) => facts),
    readOnly:
      metadata.tableType === 'view' ||
      metadata.treeType !== undefined ||
      metadata.primaryColumns.some((column) => isPartOfKey(metadata, column)),
    ...(metadata.comment && { description: metadata.comment }),
  }
}

/** On MySQL, unique keys are indexes. An index of a part of the rows does not count. */
const uniquesOf = (entity: Drawn): MappedEntity['indexes'] => {
  const { uniques, indices } = entity.metadata
  const keys = [...uniques, ...indices.filter(({ isUnique, where }) => isUnique && !where)]
  return mergedUniques(
    keys.map(({ name, columns }) => ({ names: [name], fields: fieldsOf(entity, columns) })),
  )
}

const mapped = (entity: Drawn, model: MappedEntity['model'], database: Database): MappedEntity => {
  const { metadata, columns } = entity
  const members = model.fields.flatMap((field): readonly (readonly [string, Member])[] => {
    const found = columns.find(([name]) => name === field.name)?.[1]
    if (found === undefined) return []
    const codec = codecOf(found, field, database)
    return [[field.name, { field, column: found.databaseName, metadata: found, codec }]]
  })
  return {
    ...{ model, metadata, name: metadata.tableName, members: new Map(members) },
    table: metadata.tablePath.split('.').map(database.quoted).join('.'),
    living: livingOf(metadata),
    columns: Object.fromEntries(columns.map(([name, { databaseName }]) => [name, databaseName])),
    indexes: [{ names: ['PRIMARY'], fields: model.primaryKey }, ...uniquesOf(entity)],
    checks: metadata.checks.map(({ name, expression }) => ({
      name,
      fields: columns
        .filter(([, { databaseName }]) =>
          new RegExp(`(?<!\\w)${databaseName.replace(/\W/g, '\\$&')}(?!\\w)`).test(expression),
        )
        .map(([field]) => field),
    })),
  }
}

/** What TypeORM adds to its own selects: not deleted softly, and of this class of a table with several. */
const livingOf = (metadata: EntityMetadata): MappedEntity['living'] => {
  const { deleteDateColumn, discriminatorColumn, parentEntityMetadata, childEntityMetadatas } = metadata
  return (at, { quoted, value }) => {
    const deleted = deleteDateColumn && `${at}.${quoted(deleteDateColumn.databaseName)} is null`
    if (!discriminatorColumn || !parentEntityMetadata) return deleted ? [deleted] : []
    const { databaseName } = discriminatorColumn
    const classes = [metadata, ...childEntityMetadatas].map((own) =>
      value(own.discriminatorValue, databaseName),
    )
    return [...(deleted ? [deleted] : []), `${at}.${quoted(databaseName)} in (${classes.join(', ')})`]
  }
}
