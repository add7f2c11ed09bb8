import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { vi } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { drizzleContract } from '../../contract/drizzle-source.ts'
import { createSqlite, sqliteLibrary } from '../../contract/library.ts'

// SQLite behind a driver that gives promises, as libsql or D1 do.
drizzleContract('drizzle on an asynchronous SQLite', async () => {
  const database = new Database(':memory:')
  for (const statement of createSqlite) database.exec(statement)
  const db = drizzle(async (statement, parameters) => ({
    rows: database
      .prepare(statement)
      .raw()
      .all(...parameters),
  }))
  const session: { prepareQuery: (query: object) => unknown } = Reflect.get(db, 'session')
  const prepare = vi.spyOn(session, 'prepareQuery')
  return {
    source: drizzleModels(db, sqliteLibrary),
    tables: sqliteLibrary,
    execute: (statements) => database.exec(statements),
    prepared: () => prepare.mock.calls.length,
    spoil: { statement: 'update books set pages = 9007199254740993', field: 'pages' },
    kill: () => database.close(),
    close: () => database.close(),
  }
})
