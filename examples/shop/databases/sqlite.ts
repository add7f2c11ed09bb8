import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import type { OpenDatabase } from '../db.ts'
import { seed } from '../seed.ts'
import { run } from '../statements.ts'

const migrationsFolder = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))

/** Opens the SQLite file. The first start creates, migrates and fills it. */
export const open = (file: string, products: number): OpenDatabase => {
  const client = new Database(file)
  client.pragma('journal_mode = WAL')
  client.pragma('synchronous = NORMAL')
  client.pragma('foreign_keys = ON')
  const db = drizzle({ client })
  migrate(db, { migrationsFolder })
  // Setting user_version is part of the transaction, so the database is filled exactly once and completely.
  client
    .transaction(() => {
      if (client.pragma('user_version', { simple: true }) !== 0) return
      for (const statement of seed(db, products)) run(statement)
      client.pragma('user_version = 1')
    })
    .immediate()
  return { db, close: () => void client.close() }
}
