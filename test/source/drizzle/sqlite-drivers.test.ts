import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/libsql'
import { drizzle as drizzleProxy } from 'drizzle-orm/sqlite-proxy'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { preparedBy } from '../../contract/drizzle-source/stage.ts'
import { drizzleContract } from '../../contract/drizzle-source.ts'
import { createSqlite, sqliteLibrary } from '../../contract/library.ts'

drizzleContract('drizzle on libsql', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-libsql-'))
  const client = createClient({ url: `file:${join(folder, 'library.db')}` })
  await client.executeMultiple(createSqlite.join(';\n'))
  const db = drizzle(client)
  return {
    ...{ source: drizzleModels(db, sqliteLibrary), tables: sqliteLibrary, prepared: preparedBy(db) },
    execute: (statements) => client.executeMultiple(statements),
    // Its client ends strings at a null character.
    holds: (_field, value) => typeof value !== 'string' || !value.includes('\0'),
    spoil: { statement: `update books set pages = 'many'`, field: 'pages' },
    kill: async () => client.close(),
    close: async () => {
      client.close()
      rmSync(folder, { recursive: true })
    },
  }
})

// SQLite behind a driver that gives promises and has no transactions, as D1 does.
drizzleContract('drizzle on an asynchronous SQLite', async () => {
  const database = new Database(':memory:')
  for (const statement of createSqlite) database.exec(statement)
  const db = drizzleProxy(async (statement, parameters) => ({
    rows: database
      .prepare(statement)
      .raw()
      .all(...parameters),
  }))
  return {
    ...{ source: drizzleModels(db, sqliteLibrary), tables: sqliteLibrary, prepared: preparedBy(db) },
    execute: (statements) => database.exec(statements),
    spoil: { statement: 'update books set pages = 9007199254740993', field: 'pages' },
    ...{ kill: () => database.close(), close: () => database.close() },
  }
})
