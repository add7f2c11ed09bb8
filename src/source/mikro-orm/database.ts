import type {
  EntityManager,
  EntityMetadata,
  EntityProperty,
  MikroORM,
  RawQueryFragment,
} from '@mikro-orm/core'
import { StartError } from '../../error/errors.ts'
import { onceFor, ownValue } from '../../model/objects.ts'
import type { ConnectionQueue } from '../source.ts'
import { type Family, isMysql } from '../sql/codecs.ts'
import { lineOf } from '../sql/connection-line.ts'
import type { Sending } from '../sql/database.ts'
import { forSqlstring } from '../sql/strings.ts'
import { isUtc, offsetOf } from '../sql/times.ts'
import { watchesConnections } from './connections.ts'
import { OBSERVE } from './observed.ts'

/** An entity manager of a SQL driver. Their packages add these methods. */
export interface SqlManager extends EntityManager {
  execute(sql: string | RawQueryFragment, parameters?: readonly [], method?: 'run'): Promise<unknown>
  createQueryBuilder(
    entity: EntityMetadata['class'],
    alias: string,
  ): {
    select(fields: readonly string[]): unknown
    applyFilters(): Promise<void>
    getFormattedQuery(): string
  }
}

export type Metadata = EntityMetadata
export type Property = EntityProperty

type Schemas = Pick<MikroOrmDatabase, 'orm' | 'platform'>

/** The schema of an entity: its own, or that of the request, of the ORM or of the database. */
export const schemaOf = (
  { orm, platform }: Schemas,
  { schema }: Metadata,
  ofRequest?: string,
): string | undefined =>
  [
    schema,
    ofRequest,
    orm.config.get('schema'),
    platform.getDefaultSchemaName() ?? orm.config.get('dbName'),
  ].find((one) => one !== undefined && one !== '*')

/** The table of an entity in SQL. */
export const tableIn = (
  database: Schemas & Pick<MikroOrmDatabase, 'quoted'>,
  metadata: Metadata,
  ofRequest?: string,
): string => {
  const { orm, platform, quoted } = database
  const schema = schemaOf(database, metadata, ofRequest)
  const isNamed = schema !== (platform.getDefaultSchemaName() ?? orm.config.get('dbName'))
  return [...(isNamed && schema !== undefined ? [schema] : []), metadata.tableName].map(quoted).join('.')
}

/** Whether MikroORM made the entity of a pivot table, and so the names of its properties. */
export const isPivot = ({ pivotTable, relations }: Metadata): boolean =>
  pivotTable === true && relations.some(({ name }) => name.endsWith('_inverse'))

/** An instance of MikroORM with what its statements depend on. */
export interface MikroOrmDatabase {
  readonly orm: MikroORM
  readonly platform: ReturnType<EntityManager['getPlatform']>
  readonly family: Family
  readonly quoted: (name: string) => string
  /** How far the times that MikroORM stores without a zone are from UTC, in milliseconds. */
  readonly offset: number
  /** Those of its pool. */
  readonly queues: readonly ConnectionQueue[]
  /** Runs a statement. */
  readonly execute: (manager: SqlManager, sql: string | RawQueryFragment, method?: 'run') => Promise<unknown>
  /** Runs work in a transaction of its own. */
  readonly transaction: <T>(manager: SqlManager, work: (inside: SqlManager) => Promise<T>) => Promise<T>
}

const families: Readonly<Record<string, Family>> = {
  ...{ BasePostgreSqlPlatform: 'pg', BaseMySqlPlatform: 'mysql' },
  ...{ MariaDbPlatform: 'mariadb', SqlitePlatform: 'sqlite' },
}

/** By the names of its classes. */
const familyOf = (platform: object | null): Family | undefined =>
  platform === null
    ? undefined
    : (ownValue(families, platform.constructor.name) ?? familyOf(Object.getPrototypeOf(platform)))

/** @throws StartError for a database that is not supported, or a time zone that changes */
export const databaseOf = (orm: MikroORM): MikroOrmDatabase => {
  if (typeof Object(orm).em?.getPlatform !== 'function')
    throw new StartError(
      'mikroOrmModels: the first argument must be an ORM, such as await MikroORM.init({ … }).',
    )
  const platform = orm.em.getPlatform()
  const family = familyOf(platform)
  if (family === undefined)
    throw new StartError(
      `mikroOrmModels: the driver is ${orm.driver.constructor.name}, but must be one of PostgreSQL, MySQL, MariaDB or SQLite.`,
    )
  if (isMysql(family)) writesStrings(platform)
  const line = lineOf(orm)
  const watched = watchesConnections(family, line)
  return Object.freeze({
    ...{ orm, platform, family, queues: family === 'sqlite' ? [] : [line.queue] },
    // A name may contain a dot, which MikroORM would take as the end of a schema.
    quoted: (name: string) => {
      const mark = family === 'pg' ? '"' : '`'
      return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
    },
    offset: family === 'sqlite' ? 0 : steadyOffset(platform.getTimezone()),
    execute: async (manager: SqlManager, sql: string | RawQueryFragment, method?: 'run') => {
      await watched?.(manager)
      return await (method === undefined ? manager.execute(sql) : manager.execute(sql, [], method))
    },
    transaction: async <T>(manager: SqlManager, work: (inside: SqlManager) => Promise<T>): Promise<T> => {
      await watched?.(manager)
      return await manager.transactional((inside) => work(inside as SqlManager))
    },
  })
}

/** MikroORM writes all values into its statements, and escapes strings of MySQL for one mode of the server. */
const writesStrings = onceFor((platform: MikroOrmDatabase['platform']): void => {
  const written = platform.escape.bind(platform)
  const family = familyOf(platform) ?? 'mariadb'
  platform.escape = (value) => written(forSqlstring(value, family))
})

const steadyOffset = (zone = ''): number => {
  const offset = offsetOf(zone)
  if (offset !== undefined) return offset
  if (zone === 'Z' || zone === 'utc' || isUtc()) return 0
  throw new StartError(
    'mikroOrmModels: MikroORM stores date-times in the local time zone, whose clock may show an hour twice. Set forceUtcTimezone to true, or the environment variable TZ to UTC.',
  )
}

/** The manager for one act, with its own identity map and the filters of the request. */
export const forkOf = (manager: SqlManager, isInside: boolean, observe?: Sending): SqlManager =>
  manager.fork({
    keepTransactionContext: isInside,
    ...(observe && { loggerContext: { [OBSERVE]: observe } }),
  }) as SqlManager
