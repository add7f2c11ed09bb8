import { onceFor } from '../../model/objects.ts'
import type { Family } from './codecs.ts'
import { rightSession } from './sessions.ts'
import { forSqlstring } from './strings.ts'

type Format = (sql: string, values?: unknown) => string

type Command = (...options: readonly unknown[]) => unknown

interface Config {
  queryFormat?: Format | undefined
}

/** A connection of mysql2. */
interface Connection {
  readonly config: Config
  readonly format: Format
  /** The greeting of the server, a private member of mysql2, checked with 3.24. */
  readonly _handshakePacket?: { readonly serverVersion?: unknown } | null
  /** The driver `mysql`, which TypeORM may use, has none. */
  reset?: Command
  changeUser: Command
  query(sql: string, done: (error: unknown) => void): unknown
  destroy(): void
}

/**
 * mysql2 writes values into a statement, and escapes strings with backslashes. With this, they mean the same in every mode of the
 * server, also in an ORM's own statements and those of hooks. An application that has a format of its own gets plain values.
 */
const formatOf = onceFor((config: Config): ((connection: Connection) => void) => {
  if (config.queryFormat !== undefined) return () => undefined
  const own = Object.create(config, { queryFormat: { value: undefined } })
  return (connection) => {
    const plain: Connection = Object.create(connection, { config: { value: own } })
    config.queryFormat = (sql, values) => plain.format(sql, forSqlstring(values, familyOf(connection)))
  }
})

/** MariaDB as long as the server has not said what it is: MySQL reads its strings, too, but may refuse to compare them. */
const familyOf = ({ _handshakePacket: greeting }: Connection): Family => {
  const version = greeting?.serverVersion
  return typeof version !== 'string' || /mariadb/i.test(version) ? 'mariadb' : 'mysql'
}

const setSession = (connection: Connection): void => {
  connection.query(rightSession, (error) => {
    if (error) connection.destroy()
  })
}

/** A command that gives the session the settings of the server again is followed by ours, before any other statement. */
const setAfter =
  (connection: Connection, command: Command): Command =>
  (...options) => {
    const begun = Reflect.apply(command, connection, options) as unknown
    setSession(connection)
    return begun
  }

/** Prepares a connection of mysql2 for statements of modelrest, before it runs any. A server that refuses the settings gets none. */
export const prepareConnection: (connection: Connection) => void = onceFor((connection: Connection): void => {
  formatOf(connection.config)(connection)
  setSession(connection)
  connection.changeUser = setAfter(connection, connection.changeUser)
  if (connection.reset !== undefined) connection.reset = setAfter(connection, connection.reset)
})

type Lent = (error: unknown, connection?: Connection) => void

interface Pool {
  getConnection(lent: Lent): unknown
}

/** A pool hands a connection from one borrower to the next without an event, so what it lends is prepared, not what it opens. */
const preparePool = (pool: Pool): void => {
  const lend = pool.getConnection.bind(pool)
  pool.getConnection = (lent) =>
    lend((error, connection) => {
      if (connection !== undefined) prepareConnection(connection)
      lent(error, connection)
    })
}

/**
 * Prepares a connection of mysql2, or those that a pool lends, also those that it opens later: strings are values whatever the
 * `sql_mode` of the session, which gets a strict one. Other clients are left as they are. `sqlSource` prepares the handle of its
 * database. Call it if the handle is something else, such as a query builder.
 */
export const prepareClient: (client: object) => void = onceFor((client: object): void => {
  const { connection, pool = client }: { connection?: object; pool?: object } = client
  if (connection !== undefined && 'config' in connection) prepareConnection(connection as Connection)
  else if ('getConnection' in pool) preparePool(pool as Pool)
})
