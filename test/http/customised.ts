import { blob, integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { decimal } from '../../src/entry/drizzle-sqlite.ts'
import type { CustomSchemas, ModelRestOptions } from '../../src/index.ts'
import type { OpenApiDocument } from '../../src/openapi/openapi-document.ts'
import { type Entry, onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { type Answer, type Method, senderTo } from '../stage/requests.ts'

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

/** A running service with schemas of its own. */
export interface Customised {
  send(method: Method, path: string, body?: unknown): Promise<Answer>
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

const messagesOf = ({ line, details }: Entry): string => {
  const { err } = details as { err?: { message: string; stack: string } }
  return [line, err?.message, err?.stack].join(' ')
}

export const start: Start = async (customSchemas, options) => {
  const { client, models, close } = openSqlite({ products, customers, notes, emails }, ddl)
  const log: string[] = []
  const onEntry = (entry: Entry): void => {
    if (entry.level !== 'info') log.push(messagesOf(entry))
  }
  const given = { models, customSchemas, controllers: [], ...options } as Partial<ModelRestOptions>
  const app = await onFastify(given, { base: '', onEntry })
  const send = senderTo(app)
  return {
    ...{ log, document: app.rest.openapi() },
    rows: (table) => client.prepare(`select * from ${table}`).all(),
    send: (method, path, body) => send(method, path, { body }),
    stop: async () => {
      await app.stop()
      await close()
    },
  }
}
