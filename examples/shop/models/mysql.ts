// The tables of sqlite.ts, for MariaDB and MySQL.
import { randomUUID } from 'node:crypto'
import {
  type AnyMySqlColumn,
  boolean,
  double,
  index,
  int,
  json,
  mysqlTable,
  primaryKey,
  text,
  timestamp,
  varchar,
} from 'drizzle-orm/mysql-core'
import { decimal, image } from 'modelrest/drizzle/mysql'
import { type Address, orderStatus } from './values.ts'

export { usersTable as users } from 'modelrest/drizzle/mysql'

const id = () => int().primaryKey().autoincrement()

const createdAt = () => timestamp().notNull().defaultNow()

export const products = mysqlTable('products', {
  id: id(),
  name: varchar({ length: 100 }).notNull(),
  price: decimal({ precision: 10, scale: 2 }).notNull(),
  in_stock: boolean().notNull().default(true),
})

export const categories = mysqlTable('categories', {
  id: id(),
  name: varchar({ length: 60 }).notNull().unique(),
  description: text(),
  parent_id: int().references((): AnyMySqlColumn => categories.id),
  image: image(),
})

export const productCategories = mysqlTable(
  'product_categories',
  {
    product_id: int()
      .notNull()
      .references(() => products.id),
    category_id: int()
      .notNull()
      .references(() => categories.id),
    featured: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.product_id, table.category_id] }),
    index('product_categories_category').on(table.category_id),
  ],
)

export const customers = mysqlTable('customers', {
  id: varchar({ length: 36 }).primaryKey().$defaultFn(randomUUID),
  name: varchar({ length: 100 }).notNull(),
  email: varchar({ length: 200 }).notNull().unique(),
  phone: varchar({ length: 30 }),
  address: json().$type<Address>(),
  loyalty_points: int().notNull().default(0),
  created_at: createdAt(),
})

export const orders = mysqlTable(
  'orders',
  {
    id: id(),
    customer_id: varchar({ length: 36 })
      .notNull()
      .references(() => customers.id),
    status: varchar({ length: 20, enum: orderStatus }).notNull().default('pending'),
    shipping_fee: decimal({ precision: 8, scale: 2 }).notNull().default('4.90'),
    weight_kg: double(),
    note: varchar({ length: 500 }),
    shipped_at: timestamp(),
    created_at: createdAt(),
  },
  (table) => [index('orders_customer').on(table.customer_id)],
)

export const orderItems = mysqlTable(
  'order_items',
  {
    order_id: int()
      .notNull()
      .references(() => orders.id),
    product_id: int()
      .notNull()
      .references(() => products.id),
    quantity: int().notNull().default(1),
    unit_price: decimal({ precision: 10, scale: 2 }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.order_id, table.product_id] }),
    index('order_items_product').on(table.product_id),
  ],
)

export const auditEntries = mysqlTable('audit_entries', {
  id: id(),
  order_id: int().notNull(),
  status: varchar({ length: 20, enum: orderStatus }).notNull(),
  created_at: createdAt(),
})
