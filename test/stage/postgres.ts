import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Tables } from '../../src/source/drizzle/index.ts'
import { createDatabase } from '../servers/test-database.ts'
import { loggerOf, modelsOf, type Row, type ServerOptions, type TestDatabase } from './databases.ts'

/** Opens a database on PostgreSQL, over node-postgres. @param ddl creates the tables, and what stands in them */
export const openPostgres = async (
  tables: Tables,
  ddl: string,
  options: ServerOptions = {},
): Promise<TestDatabase> => {
  const { url, drop } = await createDatabase('stage')
  const pool = new pg.Pool({ connectionString: url, max: options.connections ?? 2 })
  await pool.query(ddl)
  return {
    models: modelsOf(drizzle(pool, loggerOf(options)), tables, options),
    execute: async (statements) => void (await pool.query(statements)),
    rows: async <Found extends Row>(query: string) => (await pool.query<Found>(query)).rows,
    close: async () => {
      await pool.end()
      await drop()
    },
  }
}
