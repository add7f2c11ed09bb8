import type { Connection, Pool } from 'mysql2/promise'
import { type SqlConnection, type SqlDatabase, transactionOn } from '../../../src/entry/sql.ts'

export const connectionOn = (on: Pick<Connection, 'query'>): SqlConnection => ({
  handle: on,
  run: async (sql, values, fetch) => {
    const [found] = await on.query({ sql, values: [...values], rowsAsArray: true })
    if (Array.isArray(found)) return found
    // MariaDB sends no rows for a `returning` that returns none.
    return fetch === 'outcome' ? [[found.affectedRows, found.insertId]] : []
  },
})

/** MySQL and MariaDB through a pool of mysql2. */
export const overMysql2 = (pool: Pool): SqlDatabase => ({
  ...connectionOn(pool),
  dialect: 'mysql',
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
})
