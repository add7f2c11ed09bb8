import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import type { Tables } from '../../../src/source/drizzle/index.ts'

/**
 * A shop: orders with items whose key the database counts, notes whose key is that of their order and a number that clients
 * choose, and labels whose key clients choose. Tags through a join table that holds more than keys.
 */
const sqlite = () => {
  const { sqliteTable, integer, text, primaryKey } = lite
  const orders = sqliteTable('orders', {
    id: integer().primaryKey({ autoIncrement: true }),
    tenant: integer().notNull().default(1),
    title: text({ length: 40 }).notNull(),
  })
  const products = sqliteTable('products', {
    id: integer().primaryKey({ autoIncrement: true }),
    tenant: integer().notNull().default(1),
    name: text({ length: 40 }).notNull(),
  })
  const items = sqliteTable('order_items', {
    id: integer().primaryKey({ autoIncrement: true }),
    orderId: integer('order_id')
      .notNull()
      .references(() => orders.id),
    productId: integer('product_id').references(() => products.id),
    tenant: integer().notNull().default(1),
    sku: text({ length: 20 }).unique(),
    price: integer().notNull(),
    quantity: integer().notNull().default(1),
  })
  const notes = sqliteTable(
    'order_notes',
    {
      orderId: integer('order_id')
        .notNull()
        .references(() => orders.id),
      line: integer().notNull(),
      text: text({ length: 40 }).notNull(),
    },
    (table) => [primaryKey({ columns: [table.orderId, table.line] })],
  )
  const labels = sqliteTable('order_labels', {
    code: text({ length: 20 }).primaryKey(),
    orderId: integer('order_id').references(() => orders.id),
    text: text({ length: 40 }),
  })
  const tags = sqliteTable('tags', {
    id: integer().primaryKey({ autoIncrement: true }),
    tenant: integer().notNull().default(1),
    name: text({ length: 40 }).notNull(),
  })
  const orderTags = sqliteTable(
    'order_tags',
    {
      orderId: integer('order_id')
        .notNull()
        .references(() => orders.id),
      tagId: integer('tag_id')
        .notNull()
        .references(() => tags.id),
      weight: integer().notNull().default(5),
    },
    (table) => [primaryKey({ columns: [table.orderId, table.tagId] })],
  )
  return { orders, products, items, notes, labels, tags, orderTags }
}

const postgres = () => {
  const { pgTable, serial, integer, varchar, primaryKey } = pg
  const orders = pgTable('orders', {
    id: serial().primaryKey(),
    tenant: integer().notNull().default(1),
    title: varchar({ length: 40 }).notNull(),
  })
  const products = pgTable('products', {
    id: serial().primaryKey(),
    tenant: integer().notNull().default(1),
    name: varchar({ length: 40 }).notNull(),
  })
  const items = pgTable('order_items', {
    id: serial().primaryKey(),
    orderId: integer('order_id')
      .notNull()
      .references(() => orders.id),
    productId: integer('product_id').references(() => products.id),
    tenant: integer().notNull().default(1),
    sku: varchar({ length: 20 }).unique(),
    price: integer().notNull(),
    quantity: integer().notNull().default(1),
  })
  const notes = pgTable(
    'order_notes',
    {
      orderId: integer('order_id')
        .notNull()
        .references(() => orders.id),
      line: integer().notNull(),
      text: varchar({ length: 40 }).notNull(),
    },
    (table) => [primaryKey({ columns: [table.orderId, table.line] })],
  )
  const labels = pgTable('order_labels', {
    code: varchar({ length: 20 }).primaryKey(),
    orderId: integer('order_id').references(() => orders.id),
    text: varchar({ length: 40 }),
  })
  const tags = pgTable('tags', {
    id: serial().primaryKey(),
    tenant: integer().notNull().default(1),
    name: varchar({ length: 40 }).notNull(),
  })
  const orderTags = pgTable(
    'order_tags',
    {
      orderId: integer('order_id')
        .notNull()
        .references(() => orders.id),
      tagId: integer('tag_id')
        .notNull()
        .references(() => tags.id),
      weight: integer().notNull().default(5),
    },
    (table) => [primaryKey({ columns: [table.orderId, table.tagId] })],
  )
  return { orders, products, items, notes, labels, tags, orderTags }
}

const mysql = () => {
  const { mysqlTable, int, varchar, primaryKey } = my
  const orders = mysqlTable('orders', {
    id: int().primaryKey().autoincrement(),
    tenant: int().notNull().default(1),
    title: varchar({ length: 40 }).notNull(),
  })
  const products = mysqlTable('products', {
    id: int().primaryKey().autoincrement(),
    tenant: int().notNull().default(1),
    name: varchar({ length: 40 }).notNull(),
  })
  const items = mysqlTable('order_items', {
    id: int().primaryKey().autoincrement(),
    orderId: int('order_id')
      .notNull()
      .references(() => orders.id),
    productId: int('product_id').references(() => products.id),
    tenant: int().notNull().default(1),
    sku: varchar({ length: 20 }).unique(),
    price: int().notNull(),
    quantity: int().notNull().default(1),
  })
  const notes = mysqlTable(
    'order_notes',
    {
      orderId: int('order_id')
        .notNull()
        .references(() => orders.id),
      line: int().notNull(),
      text: varchar({ length: 40 }).notNull(),
    },
    (table) => [primaryKey({ columns: [table.orderId, table.line] })],
  )
  const labels = mysqlTable('order_labels', {
    code: varchar({ length: 20 }).primaryKey(),
    orderId: int('order_id').references(() => orders.id),
    text: varchar({ length: 40 }),
  })
  const tags = mysqlTable('tags', {
    id: int().primaryKey().autoincrement(),
    tenant: int().notNull().default(1),
    name: varchar({ length: 40 }).notNull(),
  })
  const orderTags = mysqlTable(
    'order_tags',
    {
      orderId: int('order_id')
        .notNull()
        .references(() => orders.id),
      tagId: int('tag_id')
        .notNull()
        .references(() => tags.id),
      weight: int().notNull().default(5),
    },
    (table) => [primaryKey({ columns: [table.orderId, table.tagId] })],
  )
  return { orders, products, items, notes, labels, tags, orderTags }
}

export const tables: Readonly<Record<'sqlite' | 'postgres' | 'mysql', Tables>> = {
  sqlite: sqlite(),
  postgres: postgres(),
  mysql: mysql(),
}

const counted = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'serial primary key',
  mysql: 'int auto_increment primary key',
} as const

/** Orders 1 and 2, products 1 and 2 (2 of another tenant), tags 1 to 4 (4 of another tenant). */
export const ddlOf = (database: keyof typeof counted): string => {
  const id = `id ${counted[database]}, tenant int not null default 1`
  return [
    `create table orders (${id}, title varchar(40) not null)`,
    `create table products (${id}, name varchar(40) not null)`,
    `create table order_items (${id}, order_id int not null, product_id int, sku varchar(20) unique, price int not null check (price < 1000),
     quantity int not null default 1, foreign key (order_id) references orders (id), foreign key (product_id) references products (id))`,
    `create table order_notes (order_id int not null, line int not null, text varchar(40) not null, primary key (order_id, line),
     foreign key (order_id) references orders (id))`,
    'create table order_labels (code varchar(20) primary key, order_id int, text varchar(40), foreign key (order_id) references orders (id))',
    `create table tags (${id}, name varchar(40) not null)`,
    `create table order_tags (order_id int not null, tag_id int not null, weight int not null default 5, primary key (order_id, tag_id),
     foreign key (order_id) references orders (id), foreign key (tag_id) references tags (id))`,
    "insert into orders (title) values ('one'), ('two')",
    "insert into products (tenant, name) values (1, 'lamp'), (2, 'desk')",
    "insert into tags (tenant, name) values (1, 'a'), (1, 'b'), (1, 'c'), (2, 'd')",
  ].join(';\n')
}
