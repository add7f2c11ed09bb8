// Serves one side of the comparison: node bench/shared-serve.ts <by-hand|alone|shared> <postgres|mysql> <url>

import * as mysqlColumns from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import * as pgColumns from 'drizzle-orm/pg-core'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, ModelRest, type ModelSource } from 'modelrest/fastify'
import mysql, { type RowDataPacket } from 'mysql2/promise'
import pg from 'pg'
import { answerWithCpu, say } from './messages.ts'
import { pageOf } from './page-schema.ts'

const [side = '', kind = '', url = ''] = process.argv.slice(2)
const CONNECTIONS = 10
const columns = 'id, name, category, stock'
/** The gate would refuse a part of so many connections at once. */
const settings = defineSettings({
  SECRET_KEY: 'of the benchmark, and as long as it has to be',
  MAX_WAITING: 0,
})

interface ByHand {
  readonly one: (id: number) => Promise<object | undefined>
  readonly page: (limit: number, offset: number) => Promise<readonly object[]>
}

const onPostgres = (): { readonly byHand: ByHand; readonly models: ModelSource } => {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  pool.on('error', () => undefined)
  const rows = async (name: string, text: string, values: unknown[]): Promise<readonly object[]> =>
    (await pool.query<object>({ name, text: `select ${columns} from products ${text}`, values })).rows
  const { integer, pgTable, text } = pgColumns
  const products = pgTable('products', {
    id: integer().primaryKey(),
    name: text().notNull(),
    category: text().notNull(),
    stock: integer().notNull(),
  })
  return {
    byHand: {
      one: async (id) => (await rows('one', 'where id = $1', [id]))[0],
      page: (limit, offset) => rows('page', 'order by id limit $1 offset $2', [limit, offset]),
    },
    models: drizzleModels(drizzlePg(pool), { products }, { sharedReads: side === 'shared' }),
  }
}

const onMysql = (): { readonly byHand: ByHand; readonly models: ModelSource } => {
  const pool = mysql.createPool({ uri: url, connectionLimit: CONNECTIONS })
  const rows = async (text: string, values: number[]): Promise<readonly object[]> =>
    (await pool.query<RowDataPacket[]>(`select ${columns} from products ${text}`, values))[0]
  const { int, mysqlTable, varchar } = mysqlColumns
  const products = mysqlTable('products', {
    id: int().primaryKey(),
    name: varchar({ length: 100 }).notNull(),
    category: varchar({ length: 20 }).notNull(),
    stock: int().notNull(),
  })
  return {
    byHand: {
      one: async (id) => (await rows('where id = ?', [id]))[0],
      page: (limit, offset) => rows('order by id limit ? offset ?', [limit, offset]),
    },
    models: drizzleModels(drizzleMysql(pool), { products }, { sharedReads: side === 'shared' }),
  }
}

const product = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    category: { type: 'string' },
    stock: { type: 'integer' },
  },
} as const

const page = pageOf(product)

const app = Fastify()
const { byHand, models } = kind === 'mysql' ? onMysql() : onPostgres()
if (side === 'by-hand') {
  const params = { type: 'object', properties: { id: { type: 'integer' } } } as const
  app.get<{ Params: { id: number } }>(
    '/products/:id',
    { schema: { params, response: { 200: product } } },
    async ({ params: { id } }, reply) => (await byHand.one(id)) ?? reply.code(404).send({}),
  )
  const querystring = {
    type: 'object',
    properties: { limit: { type: 'integer' }, offset: { type: 'integer', default: 0 } },
  } as const
  app.get<{ Querystring: { limit: number; offset: number } }>(
    '/products/',
    { schema: { querystring, response: { 200: page } } },
    async ({ query: { limit, offset } }) => ({
      items: await byHand.page(limit, offset),
      count: null,
      count_exact: false,
    }),
  )
} else await new ModelRest(app, { models, settings }).init()

answerWithCpu()

say({ origin: await app.listen({ port: 0, host: '127.0.0.1' }) })
