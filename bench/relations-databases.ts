import Database from 'better-sqlite3'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { index as pgIndex, integer as pgInteger, pgTable, text as pgText } from 'drizzle-orm/pg-core'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzleModels } from 'modelrest/drizzle'
import type { ModelSource } from 'modelrest/fastify'
import pg from 'pg'
import { openFile } from './sides/open-file.ts'

export const ORDERS = 100_000
/** The last orders have 100,005 items each, all others five: a million together. */
const LARGE = 5

const sqliteCustomers = sqliteTable(
  'customers',
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    city: text().notNull(),
  },
  (table) => [index('customers_city').on(table.city)],
)
const sqliteProducts = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
const sqliteOrders = sqliteTable(
  'orders',
  {
    id: integer().primaryKey(),
    customer_id: integer()
      .notNull()
      .references(() => sqliteCustomers.id),
    status: text().notNull(),
  },
  (table) => [index('orders_customer').on(table.customer_id)],
)
const sqliteItems = sqliteTable(
  'items',
  {
    id: integer().primaryKey(),
    order_id: integer()
      .notNull()
      .references(() => sqliteOrders.id),
    product_id: integer()
      .notNull()
      .references(() => sqliteProducts.id),
    quantity: integer().notNull(),
    price: integer().notNull(),
  },
  (table) => [index('items_order').on(table.order_id, table.id)],
)

const pgCustomers = pgTable(
  'customers',
  {
    id: pgInteger().primaryKey(),
    name: pgText().notNull(),
    city: pgText().notNull(),
  },
  (table) => [pgIndex('customers_city').on(table.city)],
)
const pgProducts = pgTable('products', { id: pgInteger().primaryKey(), name: pgText().notNull() })
const pgOrders = pgTable(
  'orders',
  {
    id: pgInteger().primaryKey(),
    customer_id: pgInteger()
      .notNull()
      .references(() => pgCustomers.id),
    status: pgText().notNull(),
  },
  (table) => [pgIndex('orders_customer').on(table.customer_id)],
)
const pgItems = pgTable(
  'items',
  {
    id: pgInteger().primaryKey(),
    order_id: pgInteger()
      .notNull()
      .references(() => pgOrders.id),
    product_id: pgInteger()
      .notNull()
      .references(() => pgProducts.id),
    quantity: pgInteger().notNull(),
    price: pgInteger().notNull(),
  },
  (table) => [pgIndex('items_order').on(table.order_id, table.id)],
)

const ddl = `
  create table customers (id integer primary key, name text not null, city text not null);
  create table products (id integer primary key, name text not null);
  create table orders (id integer primary key, customer_id integer not null references customers, status text not null);
  create table items (id integer primary key, order_id integer not null references orders,
    product_id integer not null references products, quantity integer not null, price integer not null);`

/** The same rows on both databases, from the numbers that `series` gives as `i`. */
const rows = (series: (count: number) => string): readonly string[] => [
  `insert into customers select i, 'Customer ' || (i * 7919 % 10000), 'c' || (i % 100) from ${series(10_000)}`,
  `insert into products select i, 'Product ' || i from ${series(1000)}`,
  `insert into orders select i, 1 + i * 31 % 10000, case i % 3 when 0 then 'open' else 'done' end from ${series(ORDERS)}`,
  `insert into items select i, case when i <= ${5 * (ORDERS - LARGE)} then (i + 4) / 5 else ${ORDERS} - i % ${LARGE} end,
    1 + i * 17 % 1000, 1 + i % 9, i * 13 % 1000 from ${series(1_000_000)}`,
  'create index orders_customer on orders (customer_id)',
  'create index items_order on items (order_id, id)',
  'create index customers_city on customers (city)',
]

export const fillSqlite = (file: string): void => {
  const client = new Database(file)
  client.exec(ddl)
  const series = (count: number) =>
    `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n)`
  for (const statement of rows(series)) client.exec(statement)
  client.exec('analyze')
  client.close()
}

export const fillPostgres = async (url: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(ddl)
  for (const statement of rows((count) => `generate_series(1, ${count}) i`)) await client.query(statement)
  await client.query('vacuum analyze')
  await client.end()
}

export const modelsOf = (kind: string, database: string): ModelSource =>
  kind === 'postgres'
    ? drizzleModels(drizzlePg(new pg.Pool({ connectionString: database })), {
        ...{ customers: pgCustomers, products: pgProducts, orders: pgOrders, items: pgItems },
      })
    : drizzleModels(drizzleSqlite(openFile(database)), {
        ...{ customers: sqliteCustomers, products: sqliteProducts, orders: sqliteOrders, items: sqliteItems },
      })
