import type { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import type { ModelSource } from '../../src/index.ts'
import type { Tables } from '../../src/source/drizzle/index.ts'
import { startPglite } from './pglite.ts'

export type Row = Readonly<Record<string, unknown>>

/** A database with the tables of a test. */
export interface TestDatabase {
  readonly models: ModelSource
  /** Runs statements on the database itself, as the application's own code does. */
  execute(statements: string): Promise<void>
  rows<Found extends Row = Row>(query: string): Promise<readonly Found[]>
  close(): Promise<void>
}

/** A test database on better-sqlite3, whose driver returns values. */
export interface SqliteDatabase extends TestDatabase {
  readonly client: Database.Database
}

/** How drizzle is used. */
export interface OpenOptions {
  /** What columns hold, as `drizzleModels` takes it. */
  readonly columns?: object
  /** Called with each statement that drizzle gives to its driver. */
  readonly onStatement?: (text: string, values: readonly unknown[]) => void
}

/** How a database on a server is used. */
export interface ServerOptions extends OpenOptions {
  /** The most connections of its pool. @default 2 */
  readonly connections?: number
}

export const loggerOf = ({ onStatement }: OpenOptions) => ({
  logger: onStatement !== undefined && { logQuery: onStatement },
})

export const modelsOf = (database: object, tables: Tables, { columns = {} }: OpenOptions): ModelSource =>
  drizzleModels(database as never, tables, { columns } as never)

/** Opens a database in memory. @param ddl creates the tables, and what stands in them */
export const openSqlite = (tables: Tables, ddl: string, options: OpenOptions = {}): SqliteDatabase => {
  const client = new Database(':memory:')
  client.exec(ddl)
  return {
    client,
    models: modelsOf(overSqlite({ client, ...loggerOf(options) }), tables, options),
    execute: async (statements) => void client.exec(statements),
    rows: async <Found extends Row>(query: string) => client.prepare<[], Found>(query).all(),
    close: async () => void client.close(),
  }
}

/** Those that no test uses at the moment. */
const idle: PGlite[] = []

/** Opens a database on PGlite, whose driver returns promises. @param ddl creates the tables, and what stands in them */
export const openPglite = async (
  tables: Tables,
  ddl: string,
  options: OpenOptions = {},
): Promise<TestDatabase> => {
  const client = idle.pop() ?? (await startPglite())
  await client.exec(`drop schema public cascade; create schema public; ${ddl}`)
  return {
    models: modelsOf(overPglite({ client, ...loggerOf(options) }), tables, options),
    execute: async (statements) => void (await client.exec(statements)),
    rows: async <Found extends Row>(query: string) => (await client.query<Found>(query)).rows,
    close: async () => {
      // A test may close it twice, but two tests must not share it.
      if (!idle.includes(client)) idle.push(client)
    },
  }
}
