import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { auditTable as mysqlAudit } from '../../../src/entry/drizzle-mysql.ts'
import { auditTable as pgAudit } from '../../../src/entry/drizzle-pg.ts'
import { auditTable as sqliteAudit } from '../../../src/entry/drizzle-sqlite.ts'
import type { Tables } from '../../../src/source/drizzle/index.ts'

const MADE = new Date('2026-01-01T00:00:00.000Z')

const sqlite = (): Tables => {
  const { sqliteTable, integer, text, primaryKey } = lite
  const time = () => integer({ mode: 'timestamp_ms' })
  const books = sqliteTable('books', {
    id: integer().primaryKey({ autoIncrement: true }),
    title: text({ length: 10 }).notNull(),
    code: text({ length: 10 }).unique(),
    pages: integer().notNull().default(100),
    revision: integer().notNull().default(1),
    ...{ changed: time().notNull().default(MADE), deleted_at: time(), updated_at: time() },
    ...{ created_by: text({ length: 10 }), updated_by: text({ length: 10 }) },
  })
  const reviews = sqliteTable('reviews', {
    id: integer().primaryKey({ autoIncrement: true }),
    book_id: integer()
      .notNull()
      .references(() => books.id),
    stars: integer().notNull(),
  })
  const tags = sqliteTable('tags', { id: integer().primaryKey(), name: text({ length: 10 }).notNull() })
  const bookTags = sqliteTable(
    'book_tags',
    {
      book_id: integer().references(() => books.id),
      tag_id: integer().references(() => tags.id),
    },
    (table) => [primaryKey({ columns: [table.book_id, table.tag_id] })],
  )
  return { books, reviews, tags, bookTags, auditEntries: sqliteAudit }
}

const postgres = (): Tables => {
  const { pgTable, integer, serial, varchar, timestamp, primaryKey } = pg
  const time = () => timestamp({ withTimezone: true })
  const books = pgTable('books', {
    id: serial().primaryKey(),
    title: varchar({ length: 10 }).notNull(),
    code: varchar({ length: 10 }).unique(),
    pages: integer().notNull().default(100),
    revision: integer().notNull().default(1),
    ...{ changed: time().notNull().default(MADE), deleted_at: time(), updated_at: time() },
    ...{ created_by: varchar({ length: 10 }), updated_by: varchar({ length: 10 }) },
  })
  const reviews = pgTable('reviews', {
    id: serial().primaryKey(),
    book_id: integer()
      .notNull()
      .references(() => books.id),
    stars: integer().notNull(),
  })
  const tags = pgTable('tags', { id: integer().primaryKey(), name: varchar({ length: 10 }).notNull() })
  const bookTags = pgTable(
    'book_tags',
    {
      book_id: integer().references(() => books.id),
      tag_id: integer().references(() => tags.id),
    },
    (table) => [primaryKey({ columns: [table.book_id, table.tag_id] })],
  )
  return { books, reviews, tags, bookTags, auditEntries: pgAudit }
}

const mysql = (): Tables => {
  const { mysqlTable, int, varchar, datetime, timestamp, primaryKey } = my
  const time = () => timestamp({ fsp: 3 })
  const books = mysqlTable('books', {
    id: int().primaryKey().autoincrement(),
    title: varchar({ length: 10 }).notNull(),
    code: varchar({ length: 10 }).unique(),
    pages: int().notNull().default(100),
    revision: int().notNull().default(1),
    // Without fractional seconds: most writes come within a second of the one before.
    ...{ changed: datetime().notNull().default(MADE), deleted_at: time(), updated_at: time() },
    ...{ created_by: varchar({ length: 10 }), updated_by: varchar({ length: 10 }) },
  })
  const reviews = mysqlTable('reviews', {
    id: int().primaryKey().autoincrement(),
    book_id: int()
      .notNull()
      .references(() => books.id),
    stars: int().notNull(),
  })
  const tags = mysqlTable('tags', { id: int().primaryKey(), name: varchar({ length: 10 }).notNull() })
  const bookTags = mysqlTable(
    'book_tags',
    {
      book_id: int().references(() => books.id),
      tag_id: int().references(() => tags.id),
    },
    (table) => [primaryKey({ columns: [table.book_id, table.tag_id] })],
  )
  return { books, reviews, tags, bookTags, auditEntries: mysqlAudit }
}

/** Books can be restored, and have reviews and tags. */
export const tables = { sqlite: sqlite(), postgres: postgres(), mysql: mysql() }

const types = {
  sqlite: { id: 'integer primary key autoincrement', time: 'integer', moment: 'integer', json: 'text' },
  postgres: {
    ...{ id: 'serial primary key', time: 'timestamptz', moment: 'timestamptz', json: 'jsonb' },
  },
  mysql: {
    ...{ id: 'int primary key auto_increment', time: 'timestamp(3) null', moment: 'datetime', json: 'json' },
  },
} as const

/** There are tags 1 to 3. A review has at most 5 stars, which only the database knows. */
export const ddlOf = (database: keyof typeof types): string => {
  const { id, time, moment, json } = types[database]
  return [
    `create table books (id ${id}, title varchar(10) not null, code varchar(10) unique, pages int not null default 100,
     revision int not null default 1, changed ${moment} not null default ${database === 'sqlite' ? '1767225600000' : "'2026-01-01'"},
     deleted_at ${time}, updated_at ${time}, created_by varchar(10), updated_by varchar(10))`,
    `create table reviews (id ${id}, book_id int not null, stars int not null check (stars <= 5), foreign key (book_id) references books (id))`,
    'create table tags (id int primary key, name varchar(10) not null)',
    `create table book_tags (book_id int not null, tag_id int not null, primary key (book_id, tag_id),
     foreign key (book_id) references books (id), foreign key (tag_id) references tags (id))`,
    `create table audit_entries (id ${id}, at ${time}, caller varchar(255), act varchar(10) not null, model varchar(100) not null,
     record varchar(500) not null, changes ${json} not null)`,
    "insert into tags (id, name) values (1, 'red'), (2, 'blue'), (3, 'grey')",
  ].join(';\n')
}
