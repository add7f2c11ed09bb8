import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { int as mysqlInt, withReplicas as mysqlReplicas, mysqlTable } from 'drizzle-orm/mysql-core'
import { drizzle as mysqlProxy } from 'drizzle-orm/mysql-proxy'
import type { MySql2Database } from 'drizzle-orm/mysql2'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDatabase, integer as pgInteger, withReplicas as pgReplicas, pgTable } from 'drizzle-orm/pg-core'
import { drizzle as pgProxy } from 'drizzle-orm/pg-proxy'
import type { PgliteDatabase } from 'drizzle-orm/pglite'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { integer, sqliteTable, text, withReplicas } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { StartError } from '../../../src/error/errors.ts'
import { everything } from '../../../src/query/ast.ts'
import type { DrizzleDatabase } from '../../../src/source/drizzle/index.ts'
import { naming } from '../../naming.ts'

const products = sqliteTable('products', { id: integer().primaryKey(), inStock: text() })
const orders = pgTable('orders', { id: pgInteger().primaryKey() })
const ships = mysqlTable('ships', { id: mysqlInt().primaryKey() })

const open = () => {
  const client = new Database(':memory:')
  client.exec('create table products (id integer primary key, in_stock text, "inStock" text)')
  return client
}

const messageOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  throw new Error('it was not refused')
}

const taken = (...databases: readonly DrizzleDatabase[]) => databases.length

/** That the types of all these databases are taken is what is tested: the compiler does it. */
const takes = (
  betterSqlite3: BetterSQLite3Database,
  withSchema: BetterSQLite3Database<{ products: typeof products }>,
  libsql: LibSQLDatabase,
  d1: DrizzleD1Database,
  bun: BunSQLiteDatabase,
  nodePostgres: NodePgDatabase,
  nodePostgresWithSchema: NodePgDatabase<{ orders: typeof orders }>,
  postgresJs: PostgresJsDatabase,
  pglite: PgliteDatabase,
  mysql2: MySql2Database,
) =>
  taken(
    ...[betterSqlite3, withSchema, libsql, d1, bun],
    ...[nodePostgres, nodePostgresWithSchema, postgresJs, pglite, mysql2],
  )

it('takes the types of all databases', () => {
  const db = drizzle(open())
  const other = db as never
  expect(takes(db, other, other, other, other, other, other, other, other, other)).toBe(10)
})

it('says of each database whether it is synchronous', () => {
  expect(drizzleModels(drizzle(open()), { products }).capabilities.synchronous).toBe(true)
  const remote = pgProxy(async () => ({ rows: [] }))
  expect(remote).toBeInstanceOf(PgDatabase)
  expect(drizzleModels(remote, { orders }).capabilities.synchronous).toBe(false)
})

it('takes a map of apps or one of tables, and names', () => {
  const db = drizzle(open())
  const namesIn = (tables: object, names = {}) =>
    drizzleModels(db, { ...tables }, { names }).models.map(({ app, name }) => `${app} ${name}`)
  expect(namesIn({ products })).toEqual(['app Product'])
  expect(namesIn({ shop: { products } })).toEqual(['shop Product'])
  expect(namesIn({ shop: { products } }, { 'shop.products': 'Ware' })).toEqual(['shop Ware'])
})

it('takes the primary of a database with replicas', async () => {
  const client = open()
  const db = withReplicas(drizzle(client), [drizzle(new Database(':memory:'))])
  const source = drizzleModels(db, { products })
  const [model] = source.models
  expect(model && source.store(model).create({ inStock: 'x' })).toEqual({ id: 1, inStock: 'x' })
  const remote = pgProxy(async () => ({ rows: [] }))
  expect(drizzleModels(pgReplicas(remote, [remote]), { orders }).models).toHaveLength(1)
})

it('writes columns in the casing of the database', () => {
  const client = open()
  const source = drizzleModels(drizzle(client, { casing: 'snake_case' }), { products })
  const [model] = source.models
  const store = model && source.store(model)
  store?.create({ inStock: 'x' })
  expect(store?.update([1], { inStock: 'y' }, { op: 'eq', field: 'inStock', value: 'x' })).toEqual({
    id: 1,
    inStock: 'y',
  })
  expect(client.prepare('select * from products').get()).toEqual({ id: 1, in_stock: 'y', inStock: null })
  expect(store?.read([1], everything)).toEqual({ id: 1, inStock: 'y' })
})

it.each([
  ['nothing', undefined],
  ['a client', open()],
  ['a string', 'shop.db'],
  ['a drizzle table', products],
])('refuses %s as a database, and says what it takes', (_, db) => {
  const message = messageOf(() => drizzleModels(db as never, { products }))
  expect(message).toMatch(
    naming(
      ...['drizzleModels', 'SQLite', 'PostgreSQL', 'MySQL', 'MariaDB', 'drizzle()'],
      ...['drizzle-orm/better-sqlite3', 'drizzle-orm/node-postgres', 'drizzle-orm/mysql2'],
    ),
  )
})

it('takes MySQL, and the primary of its replicas', () => {
  const db = mysqlProxy(async () => ({ rows: [] }))
  for (const given of [db, mysqlReplicas(db, [db])])
    expect(drizzleModels(given, { ships })).toMatchObject({
      models: [{ name: 'Ship' }],
      capabilities: { synchronous: false, unicodeCaseFolding: true, transactions: false },
    })
  expect(messageOf(() => drizzleModels(db, { orders }))).toMatch(
    naming('drizzleModels', 'Order', 'PostgreSQL', 'db', 'MySQL'),
  )
})

it('refuses a table of another dialect by name', () => {
  const message = messageOf(() => drizzleModels(drizzle(open()), { shop: { products, orders } }))
  expect(message).toMatch(naming('drizzleModels', 'Order', 'shop', 'PostgreSQL', 'db', 'SQLite'))
})

it('refuses an option that it does not know', () => {
  const options = { name: {} } as object
  expect(messageOf(() => drizzleModels(drizzle(open()), { products }, options))).toMatch(
    naming('drizzleModels', 'name', 'names', 'names'),
  )
})

it.each([undefined, null, [], 'shop', () => undefined])('needs tables: %s', (tables) => {
  const message = messageOf(() => drizzleModels(drizzle(open()), tables as never))
  expect(message).toMatch(naming('drizzleModels(db, { shop })', 'import * as shop'))
})
