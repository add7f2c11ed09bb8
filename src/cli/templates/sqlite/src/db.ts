import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate as applyMigrations } from 'drizzle-orm/better-sqlite3/migrator'
import { folder, read } from './env.ts'

const open = (file: string): Database.Database => {
  // An in-memory database is lost when the process ends.
  if (file === ':memory:') return new Database(file)
  const path = resolve(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  return new Database(path)
}

const client = open(read('DATABASE') ?? 'data/app.db')
client.pragma('journal_mode = WAL')
client.pragma('synchronous = NORMAL')
client.pragma('foreign_keys = ON')

export const db: BetterSQLite3Database = drizzle({ client })

/** Applies pending migrations. */
export const migrate = (): void => applyMigrations(db, { migrationsFolder: join(folder, 'migrations') })

export const close = (): void => void client.close()
