import { randomUUID } from 'node:crypto'
import { lt, sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  blob,
  check,
  customType,
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  sqliteView,
  text,
} from 'drizzle-orm/sqlite-core'
import { decimal } from '../../../src/entry/drizzle-sqlite.ts'
import { genres } from '../../../src/testing/source/library.ts'
import { inheritedColumns, inheritedSql } from './inherited.ts'

/** A kind that nobody knows: any JSON, kept as text. */
const unknownKind = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => `json ${JSON.stringify(value)}`,
  fromDriver: (stored) => JSON.parse(stored.slice(5)),
})

export const authors = sqliteTable('authors', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 100 }).notNull(),
  email: text({ length: 200 }).unique(),
  bio: text(),
})

export const categories = sqliteTable('categories', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 50 }).notNull().unique(),
  parentId: integer('parent_id').references((): AnySQLiteColumn => categories.id),
})

export const books = sqliteTable(
  'books',
  {
    id: text({ length: 36 }).primaryKey().$defaultFn(randomUUID),
    title: text({ length: 200 }).notNull(),
    isbn: text({ length: 13 }).notNull().unique(),
    price: decimal({ precision: 10, scale: 2 }).notNull(),
    discount: decimal({ precision: 20, scale: 4 }).notNull().default('0.05'),
    rating: real(),
    weight: real(),
    pages: integer().notNull(),
    copies: blob({ mode: 'bigint' }),
    inStock: integer('in_stock', { mode: 'boolean' }).notNull().default(true),
    genre: text({ enum: genres }).notNull().default('novel'),
    publishedOn: text('published_on'),
    printedAt: integer('printed_at', { mode: 'timestamp_ms' }).notNull(),
    opensAt: text('opens_at'),
    cover: blob({ mode: 'buffer' }),
    meta: text({ mode: 'json' }),
    tags: text({ mode: 'json' }),
    loanPeriod: text('loan_period'),
    signature: unknownKind(),
    authorId: integer('author_id')
      .notNull()
      .references(() => authors.id),
    translatorId: integer('translator_id').references(() => authors.id),
    categoryId: integer('category_id').references(() => categories.id),
    titleLength: integer('title_length').generatedAlwaysAs(sql`length(title)`, { mode: 'stored' }),
  },
  (table) => [index('books_author').on(table.authorId)],
)

export const reviews = sqliteTable(
  'reviews',
  {
    bookId: text('book_id', { length: 36 })
      .notNull()
      .references(() => books.id),
    reviewer: text({ length: 50 }).notNull(),
    stars: integer().notNull(),
    note: text(),
  },
  (table) => [
    primaryKey({ columns: [table.bookId, table.reviewer] }),
    check('reviews_stars', sql`${table.stars} between 1 and 5`),
  ],
)

export const shelvesTable = sqliteTable('shelves', {
  code: text({ length: 10 }).primaryKey(),
  floor: integer().notNull().default(0),
  capacity: blob({ mode: 'bigint' }).notNull().default(9007199254740993n),
  builtAt: integer('built_at', { mode: 'timestamp_ms' })
    .notNull()
    .default(new Date('2026-01-31T23:59:59.123Z')),
})

export const placements = sqliteTable(
  'placements',
  {
    bookId: text('book_id', { length: 36 })
      .notNull()
      .references(() => books.id),
    shelfCode: text('shelf_code', { length: 10 })
      .notNull()
      .references(() => shelvesTable.code),
    copies: integer(),
  },
  (table) => [primaryKey({ columns: [table.bookId, table.shelfCode] })],
)

export const replies = sqliteTable(
  'replies',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    bookId: text('book_id', { length: 36 }),
    reviewer: text({ length: 50 }),
    text: text({ length: 200 }).notNull(),
  },
  ({ bookId, reviewer }) => [
    foreignKey({ columns: [bookId, reviewer], foreignColumns: [reviews.bookId, reviews.reviewer] }),
    index('replies_review').on(bookId, reviewer),
  ],
)

export const oddities = sqliteTable('oddities', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 20 }).notNull(),
  ...inheritedColumns((name) => text(name, { length: 20 })),
})

export const cheapBooks = sqliteView('cheap_books').as((query) =>
  query
    .select({ id: books.id, title: books.title, price: books.price, rating: books.rating })
    .from(books)
    .where(lt(books.price, '10.00')),
)

export const tables = {
  ...{ authors, categories, books, reviews, shelvesTable, placements, replies },
  ...{ oddities, cheapBooks },
}

export const createSqlite: readonly string[] = [
  `create table authors (
    id integer primary key autoincrement, name text(100) not null, email text(200) constraint authors_email unique, bio text)`,
  `create table categories (
    id integer primary key autoincrement, name text(50) not null constraint categories_name unique,
    parent_id integer references categories (id))`,
  `create table books (
    id text(36) primary key not null, title text(200) not null, isbn text(13) not null constraint books_isbn unique,
    price integer not null, discount text not null default '100000000000000000500', rating real, weight real, pages integer not null,
    copies blob, in_stock integer not null default 1, genre text not null default 'novel', published_on text,
    printed_at integer not null, opens_at text, cover blob, meta text, tags text, loan_period text, signature text,
    author_id integer not null references authors (id), translator_id integer references authors (id),
    category_id integer references categories (id), title_length integer generated always as (length(title)) stored)`,
  `create table reviews (
    book_id text(36) not null references books (id), reviewer text(50) not null,
    stars integer not null constraint reviews_stars check (stars between 1 and 5), note text,
    primary key (book_id, reviewer))`,
  `create table shelves (code text(10) primary key not null, floor integer not null default 0,
    capacity blob not null default '9007199254740993', built_at integer not null default 1769903999123)`,
  `create table placements (
    book_id text(36) not null references books (id), shelf_code text(10) not null references shelves (code), copies integer,
    primary key (book_id, shelf_code))`,
  `create table replies (
    id integer primary key autoincrement, book_id text(36), reviewer text(50), text text(200) not null,
    foreign key (book_id, reviewer) references reviews (book_id, reviewer))`,
  'create index replies_review on replies (book_id, reviewer)',
  `create table oddities (id integer primary key autoincrement, name text(20) not null, ${inheritedSql('text(20)')})`,
  `create view cheap_books as select id, title, price, rating from books where price < 1000`,
]
