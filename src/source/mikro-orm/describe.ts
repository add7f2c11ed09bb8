import { StartError } from '../../error/errors.ts'
import type { FieldFacts, TableFacts, ValueCapabilities } from '../../model/facts.ts'
import { modelNameOf } from '../../model/naming.ts'
import {
  type Described,
  describeDrawn,
  givenOnce,
  isClass,
  mergedUniques,
  namedOnce,
  nameOf,
} from '../sql/mapping.ts'
import type { MappedTable, Member as SqlMember } from '../sql/tables.ts'
import { type Column, namedColumns, styleOf } from './columns.ts'
import { type Database, isPivot, type Metadata, type Property, tableIn } from './database.ts'
import { factsOf } from './fields.ts'
import { type Drawn, fieldsOf, fieldsOfProperty, keysOf, ownedBy, type Served } from './foreign-keys.ts'
import { codecOf, type EntityCodec } from './values.ts'

/** A field with its column. */
export interface Member extends SqlMember, Omit<Column, 'property'> {
  readonly codec: EntityCodec
  readonly property: string
  readonly declared: Property
}

/** A model with its entity. */
export interface MappedEntity extends MappedTable<Member> {
  readonly metadata: Metadata
  /** The name of the table in the database. */
  readonly name: string
}

/** Model name -> metadata of its entity or pivot table. */
export type NamedEntities = ReadonlyMap<string, Metadata>

/** The entities that are served: those given by their names, or all; and the pivot tables between them. */
export const namedEntities = (
  { orm }: Database,
  given: Readonly<Record<string, unknown>> | undefined,
): NamedEntities => {
  const known: readonly Metadata[] = [...orm.getMetadata().getAll().values()]
  const all = known.filter(
    ({ embeddable, abstract, tableName }: Metadata & { tableName?: string }) =>
      !embeddable && !abstract && tableName !== undefined,
  )
  const find = (value: object, name: string): Metadata | undefined => {
    const isOf = (metadata: Metadata): boolean =>
      metadata.class === value || metadata.class === Reflect.get(value, 'class')
    const metadata = all.find(isOf)
    if (metadata !== undefined || !isEntity(value) || known.some(isOf)) return metadata
    throw new StartError(
      `mikroOrmModels: ${name} is not an entity of the ORM. Add it to the option entities of MikroORM.`,
    )
  }
  const named: readonly (readonly [string, Metadata])[] =
    given === undefined
      ? all.filter((metadata) => !isPivot(metadata)).map((metadata) => [nameOf(metadata.className), metadata])
      : givenOnce('mikroOrmModels', given, find, ({ className }) => className)
  // Relations may have copies of the metadata.
  const served = new Set(named.map(([, metadata]) => metadata.class))
  const pivots = all
    .filter(
      (metadata) =>
        isPivot(metadata) &&
        metadata.relations.every(({ targetMeta }) => targetMeta && served.has(targetMeta.class)),
    )
    .map((metadata) => [modelNameOf(metadata.tableName), metadata] as const)
  return namedOnce('mikroOrmModels', [...named, ...pivots])
}

/** A schema or a class. */
const isEntity = (value: object): boolean => {
  const meta: unknown = Reflect.get(value, 'meta')
  if (typeof meta === 'object' && meta !== null) return Reflect.get(meta, 'embeddable') !== true
  return isClass(value)
}

export const describeEntities = (
  database: Database,
  entities: NamedEntities,
  capabilities: ValueCapabilities,
): Described<MappedEntity> => {
  const notes: string[] = []
  const style = styleOf(entities.values())
  const drawn = [...entities].flatMap(([name, metadata]): readonly Drawn[] => {
    const reason = reasonOf(metadata)
    if (reason !== undefined) notes.push(`${name} is left out: ${reason}.`)
    return reason === undefined
      ? [{ name, metadata, columns: namedColumns(name, metadata, style, notes) }]
      : []
  })
  const named = new Map(drawn.map((entity) => [entity.metadata.class, entity]))
  return describeDrawn(drawn, capabilities, notes, {
    facts: (entity) => tableFacts(entity, named, database),
    keys: (entity) => keysOf(entity, named),
    mapped: (entity, model) => mapped(entity, model, database),
  })
}

const reasonOf = ({ primaryKeys, virtual, root }: Metadata): string | undefined => {
  if (virtual) return 'it is virtual, which means a query and not a table'
  if (primaryKeys.length === 0) return 'it has no primary key. Declare one, also for a view'
  return root.inheritanceType === 'tpt' ? 'its columns are in several tables' : undefined
}

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T]

const tableFacts = (entity: Drawn, named: Served, database: Database): TableFacts => {
  const { name, metadata, columns } = entity
  const primaryKey = metadata.primaryKeys.flatMap((property) => fieldsOfProperty(entity, property))
  const lonely = new Set(
    ownedBy(metadata)
      .filter(({ targetMeta }) => targetMeta === undefined || !named.has(targetMeta.class))
      .flatMap(({ fieldNames }) => fieldsOf(entity, fieldNames)),
  )
  const isDecided = (property: Property): boolean => property.name === metadata.root.discriminatorColumn
  return {
    ...{ name, table: metadata.tableName, primaryKey },
    fields: [...columns].map(
      ([field, { property, scalar }]): FieldFacts => ({
        ...factsOf(field, property, scalar, database),
        ...(primaryKey.includes(field) && { nullable: false }),
        ...(isDecided(property) && { generated: true, hasDefault: true }),
        ...(lonely.has(field) && { foreign: true as const }),
      }),
    ),
    uniques: uniquesOf(entity, database).map(({ fields }) => fields),
    foreignKeys: keysOf(entity, named).map(({ facts }) => facts),
    readOnly: Boolean(metadata.view) || metadata.readonly === true,
    ...(metadata.comment && { description: metadata.comment }),
  }
}

/** An index of a part of the rows, of an expression or of a part of JSON does not count. */
const uniquesOf = (entity: Drawn, { platform }: Database): MappedEntity['indexes'] => {
  const { props, uniques, tableName } = entity.metadata
  const ofProperties = props
    .filter(({ unique, persist }) => unique !== undefined && unique !== false && persist !== false)
    .map(({ name, unique }) => ({ name: unique, properties: [name] }))
  const ofTable = uniques.filter(({ where, expression }) => where === undefined && expression === undefined)
  const keys = [...ofProperties, ...ofTable].flatMap(({ name, properties }) => {
    const parts = listOf(properties).map((property) => fieldsOfProperty(entity, property))
    if (parts.length === 0 || parts.some(({ length }) => length === 0)) return []
    const fields = parts.flat()
    const columns = fields.map((field) => entity.columns.get(field)?.column ?? '')
    return [
      {
        names: [typeof name === 'string' ? name : platform.getIndexName(tableName, columns, 'unique')],
        fields,
      },
    ]
  })
  return mergedUniques(keys)
}

const mapped = (entity: Drawn, model: MappedEntity['model'], database: Database): MappedEntity => {
  const { metadata, columns } = entity
  const members = model.fields.flatMap((field): readonly (readonly [string, Member])[] => {
    const column = columns.get(field.name)
    if (column === undefined) return []
    const codec = codecOf(column.scalar, field, database)
    return [
      [field.name, { ...column, field, codec, property: column.property.name, declared: column.property }],
    ]
  })
  const { tableName } = metadata
  return {
    ...{ model, metadata, name: tableName, members: new Map(members), living: () => [] },
    table: tableIn(database, metadata),
    columns: Object.fromEntries([...columns].map(([name, { column }]) => [name, column])),
    indexes: [{ names: ['PRIMARY'], fields: model.primaryKey }, ...uniquesOf(entity, database)],
    checks: metadata.checks.flatMap(({ name, expression, property }) => {
      if (name === undefined) return []
      const text = String(expression)
      const isIn = (column: string): boolean =>
        new RegExp(`(?<!\\w)${column.replace(/\W/g, '\\$&')}(?!\\w)`).test(text)
      const fields = [...columns].flatMap(([field, own]) =>
        own.property.name === property || (property === undefined && isIn(own.column)) ? [field] : [],
      )
      return [{ name, fields }]
    }),
  }
}
