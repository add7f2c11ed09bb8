import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { type PgDatabase, type PgQueryResultHKT, withReplicas } from 'drizzle-orm/pg-core'
import { Pool } from 'pg'
import type { OpenDatabase, ShopDatabase } from '../db.ts'
import { isNew, seed } from '../seed.ts'

export const migrationsFolder: string = fileURLToPath(new URL('../migrations/pg', import.meta.url))

/** Any number that nothing else in this database locks. */
const START = 7_467_001

/** A pool of connections. One that breaks while it is idle is no reason to end. */
const poolOf = (connectionString: string): Pool =>
  new Pool({ connectionString, connectionTimeoutMillis: 5000 }).on('error', () => undefined)

/** Opens a PostgreSQL database, with replicas of it to read from. */
export const open = async (
  url: string,
  products: number,
  replicas: readonly string[],
): Promise<OpenDatabase> => {
  const pools = [url, ...replicas].map(poolOf)
  const close = async (): Promise<void> => void (await Promise.all(pools.map((pool) => pool.end())))
  const [primary, replica, ...more] = pools.map((client) => drizzle({ client }))
  if (primary === undefined) throw new Error('There is no database.')
  try {
    await prepare(primary, products, () => migrate(primary, { migrationsFolder }))
  } catch (error) {
    await close()
    throw error
  }
  const db = replica === undefined ? primary : withReplicas(primary, [replica, ...more])
  return { db: db as object as ShopDatabase, close }
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
    await lock.execute(sql`select pg_advisory_xact_lock(${START})`)
    await migrated()
    await db.transaction((inside) => fill(inside, products))
  })

/** The seed says which ids its rows have: the next ones follow. */
const fill = async <Kind extends PgQueryResultHKT>(db: PgDatabase<Kind>, products: number): Promise<void> => {
  if (!(await isNew(db as object as ShopDatabase))) return
  for (const statement of seed(db as object as ShopDatabase, products)) await statement
  for (const table of ['products', 'categories', 'orders'])
    await db.execute(
      sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.identifier(table)}`,
    )
}
