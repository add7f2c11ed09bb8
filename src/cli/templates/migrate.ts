import { join } from 'node:path'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { db } from './db.ts'
// With each new migration `npm run dev` starts again, as it does after a change of any file that is imported.
import './migrations/meta/_journal.json' with { type: 'json' }

// Importing this file applies every migration that is pending. server.ts alone does so: what only looks at the API, as
// `npm run routes` and `npm run check`, leaves the database as it is.
migrate(db, { migrationsFolder: join(import.meta.dirname, 'migrations') })
