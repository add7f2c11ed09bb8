// npm run build && node bench/bulk.ts [rounds]: creates 1,000 records in one request, beside a route written by hand with one
// multi-row insert of drizzle. The ratios are medians of interleaved rounds in one process: of the time, and of the CPU time of
// this process, which hardly depends on what else the machine does. That of a server is not part of it.
import Database from 'better-sqlite3'
import { gte } from 'drizzle-orm'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as overMysql } from 'drizzle-orm/mysql2'
import { drizzle as overPostgres } from 'drizzle-orm/node-postgres'
import { integer as pgInteger, pgTable, text as pgText, serial } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify, { type FastifyInstance } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { ModelRest, type ModelSource } from 'modelrest/fastify'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { startMariaDb } from '../test/servers/mariadb.ts'
import { startPostgres } from '../test/servers/postgres.ts'
import { median } from './measure.ts'

const rounds = Number(process.argv[2] ?? 15)
const RECORDS = 1000

const payload = Array.from({ length: RECORDS }, (_, at) => ({
  name: `Product ${at}`,
  category: `c${at % 20}`,
  stock: at,
  price: at * 3,
}))

const bodySchema = {
  type: 'array',
  maxItems: RECORDS,
  items: {
    type: 'object',
    required: ['name', 'category', 'stock', 'price'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', maxLength: 100 },
      category: { type: 'string', maxLength: 20 },
      stock: { type: 'integer' },
      price: { type: 'integer' },
    },
  },
}

interface Side {
  readonly models: ModelSource
  /** A multi-row insert that returns the records. */
  readonly insert: (rows: typeof payload) => unknown
  readonly empty: () => Promise<void>
}

const onSqlite = (): Side => {
  const client = new Database(':memory:')
  client.exec(
    'create table products (id integer primary key, name text not null, category text not null, stock integer not null, price integer not null)',
  )
  const products = sqliteTable('products', {
    id: integer().primaryKey(),
    name: text({ length: 100 }).notNull(),
    category: text({ length: 20 }).notNull(),
    stock: integer().notNull(),
    price: integer().notNull(),
  })
  const db = overSqlite({ client })
  return {
    models: drizzleModels(db, { products }),
    insert: (rows) =>
      db
        .insert(products)
        .values([...rows])
        .returning()
        .all(),
    empty: async () => void client.exec('delete from products'),
  }
}

const onPostgres = async (url: string): Promise<Side> => {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => undefined)
  await pool.query(
    'create table products (id serial primary key, name text not null, category text not null, stock integer not null, price integer not null)',
  )
  const products = pgTable('products', {
    id: serial().primaryKey(),
    name: pgText().notNull(),
    category: pgText().notNull(),
    stock: pgInteger().notNull(),
    price: pgInteger().notNull(),
  })
  const db = overPostgres(pool)
  return {
    models: drizzleModels(db, { products }),
    insert: (rows) =>
      db
        .insert(products)
        .values([...rows])
        .returning(),
    empty: async () => void (await pool.query('truncate products')),
  }
}

/** MariaDB returns what it inserts, but drizzle does not, so the route by hand reads the records again. */
const onMariaDb = async (url: string): Promise<Side> => {
  const alone = await mysql.createConnection(url)
  await alone.query('create database bench')
  await alone.end()
  const pool = mysql.createPool({ uri: `${url}bench`, connectionLimit: 4 })
  await pool.query(
    'create table products (id integer primary key auto_increment, name varchar(100) not null, category varchar(20) not null, stock integer not null, price integer not null)',
  )
  const products = mysqlTable('products', {
    id: int().primaryKey().autoincrement(),
    name: varchar({ length: 100 }).notNull(),
    category: varchar({ length: 20 }).notNull(),
    stock: int().notNull(),
    price: int().notNull(),
  })
  const db = overMysql(pool)
  return {
    models: drizzleModels(db, { products }),
    insert: (rows) =>
      db.transaction(async (inside) => {
        const [{ insertId }] = await inside.insert(products).values([...rows])
        return await inside.select().from(products).where(gte(products.id, insertId)).orderBy(products.id)
      }),
    empty: async () => void (await pool.query('truncate products')),
  }
}

const compare = async (database: string, { models, insert, empty }: Side): Promise<void> => {
  const byHand = Fastify()
  byHand.post<{ Body: typeof payload }>(
    '/products/',
    { schema: { body: bodySchema } },
    async ({ body }, reply) => {
      reply.code(201)
      return await insert(body)
    },
  )
  const served = Fastify()
  await new ModelRest(served, { models, modelConfig: { Product: { bulk: true } } }).init()
  const oneByOne = Fastify()
  await new ModelRest(oneByOne, { models }).init()
  const post = async (app: FastifyInstance, body: object): Promise<void> => {
    const { statusCode, payload: given } = await app.inject({
      method: 'POST',
      url: '/products/',
      payload: body,
    })
    if (statusCode !== 201) throw new Error(`${statusCode} ${given.slice(0, 500)}`)
  }
  const acts = {
    'by hand': () => post(byHand, payload),
    bulk: () => post(served, payload),
    'one by one': async () => {
      for (const one of payload) await post(oneByOne, one)
    },
  }
  const spent = new Map<string, { readonly seconds: number; readonly cpu: number }[]>()
  for (let round = -3; round < rounds; round += 1)
    for (const [name, act] of Object.entries(acts)) {
      await empty()
      const [since, used] = [performance.now(), process.cpuUsage()]
      await act()
      const { user, system } = process.cpuUsage(used)
      const one = { seconds: (performance.now() - since) / 1000, cpu: (user + system) / 1e6 }
      if (round >= 0) spent.set(name, [...(spent.get(name) ?? []), one])
    }
  const hand = spent.get('by hand') ?? []
  for (const [name, all] of spent) {
    const perSecond = Math.round(RECORDS / median(all.map(({ seconds }) => seconds)))
    const ratioOf = (part: 'seconds' | 'cpu'): string =>
      median(all.map((one, at) => (hand[at] ?? one)[part] / one[part])).toFixed(2)
    console.log(
      `${database}: ${name}: ${perSecond} rows per second, ${ratioOf('seconds')} of by hand, by CPU time ${ratioOf('cpu')}`,
    )
  }
}

await compare('better-sqlite3', onSqlite())
const server = await startPostgres({})
await compare('PostgreSQL', await onPostgres(server.url))
await server.stop()
const mariaDb = await startMariaDb()
await compare('MariaDB', await onMariaDb(mariaDb.url))
await mariaDb.stop()
process.exit(0)
