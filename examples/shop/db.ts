import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'

/**
 * The type of the database: that of SQLite. For other databases, `tables.ts` selects the tables and `statements.ts`
 * awaits the results.
 */
export type ShopDatabase = BetterSQLite3Database

export interface OpenDatabase {
  readonly db: ShopDatabase
  close(): Promise<void> | void
}

/** Opens a database. If several processes start at the same time, one of them migrates and fills it. */
export type Open = (
  where: string,
  products: number,
  replicas: readonly string[],
) => Promise<OpenDatabase> | OpenDatabase

/** By URL protocol. Only the driver in use is loaded. */
const servers: Readonly<Record<string, () => Promise<{ readonly open: Open }>>> = {
  'postgres:': () => import('./databases/pg.ts'),
  'postgresql:': () => import('./databases/pg.ts'),
  'mysql:': () => import('./databases/mysql.ts'),
}

/** Opens the database at a URL, or a SQLite file. */
export const openDatabase: Open = async (where, products, replicas) => {
  const [protocol] = /^\w+:(?=\/\/)/.exec(where) ?? []
  if (protocol === undefined) return (await import('./databases/sqlite.ts')).open(where, products)
  const server = servers[protocol]
  if (server === undefined)
    throw new Error(`DATABASE_URL must start with postgres:// or mysql://, not with ${protocol}//.`)
  return (await server()).open(where, products, replicas)
}
