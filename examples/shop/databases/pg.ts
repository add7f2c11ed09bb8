import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { type PgDatabase, type PgQueryResultHKT, withReplicas } from 'drizzle-orm/pg-core'
import { Pool, type PoolConfig } from 'pg'
import type { OpenDatabase, ShopDatabase } from '../db.ts'
import { isNew, seed } from '../seed.ts'

export const migrationsFolder: string = fileURLToPath(new URL('../migrations/pg', import.meta.url))

/** Any number that is not used for another advisory lock in this database. */
const START = 7_467_001

/** Milliseconds to wait for a server that stopped responding: longer than any statement takes. */
const PATIENCE = 20_000

/** A connection pool. The error of an idle connection must not end the process. */
const poolOf = (connectionString: string, more: PoolConfig): Pool =>
  new Pool({ connectionString, connectionTimeoutMillis: 5000, ...more }).on('error', () => undefined)

/** Opens a PostgreSQL database and its read replicas. */
export const open = async (
  url: string,
  products: number,
  replicas: readonly string[],
): Promise<OpenDatabase> => {
  await start(url, products)
  const pools = [url, ...replicas].map((one) => poolOf(one, { query_timeout: PATIENCE }))
  const close = async (): Promise<void> => void (await Promise.all(pools.map((pool) => pool.end())))
  const [primary, replica, ...more] = pools.map((client) => drizzle({ client }))
  if (primary === undefined) throw new Error('The URL of the database is missing.')
  const db = replica === undefined ? primary : withReplicas(primary, [replica, ...more])
  return { db: db as object as ShopDatabase, close }
}

/** Migrates over separate connections, which wait for as long as it takes. */
const start = async (url: string, products: number): Promise<void> => {
  const pool = poolOf(url, { max: 3 })
  try {
    await prepare(drizzle({ client: pool }), products, () => migrated(pool))
  } finally {
    await pool.end()
  }
}

/** Lifts the limits that roles have for requests, for this transaction only, because PgBouncer shares the connection. */
const withoutLimits = `
  select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/** The `begin` of Drizzle continues the transaction without limits, and its `commit` ends it. */
const migrated = async (pool: Pool): Promise<void> => {
  const client = await pool.connect()
  let isDone = false
  try {
    await client.query('begin')
    await client.query(withoutLimits)
    await migrate(drizzle({ client }), { migrationsFolder })
    isDone = true
  } finally {
    client.release(!isDone)
  }
}

/**
 * Migrates and fills a new database. One process does so while the others wait. The lock belongs to a transaction, so it
 * also works with PgBouncer.
 */
export const prepare = <Kind extends PgQueryResultHKT>(
  db: PgDatabase<Kind>,
  products: number,
  migrated: () => Promise<void>,
): Promise<void> =>
  db.transaction(async (lock) => {
    await lock.execute(sql.raw(withoutLimits))
    await lock.execute(sql`select pg_advisory_xact_lock(${START})`)
    await migrated()
    await db.transaction(async (inside) => {
      await inside.execute(sql.raw(withoutLimits))
      await fill(inside, products)
    })
  })

/** Fills an empty database. The seed sets the ids of its rows; the sequences continue after them. */
export const fill = async <Kind extends PgQueryResultHKT>(
  db: PgDatabase<Kind>,
  products: number,
): Promise<void> => {
  if (!(await isNew(db as object as ShopDatabase))) return
  for (const statement of seed(db as object as ShopDatabase, products)) await statement
  for (const table of ['products', 'categories', 'orders'])
    await db.execute(
      sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.identifier(table)}`,
    )
}
