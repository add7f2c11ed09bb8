// The tables of sqlite.ts, for PostgreSQL.
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  timestamp,
  varchar,
} from 'drizzle-orm/pg-core'
import { decimal, image } from 'modelrest/drizzle/pg'
import { type Address, orderStatus } from './values.ts'

export { usersTable as users } from 'modelrest/drizzle/pg'

/** `ByDefault` lets the seed insert its own ids. */
const id = () => integer().primaryKey().generatedByDefaultAsIdentity()

const seconds = () => timestamp({ withTimezone: true, precision: 0 })

const createdAt = () => seconds().notNull().default(sql`date_trunc('second', now())`)

export const products = pgTable('products', {
  id: id(),
  name: varchar({ length: 100 }).notNull(),
  price: decimal({ precision: 10, scale: 2 }).notNull(),
  in_stock: boolean().notNull().default(true),
})

export const categories = pgTable('categories', {
  id: id(),
  name: varchar({ length: 60 }).notNull().unique(),
  description: text(),
  parent_id: integer().references((): AnyPgColumn => categories.id),
  image: image(),
})

export const productCategories = pgTable(
  'product_categories',
  {
    product_id: integer()
      .notNull()
      .references(() => products.id),
    category_id: integer()
      .notNull()
      .references(() => categories.id),
    featured: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.product_id, table.category_id] }),
    index('product_categories_category').on(table.category_id),
  ],
)

export const customers = pgTable('customers', {
  id: varchar({ length: 36 }).primaryKey().$defaultFn(randomUUID),
  name: varchar({ length: 100 }).notNull(),
  email: varchar({ length: 200 }).notNull().unique(),
  phone: varchar({ length: 30 }),
  address: json().$type<Address>(),
  loyalty_points: integer().notNull().default(0),
  created_at: createdAt(),
})

export const orders = pgTable(
  'orders',
  {
    id: id(),
    customer_id: varchar({ length: 36 })
      .notNull()
      .references(() => customers.id),
    status: text({ enum: orderStatus }).notNull().default('pending'),
    shipping_fee: decimal({ precision: 8, scale: 2 }).notNull().default('4.90'),
    weight_kg: doublePrecision(),
    note: varchar({ length: 500 }),
    shipped_at: seconds(),
    created_at: createdAt(),
  },
  (table) => [index('orders_customer').on(table.customer_id)],
)

export const orderItems = pgTable(
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

export const auditEntries = pgTable('audit_entries', {
  id: id(),
  order_id: integer().notNull(),
  status: text({ enum: orderStatus }).notNull(),
  created_at: createdAt(),
})
