import type { Database } from 'better-sqlite3'
import { type SqlConnection, type SqlDatabase, transactionOn } from '../../../src/entry/sql.ts'

/** SQLite through better-sqlite3, which returns values at once. */
export const overBetterSqlite3 = (db: Database): SqlDatabase => {
  const prepare: SqlDatabase['prepare'] = (text, fetch) => {
    const statement = db.prepare(text).raw()
    if (fetch === 'all') return (values) => statement.all(...values)
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
    ...connection,
    ...on,
    transaction: (work) => transactionOn({ ...on, execute: (text) => db.exec(text) }, () => work(connection)),
  }
}
