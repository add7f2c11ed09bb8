import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type SqlConnection, type SqlDatabase, transactionOn } from '../../../src/entry/sql.ts'

/** SQLite through `node:sqlite`, which returns values at once. */
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
    ...connection,
    ...on,
    transaction: (work) => transactionOn({ ...on, execute: (text) => db.exec(text) }, () => work(connection)),
  }
}
