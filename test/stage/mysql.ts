import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import type { Tables } from '../../src/source/drizzle/index.ts'
import { createMysqlDatabase, type MysqlKind } from '../servers/test-mysql.ts'
import { loggerOf, modelsOf, type Row, type ServerOptions, type TestDatabase } from './databases.ts'

/** Opens a database on MariaDB or MySQL. @param ddl creates the tables, and what stands in them */
export const openMysql = async (
  kind: MysqlKind,
  tables: Tables,
  ddl: string,
  options: ServerOptions = {},
): Promise<TestDatabase> => {
  const { url, drop } = await createMysqlDatabase('stage', { kind })
  const pool = mysql.createPool({
    uri: url,
    connectionLimit: options.connections ?? 2,
    multipleStatements: true,
  })
  await pool.query(ddl)
  return {
    models: modelsOf(drizzle(pool, loggerOf(options)), tables, options),
    execute: async (statements) => void (await pool.query(statements)),
    rows: async <Found extends Row>(query: string) => (await pool.query(query))[0] as unknown as Found[],
    close: async () => {
      await pool.end()
      await drop()
    },
  }
}
