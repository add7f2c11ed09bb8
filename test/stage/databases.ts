import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import type { ModelRestOptions } from '../../src/index.ts'
import type { Tables } from '../../src/source/drizzle/index.ts'

export type Row = Readonly<Record<string, unknown>>

/** An embedded database with the tables of a test. */
export interface TestDatabase {
  readonly models: NonNullable<ModelRestOptions['models']>
  /** Runs statements on the database itself, as the application's own code does. */
  execute(statements: string): Promise<void>
  rows<Found extends Row = Row>(query: string): Promise<readonly Found[]>
  close(): Promise<void>
}

/** A test database on better-sqlite3, whose driver returns values. */
export interface SqliteDatabase extends TestDatabase {
  readonly client: Database.Database
}

/** Opens a database in memory. @param ddl creates the tables, and what stands in them */
export const openSqlite = (tables: Tables, ddl: string): SqliteDatabase => {
  const client = new Database(':memory:')
  client.exec(ddl)
  return {
    client,
    models: drizzleModels(overSqlite({ client }), tables) as TestDatabase['models'],
    execute: async (statements) => void client.exec(statements),
    rows: async <Found extends Row>(query: string) => client.prepare<[], Found>(query).all(),
    close: async () => void client.close(),
  }
}

/** Starting one takes seconds, so that the databases of a test file follow each other on it. */
let pglite: PGlite | undefined

/**
 * Opens a database on PGlite, whose driver returns promises. It takes the place of the one before in the same test file.
 *
 * @param ddl creates the tables, and what stands in them
 */
export const openPglite = async (tables: Tables, ddl: string): Promise<TestDatabase> => {
  pglite ??= new PGlite()
  const client = pglite
  await client.exec(`drop schema public cascade; create schema public; ${ddl}`)
  return {
    models: drizzleModels(overPglite({ client }), tables) as TestDatabase['models'],
    execute: async (statements) => void (await client.exec(statements)),
    rows: async <Found extends Row>(query: string) => (await client.query<Found>(query)).rows,
    close: async () => undefined,
  }
}
