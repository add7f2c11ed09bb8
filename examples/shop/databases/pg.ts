import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { type PgDatabase, type PgQueryResultHKT, withReplicas } from 'drizzle-orm/pg-core'
import { Pool, type PoolConfig } from 'pg'
import type { OpenDatabase, ShopDatabase } from '../db.ts'
import { isNew, seed } from '../seed.ts'

export const migrationsFolder: string = fileURLToPath(new URL('../migrations/pg', import.meta.url))

/** Any number that nothing else in this database locks. */
const START = 7_467_001

/** Milliseconds for an answer, where the server is gone without a word: longer than any statement takes. */
const PATIENCE = 20_000

/** A pool of connections. One that breaks while it is idle is no reason to end. */
const poolOf = (connectionString: string, more: PoolConfig): Pool =>
  new Pool({ connectionString, connectionTimeoutMillis: 5000, ...more }).on('error', () => undefined)

/** Opens a PostgreSQL database, with replicas of it to read from. */
export const open = async (
  url: string,
  products: number,
  replicas: readonly string[],
): Promise<OpenDatabase> => {
  await start(url, products)
  const pools = [url, ...replicas].map((one) => poolOf(one, { query_timeout: PATIENCE }))
  const close = async (): Promise<void> => void (await Promise.all(pools.map((pool) => pool.end())))
  const [primary, replica, ...more] = pools.map((client) => drizzle({ client }))
  if (primary === undefined) throw new Error('There is no database.')
  const db = replica === undefined ? primary : withReplicas(primary, [replica, ...more])
  return { db: db as object as ShopDatabase, close }
}

/** Over connections of its own, which wait for an answer as long as it takes. */
const start = async (url: string, products: number): Promise<void> => {
  const pool = poolOf(url, { max: 3 })
  try {
    await prepare(drizzle({ client: pool }), products, () => migrated(pool))
  } finally {
    await pool.end()
  }
}

/** Limits that roles have for requests. Those of the transaction alone are lifted: PgBouncer lends the connection to others. */
const withoutLimits = `
  select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/** drizzle's own `begin` goes on with the transaction that has no limits, and its `commit` ends it. */
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
 * Migrates and fills a new database. Of several processes one does so and the others wait. What waits is a transaction,
 * which PgBouncer keeps together too.
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

/** Fills a database that holds nothing yet. The seed says which ids its rows have: the next ones follow. */
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
