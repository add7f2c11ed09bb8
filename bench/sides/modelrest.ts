import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { boolean, integer as pgInteger, pgTable, varchar } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { ModelRest, type ModelSource } from 'modelrest/fastify'
import pg from 'pg'
import type { Open } from '../serve.ts'
import { openFile } from './open-file.ts'

const tables = {
  sqlite: {
    products: sqliteTable('products', {
      id: integer().primaryKey(),
      name: text({ length: 100 }).notNull(),
      category: text({ length: 20 }).notNull(),
      price: integer().notNull(),
      stock: integer().notNull(),
      in_stock: integer({ mode: 'boolean' }).notNull(),
    }),
  },
  postgres: {
    products: pgTable('products', {
      id: pgInteger().primaryKey().generatedByDefaultAsIdentity(),
      name: varchar({ length: 100 }).notNull(),
      category: varchar({ length: 20 }).notNull(),
      price: pgInteger().notNull(),
      stock: pgInteger().notNull(),
      in_stock: boolean().notNull(),
    }),
  },
} as const

/** The models of a database. */
export const modelsOf = (database: 'sqlite' | 'postgres', location: string): ModelSource => {
  if (database === 'sqlite') return drizzleModels(drizzleSqlite(openFile(location)), tables.sqlite)
  return drizzleModels(drizzlePg(new pg.Pool({ connectionString: location })), tables.postgres)
}

const opening =
  (isAsync: boolean): Open =>
  async (database, location) => {
    const app = Fastify()
    const models = modelsOf(database, location)
    app.register(async (api) => new ModelRest(api, { models, isAsync }).init(), { prefix: '/api' })
    return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
  }

/** Our side, with nothing switched off that is on by default. */
export const open: Open = opening(true)

/** The same with synchronous handlers. */
export const openSync: Open = opening(false)
