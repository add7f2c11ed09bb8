import { StartError } from '../error/errors.ts'
import type { SqlConnection } from '../source/sql/port.ts'
import { transactionOn } from '../source/sql/transaction-on.ts'
import { CONNECTING, driverIn, type OpenDatabase } from './opened.ts'

/** The members of `mysql2` that the service uses. */
interface MysqlConnection {
  query(query: string | object): Promise<readonly [unknown, ...(readonly unknown[])]>
}

interface MysqlPool extends MysqlConnection {
  on(event: 'connection', listener: (connection: RawConnection) => void): unknown
  getConnection(): Promise<MysqlConnection & { release(): void; destroy(): void }>
  end(): Promise<void>
}

interface RawConnection {
  query(text: string, done: (error: unknown) => void): unknown
  destroy(): void
}

interface Mysql {
  createPool(options: object): MysqlPool
}

const connectionOn = (on: MysqlConnection): SqlConnection => ({
  handle: on,
  run: async (sql, values, fetch) => {
    const [found] = await on.query({ sql, values: [...values], rowsAsArray: true })
    if (Array.isArray(found)) return found
    // MariaDB sends no rows for a `returning` that returns none.
    const { affectedRows, insertId }: { affectedRows?: unknown; insertId?: unknown } = Object(found)
    return fetch === 'outcome' ? [[affectedRows, insertId]] : []
  },
})

/** MySQL or MariaDB through the `mysql2` of the project. */
export const openMysql: OpenDatabase = async (place, { writes, timeout, load }) => {
  const { createPool } = driverIn<Mysql>(await load('mysql2/promise'), 'createPool')
  const pool = createPool({
    ...{ uri: place, connectionLimit: 4, supportBigNumbers: true, bigNumberStrings: true },
    ...{ multipleStatements: false, connectTimeout: CONNECTING, timezone: 'Z' },
  })
  // A connection runs its statements in their order, so these come before all others.
  pool.on('connection', (connection) => {
    const orEnd = (error: unknown): void => {
      if (error) connection.destroy()
    }
    connection.query(`set session transaction ${writes ? 'read write' : 'read only'}`, orEnd)
    connection.query("set session time_zone = '+00:00'", orEnd)
    // Each server knows one of them.
    connection.query(`set session max_execution_time = ${timeout}`, () => undefined)
    connection.query(`set session max_statement_time = ${timeout / 1000}`, () => undefined)
  })
  const close = async (): Promise<void> => pool.end()
  try {
    await pool.query('select 1')
    if (!writes) await assertReadOnly(pool)
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    database: {
      ...{ ...connectionOn(pool), dialect: 'mysql' },
      transaction: async (work) => {
        const connection = await pool.getConnection()
        const on = {
          dialect: 'mysql',
          execute: (text: string) => connection.query(text),
          discard: () => connection.destroy(),
        } as const
        try {
          return await transactionOn(on, () => work(connectionOn(connection)))
        } finally {
          connection.release()
        }
      },
    },
  }
}

/** The name of the variable differs by the version of the server. */
const assertReadOnly = async (pool: MysqlPool): Promise<void> => {
  const [rows] = await pool.query({
    sql: "show session variables where variable_name in ('transaction_read_only', 'tx_read_only')",
    rowsAsArray: true,
  })
  if (Array.isArray(rows) && rows.some((row) => /^(on|1)$/i.test(String(Object(row)[1])))) return
  throw new StartError(
    'The server does not keep its sessions read-only, as some proxies do. Use the address of the server itself.',
  )
}
