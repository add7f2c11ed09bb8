import type { MikroORM, Options } from '@mikro-orm/core'
import { MikroORM as MariaDb } from '@mikro-orm/mariadb'
import { MikroORM as MySql } from '@mikro-orm/mysql'
import { MikroORM as Postgres } from '@mikro-orm/postgresql'
import { MikroORM as Sqlite } from '@mikro-orm/sqlite'
import { describe, onTestFinished } from 'vitest'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../../servers/test-mysql.ts'

/** Opens an ORM on a new database with the tables of its entities. Both are closed when the test ends. */
export type OpenOrm = (options: Partial<Options>) => Promise<MikroORM>

const opened = async (orm: MikroORM): Promise<MikroORM> => {
  onTestFinished(() => orm.close(true))
  await orm.schema.create()
  return orm
}

export const openSqlite: OpenOrm = async (options) =>
  opened((await Sqlite.init({ ...(options as object), dbName: ':memory:' })) as unknown as MikroORM)

/** Defines tests for each database that MikroORM's source serves. */
export const onEachDatabase = (tests: string, define: (open: OpenOrm) => void): void => {
  describe(`${tests} on SQLite`, () => define(openSqlite))
  onPostgres(`${tests} on PostgreSQL`, () =>
    describe(`${tests} on PostgreSQL`, () =>
      define(async (options) => {
        const { url, drop } = await createDatabase('shop')
        onTestFinished(drop)
        const orm = await Postgres.init({ ...(options as object), clientUrl: url, pool: { max: 4 } })
        return opened(orm as unknown as MikroORM)
      })),
  )
  onEachMysql(tests, (kind) =>
    define(async (options) => {
      const { url, drop } = await createMysqlDatabase('shop', { kind })
      onTestFinished(drop)
      const own = { ...(options as object), clientUrl: url, pool: { max: 4 } }
      const orm = kind === 'mysql' ? await MySql.init(own) : await MariaDb.init(own)
      return opened(orm as unknown as MikroORM)
    }),
  )
}
