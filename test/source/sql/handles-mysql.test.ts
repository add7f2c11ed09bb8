import { type Connection, createConnection, type Pool } from 'mysql2/promise'
import { type SqlDatabase, transactionOn } from '../../../src/entry/sql.ts'
import { createMysql } from '../../contract/library.ts'
import { createMysqlDatabase, nameOf, onEachMysql, onMariaDb } from '../../servers/test-mysql.ts'
import { handleContract } from './handle-contract.ts'
import { isHeld, openedMysql } from './open-handles.ts'
import { connectionOn } from './over-mysql2.ts'

onEachMysql('the contract of a source over mysql2', (kind) =>
  handleContract(`mysql2 on ${nameOf(kind)}`, () => openedMysql(kind)),
)

/** A single connection, which all requests share. */
const overConnection = (connection: Connection): SqlDatabase => ({
  ...{ ...connectionOn(connection), dialect: 'mysql', singleConnection: true },
  transaction: (work) =>
    transactionOn({ dialect: 'mysql', execute: (text) => connection.query(text) }, () =>
      work(connectionOn(connection)),
    ),
})

onMariaDb('the contract of a source over one connection', () =>
  handleContract('mysql2 on one connection to MariaDB', async () => {
    const { url, drop } = await createMysqlDatabase('library')
    const connection = await createConnection(url)
    for (const statement of createMysql) await connection.query(statement)
    return {
      database: overConnection(connection),
      execute: (db, statement) => (db as Pool).query(statement),
      useHandle: (db) => (db as Pool).query('select 1'),
      spoil: { statement: `update books set opens_at = '25:00:00'`, field: 'opensAt' },
      holds: (_field, value) => !(value instanceof Date) || isHeld(value),
      close: async () => {
        await connection.end()
        await drop()
      },
    }
  }),
)
