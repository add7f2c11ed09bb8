import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import type { Tables } from '../../../src/source/drizzle/index.ts'

/** A library: shelves and books can be restored, tags too; reviews and the links between books and tags cannot. */
const sqlite = () => {
  const { sqliteTable, integer, text, primaryKey } = lite
  const id = () => integer().primaryKey({ autoIncrement: true })
  const deleted_at = () => integer({ mode: 'timestamp_ms' })
  const shelves = sqliteTable('shelves', { id: id(), title: text().notNull(), deleted_at: deleted_at() })
  const books = sqliteTable('books', {
    id: id(),
    title: text().notNull(),
    code: text().unique(),
    pages: integer().notNull().default(100),
    tenant: integer().notNull().default(1),
    shelf_id: integer().references(() => shelves.id),
    deleted_at: deleted_at(),
  })
  const reviews = sqliteTable('reviews', {
    id: id(),
    stars: integer().notNull(),
    book_id: integer()
      .notNull()
      .references(() => books.id),
  })
  const tags = sqliteTable('tags', { id: id(), name: text().notNull(), deleted_at: deleted_at() })
  const bookTags = sqliteTable(
    'book_tags',
    {
      book_id: integer().references(() => books.id),
      tag_id: integer().references(() => tags.id),
    },
    (table) => [primaryKey({ columns: [table.book_id, table.tag_id] })],
  )
  return { shelves, books, reviews, tags, bookTags }
}

const postgres = () => {
  const { pgTable, integer, text, timestamp, serial, primaryKey } = pg
  const deleted_at = () => timestamp({ withTimezone: true })
  const shelves = pgTable('shelves', {
    id: serial().primaryKey(),
    title: text().notNull(),
    deleted_at: deleted_at(),
  })
  const books = pgTable('books', {
    id: serial().primaryKey(),
    title: text().notNull(),
    code: text().unique(),
    pages: integer().notNull().default(100),
    tenant: integer().notNull().default(1),
    shelf_id: integer().references(() => shelves.id),
    deleted_at: deleted_at(),
  })
  const reviews = pgTable('reviews', {
    id: serial().primaryKey(),
    stars: integer().notNull(),
    book_id: integer()
      .notNull()
      .references(() => books.id),
  })
  const tags = pgTable('tags', {
    id: serial().primaryKey(),
    name: text().notNull(),
    deleted_at: deleted_at(),
  })
  const bookTags = pgTable(
    'book_tags',
    {
      book_id: integer().references(() => books.id),
      tag_id: integer().references(() => tags.id),
    },
    (table) => [primaryKey({ columns: [table.book_id, table.tag_id] })],
  )
  return { shelves, books, reviews, tags, bookTags }
}

const mysql = () => {
  const { mysqlTable, int, varchar, datetime, primaryKey } = my
  const id = () => int().primaryKey().autoincrement()
  // Without fractional seconds.
  const deleted_at = () => datetime()
  const title = () => varchar({ length: 40 }).notNull()
  const shelves = mysqlTable('shelves', { id: id(), title: title(), deleted_at: deleted_at() })
  const books = mysqlTable('books', {
    id: id(),
    title: title(),
    code: varchar({ length: 40 }).unique(),
    pages: int().notNull().default(100),
    tenant: int().notNull().default(1),
    shelf_id: int().references(() => shelves.id),
    deleted_at: deleted_at(),
  })
  const reviews = mysqlTable('reviews', {
    id: id(),
    stars: int().notNull(),
    book_id: int()
      .notNull()
      .references(() => books.id),
  })
  const tags = mysqlTable('tags', { id: id(), name: title(), deleted_at: deleted_at() })
  const bookTags = mysqlTable(
    'book_tags',
    {
      book_id: int().references(() => books.id),
      tag_id: int().references(() => tags.id),
    },
    (table) => [primaryKey({ columns: [table.book_id, table.tag_id] })],
  )
  return { shelves, books, reviews, tags, bookTags }
}

export const tables: Readonly<Record<'sqlite' | 'postgres' | 'mysql', Tables>> = {
  sqlite: sqlite(),
  postgres: postgres(),
  mysql: mysql(),
}

const types = {
  sqlite: { id: 'integer primary key autoincrement', time: 'integer' },
  postgres: { id: 'serial primary key', time: 'timestamptz' },
  mysql: { id: 'int auto_increment primary key', time: 'datetime' },
} as const

/**
 * Shelves 1 `new` and 2 `old`; books 1 `Dune` and 2 `Emma` on shelf 1, book 3 `Faust` on shelf 2, each with a review; tags 1 `red`
 * and 2 `blue`, both of book 1.
 */
export const ddlOf = (database: keyof typeof types): string => {
  const { id, time } = types[database]
  return [
    `create table shelves (id ${id}, title varchar(40) not null, deleted_at ${time})`,
    `create table books (id ${id}, title varchar(40) not null, code varchar(40) unique, pages int not null default 100,
     tenant int not null default 1, shelf_id int, deleted_at ${time}, foreign key (shelf_id) references shelves (id))`,
    `create table reviews (id ${id}, stars int not null, book_id int not null, foreign key (book_id) references books (id))`,
    `create table tags (id ${id}, name varchar(40) not null, deleted_at ${time})`,
    `create table book_tags (book_id int not null, tag_id int not null, primary key (book_id, tag_id),
     foreign key (book_id) references books (id), foreign key (tag_id) references tags (id))`,
    "insert into shelves (title) values ('new'), ('old')",
    `insert into books (title, code, pages, shelf_id) values ('Dune', 'd', 100, 1), ('Emma', 'e', 200, 1), ('Faust', 'f', 400, 2)`,
    'insert into reviews (stars, book_id) values (5, 1), (4, 2), (3, 3)',
    "insert into tags (name) values ('red'), ('blue')",
    'insert into book_tags (book_id, tag_id) values (1, 1), (1, 2)',
  ].join(';\n')
}
