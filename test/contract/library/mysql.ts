import { randomUUID } from 'node:crypto'
import { lt, sql } from 'drizzle-orm'
import {
  type AnyMySqlColumn,
  bigint,
  boolean,
  char,
  check,
  customType,
  date,
  datetime,
  double,
  index,
  int,
  json,
  mysqlEnum,
  mysqlTable,
  mysqlView,
  primaryKey,
  text,
  time,
  timestamp,
  varchar,
} from 'drizzle-orm/mysql-core'
import { decimal } from '../../../src/entry/drizzle-mysql.ts'
import { genres } from './genres.ts'

const mediumblob = customType<{ data: Uint8Array }>({ dataType: () => 'mediumblob' })

/** A kind that nobody knows: any JSON, kept as text. */
const unknownKind = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (stored) => JSON.parse(stored),
})

export const authors = mysqlTable('authors', {
  id: int().primaryKey().autoincrement(),
  name: varchar({ length: 100 }).notNull(),
  email: varchar({ length: 200 }).unique(),
  bio: text(),
})

export const categories = mysqlTable('categories', {
  id: int().primaryKey().autoincrement(),
  name: varchar({ length: 50 }).notNull().unique(),
  parentId: int('parent_id').references((): AnyMySqlColumn => categories.id),
})

export const books = mysqlTable(
  'books',
  {
    id: char({ length: 36 }).primaryKey().$defaultFn(randomUUID),
    title: varchar({ length: 200 }).notNull(),
    isbn: varchar({ length: 13 }).notNull().unique(),
    price: decimal({ precision: 10, scale: 2 }).notNull(),
    discount: decimal({ precision: 20, scale: 4 }).notNull().default('0.05'),
    rating: double(),
    pages: int().notNull(),
    copies: bigint({ mode: 'bigint' }),
    inStock: boolean('in_stock').notNull().default(true),
    genre: mysqlEnum(genres).notNull().default('novel'),
    publishedOn: date('published_on', { mode: 'string' }),
    printedAt: timestamp('printed_at', { fsp: 3 }).notNull(),
    soldAt: datetime('sold_at', { fsp: 6 }),
    opensAt: time('opens_at', { fsp: 6 }),
    cover: mediumblob(),
    meta: json(),
    tags: json(),
    loanPeriod: varchar('loan_period', { length: 50 }),
    signature: unknownKind(),
    authorId: int('author_id')
      .notNull()
      .references(() => authors.id),
    translatorId: int('translator_id').references(() => authors.id),
    categoryId: int('category_id').references(() => categories.id),
    titleLength: int('title_length').generatedAlwaysAs(sql`char_length(title)`, { mode: 'stored' }),
  },
  (table) => [index('books_author').on(table.authorId)],
)

export const reviews = mysqlTable(
  'reviews',
  {
    bookId: char('book_id', { length: 36 })
      .notNull()
      .references(() => books.id),
    reviewer: varchar({ length: 50 }).notNull(),
    stars: int().notNull(),
    note: text(),
  },
  (table) => [
    primaryKey({ columns: [table.bookId, table.reviewer] }),
    check('reviews_stars', sql`${table.stars} between 1 and 5`),
  ],
)

export const shelvesTable = mysqlTable('shelves', {
  code: varchar({ length: 10 }).primaryKey(),
  floor: int().notNull().default(0),
})

export const cheapBooks = mysqlView('cheap_books').as((query) =>
  query
    .select({ id: books.id, title: books.title, price: books.price, rating: books.rating })
    .from(books)
    .where(lt(books.price, '10.00')),
)

export const tables = { authors, categories, books, reviews, shelvesTable, cheapBooks }
