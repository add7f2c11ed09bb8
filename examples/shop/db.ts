import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { seed } from './seed.ts'

export type ShopDatabase = BetterSQLite3Database & { readonly $client: Database.Database }

const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))

/** Opens the shop's SQLite file. On the first start it is created, migrated and filled. */
export const openDatabase = (file: string, products: number): ShopDatabase => {
  const client = new Database(file)
  client.pragma('journal_mode = WAL')
  client.pragma('synchronous = NORMAL')
  client.pragma('foreign_keys = ON')
  const db = drizzle({ client })
  migrate(db, { migrationsFolder })
  // The mark that the database is no longer new is a part of the transaction, so that it is filled once and wholly.
  client
    .transaction(() => {
      if (client.pragma('user_version', { simple: true }) !== 0) return
      seed(db, products)
      client.pragma('user_version = 1')
    })
    .immediate()
  return db
}
