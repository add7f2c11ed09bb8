import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { decimal, image } from 'modelrest/drizzle/sqlite'
import { type Address, orderStatus } from './values.ts'

/** The users who can log in with `AUTH=1`. They are not customers, and the API does not serve them. */
export { usersTable as users } from 'modelrest/drizzle/sqlite'

const createdAt = () => integer({ mode: 'timestamp' }).notNull().default(sql`(unixepoch())`)

export const products = sqliteTable('products', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 100 }).notNull(),
  price: decimal({ precision: 10, scale: 2 }).notNull(),
  in_stock: integer({ mode: 'boolean' }).notNull().default(true),
})

export const categories = sqliteTable('categories', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 60 }).notNull().unique(),
  description: text(),
  parent_id: integer().references((): AnySQLiteColumn => categories.id),
  image: image(),
})

export const productCategories = sqliteTable(
  'product_categories',
  {
    product_id: integer()
      .notNull()
      .references(() => products.id),
    category_id: integer()
      .notNull()
      .references(() => categories.id),
    featured: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.product_id, table.category_id] }),
    index('product_categories_category').on(table.category_id),
  ],
)

export const customers = sqliteTable('customers', {
  id: text({ length: 36 }).primaryKey().$defaultFn(randomUUID),
  name: text({ length: 100 }).notNull(),
  email: text({ length: 200 }).notNull().unique(),
  phone: text({ length: 30 }),
  address: text({ mode: 'json' }).$type<Address>(),
  loyalty_points: integer().notNull().default(0),
  created_at: createdAt(),
})

export const orders = sqliteTable(
  'orders',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    customer_id: text({ length: 36 })
      .notNull()
      .references(() => customers.id),
    status: text({ enum: orderStatus }).notNull().default('pending'),
    shipping_fee: decimal({ precision: 8, scale: 2 }).notNull().default('4.90'),
    weight_kg: real(),
    note: text({ length: 500 }),
    shipped_at: integer({ mode: 'timestamp' }),
    created_at: createdAt(),
  },
  (table) => [index('orders_customer').on(table.customer_id)],
)

export const orderItems = sqliteTable(
  'order_items',
  {
    order_id: integer()
      .notNull()
      .references(() => orders.id),
    product_id: integer()
      .notNull()
      .references(() => products.id),
    quantity: integer().notNull().default(1),
    unit_price: decimal({ precision: 10, scale: 2 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.order_id, table.product_id] }),
    index('order_items_product').on(table.product_id),
  ],
)

/** The audit log of orders, written by their controller and not served over HTTP. */
export const auditEntries = sqliteTable('audit_entries', {
  id: integer().primaryKey({ autoIncrement: true }),
  // Not a foreign key, because entries stay when their order is deleted.
  order_id: integer().notNull(),
  status: text({ enum: orderStatus }).notNull(),
  created_at: createdAt(),
})
