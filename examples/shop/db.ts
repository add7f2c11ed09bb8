import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'

/**
 * The database as TypeScript sees it: SQLite's. On the others `tables.ts` gives their tables, and `statements.ts` waits for
 * their answers.
 */
export type ShopDatabase = BetterSQLite3Database

export interface OpenDatabase {
  readonly db: ShopDatabase
  close(): Promise<void> | void
}

/** Opens a database. A new one is migrated and filled, by one process where several start at once. */
export type Open = (
  where: string,
  products: number,
  replicas: readonly string[],
) => Promise<OpenDatabase> | OpenDatabase

/** By the protocol of the URL. No more than what is needed is loaded. */
const servers: Readonly<Record<string, () => Promise<{ readonly open: Open }>>> = {
  'postgres:': () => import('./databases/pg.ts'),
  'postgresql:': () => import('./databases/pg.ts'),
  'mysql:': () => import('./databases/mysql.ts'),
}

/** Opens the database that a URL names, or else SQLite's file. */
export const openDatabase: Open = async (where, products, replicas) => {
  const [protocol] = /^\w+:(?=\/\/)/.exec(where) ?? []
  if (protocol === undefined) return (await import('./databases/sqlite.ts')).open(where, products)
  const server = servers[protocol]
  if (server === undefined)
    throw new Error(`DATABASE_URL must begin with postgres:// or mysql://, not with ${protocol}//.`)
  return (await server()).open(where, products, replicas)
}
