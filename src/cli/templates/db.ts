import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { env } from './env.ts'
// With each new migration `npm run dev` starts again, as it does after a change of any file that is imported.
import './migrations/meta/_journal.json' with { type: 'json' }

mkdirSync(dirname(env.database), { recursive: true })
const client = new Database(env.database)
client.pragma('journal_mode = WAL')
client.pragma('synchronous = NORMAL')
client.pragma('foreign_keys = ON')

/** The database, with every migration applied. */
export const db: BetterSQLite3Database & { readonly $client: Database.Database } = drizzle({ client })

migrate(db, { migrationsFolder: join(import.meta.dirname, 'migrations') })
