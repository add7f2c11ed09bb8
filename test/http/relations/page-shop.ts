import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The shop of docs/relations.md. */
export const customers = sqliteTable('customers', {
  id: integer().primaryKey(),
  name: text().notNull(),
  city: text().notNull(),
})

export const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  customer_id: integer().references(() => customers.id),
  status: text().notNull(),
})

export const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })

export const order_items = sqliteTable('order_items', {
  id: integer().primaryKey(),
  order_id: integer()
    .notNull()
    .references(() => orders.id),
  product_id: integer().references(() => products.id),
  quantity: integer().notNull(),
  price: integer().notNull(),
})

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
  },
  ({ order_id, tag_id }) => [primaryKey({ columns: [order_id, tag_id] })],
)

export const ddl = `
  create table customers (id integer primary key, name text not null, city text not null);
  create table orders (id integer primary key, customer_id integer references customers, status text not null);
  create table products (id integer primary key, name text not null);
  create table order_items (id integer primary key, order_id integer not null references orders,
    product_id integer references products, quantity integer not null, price integer not null);
  create table tags (id integer primary key, name text not null);
  create table order_tags (order_id integer not null references orders, tag_id integer not null references tags,
    primary key (order_id, tag_id));`
