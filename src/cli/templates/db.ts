import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { env } from './env.ts'

mkdirSync(dirname(env.database), { recursive: true })
const client = new Database(env.database)
client.pragma('journal_mode = WAL')
client.pragma('synchronous = NORMAL')
client.pragma('foreign_keys = ON')

/** The database, as it is: migrate.ts applies migrations. */
export const db: BetterSQLite3Database & { readonly $client: Database.Database } = drizzle({ client })
