import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { blob, integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { decimal } from '../../src/entry/drizzle-sqlite.ts'
import { ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import type { CustomSchemas, ModelRestOptions } from '../../src/index.ts'
import type { OpenApiDocument } from '../../src/openapi/openapi-document.ts'

const products = sqliteTable('products', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 100 }).notNull(),
  price: decimal({ precision: 10, scale: 2 }).notNull(),
  in_stock: integer({ mode: 'boolean' }).notNull().default(true),
  serial: blob({ mode: 'bigint' }),
})

const customers = sqliteTable('customers', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text({ length: 40 }).notNull(),
  slug: text({ length: 40 }),
  password: text(),
  level: integer().notNull().default(1),
  joined: integer({ mode: 'timestamp_ms' }),
  created_at: integer({ mode: 'timestamp_ms' })
    .notNull()
    .$defaultFn(() => new Date('2026-01-01T00:00:00Z')),
})

const notes = sqliteTable('notes', { key: text().primaryKey(), body: text().notNull() })

const emails = sqliteView('emails').as((query) =>
  query.select({ id: customers.id, email: customers.email }).from(customers),
)

const ddl = `
create table products (id integer primary key autoincrement, name text not null, price integer not null,
  in_stock integer not null default 1, serial blob);
create table customers (id integer primary key autoincrement, email text not null, slug text, password text,
  level integer not null default 1, joined integer, created_at integer not null);
create table notes (key text primary key not null, body text not null);
create view emails as select id, email from customers;
`

export interface Answer {
  readonly status: number
  readonly json: Record<string, unknown>
  readonly text: string
}

/** A running service with schemas of its own. */
export interface Customised {
  send(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<Answer>
  /** All that a table holds, as the database has it. */
  rows(table: string): readonly unknown[]
  readonly document: OpenApiDocument
  /** The log: lines and causes of errors. */
  readonly log: readonly string[]
  stop(): Promise<void>
}

export type Start = (
  custom: CustomSchemas,
  options?: Partial<ModelRestOptions<unknown>>,
) => Promise<Customised>

const open = () => {
  const database = new Database(':memory:')
  database.exec(ddl)
  const models = drizzleModels(drizzle({ client: database }), { products, customers, notes, emails })
  return { models, database, rows: (table: string) => database.prepare(`select * from ${table}`).all() }
}

const answerOf = (status: number, body: string): Answer => ({
  status,
  text: body,
  get json() {
    return JSON.parse(body) as Record<string, unknown>
  },
})

/** What the log has of errors: messages and those of their causes. */
const messagesOf = (line: string): string => {
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string; stack: string } }
  return [msg, err?.message, err?.stack].join(' ')
}

const onFastify: Start = async (customSchemas, options) => {
  const { models, database, rows } = open()
  const log: string[] = []
  const app = Fastify({
    logger: { level: 'warn', stream: { write: (line: string) => void log.push(messagesOf(line)) } },
  })
  const rest = new FastifyModelRest(app, {
    models,
    customSchemas,
    controllers: [],
    ...options,
  } as ModelRestOptions<unknown>)
  await rest.init()
  return {
    ...{ rows, log, document: rest.openapi() },
    send: async (method, url, payload) => {
      const headers = { 'content-type': 'application/json' }
      const body = payload === undefined ? {} : { headers, payload: JSON.stringify(payload) }
      const reply = await app.inject({ method, url, ...body })
      return answerOf(reply.statusCode, reply.body)
    },
    stop: async () => {
      await app.close()
      database.close()
    },
  }
}

const onFetch: Start = async (customSchemas, options) => {
  const { models, database, rows } = open()
  const app = fetchApp()
  const rest = new FetchModelRest(app, {
    models,
    customSchemas,
    controllers: [],
    ...options,
  } as ModelRestOptions<unknown>)
  await rest.init()
  return {
    ...{ rows, log: [], document: rest.openapi() },
    send: async (method, path, payload) => {
      const headers = { 'content-type': 'application/json' }
      const body = payload === undefined ? {} : { headers, body: JSON.stringify(payload) }
      const reply = await app.fetch(new Request(`http://localhost${path}`, { method, ...body }))
      return answerOf(reply.status, await reply.text())
    },
    stop: async () => void database.close(),
  }
}

export const hosts: readonly (readonly [string, Start])[] = [
  ['fastify', onFastify],
  ['fetch', onFetch],
]

export const start: Start = onFastify
