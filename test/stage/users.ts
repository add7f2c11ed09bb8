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
import { type AnySQLiteColumn, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ModelRest, ModelRestOptions } from '../../src/index.ts'
import { type Host, onFastify, onFetch } from './apps.ts'
import { openPglite, openSqlite, type Row, type TestDatabase } from './databases.ts'
import { type Answer, type Method, senderTo } from './requests.ts'

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

/** A running service with users that are served and `Order`, which refers to them. Users: 1 Ada, 2 Bob, 3 Eve. */
export interface Stage {
  /** @param user the key of the caller; absent: somebody anonymous */
  send(method: Method, path: string, user?: number | string, body?: unknown): Promise<Answer>
  rows(query: string): Promise<readonly Row[]>
  readonly models: TestDatabase['models']
  readonly rest: ModelRest
  stop(): Promise<void>
}

export type Options = Partial<Omit<ModelRestOptions, 'models'>>
export type Start = (options?: Options) => Promise<Stage>

/** Who a test says that they are, on either host. */
const authenticate = ({ headers }: { headers: Headers | Readonly<Record<string, unknown>> }) => {
  const user = headers instanceof Headers ? headers.get('x-user') : headers['x-user']
  return typeof user === 'string' ? { id: /^\d+$/.test(user) ? Number(user) : user, claims: {} } : null
}

export const usersOnSqlite = async (): Promise<TestDatabase> =>
  openSqlite(
    { users: sqliteUsers, orders: sqliteOrders },
    ddl('integer primary key autoincrement', 'integer', '1', '0', 'integer'),
  )

export const usersOnPglite = (): Promise<TestDatabase> =>
  openPglite(
    { users: pgUsers, orders: pgOrders },
    ddl('serial primary key', 'boolean', 'true', 'false', 'timestamptz'),
  )

const starting =
  (host: Host, open: () => Promise<TestDatabase>): Start =>
  async (options = {}) => {
    const { models, rows, close } = await open()
    const app = await host(
      {
        ...{ models, controllers: [], auth: { authenticate } as never },
        modelConfig: { User: { internal: false } },
        ...options,
      },
      { base: '' },
    )
    const send = senderTo(app)
    return {
      ...{ models, rest: app.rest, rows },
      send: (method, path, user, body) =>
        send(method, path, { body, ...(user !== undefined && { headers: { 'x-user': String(user) } }) }),
      stop: async () => {
        await app.stop()
        await close()
      },
    }
  }

/** Both hosts, one on a driver that gives values, one on a driver that gives promises. */
export const stages: readonly (readonly [string, Start])[] = [
  ['Fastify and better-sqlite3', starting(onFastify, usersOnSqlite)],
  ['fetch and PGlite', starting(onFetch, usersOnPglite)],
]
