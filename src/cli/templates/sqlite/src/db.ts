import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate as applyMigrations } from 'drizzle-orm/better-sqlite3/migrator'
import { folder, read } from './env.ts'

const open = (file: string): Database.Database => {
  // A database in memory ends with the process.
  const isFile = file !== ':memory:'
  const path = isFile ? resolve(folder, file) : file
  try {
    if (isFile) mkdirSync(dirname(path), { recursive: true })
    const opened = new Database(path)
    opened.pragma('journal_mode = WAL')
    opened.pragma('synchronous = NORMAL')
    opened.pragma('foreign_keys = ON')
    return opened
  } catch (cause) {
    throw new Error(
      `Cannot open the database ${path}. Change DATABASE in .env to a file that the server may write.`,
      {
        cause,
      },
    )
  }
}

const client = open(read('DATABASE') ?? 'data/app.db')

export const db: BetterSQLite3Database = drizzle({ client })

/** Applies pending migrations. */
export const migrate = (): void => applyMigrations(db, { migrationsFolder: join(folder, 'migrations') })

export const close = (): void => void client.close()
