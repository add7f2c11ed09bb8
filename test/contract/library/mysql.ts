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
  float,
  foreignKey,
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
import { genres } from '../../../src/testing/source/library.ts'
import { inheritedColumns, inheritedSql } from './inherited.ts'

const mediumblob = customType<{ data: Uint8Array }>({ dataType: () => 'mediumblob' })

/** A kind that nobody knows: any JSON, kept as text. */
const unknownKind = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => `json ${JSON.stringify(value)}`,
  fromDriver: (stored) => JSON.parse(stored.slice(5)),
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
    weight: float(),
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
  capacity: bigint({ mode: 'bigint' }).notNull().default(9007199254740993n),
  builtAt: timestamp('built_at', { fsp: 3 }).notNull().default(new Date('2026-01-31T23:59:59.123Z')),
})

export const placements = mysqlTable(
  'placements',
  {
    bookId: char('book_id', { length: 36 })
      .notNull()
      .references(() => books.id),
    shelfCode: varchar('shelf_code', { length: 10 })
      .notNull()
      .references(() => shelvesTable.code),
    copies: int(),
  },
  (table) => [primaryKey({ columns: [table.bookId, table.shelfCode] })],
)

export const replies = mysqlTable(
  'replies',
  {
    id: int().primaryKey().autoincrement(),
    bookId: char('book_id', { length: 36 }),
    reviewer: varchar({ length: 50 }),
    text: varchar({ length: 200 }).notNull(),
  },
  ({ bookId, reviewer }) => [
    foreignKey({ columns: [bookId, reviewer], foreignColumns: [reviews.bookId, reviews.reviewer] }),
    index('replies_review').on(bookId, reviewer),
  ],
)

export const oddities = mysqlTable('oddities', {
  id: int().primaryKey().autoincrement(),
  name: varchar({ length: 20 }).notNull(),
  ...inheritedColumns((name) => varchar(name, { length: 20 })),
})

export const cheapBooks = mysqlView('cheap_books').as((query) =>
  query
    .select({ id: books.id, title: books.title, price: books.price, rating: books.rating })
    .from(books)
    .where(lt(books.price, '10.00')),
)

export const tables = {
  ...{ authors, categories, books, reviews, shelvesTable, placements, replies },
  ...{ oddities, cheapBooks },
}

export const createMysql: readonly string[] = [
  `create table authors (
    id int primary key auto_increment, name varchar(100) not null, email varchar(200),
    bio mediumtext, constraint authors_email_unique unique (email))`,
  `create table categories (
    id int primary key auto_increment, name varchar(50) not null, parent_id int,
    constraint categories_name_unique unique (name),
    constraint categories_parent_id_categories_id_fk foreign key (parent_id) references categories (id))`,
  `create table books (
    id char(36) primary key not null, title varchar(200) not null, isbn varchar(13) not null,
    price decimal(10, 2) not null, discount decimal(20, 4) not null default '0.05', rating double, weight float, pages int not null,
    copies bigint, in_stock boolean not null default true, genre enum ('novel', 'poetry', 'science') not null default 'novel',
    published_on date, printed_at timestamp(3) not null default current_timestamp(3), sold_at datetime(6), opens_at time(6), cover mediumblob, meta json, tags json,
    loan_period varchar(50), signature text, author_id int not null, translator_id int, category_id int,
    title_length int generated always as (char_length(title)) stored,
    constraint books_isbn_unique unique (isbn), key books_author (author_id),
    constraint books_author_id_authors_id_fk foreign key (author_id) references authors (id),
    constraint books_translator_id_authors_id_fk foreign key (translator_id) references authors (id),
    constraint books_category_id_categories_id_fk foreign key (category_id) references categories (id))`,
  `create table reviews (
    book_id char(36) not null, reviewer varchar(50) not null, stars int not null, note text,
    primary key (book_id, reviewer), constraint reviews_book_id_books_id_fk foreign key (book_id) references books (id),
    constraint reviews_stars check (stars between 1 and 5))`,
  `create table shelves (code varchar(10) primary key not null, floor int not null default 0,
    capacity bigint not null default 9007199254740993, built_at timestamp(3) not null default '2026-01-31 23:59:59.123')`,
  `create table placements (
    book_id char(36) not null, shelf_code varchar(10) not null, copies int, primary key (book_id, shelf_code),
    constraint placements_book_id_books_id_fk foreign key (book_id) references books (id),
    constraint placements_shelf_code_shelves_code_fk foreign key (shelf_code) references shelves (code))`,
  `create table replies (
    id int primary key auto_increment, book_id char(36), reviewer varchar(50), text varchar(200) not null,
    key replies_review (book_id, reviewer),
    constraint replies_book_id_reviewer_reviews_book_id_reviewer_fk foreign key (book_id, reviewer)
      references reviews (book_id, reviewer))`,
  `create table oddities (id int primary key auto_increment, name varchar(20) not null, ${inheritedSql('varchar(20)', '`')})`,
  `create view cheap_books as select id, title, price, rating from books where price < 10.00`,
]
