import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import {
  type AnyPgColumn,
  boolean as pgBoolean,
  integer as pgInteger,
  pgTable,
  text as pgText,
  serial,
  timestamp,
  varchar,
} from 'drizzle-orm/pg-core'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import { type AnySQLiteColumn, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify, { type FastifyRequest } from 'fastify'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { type FastifyApp, ModelRest as FastifyModelRest } from '../../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../../src/entry/fetch.ts'
import type { ModelRest, ModelRestOptions } from '../../../src/index.ts'

const sqliteUsers = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text({ length: 40 }).notNull().unique(),
  username: text({ length: 20 }).unique(),
  name: text({ length: 40 }),
  locale: text({ enum: ['en', 'de'] }),
  password: text({ length: 255 }).notNull(),
  role: text().notNull().default('member'),
  is_staff: integer({ mode: 'boolean' }).notNull().default(false),
  is_active: integer({ mode: 'boolean' }).notNull().default(true),
  credits: integer().notNull().default(0),
  reset_token: text(),
  invited_by: integer().references((): AnySQLiteColumn => sqliteUsers.id),
  note: text(),
  disabled_at: integer({ mode: 'timestamp' }),
})

const pgUsers = pgTable('users', {
  id: serial().primaryKey(),
  email: varchar({ length: 40 }).notNull().unique(),
  username: varchar({ length: 20 }).unique(),
  name: varchar({ length: 40 }),
  locale: varchar({ enum: ['en', 'de'] }),
  password: varchar({ length: 255 }).notNull(),
  role: pgText().notNull().default('member'),
  is_staff: pgBoolean().notNull().default(false),
  is_active: pgBoolean().notNull().default(true),
  credits: pgInteger().notNull().default(0),
  reset_token: pgText(),
  invited_by: pgInteger().references((): AnyPgColumn => pgUsers.id),
  note: pgText(),
  disabled_at: timestamp({ withTimezone: true }),
})

const sqliteOrders = sqliteTable('orders', {
  id: integer().primaryKey({ autoIncrement: true }),
  label: text().notNull(),
  user_id: integer().references(() => sqliteUsers.id),
})

const pgOrders = pgTable('orders', {
  id: serial().primaryKey(),
  label: pgText().notNull(),
  user_id: pgInteger().references(() => pgUsers.id),
})

const ddl = (key: string, boolean: string, yes: string, no: string, instant: string): string => `
  create table users (
    id ${key}, email varchar(40) not null unique, username varchar(20) unique, name varchar(40), locale varchar(9),
    password varchar(255) not null, role text not null default 'member', is_staff ${boolean} not null default ${no},
    is_active ${boolean} not null default ${yes}, credits integer not null default 0, reset_token text,
    invited_by integer references users (id), note text, disabled_at ${instant});
  create table orders (id ${key}, label text not null, user_id integer references users (id));
  insert into users (email, username, name, password, reset_token, note) values
    ('ada@example.com', 'ada', 'Ada', 'the hash of ada', 'the token of ada', 'a note'),
    ('bob@example.com', 'bob', 'Bob', 'the hash of bob', 'the token of bob', 'a note'),
    ('Eve@Example.com', null, 'Eve', '', null, null);`

/** A reply as a test sees it. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly json: Record<string, unknown>
}

/** A running service with users that are served and `Order`, which refers to them. Users: 1 Ada, 2 Bob, 3 Eve. */
export interface Stage {
  /** @param user the key of the caller; absent: somebody anonymous */
  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    user?: number | string,
    body?: unknown,
  ): Promise<Answer>
  rows(query: string): Promise<readonly Record<string, unknown>[]>
  readonly models: ModelRestOptions['models']
  readonly rest: ModelRest
  stop(): Promise<void>
}

export type Options = Partial<Omit<ModelRestOptions, 'models'>>
export type Start = (options?: Options) => Promise<Stage>

/** Who a test says that they are. */
const byHeader = (user: string | null | undefined) =>
  typeof user === 'string' ? { id: /^\d+$/.test(user) ? Number(user) : user, claims: {} } : null

const served = { modelConfig: { User: { internal: false } } } as const

export const openSqlite = () => {
  const client = new Database(':memory:')
  client.exec(ddl('integer primary key autoincrement', 'integer', '1', '0', 'integer'))
  return {
    models: drizzleModels(overSqlite({ client }), { users: sqliteUsers, orders: sqliteOrders }),
    rows: async (query: string) => client.prepare(query).all() as Record<string, unknown>[],
    close: async () => {
      client.close()
    },
  }
}

/** Starting one takes seconds: the services of a test file follow each other on it. */
let pglite: PGlite | undefined

export const openPglite = async () => {
  pglite ??= new PGlite()
  const client = pglite
  await client.exec(
    `drop table if exists orders; drop table if exists users;
     ${ddl('serial primary key', 'boolean', 'true', 'false', 'timestamptz')}`,
  )
  return {
    models: drizzleModels(overPglite({ client }), { users: pgUsers, orders: pgOrders }),
    rows: async (query: string) => (await client.query<Record<string, unknown>>(query)).rows,
    close: async () => undefined,
  }
}

const answerOf = (status: number, body: string): Answer => ({
  ...{ status, text: body },
  json: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {},
})

const headersOf = (user: number | string | undefined, body: unknown): Record<string, string> => ({
  ...(user !== undefined && { 'x-user': String(user) }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
})

const startFastify: Start = async (options = {}) => {
  const { models, rows, close } = openSqlite()
  const app = Fastify({ logger: false })
  const rest = new FastifyModelRest(
    app as unknown as FastifyApp,
    {
      ...{ models, controllers: [], ...served },
      auth: {
        authenticate: ({ headers }: FastifyRequest) => byHeader(headers['x-user'] as string | undefined),
      },
      ...options,
    } as never,
  ) as ModelRest
  await rest.init()
  return {
    ...{ models: models as ModelRestOptions['models'], rest, rows },
    send: async (method, url, user, body) => {
      const reply = await app.inject({
        ...{ method, url, headers: headersOf(user, body) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return answerOf(reply.statusCode, reply.body)
    },
    stop: async () => {
      await rest.close()
      await app.close()
      await close()
    },
  }
}

const startFetch: Start = async (options = {}) => {
  const { models, rows, close } = await openPglite()
  const app = fetchApp({ base: '' })
  const rest = new FetchModelRest(app, {
    ...{ models, controllers: [], ...served },
    auth: { authenticate: ({ headers }: Request) => byHeader(headers.get('x-user')) },
    ...options,
  } as never) as ModelRest
  await rest.init()
  return {
    ...{ models: models as ModelRestOptions['models'], rest, rows },
    send: async (method, path, user, body) => {
      const response = await app.fetch(
        new Request(`http://localhost${path}`, {
          ...{ method, headers: headersOf(user, body) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
      return answerOf(response.status, await response.text())
    },
    stop: async () => {
      await rest.close()
      await close()
    },
  }
}

/** Both hosts, one on a driver that gives values, one on a driver that gives promises. */
export const stages: readonly (readonly [string, Start])[] = [
  ['Fastify and better-sqlite3', startFastify],
  ['fetch and PGlite', startFetch],
]
