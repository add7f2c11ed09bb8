import { sql } from 'drizzle-orm'
import {
  blob,
  check,
  integer,
  primaryKey,
  real,
  sqliteTable,
  sqliteView,
  text,
} from 'drizzle-orm/sqlite-core'
import { decimal } from '../../src/entry/drizzle-sqlite.ts'

export const makers = sqliteTable('makers', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 100 }).notNull().unique(),
  apiSecret: text('api_secret').notNull().default('none'),
})

export const products = sqliteTable(
  'products',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text({ length: 20 }).notNull(),
    price: decimal({ precision: 10, scale: 2 }).notNull(),
    in_stock: integer({ mode: 'boolean' }).notNull().default(true),
    note: text(),
    weight: real(),
    released: integer({ mode: 'timestamp_ms' }),
    big: blob({ mode: 'bigint' }),
    data: text({ mode: 'json' }),
    status: text({ enum: ['draft', 'live'] })
      .notNull()
      .default('draft'),
    maker_id: integer()
      .notNull()
      .references(() => makers.id),
    created_at: integer({ mode: 'timestamp_ms' })
      .notNull()
      .$defaultFn(() => new Date('2026-01-01T00:00:00Z')),
  },
  (table) => [check('price_positive', sql`${table.price} > 0`)],
)

export const shelves = sqliteTable(
  'shelves',
  {
    room: text().notNull(),
    slot: text().notNull(),
    label: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.room, table.slot] })],
)

export const notes = sqliteTable('notes', { key: text().primaryKey(), body: text().notNull() })

export const liveProducts = sqliteView('live_products').as((query) =>
  query.select({ id: products.id, name: products.name }).from(products).where(sql`status = 'live'`),
)

export const tables = { makers, products, shelves, notes, liveProducts }

export const ddl = `
create table makers (id integer primary key autoincrement, name text not null unique, api_secret text not null default 'none');
create table products (
  id integer primary key autoincrement, name text not null, price integer not null constraint price_positive check (price > 0),
  in_stock integer not null default 1, note text, weight real, released integer, big blob, data text,
  status text not null default 'draft', maker_id integer not null references makers (id), created_at integer not null);
create table shelves (room text not null, slot text not null, label text not null, primary key (room, slot));
create table notes (key text primary key not null, body text not null);
create view live_products as select id, name from products where status = 'live';
`
