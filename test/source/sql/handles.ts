import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Database as BetterSqlite3 } from 'better-sqlite3'
import type { Connection as MysqlConnection, Pool as MysqlPool } from 'mysql2/promise'
import type { Pool as PgPool } from 'pg'
import { type SqlConnection, type SqlDatabase, transactionOn } from '../../../src/entry/sql.ts'

/** SQLite through better-sqlite3, which returns values at once. */
export const overBetterSqlite3 = (db: BetterSqlite3): SqlDatabase => {
  const prepare: SqlDatabase['prepare'] = (text, fetch) => {
    const statement = db.prepare(text).raw()
    if (fetch !== 'one') return (values) => statement.all(...values)
    return (values) => {
      const row = statement.get(...values)
      return row === undefined ? [] : [row]
    }
  }
  const connection: SqlConnection = {
    handle: db,
    run: (text, values, fetch) => prepare(text, fetch)(values),
    prepare,
  }
  const on = { dialect: 'sqlite', synchronous: true } as const
  return {
    ...{ ...connection, ...on },
    transaction: (work) => transactionOn({ ...on, execute: (text) => db.exec(text) }, () => work(connection)),
  }
}

/** SQLite through `node:sqlite`. Rows are objects, because Node 22 cannot return arrays. */
export const overNodeSqlite = (db: DatabaseSync): SqlDatabase => {
  const prepare: SqlDatabase['prepare'] = (text) => {
    const statement = db.prepare(text)
    return (values) => statement.all(...(values as SQLInputValue[]))
  }
  const connection: SqlConnection = {
    handle: db,
    run: (text, values, fetch) => prepare(text, fetch)(values),
    prepare,
  }
  const on = { dialect: 'sqlite', synchronous: true } as const
  return {
    ...{ ...connection, ...on },
    transaction: (work) => transactionOn({ ...on, execute: (text) => db.exec(text) }, () => work(connection)),
  }
}

const pgConnection = (on: Pick<PgPool, 'query'>): SqlConnection => ({
  handle: on,
  run: async (text, values) => {
    const { rows } = await on.query({ text, values: [...values], rowMode: 'array' })
    return rows
  },
})

/** PostgreSQL through a pool of node-postgres. */
export const overPg = (pool: PgPool): SqlDatabase => {
  return {
    ...{ ...pgConnection(pool), dialect: 'pg' },
    transaction: async (work) => {
      const client = await pool.connect()
      let isBroken = false
      try {
        return await transactionOn(
          {
            ...{ dialect: 'pg', execute: (text) => client.query(text) },
            discard: () => {
              isBroken = true
            },
          },
          () => work(pgConnection(client)),
        )
      } finally {
        client.release(isBroken)
      }
    },
  }
}

const mysqlConnection = (on: Pick<MysqlPool, 'query'>): SqlConnection => ({
  handle: on,
  run: async (sql, values, fetch) => {
    const [found] = await on.query({ sql, values: [...values], rowsAsArray: true })
    if (Array.isArray(found)) return found
    // MariaDB sends no rows for a `returning` that returns none.
    return fetch === 'outcome' ? [[found.affectedRows, found.insertId]] : []
  },
})

/** MySQL and MariaDB through a single connection, which all requests share. */
export const overMysql2Connection = (connection: MysqlConnection): SqlDatabase => ({
  ...{ ...mysqlConnection(connection), dialect: 'mysql', singleConnection: true },
  transaction: (work) =>
    transactionOn({ dialect: 'mysql', execute: (text) => connection.query(text) }, () =>
      work(mysqlConnection(connection)),
    ),
})

/** MySQL and MariaDB through a pool of mysql2. */
export const overMysql2 = (pool: MysqlPool): SqlDatabase => {
  return {
    ...{ ...mysqlConnection(pool), dialect: 'mysql' },
    transaction: async (work) => {
      const connection = await pool.getConnection()
      try {
        return await transactionOn(
          {
            ...{ dialect: 'mysql', execute: (text) => connection.query(text) },
            discard: () => connection.destroy(),
          },
          () => work(mysqlConnection(connection)),
        )
      } finally {
        connection.release()
      }
    },
  }
}
