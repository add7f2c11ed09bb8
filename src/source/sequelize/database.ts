import type { Options, Sequelize } from 'sequelize'
import { StartError } from '../../error/errors.ts'
import { onceFor } from '../../model/objects.ts'
import type { ConnectionQueue } from '../source.ts'
import { type Family, isMysql } from '../sql/codecs.ts'
import { lineOf } from '../sql/connection-line.ts'
import { prepareConnection } from '../sql/mysql-connections.ts'
import { rightSession } from '../sql/sessions.ts'
import { offsetOf } from '../sql/times.ts'
import { generatorOf, optionsOf } from './internals.ts'
import { type SequelizeDatabase, UTC } from './values.ts'

const families: Readonly<Record<string, Family>> = {
  ...{ postgres: 'pg', mysql: 'mysql', mariadb: 'mariadb', sqlite: 'sqlite' },
}

const MEMORY = ':memory:'

/** @throws StartError for an instance of Sequelize that cannot be used */
export const databaseOf = (sequelize: Sequelize): SequelizeDatabase => {
  if (typeof Object(sequelize).getDialect !== 'function')
    throw new StartError(
      'sequelizeModels: the first argument must be an instance of Sequelize, such as new Sequelize(url).',
    )
  const dialect = sequelize.getDialect()
  const family = Object.hasOwn(families, dialect) ? families[dialect] : undefined
  if (family === undefined)
    throw new StartError(
      `sequelizeModels: the dialect is ${dialect}, but must be postgres, mysql, mariadb or sqlite.`,
    )
  if (isMysql(family)) preparesConnections(sequelize)
  const { Op, literal, Model, QueryTypes } = sequelize.constructor as typeof Sequelize &
    typeof import('sequelize')
  const queries = sequelize.getQueryInterface()
  const generator = generatorOf(sequelize)
  const options = optionsOf(sequelize)
  const known = new Map<string, string>()
  const quoted = (name: string): string => {
    const sql = known.get(name) ?? queries.quoteIdentifier(name)
    known.set(name, sql)
    return sql
  }
  return Object.freeze<SequelizeDatabase>({
    queues: family === 'sqlite' ? [] : [queueOf(sequelize.connectionManager)],
    ...{ sequelize, family, quoted, sequelizeLiteral: literal, and: Op.and, eq: Op.eq, Model },
    table: (model) => generator.quoteTable(model.getTableName()),
    whereSql: (where, alias, model) => generator.getWhereConditions(where, literal(alias), model),
    select: (sql, options = { transaction: null, useMaster: true }) =>
      sequelize.query(sql, { type: QueryTypes.SELECT, raw: true, ...options }),
    rightSession: (options) => sequelize.query(rightSession, options),
    insert: (sql, options) => sequelize.query(sql, { type: QueryTypes.INSERT, ...options }),
    changesWrites: changesWrites(options),
    timezone: options.timezone ?? UTC,
    storage: family === 'sqlite' ? (options.storage ?? options.host ?? MEMORY) : undefined,
    offset: isMysql(family) ? steadyOffset(options.timezone) : 0,
  })
}

/** Connections of mysql2, or of the connector of MariaDB, which itself writes strings for the mode of the server. */
const preparesConnections = onceFor((sequelize: Sequelize): void => {
  sequelize.addHook('afterConnect', async (connection: unknown): Promise<void> => {
    if (sequelize.getDialect() === 'mysql') prepareConnection(connection as never)
    else await (connection as MariaDbConnection).query(rightSession)
  })
})

/** Each statement outside of transactions, and each transaction, gets a connection. */
const queueOf = onceFor((connections: Sequelize['connectionManager']): ConnectionQueue => {
  const { queue, wait } = lineOf(connections)
  const get = connections.getConnection.bind(connections)
  connections.getConnection = (options) => wait(() => get(options))
  return queue
})

interface MariaDbConnection {
  query(sql: string): Promise<unknown>
}

const changesWrites = ({ typeValidation, omitNull, dialectOptions }: Options): boolean =>
  typeValidation === true || omitNull === true || Object(dialectOptions).prependSearchPath === true

/** Whether all transactions and statements have the same connection. */
export const isShared = ({ storage }: SequelizeDatabase): boolean => storage === MEMORY

/** @throws StartError for a zone whose clocks change, because some times then happen twice */
const steadyOffset = (timezone = UTC): number => {
  // Unlike MikroORM, Sequelize passes it on as it is.
  const offset = timezone.includes(':') ? offsetOf(timezone) : undefined
  if (offset !== undefined) return offset
  throw new StartError(
    `sequelizeModels: the option timezone of Sequelize is ${timezone}, but must be an offset such as +00:00, because MySQL does not store the zone of a time.`,
  )
}
