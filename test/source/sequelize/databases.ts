import mariadb from 'mariadb'
import { type Options, Sequelize } from 'sequelize'
import { describe, expect, onTestFinished } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import type { ModelSource, RecordStore } from '../../../src/entry/source.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, type MysqlKind, onEachMysql } from '../../servers/test-mysql.ts'
import { type Open, onPg, onSqlite, partsOf } from './shop.ts'

/** Defines tests for each database that Sequelize's source serves. */
export const onEachDatabase = (tests: string, define: (open: Open) => void): void => {
  describe(`${tests} on SQLite`, () => define(onSqlite))
  onPostgres(`${tests} on PostgreSQL`, () => describe(`${tests} on PostgreSQL`, () => define(onPg)))
  onEachMysql(tests, (kind) => define(() => mysqlOptions(kind)))
}

export const mysqlOptions = async (kind: MysqlKind): Promise<Options> => {
  const { url, drop } = await createMysqlDatabase('shop', { kind })
  onTestFinished(drop)
  return { ...partsOf(url), dialect: kind, ...(kind === 'mariadb' && { dialectModule: mariadb }) }
}

export interface Opened {
  readonly sequelize: Sequelize
  readonly source: ModelSource
  store(model: string): RecordStore
}

/** Models in a new database. Closed when the test ends. */
export const openModels = async (
  options: Options,
  define: (sequelize: Sequelize) => unknown,
): Promise<Opened> => {
  const sequelize = new Sequelize({ logging: false, pool: { max: 4 }, ...options })
  onTestFinished(() => sequelize.close())
  await define(sequelize)
  await sequelize.sync()
  return withStores(sequelize)
}

export const withStores = (sequelize: Sequelize): Opened => {
  const source = sequelizeModels(sequelize)
  const store = (name: string): RecordStore => {
    const model = source.models.find((known) => known.name === name)
    return model === undefined ? expect.fail(`No model ${name}.`) : source.store(model)
  }
  return { sequelize, source, store }
}
