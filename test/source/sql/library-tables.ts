import { randomUUID } from 'node:crypto'
import { type SqlColumn, type SqlDialect, type SqlTable, sql } from '../../../src/entry/sql.ts'
import { genres, inherited } from '../../../src/testing/source/library.ts'

const nullable = { nullable: true } as const

/** A kind that nobody knows: any JSON, kept as text. */
const signature: SqlColumn = {
  ...{ name: 'signature', type: 'text', kind: 'opaque', nullable: true, anyJson: true },
  codec: {
    encode: (value) => `json ${JSON.stringify(value)}`,
    decode: (stored) => JSON.parse(String(stored).slice(5)),
  },
}

const strings: Pick<SqlColumn, 'kind' | 'element'> = {
  kind: 'array',
  element: { kind: 'text', form: 'string', nullable: false },
}

interface Types {
  readonly key: Partial<SqlColumn> & Pick<SqlColumn, 'type'>
  readonly instant: string
  readonly bytes: string
  readonly json: string
  readonly bio: string
  readonly double: string
  readonly single: string
  readonly book: readonly SqlColumn[]
}

const types: Readonly<Record<SqlDialect, Types>> = {
  sqlite: {
    key: { type: 'uuid' },
    ...{ instant: 'datetime', bytes: 'blob', json: 'json', bio: 'text', double: 'real', single: 'real' },
    book: [
      { name: 'opensAt', column: 'opens_at', type: 'time', fractionDigits: 6, nullable: true },
      { name: 'tags', type: 'json', ...strings, nullable: true },
      { name: 'loanPeriod', column: 'loan_period', type: 'text', nullable: true },
    ],
  },
  pg: {
    key: { type: 'uuid' },
    ...{ instant: 'timestamp(3) with time zone', bytes: 'bytea', json: 'jsonb', bio: 'text' },
    ...{ double: 'double precision', single: 'real' },
    book: [
      { name: 'discount', type: 'numeric(20, 4)', default: '0.0500' },
      { name: 'soldAt', column: 'sold_at', type: 'timestamp', nullable: true },
      { name: 'opensAt', column: 'opens_at', type: 'time', nullable: true },
      { name: 'tags', type: 'text[]', nullable: true },
      { name: 'loanPeriod', column: 'loan_period', type: 'interval', nullable: true },
    ],
  },
  mysql: {
    key: { type: 'char(36)', kind: 'uuid' },
    ...{ instant: 'timestamp(3)', bytes: 'mediumblob', json: 'json', bio: 'mediumtext' },
    ...{ double: 'double', single: 'float' },
    book: [
      { name: 'discount', type: 'decimal(20, 4)', default: '0.0500' },
      { name: 'soldAt', column: 'sold_at', type: 'datetime(6)', nullable: true },
      { name: 'opensAt', column: 'opens_at', type: 'time(6)', nullable: true },
      { name: 'tags', type: 'json', ...strings, nullable: true },
      { name: 'loanPeriod', column: 'loan_period', type: 'varchar(50)', nullable: true },
    ],
  },
}

const enumOf: Readonly<Record<SqlDialect, Pick<SqlColumn, 'type' | 'values'>>> = {
  sqlite: { type: 'text', values: genres },
  pg: { type: 'genre', values: genres },
  mysql: { type: `enum(${genres.map((genre) => `'${genre}'`).join(', ')})` },
}

/** How new books get their key. */
const newKey: Readonly<Record<SqlDialect, Partial<SqlColumn>>> = {
  sqlite: { makeDefault: randomUUID },
  pg: { defaultSql: sql`gen_random_uuid()` },
  mysql: { makeDefault: randomUUID },
}

/** The canonical library, see test/contract/library.ts, for sources that the application describes itself. */
export const libraryTables = (dialect: SqlDialect): readonly SqlTable[] => {
  const { key, instant, bytes, json, bio, double, single, book } = types[dialect]
  const id: SqlColumn = { name: 'id', type: 'integer', autoIncrement: true }
  const integer = (name: string, more: Partial<SqlColumn> = {}): SqlColumn => ({
    ...{ name, type: 'integer' },
    ...more,
  })
  const price: SqlColumn = { name: 'price', type: 'decimal(10, 2)' }
  return [
    {
      ...{ name: 'Author', table: 'authors', primaryKey: ['id'] },
      columns: [
        id,
        { name: 'name', type: 'varchar(100)' },
        { name: 'email', type: 'varchar(200)', ...nullable },
        { name: 'bio', type: bio, ...nullable },
      ],
      indexes: [{ fields: ['email'], unique: true, name: 'authors_email_unique' }],
    },
    {
      ...{ name: 'Category', table: 'categories', primaryKey: ['id'] },
      columns: [
        id,
        { name: 'name', type: 'varchar(50)' },
        integer('parentId', { column: 'parent_id', ...nullable }),
      ],
      indexes: [{ fields: ['name'], unique: true, name: 'categories_name_unique' }],
      foreignKeys: [{ fields: ['parentId'], model: 'Category', references: ['id'] }],
    },
    {
      ...{ name: 'Book', table: 'books', primaryKey: ['id'] },
      columns: [
        { name: 'id', ...key, ...newKey[dialect] },
        { name: 'title', type: 'varchar(200)' },
        { name: 'isbn', type: 'varchar(13)' },
        price,
        { name: 'rating', type: double, ...nullable },
        { name: 'weight', type: single, ...nullable },
        integer('pages'),
        { name: 'copies', type: 'bigint', ...nullable },
        { name: 'inStock', column: 'in_stock', type: 'boolean', default: true },
        { name: 'genre', ...enumOf[dialect], default: 'novel' },
        { name: 'publishedOn', column: 'published_on', type: 'date', ...nullable },
        { name: 'printedAt', column: 'printed_at', type: instant },
        { name: 'cover', type: bytes, ...nullable },
        { name: 'meta', type: json, ...nullable },
        signature,
        ...book,
        integer('authorId', { column: 'author_id' }),
        integer('translatorId', { column: 'translator_id', ...nullable }),
        integer('categoryId', { column: 'category_id', ...nullable }),
        integer('titleLength', { column: 'title_length', ...nullable, generated: true }),
      ],
      indexes: [{ fields: ['isbn'], unique: true, name: 'books_isbn_unique' }, { fields: ['authorId'] }],
      foreignKeys: [
        { fields: ['authorId'], model: 'Author', references: ['id'] },
        { fields: ['translatorId'], model: 'Author', references: ['id'] },
        { fields: ['categoryId'], model: 'Category', references: ['id'] },
      ],
    },
    {
      ...{ name: 'Review', table: 'reviews', primaryKey: ['bookId', 'reviewer'] },
      columns: [
        { name: 'bookId', column: 'book_id', ...key },
        { name: 'reviewer', type: 'varchar(50)' },
        integer('stars'),
        { name: 'note', type: 'text', ...nullable },
      ],
      checks: [{ name: 'reviews_stars', fields: ['stars'] }],
      foreignKeys: [{ fields: ['bookId'], model: 'Book', references: ['id'] }],
    },
    {
      ...{ name: 'Shelf', table: 'shelves', primaryKey: ['code'] },
      columns: [
        { name: 'code', type: 'varchar(10)' },
        integer('floor', { default: 0 }),
        { name: 'capacity', type: 'bigint', default: '9007199254740993' },
        { name: 'builtAt', column: 'built_at', type: instant, default: '2026-01-31T23:59:59.123Z' },
      ],
    },
    {
      ...{ name: 'Placement', table: 'placements', primaryKey: ['bookId', 'shelfCode'] },
      columns: [
        { name: 'bookId', column: 'book_id', ...key },
        { name: 'shelfCode', column: 'shelf_code', type: 'varchar(10)' },
        integer('copies', nullable),
      ],
      foreignKeys: [
        { fields: ['bookId'], model: 'Book', references: ['id'] },
        { fields: ['shelfCode'], model: 'Shelf', references: ['code'] },
      ],
    },
    {
      ...{ name: 'Reply', table: 'replies', primaryKey: ['id'] },
      columns: [
        id,
        { name: 'bookId', column: 'book_id', ...key, ...nullable },
        { name: 'reviewer', type: 'varchar(50)', ...nullable },
        { name: 'text', type: 'varchar(200)' },
      ],
      indexes: [{ fields: ['bookId', 'reviewer'] }],
      foreignKeys: [{ fields: ['bookId', 'reviewer'], model: 'Review', references: ['bookId', 'reviewer'] }],
    },
    {
      ...{ name: 'Oddity', table: 'oddities', primaryKey: ['id'] },
      columns: [
        id,
        { name: 'name', type: 'varchar(20)' },
        ...inherited.map((name) => ({ name, type: 'varchar(20)', ...nullable })),
      ],
    },
    {
      ...{ name: 'CheapBook', table: 'cheap_books', primaryKey: ['id'], readOnly: true },
      columns: [
        { name: 'id', ...key },
        { name: 'title', type: 'varchar(200)' },
        price,
        { name: 'rating', type: double, ...nullable },
      ],
    },
  ]
}

/** The tables of the library in the types that `sqlSource` has for SQLite. */
export const createSqlite: readonly string[] = [
  `create table authors (id integer primary key autoincrement, name varchar(100) not null, email varchar(200) unique, bio text)`,
  `create table categories (
    id integer primary key autoincrement, name varchar(50) not null unique, parent_id integer references categories (id))`,
  `create table books (
    id uuid primary key not null, title varchar(200) not null, isbn varchar(13) not null unique, price decimal(10, 2) not null,
    rating real, weight real, pages integer not null, copies bigint, in_stock boolean not null default 1,
    genre varchar(10) not null default 'novel', published_on date, printed_at datetime not null, opens_at time, cover blob,
    meta json, tags json, loan_period text, signature text, author_id integer not null references authors (id),
    translator_id integer references authors (id), category_id integer references categories (id),
    title_length integer generated always as (length(title)) stored)`,
  'create index books_author on books (author_id)',
  `create table reviews (
    book_id uuid not null references books (id), reviewer varchar(50) not null,
    stars integer not null constraint reviews_stars check (stars between 1 and 5), note text, primary key (book_id, reviewer))`,
  `create table shelves (code varchar(10) primary key not null, floor integer not null default 0,
    capacity bigint not null default 9007199254740993, built_at datetime not null default '2026-01-31 23:59:59.123')`,
  `create table placements (
    book_id uuid not null references books (id), shelf_code varchar(10) not null references shelves (code), copies integer,
    primary key (book_id, shelf_code))`,
  `create table replies (
    id integer primary key autoincrement, book_id uuid, reviewer varchar(50), text varchar(200) not null,
    foreign key (book_id, reviewer) references reviews (book_id, reviewer))`,
  'create index replies_review on replies (book_id, reviewer)',
  `create table oddities (id integer primary key autoincrement, name varchar(20) not null,
    ${inherited.map((name) => `"${name}" varchar(20)`).join(', ')})`,
  'create view cheap_books as select id, title, price, rating from books where price < 10.00',
]
