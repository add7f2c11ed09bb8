import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import mariadb from 'mariadb'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { describe } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import type { ModelSource } from '../../../src/index.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../../servers/test-mysql.ts'
import { nodeSqlite } from '../../source/sequelize/node-sqlite.ts'
import { partsOf } from '../../source/sequelize/shop.ts'

type Row = Readonly<Record<string, unknown>>

/** A database with the tables of items, labels and notes. */
export interface Place {
  readonly kind: Kind
  /** The file of SQLite. */
  readonly url: string
  rows(statement: string): Promise<readonly Row[]>
  drop(): Promise<void>
}

export type Kind = 'sqlite' | 'postgres' | 'mariadb' | 'mysql'

interface Opened {
  readonly models: ModelSource
  end(): Promise<unknown>
}

/** Opens items, labels and notes as an ORM declares them. */
type OpenOrm = (place: Place, onStatement: (text: string) => void) => Promise<Opened>

const counted = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'serial primary key',
  mariadb: 'int auto_increment primary key',
  mysql: 'int auto_increment primary key',
} as const satisfies Readonly<Record<Kind, string>>

const ddlOf = (kind: Kind): readonly string[] => [
  `create table items (id ${counted[kind]}, sku varchar(20), price int not null check (price < 1000), quantity int not null default 1, constraint items_sku_key unique (sku))`,
  'create table labels (code varchar(20) primary key, text varchar(40) not null)',
  'create table notes (page int not null, line int not null, text varchar(40), primary key (page, line))',
]

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

export const openPlace = async (kind: Kind): Promise<Place> => {
  const place = await places[kind]()
  for (const statement of ddlOf(kind)) await place.rows(statement)
  return place
}

const int = { type: 'int' } as const
const text = (length: number) => ({ type: 'varchar', length }) as const

const typeorm: OpenOrm = async ({ kind, url }, onStatement) => {
  const entities = [
    new EntitySchema({
      ...{ name: 'Item', tableName: 'items' },
      columns: {
        id: { ...int, primary: true, generated: 'increment' },
        sku: { ...text(20), nullable: true },
        ...{ price: int, quantity: { ...int, default: 1 } },
      },
      uniques: [{ name: 'items_sku_key', columns: ['sku'] }],
    } as never),
    new EntitySchema({
      ...{ name: 'Label', tableName: 'labels' },
      columns: { code: { ...text(20), primary: true }, text: text(40) },
    }),
    new EntitySchema({
      ...{ name: 'Note', tableName: 'notes' },
      columns: {
        ...{ page: { ...int, primary: true }, line: { ...int, primary: true } },
        text: { ...text(40), nullable: true },
      },
    }),
  ]
  const dataSource = new DataSource({
    ...(kind === 'sqlite' ? { type: 'better-sqlite3', database: url } : { type: kind, url, poolSize: 4 }),
    ...{ entities, logging: ['query'] },
    logger: { logQuery: onStatement, logQueryError: () => undefined } as never,
  })
  await dataSource.initialize()
  return { models: typeormModels(dataSource), end: () => dataSource.destroy() }
}

const sequelize: OpenOrm = async ({ kind, url }, onStatement) => {
  const instance = new Sequelize({
    ...(kind === 'sqlite'
      ? { dialect: 'sqlite', storage: url, dialectModule: nodeSqlite }
      : { ...partsOf(url), dialect: kind, pool: { max: 4 } }),
    ...(kind === 'mariadb' && { dialectModule: mariadb }),
    ...{ logging: onStatement, define: { timestamps: false } },
  })
  const whole = () => ({ type: DataTypes.INTEGER, allowNull: false })
  instance.define(
    'Item',
    {
      ...{ sku: { type: DataTypes.STRING(20), unique: true }, price: whole() },
      quantity: { ...whole(), defaultValue: 1 },
    },
    { tableName: 'items' },
  )
  instance.define(
    'Label',
    {
      code: { type: DataTypes.STRING(20), primaryKey: true },
      text: { type: DataTypes.STRING(40), allowNull: false },
    },
    { tableName: 'labels' },
  )
  instance.define(
    'Note',
    {
      ...{ page: { ...whole(), primaryKey: true }, line: { ...whole(), primaryKey: true } },
      text: DataTypes.STRING(40),
    },
    { tableName: 'notes' },
  )
  return { models: sequelizeModels(instance), end: () => instance.close() }
}

/** The ORMs whose sources store several records in one statement. */
export const ormShops = { typeorm, sequelize } as const satisfies Readonly<Record<string, OpenOrm>>
