import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MikroORM, Options as MikroOrmOptions } from '@mikro-orm/core'
import { MikroORM as MikroMariaDb } from '@mikro-orm/mariadb'
import { MikroORM as MikroMySql } from '@mikro-orm/mysql'
import { MikroORM as MikroPostgres } from '@mikro-orm/postgresql'
import { MikroORM as MikroSqlite } from '@mikro-orm/sqlite'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client'
import Database from 'better-sqlite3'
import mariadb from 'mariadb'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Options } from 'sequelize'
import type { DataSourceOptions } from 'typeorm'
import { describe } from 'vitest'
import type { ModelSource } from '../../src/index.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../servers/test-mysql.ts'
import type { Provider } from '../source/prisma/generated.ts'
import { nodeSqlite } from '../source/sequelize/node-sqlite.ts'
import { partsOf } from '../source/sequelize/shop.ts'
import type { DialectName } from '../stage/dialects.ts'

type Row = Readonly<Record<string, unknown>>

/** An empty database for an ORM. */
export interface Place {
  readonly kind: Kind
  /** The file of SQLite. */
  readonly url: string
  rows(statement: string): Promise<readonly Row[]>
  drop(): Promise<void>
}

export type Kind = 'sqlite' | 'postgres' | 'mariadb' | 'mysql'

/** What SQL of it is written in. */
export const dialectOf = (kind: Kind): DialectName => (kind === 'mariadb' ? 'mysql' : kind)

/** The models of an ORM on a place. */
export interface OpenedOrm {
  readonly models: ModelSource
  end(): Promise<unknown>
}

/** The type of a key that the database counts up. */
export const counted = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'serial primary key',
  mariadb: 'int auto_increment primary key',
  mysql: 'int auto_increment primary key',
} as const satisfies Readonly<Record<Kind, string>>

const openSqlite = async (): Promise<Place> => {
  const url = join(tmpdir(), `orm-shop-${crypto.randomUUID()}.db`)
  const client = new Database(url)
  return {
    ...{ kind: 'sqlite', url },
    rows: async (statement) => {
      const prepared = client.prepare<[], Row>(statement)
      if (prepared.reader) return prepared.all()
      prepared.run()
      return []
    },
    drop: async () => {
      client.close()
      await rm(url)
    },
  }
}

const openPostgres = async (): Promise<Place> => {
  const { url, drop } = await createDatabase('orm_shop')
  const client = new pg.Client(url)
  await client.connect()
  return {
    ...{ kind: 'postgres', url },
    rows: async (statement) => (await client.query<Row>(statement)).rows,
    drop: async () => {
      await client.end()
      await drop()
    },
  }
}

const openMysql = async (kind: 'mariadb' | 'mysql'): Promise<Place> => {
  const { url, drop } = await createMysqlDatabase('orm_shop', { kind })
  const client = await mysql.createConnection(url)
  return {
    ...{ kind, url },
    rows: async (statement) => {
      const [rows] = await client.query(statement)
      return Array.isArray(rows) ? (rows as readonly Row[]) : []
    },
    drop: async () => {
      await client.end()
      await drop()
    },
  }
}

const places = {
  ...{ sqlite: openSqlite, postgres: openPostgres },
  ...{ mariadb: () => openMysql('mariadb'), mysql: () => openMysql('mysql') },
} as const satisfies Readonly<Record<Kind, () => Promise<Place>>>

/** Defines tests for each database. */
export const onEachKind = (tests: string, define: (kind: Kind) => void): void => {
  describe(`${tests} on SQLite`, () => define('sqlite'))
  onPostgres(`${tests} on PostgreSQL`, () => describe(`${tests} on PostgreSQL`, () => define('postgres')))
  onEachMysql(tests, define)
}

/** A new database with these tables. */
export const openPlace = async (kind: Kind, ddl: readonly string[]): Promise<Place> => {
  const place = await places[kind]()
  for (const statement of ddl) await place.rows(statement)
  return place
}

/** How TypeORM is connected to a place. */
export const typeormOptions = ({ kind, url }: Place): DataSourceOptions =>
  kind === 'sqlite' ? { type: 'better-sqlite3', database: url } : { type: kind, url, poolSize: 4 }

/** How Sequelize is connected to a place. */
export const sequelizeOptions = ({ kind, url }: Place): Options => ({
  ...(kind === 'sqlite'
    ? { dialect: 'sqlite', storage: url, dialectModule: nodeSqlite }
    : { ...partsOf(url), dialect: kind, pool: { max: 4 } }),
  ...(kind === 'mariadb' && { dialectModule: mariadb }),
  ...{ logging: false, define: { timestamps: false } },
})

const mikroOrms = { sqlite: MikroSqlite, postgres: MikroPostgres, mariadb: MikroMariaDb, mysql: MikroMySql }

export const openMikroOrm = async (
  { kind, url }: Place,
  options: Partial<MikroOrmOptions>,
): Promise<MikroORM> => {
  const own = kind === 'sqlite' ? { dbName: url } : { clientUrl: url, pool: { max: 4 } }
  return (await mikroOrms[kind].init({ ...options, ...own } as never)) as unknown as MikroORM
}

/** How Prisma is connected to a place. */
export const prismaAdapter = ({ kind, url }: Place): SqlDriverAdapterFactory => {
  if (kind === 'sqlite') return new PrismaBetterSqlite3({ url: `file:${url}` })
  if (kind === 'postgres') return new PrismaPg({ connectionString: url, max: 4 })
  return new PrismaMariaDb(url.replace('mysql:', 'mariadb:'))
}

/** How Prisma calls the database of a place. */
export const prismaProviders: Readonly<Record<Kind, Provider>> = {
  ...{ sqlite: 'sqlite', postgres: 'postgresql', mariadb: 'mysql', mysql: 'mysql' },
}
