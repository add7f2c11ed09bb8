import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { vi } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { pinnedStatements } from '../../contract/drizzle-source/pinned.ts'
import { type Connect, drizzleContract } from '../../contract/drizzle-source.ts'
import { createSqlite, sqliteLibrary } from '../../contract/library.ts'

const pinned = pinnedStatements('sqlite')

const connect: Connect = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const database = new Database(join(folder, 'library.db'))
  for (const statement of createSqlite) database.exec(statement)
  // The suite deletes records one by one, each in a transaction of its own.
  database.pragma('synchronous = off')
  const prepare = vi.spyOn(database, 'prepare')
  const source = drizzleModels(drizzle(database, { logger: pinned.logger }), sqliteLibrary)
  return {
    source,
    tables: sqliteLibrary,
    execute: (statements) => database.exec(statements),
    prepared: () => prepare.mock.calls.length,
    spoil: { statement: 'update books set pages = 9007199254740993', field: 'pages' },
    kill: () => database.close(),
    close: () => {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

drizzleContract('drizzle on better-sqlite3', connect, 'complete')
pinned.compare()
