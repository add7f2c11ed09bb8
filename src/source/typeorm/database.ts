import { type DataSource, InstanceChecker } from 'typeorm'
import { StartError } from '../../error/errors.ts'
import { onceFor } from '../../model/objects.ts'
import type { ConnectionQueue } from '../source.ts'
import { type Family, isMysql } from '../sql/codecs.ts'
import { lineOf } from '../sql/connection-line.ts'
import { prepareConnection } from '../sql/mysql-connections.ts'
import { isUtc } from '../sql/times.ts'
import { precisionName } from '../sql/types.ts'
import type { MappedEntity } from './describe.ts'
import { hasListeners } from './hooks.ts'
import type { TypeormDatabase } from './values.ts'

const families: Readonly<Record<string, Family>> = {
  ...{ postgres: 'pg', mysql: 'mysql', mariadb: 'mariadb', 'better-sqlite3': 'sqlite' },
}

/** @throws StartError for a data source that cannot be used */
export const databaseOf = (source: DataSource): TypeormDatabase => {
  if (!InstanceChecker.isDataSource(source))
    throw new StartError(
      'typeormModels: the first argument must be a DataSource, such as new DataSource({ … }).',
    )
  const { type } = source.options
  const family = Object.hasOwn(families, type) ? families[type] : undefined
  if (family === undefined)
    throw new StartError(
      `typeormModels: the type of the data source is ${type}, but must be postgres, mysql, mariadb or better-sqlite3.`,
    )
  if (!source.isInitialized)
    throw new StartError(
      'typeormModels: the data source is not initialized. Call await dataSource.initialize() before.',
    )
  if (source.driver.isReplicated && source.defaultReplicationModeForReads() !== 'master')
    throw new StartError(
      "typeormModels: the data source reads from replicas, which may lag behind the last writes. Set replication.defaultMode to 'master'.",
    )
  const { driver } = source
  if (isMysql(family)) preparesConnections(driver as MysqlDriver)
  return Object.freeze<TypeormDatabase>({
    queues: family === 'sqlite' ? [] : [queueOf(driver as PooledDriver)],
    ...{ source, family, quoted: (name) => driver.escape(name) },
    typeOf: (column) => {
      const { precision, scale } = column
      return precisionName({
        name: String(driver.normalizeType(column)),
        precision: precision ?? undefined,
        scale,
      })
    },
  })
}

/** Pools and clusters of pools lend connections through these methods of TypeORM's driver. */
type MysqlDriver = DataSource['driver'] &
  Record<
    'obtainMasterConnection' | 'obtainSlaveConnection',
    () => Promise<Parameters<typeof prepareConnection>[0]>
  >

const preparesConnections = onceFor((driver: MysqlDriver): void => {
  for (const method of ['obtainMasterConnection', 'obtainSlaveConnection'] as const) {
    const obtain = driver[method].bind(driver)
    driver[method] = async () => {
      const connection = await obtain()
      prepareConnection(connection)
      return connection
    }
  }
})

/** A driver with a pool. Each statement outside of transactions, and each transaction, obtains a connection. */
interface PooledDriver {
  obtainMasterConnection(): Promise<unknown>
}

const queueOf = onceFor((driver: PooledDriver): ConnectionQueue => {
  const { queue, wait } = lineOf(driver)
  const obtain = driver.obtainMasterConnection.bind(driver)
  driver.obtainMasterConnection = () => wait(obtain)
  return queue
})

/** What listeners and subscribers hear, and what TypeORM writes for them, are date-times of the process's zone. */
export const assertZone = ({ source, family }: TypeormDatabase, entities: readonly MappedEntity[]): void => {
  if (family === 'sqlite') return
  const zone = family === 'pg' ? 'local' : (Reflect.get(source.options, 'timezone') ?? 'local')
  if (isUtc() && ['local', 'Z', '+00:00'].includes(String(zone))) return
  const zoned = family === 'pg' ? ['localdatetime'] : ['datetime', 'localdatetime']
  const shifted = entities.find(
    ({ metadata, model }) =>
      model.fields.some(({ kind }) => zoned.includes(kind)) &&
      (['Insert', 'Update'] as const).some((act) => hasListeners(source, metadata, act)),
  )
  if (shifted !== undefined)
    throw new StartError(
      `typeormModels: listeners or subscribers hear writes of ${shifted.model.name}, whose date-times TypeORM would shift. Set the environment variable TZ to UTC, and leave out the option timezone of the DataSource.`,
    )
}
