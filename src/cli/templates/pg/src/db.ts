import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { Client, Pool } from 'pg'
import { folder, read } from './env.ts'

const url = read('DATABASE_URL') ?? 'postgres://postgres:postgres@localhost:5432/__DATABASE_NAME__'
const isServer = url !== 'memory:'
// A URL may omit the host and name a socket instead: postgres://user@/database?host=/run/postgresql
const parsed = /^postgres(ql)?:\/\//.test(url) ? URL.parse(url.replace('@/', '@localhost/')) : null
// The message does not repeat the URL, because it may contain a password.
if (isServer && parsed === null)
  throw new Error(
    'DATABASE_URL must have the form postgres://user:password@host:5432/database. ' +
      'In the password, write %2F for / and %23 for #.',
  )

const migrationsFolder = join(folder, 'migrations')

interface OpenDatabase {
  readonly db: PgDatabase<PgQueryResultHKT>
  /** Applies pending migrations. */
  migrate(): Promise<void>
  close(): Promise<void>
}

const openServer = (): OpenDatabase => {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    // Stops waiting for a server that does not respond. Longer than the server's own limits, which follow.
    query_timeout: 20_000,
    statement_timeout: 15_000,
    lock_timeout: 5000,
    idle_in_transaction_session_timeout: 10_000,
  })
  // A broken idle connection must not end the process. The pool opens another.
  pool.on('error', (error) => console.error(`A database connection broke: ${error.message}`))
  return { db: drizzle(pool), migrate: migrateServer, close: () => pool.end() }
}

/** Uses a connection without time limits. */
const migrateServer = async (): Promise<void> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect().catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new Error(
      `Cannot connect to the database at ${parsed?.host} (${code ?? message}). Start it, or change DATABASE_URL.`,
    )
  })
  try {
    // If several processes start at once, one migrates and the others wait. Use any number that is not used for another
    // lock.
    await client.query('select pg_advisory_lock(7467001)')
    await applyMigrations(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}

/** An in-memory database, for tests. */
const openMemory = async (): Promise<OpenDatabase> => {
  const pglite = await import('drizzle-orm/pglite')
  const migrator = await import('drizzle-orm/pglite/migrator')
  const db = pglite.drizzle()
  return { db, migrate: () => migrator.migrate(db, { migrationsFolder }), close: () => db.$client.close() }
}

export const { db, migrate, close }: OpenDatabase = isServer ? openServer() : await openMemory()
