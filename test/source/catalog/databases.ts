import { DatabaseSync } from 'node:sqlite'
import { DatabaseSchema, MikroORM as MariaDb } from '@mikro-orm/mariadb'
import { MikroORM as MySql } from '@mikro-orm/mysql'
import { MikroORM as Postgres } from '@mikro-orm/postgresql'
import type { AbstractSqlConnection, AbstractSqlPlatform, DatabaseSchema as Schema } from '@mikro-orm/sql'
import { MikroORM as Sqlite } from '@mikro-orm/sqlite'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { describe, onTestFinished } from 'vitest'
import type { SqlDatabase } from '../../../src/entry/sql.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, type MysqlKind, onEachMysql } from '../../servers/test-mysql.ts'
import { overMysql2 } from '../sql/over-mysql2.ts'
import { overNodeSqlite } from '../sql/over-node-sqlite.ts'
import { overPg } from '../sql/over-pg.ts'

export type DatabaseKind = 'sqlite' | 'pg' | MysqlKind

/** An empty database whose tables a test makes. */
export interface EmptyDatabase {
  readonly kind: DatabaseKind
  readonly database: SqlDatabase
  /** Runs statements of the test itself. */
  execute(...statements: readonly string[]): Promise<void>
  /** What the reader of MikroORM finds. */
  mikroOrm(): Promise<Schema>
}

interface Orm {
  readonly em: { getDriver(): { getConnection(): unknown; getPlatform(): unknown } }
  readonly config: unknown
  close(force: boolean): Promise<void>
}

const schemaOf = async (orm: Orm): Promise<Schema> => {
  const driver = orm.em.getDriver()
  return DatabaseSchema.create(
    driver.getConnection() as AbstractSqlConnection,
    driver.getPlatform() as AbstractSqlPlatform,
    orm.config as never,
  )
}

const plain = { entities: [], discovery: { warnWhenNoEntities: false } } as const

const openSqlite = async (): Promise<EmptyDatabase> => {
  const orm = await Sqlite.init({ ...plain, dbName: ':memory:' })
  const db = new DatabaseSync(':memory:')
  const made: string[] = []
  onTestFinished(async () => {
    db.close()
    await orm.close(true)
  })
  return {
    ...{ kind: 'sqlite', database: overNodeSqlite(db) },
    execute: async (...statements) => {
      for (const statement of statements) db.exec(statement)
      made.push(...statements)
    },
    mikroOrm: async () => {
      for (const statement of made.splice(0)) await orm.em.getConnection().execute(statement)
      return schemaOf(orm)
    },
  }
}

const openPg = async (): Promise<EmptyDatabase> => {
  const { url, drop } = await createDatabase('catalog')
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  const database = overPg(pool)
  const orm = await Postgres.init({ ...plain, clientUrl: url })
  onTestFinished(async () => {
    await orm.close(true)
    await pool.end()
    await drop()
  })
  return {
    ...{ kind: 'pg', database },
    execute: async (...statements) => {
      for (const statement of statements) await pool.query(statement)
    },
    mikroOrm: () => schemaOf(orm),
  }
}

const openMysql = async (kind: MysqlKind): Promise<EmptyDatabase> => {
  const { url, drop } = await createMysqlDatabase('catalog', { kind })
  const pool = createPool({ uri: url, connectionLimit: 2, timezone: 'Z' })
  const orm = await (kind === 'mysql' ? MySql : MariaDb).init({ ...plain, clientUrl: url })
  onTestFinished(async () => {
    await orm.close(true)
    await pool.end()
    await drop()
  })
  return {
    ...{ kind, database: overMysql2(pool) },
    execute: async (...statements) => {
      for (const statement of statements) await pool.query(statement)
    },
    mikroOrm: () => schemaOf(orm),
  }
}

/** Defines tests for each database whose catalog can be read. */
export const onEachCatalog = (tests: string, define: Define): void => {
  describe(`${tests} on SQLite`, () => define(openSqlite))
  onPostgres(`${tests} on PostgreSQL`, () => describe(`${tests} on PostgreSQL`, () => define(openPg)))
  onEachMysql(tests, (kind) => define(() => openMysql(kind)))
}

type Define = (open: () => Promise<EmptyDatabase>) => void

export const onSqliteCatalog = (tests: string, define: Define): void => {
  describe(tests, () => define(openSqlite))
}

export const onPgCatalog = (tests: string, define: Define): void =>
  onPostgres(tests, () => describe(tests, () => define(openPg)))

export const onMysqlCatalogs = (tests: string, define: Define): void =>
  onEachMysql(tests, (kind) => define(() => openMysql(kind)))
