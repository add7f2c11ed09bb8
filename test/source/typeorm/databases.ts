import type { DataSourceOptions } from 'typeorm'
import { describe, onTestFinished } from 'vitest'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../../servers/test-mysql.ts'

/** Options for a new database, which is removed when the test ends. */
export type NewDatabase = () => Promise<DataSourceOptions>

/** Defines tests for each database that TypeORM's source serves. */
export const onEachDatabase = (tests: string, define: (open: NewDatabase) => void): void => {
  describe(`${tests} on SQLite`, () => define(async () => ({ type: 'better-sqlite3', database: ':memory:' })))
  onPostgres(`${tests} on PostgreSQL`, () =>
    describe(`${tests} on PostgreSQL`, () =>
      define(async () => {
        const { url, drop } = await createDatabase('shop')
        onTestFinished(drop)
        return { type: 'postgres', url, poolSize: 4 }
      })),
  )
  onEachMysql(tests, (type) =>
    define(async () => {
      const { url, drop } = await createMysqlDatabase('shop', { kind: type })
      onTestFinished(drop)
      return { type, url, poolSize: 4 }
    }),
  )
}
