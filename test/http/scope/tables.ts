import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  foreignKey as pgForeignKey,
  integer as pgInteger,
  primaryKey as pgPrimaryKey,
  pgTable,
  text as pgText,
  pgView,
  varchar,
} from 'drizzle-orm/pg-core'
import {
  type AnySQLiteColumn,
  foreignKey,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
} from 'drizzle-orm/sqlite-core'

/** Every way in which a model can be of a tenant: by a field, a hidden one, a related record, a key of two parts. */
const sqlite = () => {
  const accounts = sqliteTable('accounts', {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer('tenant_id').notNull(),
    name: text({ length: 40 }).notNull(),
    email: text({ length: 40 }).unique(),
    note: text(),
    rating: integer(),
    parentId: integer('parent_id').references((): AnySQLiteColumn => accounts.id),
  })
  const orders = sqliteTable('orders', {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer('tenant_id').notNull(),
    title: text({ length: 40 }).notNull(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    backupId: integer('backup_id').references(() => accounts.id),
  })
  const orderItems = sqliteTable(
    'order_items',
    {
      orderId: integer('order_id')
        .notNull()
        .references(() => orders.id),
      line: integer().notNull(),
      quantity: integer().notNull().default(1),
    },
    (table) => [primaryKey({ columns: [table.orderId, table.line] })],
  )
  const slots = sqliteTable(
    'slots',
    {
      room: text({ length: 10 }).notNull(),
      place: integer().notNull(),
      tenantId: integer('tenant_id').notNull(),
      label: text({ length: 40 }),
    },
    (table) => [primaryKey({ columns: [table.room, table.place] })],
  )
  const tickets = sqliteTable(
    'tickets',
    {
      id: integer().primaryKey({ autoIncrement: true }),
      tenantId: integer('tenant_id').notNull(),
      room: text({ length: 10 }),
      place: integer().default(1),
      // A key that is no primary key.
      accountEmail: text('account_email', { length: 40 }).references(() => accounts.email),
    },
    (table) => [
      foreignKey({ columns: [table.room, table.place], foreignColumns: [slots.room, slots.place] }),
    ],
  )
  const entries = sqliteTable('entries', {
    id: integer().primaryKey({ autoIncrement: true }),
    accountId: integer('account_id').references(() => accounts.id),
    orderId: integer('order_id').references(() => orders.id),
  })
  const accountNames = sqliteView('account_names').as((query) =>
    query.select({ id: accounts.id, tenantId: accounts.tenantId, name: accounts.name }).from(accounts),
  )
  return { accounts, orders, orderItems, slots, tickets, entries, accountNames }
}

const pg = () => {
  const accounts = pgTable('accounts', {
    id: pgInteger().primaryKey().generatedByDefaultAsIdentity(),
    tenantId: pgInteger('tenant_id').notNull(),
    name: varchar({ length: 40 }).notNull(),
    email: varchar({ length: 40 }).unique(),
    note: pgText(),
    rating: pgInteger(),
    parentId: pgInteger('parent_id').references((): AnyPgColumn => accounts.id),
  })
  const orders = pgTable('orders', {
    id: pgInteger().primaryKey().generatedByDefaultAsIdentity(),
    tenantId: pgInteger('tenant_id').notNull(),
    title: varchar({ length: 40 }).notNull(),
    accountId: pgInteger('account_id')
      .notNull()
      .references(() => accounts.id),
    backupId: pgInteger('backup_id').references(() => accounts.id),
  })
  const orderItems = pgTable(
    'order_items',
    {
      orderId: pgInteger('order_id')
        .notNull()
        .references(() => orders.id),
      line: pgInteger().notNull(),
      quantity: pgInteger().notNull().default(1),
    },
    (table) => [pgPrimaryKey({ columns: [table.orderId, table.line] })],
  )
  const slots = pgTable(
    'slots',
    {
      room: varchar({ length: 10 }).notNull(),
      place: pgInteger().notNull(),
      tenantId: pgInteger('tenant_id').notNull(),
      label: varchar({ length: 40 }),
    },
    (table) => [pgPrimaryKey({ columns: [table.room, table.place] })],
  )
  const tickets = pgTable(
    'tickets',
    {
      id: pgInteger().primaryKey().generatedByDefaultAsIdentity(),
      tenantId: pgInteger('tenant_id').notNull(),
      room: varchar({ length: 10 }),
      place: pgInteger().default(1),
      accountEmail: varchar('account_email', { length: 40 }).references(() => accounts.email),
    },
    (table) => [
      pgForeignKey({ columns: [table.room, table.place], foreignColumns: [slots.room, slots.place] }),
    ],
  )
  const entries = pgTable('entries', {
    id: pgInteger().primaryKey().generatedByDefaultAsIdentity(),
    accountId: pgInteger('account_id').references(() => accounts.id),
    orderId: pgInteger('order_id').references(() => orders.id),
  })
  const accountNames = pgView('account_names', {
    id: pgInteger(),
    tenantId: pgInteger('tenant_id'),
    name: varchar(),
  }).as(sql`select id, tenant_id, name from accounts`)
  return { accounts, orders, orderItems, slots, tickets, entries, accountNames }
}

export const tables: { readonly sqlite: ReturnType<typeof sqlite>; readonly pg: ReturnType<typeof pg> } = {
  sqlite: sqlite(),
  pg: pg(),
}

const created = (id: string): readonly string[] => [
  `create table accounts (id ${id}, tenant_id integer not null, name varchar(40) not null, email varchar(40) unique, note text, rating integer, parent_id integer references accounts (id))`,
  `create table orders (id ${id}, tenant_id integer not null, title varchar(40) not null, account_id integer not null references accounts (id), backup_id integer references accounts (id))`,
  `create table order_items (order_id integer not null references orders (id), line integer not null, quantity integer not null default 1, primary key (order_id, line))`,
  `create table slots (room varchar(10) not null, place integer not null, tenant_id integer not null, label varchar(40), primary key (room, place))`,
  `create table tickets (id ${id}, tenant_id integer not null, room varchar(10), place integer default 1, account_email varchar(40) references accounts (email), foreign key (room, place) references slots (room, place))`,
  `create table entries (id ${id}, account_id integer references accounts (id), order_id integer references orders (id))`,
  `create view account_names as select id, tenant_id, name from accounts`,
]

export const ddl: { readonly sqlite: readonly string[]; readonly pg: readonly string[] } = {
  sqlite: created('integer primary key autoincrement'),
  pg: created('integer primary key generated by default as identity'),
}

/** In an order in which nothing is deleted that is still referred to. */
export const tableNames: readonly string[] = [
  ...['entries', 'tickets', 'slots', 'order_items', 'orders', 'accounts'],
]

/** The rows of a tenant: all tenants hold the same, under keys of their own. */
export const rowsOf = (tenant: number): readonly string[] => {
  const id = (place: number) => tenant * 100 + place
  return [
    `insert into accounts (id, tenant_id, name, email, note, rating, parent_id) values
      (${id(1)}, ${tenant}, 'Ada', 'ada@${tenant}', 'first', 5, null),
      (${id(2)}, ${tenant}, 'Bob', 'bob@${tenant}', null, null, ${id(1)}),
      (${id(3)}, ${tenant}, 'ada again', null, 'third', 5, null)`,
    `insert into orders (id, tenant_id, title, account_id, backup_id) values
      (${id(1)}, ${tenant}, 'lamp', ${id(1)}, null), (${id(2)}, ${tenant}, 'chair', ${id(2)}, ${id(1)})`,
    `insert into order_items (order_id, line, quantity) values (${id(1)}, 1, 2), (${id(1)}, 2, 1), (${id(2)}, 1, 9)`,
    `insert into slots (room, place, tenant_id, label) values
      ('t${tenant}', 1, ${tenant}, 'one'), ('t${tenant}', 2, ${tenant}, null)`,
    `insert into tickets (id, tenant_id, room, place) values
      (${id(1)}, ${tenant}, 't${tenant}', 1), (${id(2)}, ${tenant}, null, null)`,
  ]
}
