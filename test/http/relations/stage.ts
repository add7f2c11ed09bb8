import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import {
  type AnySQLiteColumn,
  foreignKey,
  integer,
  primaryKey,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { image } from '../../../src/entry/drizzle-sqlite.ts'
import { type ControllerClass, controllerFor } from '../../../src/index.ts'
import { type TestApiOptions, testApi } from '../../../src/testing/index.ts'

export const customers = sqliteTable('customers', {
  id: integer().primaryKey(),
  name: text().notNull(),
  tenant: integer().notNull().default(1),
  secret: text().notNull().default('hush'),
  photo: image(),
})

export const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  customer_id: integer().references(() => customers.id),
  status: text().notNull().default('open'),
})

export const order_items = sqliteTable('order_items', {
  id: integer().primaryKey(),
  order_id: integer()
    .notNull()
    .references(() => orders.id),
  product_id: integer().references(() => products.id),
  price: integer().notNull(),
})

export const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })

export const tags = sqliteTable('tags', { id: integer().primaryKey(), name: text().notNull() })

export const order_tags = sqliteTable(
  'order_tags',
  {
    order_id: integer()
      .notNull()
      .references(() => orders.id),
    tag_id: integer()
      .notNull()
      .references(() => tags.id),
    weight: integer().notNull().default(0),
  },
  ({ order_id, tag_id }) => [primaryKey({ columns: [order_id, tag_id] })],
)

export const staff = sqliteTable('staff', {
  id: integer().primaryKey(),
  name: text().notNull(),
  boss_id: integer().references((): AnySQLiteColumn => staff.id),
})

export const rooms = sqliteTable(
  'rooms',
  { house: text().notNull(), number: integer().notNull() },
  ({ house, number }) => [primaryKey({ columns: [house, number] })],
)

/** Its keys are texts. */
export const words = sqliteTable('words', { word: text().primaryKey(), meaning: text().notNull() })

export const bookings = sqliteTable(
  'bookings',
  { id: integer().primaryKey(), house: text(), number: integer() },
  ({ house, number }) => [
    foreignKey({ columns: [house, number], foreignColumns: [rooms.house, rooms.number] }),
  ],
)

const tables = { customers, orders, order_items, products, tags, order_tags, staff, rooms, bookings, words }

/** A shop with relations of every form, in memory. */
export const openShop = () => {
  const client = new Database(':memory:')
  client.pragma('foreign_keys = on')
  client.exec(`
    create table customers (id integer primary key, name text not null, tenant integer not null default 1,
      secret text not null default 'hush', photo text);
    create table orders (id integer primary key, customer_id integer references customers, status text not null default 'open');
    create table products (id integer primary key, name text not null);
    create table order_items (id integer primary key, order_id integer not null references orders,
      product_id integer references products, price integer not null);
    create table tags (id integer primary key, name text not null);
    create table order_tags (order_id integer not null references orders, tag_id integer not null references tags,
      weight integer not null default 0, primary key (order_id, tag_id));
    create table staff (id integer primary key, name text not null, boss_id integer references staff);
    create table words (word text primary key, meaning text not null);
    create table rooms (house text not null, number integer not null, primary key (house, number));
    create table bookings (id integer primary key, house text, number integer,
      foreign key (house, number) references rooms);
    insert into customers (id, name, tenant) values (1, 'Ada', 1), (2, 'Bob', 2), (3, 'Cy', 1);
    insert into orders values (1, 1, 'open'), (2, 2, 'open'), (3, null, 'done'), (4, 1, 'done');
    insert into products values (1, 'Lamp'), (2, 'Chair');
    insert into order_items values (1, 1, 1, 10), (2, 1, 2, 20), (3, 1, null, 30), (4, 2, 1, 5);
    insert into tags values (1, 'red'), (2, 'new');
    insert into order_tags values (1, 1, 5), (1, 2, 6), (2, 2, 7);
    insert into staff values (1, 'Top', null), (2, 'Mid', 1), (3, 'Low', 2);
    insert into rooms values ('a', 1), ('a', 2), ('b', 1);
    insert into bookings values (1, 'a', 1), (2, 'a', 1), (3, 'b', null), (4, null, null);
  `)
  const statements: string[] = []
  const db = drizzle({ client, logger: { logQuery: (query) => void statements.push(query) } })
  return { client, models: drizzleModels(db, tables), statements }
}

type Options = Omit<TestApiOptions<unknown>, 'models'>

type Item = Readonly<Record<string, unknown>>

/** An API of the shop, and what it has logged. */
export const onShop = async (options: Options = {}, hooks: Readonly<Record<string, object>> = {}) => {
  const shop = openShop()
  const lines: string[] = []
  const note = (line: string, error?: unknown): void => void lines.push(`${line} ${error}`)
  const controllers = Object.entries(hooks).map(([model, parts]) =>
    (controllerFor as (model: string, parts: object) => ControllerClass)(model, parts),
  )
  const api = await testApi({
    ...{ models: shop.models, controllers, log: { info: note, warn: note, error: note } },
    ...options,
  })
  return {
    ...shop,
    api,
    lines,
    /** The JSON of a response that must succeed. */
    async get(path: string): Promise<Item & { readonly items: readonly Item[] }> {
      const { status, json, text } = await api.get(path)
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
      return json as Item & { readonly items: readonly Item[] }
    },
    async stop(): Promise<void> {
      await api.close()
      shop.client.close()
    },
  }
}
