// Every Drizzle database that a user may have is taken as `db`, without a cast.
import type { PGlite } from '@electric-sql/pglite'
import type Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle as betterSqlite3 } from 'drizzle-orm/better-sqlite3'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { int, mysqlTable } from 'drizzle-orm/mysql-core'
import { drizzle as mysql2 } from 'drizzle-orm/mysql2'
import { type NodePgDatabase, drizzle as nodePostgres } from 'drizzle-orm/node-postgres'
import { pgTable, serial, varchar } from 'drizzle-orm/pg-core'
import { type PgliteDatabase, drizzle as pglite } from 'drizzle-orm/pglite'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ModelSource } from 'modelrest'
import { drizzleModels } from 'modelrest/drizzle'
import type { Pool } from 'pg'

const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
const pgProducts = pgTable('products', { id: serial().primaryKey(), name: varchar({ length: 100 }) })
const mysqlProducts = mysqlTable('products', { id: int().primaryKey() })

declare const sqlite: Database.Database
declare const postgres: PGlite
declare const pool: Pool
declare const aSqlite: BetterSQLite3Database
declare const aPglite: PgliteDatabase
declare const aNodePg: NodePgDatabase
declare const aLibsql: LibSQLDatabase
declare const withSchema: BetterSQLite3Database<{ products: typeof products }>

export const sources: readonly ModelSource[] = [
  drizzleModels(betterSqlite3('shop.db'), { products }),
  drizzleModels(betterSqlite3(sqlite), { products }),
  drizzleModels(betterSqlite3({ client: sqlite, schema: { products }, logger: true }), { products }),
  drizzleModels(pglite(), { pgProducts }),
  drizzleModels(pglite(postgres), { shop: { pgProducts } }),
  drizzleModels(nodePostgres(pool), { pgProducts }),
  drizzleModels(mysql2('mysql://localhost/shop'), { mysqlProducts }),
  drizzleModels(aSqlite, { products }),
  drizzleModels(aPglite, { pgProducts }),
  drizzleModels(aNodePg, { pgProducts }),
  drizzleModels(aLibsql, { products }),
  drizzleModels(withSchema, { shop: { products }, blog: { products } }),
]

// @ts-expect-error A driver is no Drizzle database.
export const onDriver = drizzleModels(sqlite, { products })
// @ts-expect-error The tables are missing.
export const withoutTables = drizzleModels(aSqlite)
