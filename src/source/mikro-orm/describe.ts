import { StartError } from '../../error/errors.ts'
import type { ValueCapabilities } from '../../model/facts.ts'
import { modelNameOf } from '../../model/naming.ts'
import type { Note } from '../notes.ts'
import type { EntityCodec } from '../sql/codecs.ts'
import {
  type Declaration,
  type DeclaredMember,
  describeDeclared,
  fieldsIn,
  fieldsOfColumns,
  type Unique,
} from '../sql/declared-table.ts'
import type { Described } from '../sql/mapping.ts'
import { isClass, servedBy } from '../sql/served.ts'
import type { MappedTable } from '../sql/tables.ts'
import { isHeir } from './classes.ts'
import { type EntityColumn, namedColumns, styleOf } from './columns.ts'
import { isPivot, type Metadata, type MikroOrmDatabase, tableIn } from './database.ts'
import { factsOf } from './fields.ts'
import {
  type DeclaredEntities,
  type DeclaredEntity,
  fieldsOfProperty,
  foreignKeysOf,
  ownedBy,
} from './foreign-keys.ts'
import { codecOf } from './values.ts'

/** A field with its column. */
export type EntityMember = DeclaredMember<EntityColumn, EntityCodec>

/** A model with its entity. */
export interface MappedEntity extends MappedTable<EntityMember> {
  readonly metadata: Metadata
}

/** The entities that are served: those given by their names, or all; and the pivot tables between them. */
const namedEntities = (
  { orm }: MikroOrmDatabase,
  given: Readonly<Record<string, unknown>> | undefined,
): ReadonlyMap<string, Metadata> => {
  const known: readonly Metadata[] = [...orm.getMetadata().getAll().values()]
  const all = known.filter(
    ({ embeddable, abstract, tableName }: Metadata & { tableName?: string }) =>
      !embeddable && !abstract && tableName !== undefined,
  )
  return servedBy('mikroOrmModels', given, {
    all: all.filter((metadata) => !isPivot(metadata)),
    ownName: ({ className }) => className,
    find: (value, name) => {
      const isOf = (metadata: Metadata): boolean =>
        metadata.class === value || metadata.class === Reflect.get(value, 'class')
      const metadata = all.find(isOf)
      if (metadata !== undefined || !isEntity(value) || known.some(isOf)) return metadata
      throw new StartError(
        `mikroOrmModels: ${name} is not an entity of the ORM. Add it to the option entities of MikroORM.`,
      )
    },
    joins: (served) => {
      // Relations may have copies of the metadata.
      const classes = new Set([...served].map((metadata) => metadata.class))
      const isServed = ({ targetMeta }: Metadata['relations'][number]): boolean =>
        targetMeta !== undefined && classes.has(targetMeta.class)
      return all
        .filter((metadata) => isPivot(metadata) && metadata.relations.every(isServed))
        .map((metadata) => [modelNameOf(metadata.tableName), metadata])
    },
  })
}

/** A schema or a class. */
const isEntity = (value: object): boolean => {
  const meta: unknown = Reflect.get(value, 'meta')
  if (typeof meta === 'object' && meta !== null) return Reflect.get(meta, 'embeddable') !== true
  return isClass(value)
}

export const describeEntities = (
  database: MikroOrmDatabase,
  given: Readonly<Record<string, unknown>> | undefined,
  capabilities: ValueCapabilities,
): Described<MappedEntity> => {
  const notes: Note[] = []
  const entities = namedEntities(database, given)
  const style = styleOf(entities.values())
  const served = [...entities].flatMap(([name, metadata]): readonly DeclaredEntity[] => {
    const why = reasonOf(metadata)
    if (why !== undefined) notes.push({ place: name, becomes: 'left out', why })
    return why === undefined ? [{ name, metadata, columns: namedColumns(name, metadata, style, notes) }] : []
  })
  const named = new Map(served.map((entity) => [entity.metadata.class, entity]))
  return describeDeclared(served, capabilities, notes, {
    declared: (entity) => declaredOf(entity, named, database),
    codec: ({ scalar }, field) => codecOf(scalar, field, database),
    mapped: (entity, base): MappedEntity => ({
      ...{ ...base, metadata: entity.metadata },
      ...{ table: tableIn(database, entity.metadata), checks: checksOf(entity) },
      indexed: indexesOf(entity, 'index').map(({ fields }) => fields),
    }),
  })
}

const reasonOf = ({ virtual, root }: Metadata): string | undefined => {
  if (virtual) return 'virtual entities are queries, not tables'
  return root.inheritanceType === 'tpt' ? 'the columns of its class are in several tables' : undefined
}

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T]

const declaredOf = (
  entity: DeclaredEntity,
  named: DeclaredEntities,
  database: MikroOrmDatabase,
): Declaration<EntityColumn> => {
  const { metadata } = entity
  return {
    ...{
      table: metadata.tableName,
      uniques: uniquesOf(entity, database),
      keys: foreignKeysOf(entity, named),
    },
    primaryKey: metadata.primaryKeys.flatMap((property) => fieldsOfProperty(entity, property)),
    facts: (field, column) => ({
      ...factsOf(field, column.declared, column.scalar, database),
      ...(column.property === metadata.root.discriminatorColumn && { generated: true, hasDefault: true }),
    }),
    foreign: ownedBy(metadata)
      .filter(({ targetMeta }) => targetMeta === undefined || !named.has(targetMeta.class))
      .flatMap(({ fieldNames }) => fieldsOfColumns(entity, fieldNames)),
    readOnly: Boolean(metadata.view) || metadata.readonly === true,
    hidesRecords: isHeir(metadata) || hasFilters(metadata, database),
    ...(metadata.comment && { description: metadata.comment }),
  }
}

/** Filters of the application hold in all reads, unless they have to be asked for. */
const hasFilters = ({ filters }: Metadata, { orm }: MikroOrmDatabase): boolean =>
  Object.values({ ...orm.config.get('filters'), ...filters }).some((filter) => filter.default)

const uniquesOf = (entity: DeclaredEntity, { platform }: MikroOrmDatabase): readonly Unique[] =>
  indexesOf(entity, 'unique').map(({ name, fields }) => {
    const known = new Map(entity.columns)
    const columns = fields.map((field) => known.get(field)?.column ?? '')
    const { tableName } = entity.metadata
    return {
      names: [typeof name === 'string' ? name : platform.getIndexName(tableName, columns, 'unique')],
      fields,
    }
  })

/** An index of a part of the rows, of an expression or of a part of JSON does not count. */
const indexesOf = (
  entity: DeclaredEntity,
  kind: 'unique' | 'index',
): readonly { readonly name: unknown; readonly fields: readonly string[] }[] => {
  const { props, uniques, indexes } = entity.metadata
  const ofProperties = props
    .filter(
      (property) => property[kind] !== undefined && property[kind] !== false && property.persist !== false,
    )
    .map((property) => ({ name: property[kind], properties: [property.name] }))
  const ofTable = (kind === 'unique' ? uniques : indexes).filter(
    ({ where, expression }) => where === undefined && expression === undefined,
  )
  return [...ofProperties, ...ofTable].flatMap(({ name, properties }) => {
    const parts = listOf(properties).map((property) => fieldsOfProperty(entity, property))
    const isWhole = parts.length > 0 && parts.every(({ length }) => length > 0)
    return isWhole ? [{ name, fields: parts.flat() }] : []
  })
}

const checksOf = (entity: DeclaredEntity) =>
  entity.metadata.checks.flatMap(({ name, expression, property }) => {
    if (name === undefined) return []
    const own = entity.columns.filter((column) => column[1].property === property).map(([field]) => field)
    return [{ name, fields: property === undefined ? fieldsIn(entity, String(expression)) : own }]
  })
