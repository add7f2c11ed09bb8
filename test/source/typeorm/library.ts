import { EntitySchema, type EntitySchemaColumnOptions, type ObjectLiteral } from 'typeorm'
import { genres, inherited } from '../../../src/testing/source/library.ts'

export type Dialect = 'pg' | 'mysql' | 'sqlite'

type Columns = Readonly<Record<string, EntitySchemaColumnOptions>>

const text = (length: number, more: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions => ({
  ...{ type: 'varchar', length },
  ...more,
})

const nullable = { nullable: true } as const

/** A kind that nobody knows: any JSON, kept as text. */
const signature: EntitySchemaColumnOptions = {
  ...{ type: 'text', nullable: true },
  transformer: {
    to: (value: unknown) => (value === null || value === undefined ? value : `json ${JSON.stringify(value)}`),
    from: (stored: string | null) => (stored === null ? null : JSON.parse(stored.slice(5))),
  },
}

const byDialect: Readonly<
  Record<
    Dialect,
    {
      readonly key: EntitySchemaColumnOptions
      readonly bytes: EntitySchemaColumnOptions['type']
      readonly instant: EntitySchemaColumnOptions
      readonly book: Columns
      readonly increment: EntitySchemaColumnOptions
      readonly length: string
      readonly bio: EntitySchemaColumnOptions['type']
    }
  >
> = {
  pg: {
    key: { type: 'uuid' },
    bytes: 'bytea',
    instant: { type: 'timestamp with time zone', precision: 3 },
    book: {
      soldAt: { name: 'sold_at', type: 'timestamp', nullable: true },
      tags: { type: 'text', array: true, nullable: true },
      loanPeriod: { name: 'loan_period', type: 'interval', nullable: true },
    },
    increment: { type: 'int', primary: true, generated: 'increment' },
    length: 'length(title)',
    bio: 'text',
  },
  mysql: {
    key: { type: 'uuid' },
    bytes: 'mediumblob',
    instant: { type: 'timestamp', precision: 3 },
    book: {
      soldAt: { name: 'sold_at', type: 'datetime', precision: 6, nullable: true },
      tags: { type: 'json', nullable: true },
      loanPeriod: text(50, { name: 'loan_period', nullable: true }),
    },
    increment: { type: 'int', primary: true, generated: 'increment' },
    length: 'char_length(title)',
    bio: 'mediumtext',
  },
  sqlite: {
    key: { type: 'uuid' },
    bytes: 'blob',
    instant: { type: 'datetime' },
    book: {
      tags: { type: 'simple-json', nullable: true },
      loanPeriod: { name: 'loan_period', type: 'text', nullable: true },
    },
    increment: { type: 'integer', primary: true, generated: 'increment' },
    length: 'length(title)',
    bio: 'text',
  },
}

/** The canonical library as entities, see test/contract/library.ts. */
export const libraryEntities = (dialect: Dialect) => {
  const { key, bytes, instant, book, increment, length, bio } = byDialect[dialect]
  const isSqlite = dialect === 'sqlite'
  const Author = new EntitySchema<ObjectLiteral>({
    name: 'Author',
    tableName: 'authors',
    columns: {
      id: increment,
      name: text(100),
      email: text(200, nullable),
      bio: { type: bio, nullable: true },
    },
    uniques: [{ name: 'authors_email_unique', columns: ['email'] }],
  })
  const Category = new EntitySchema<ObjectLiteral>({
    name: 'Category',
    tableName: 'categories',
    columns: {
      id: increment,
      name: text(50),
      parentId: { name: 'parent_id', type: 'int', nullable: true },
    },
    uniques: [{ name: 'categories_name_unique', columns: ['name'] }],
    relations: {
      parent: { type: 'many-to-one', target: 'Category', joinColumn: { name: 'parent_id' }, nullable: true },
    },
  })
  const Book = new EntitySchema<ObjectLiteral>({
    name: 'Book',
    tableName: 'books',
    columns: {
      id: { ...key, primary: true, generated: 'uuid' },
      title: text(200),
      isbn: text(13),
      price: { type: 'decimal', precision: 10, scale: 2 },
      // SQLite keeps 15 digits of a decimal.
      ...(!isSqlite && { discount: { type: 'decimal', precision: 20, scale: 4, default: '0.05' } as const }),
      rating: { type: isSqlite ? 'real' : 'double precision', nullable: true },
      weight: { type: dialect === 'mysql' ? 'float' : 'real', nullable: true },
      pages: { type: 'int' },
      copies: { type: 'bigint', nullable: true },
      inStock: { name: 'in_stock', type: 'boolean', default: true },
      genre: {
        ...{ type: isSqlite ? 'simple-enum' : 'enum', enum: [...genres], default: 'novel' },
        ...(dialect === 'pg' && { enumName: 'genre' }),
      },
      publishedOn: { name: 'published_on', type: 'date', nullable: true },
      printedAt: { ...instant, name: 'printed_at' },
      opensAt: {
        name: 'opens_at',
        type: 'time',
        ...(dialect === 'mysql' && { precision: 6 }),
        nullable: true,
      },
      cover: { type: bytes, nullable: true },
      meta: { type: isSqlite ? 'simple-json' : dialect === 'pg' ? 'jsonb' : 'json', nullable: true },
      signature,
      ...book,
      // The relations author and translator declare their columns, category does not.
      authorId: { name: 'author_id', type: 'int' },
      translatorId: { name: 'translator_id', type: 'int', nullable: true },
      titleLength: {
        ...{ name: 'title_length', type: 'int', nullable: true, insert: false, update: false },
        ...{ asExpression: length, generatedType: 'STORED' },
      },
    },
    uniques: [{ name: 'books_isbn_unique', columns: ['isbn'] }],
    relations: {
      author: { type: 'many-to-one', target: 'Author', joinColumn: { name: 'author_id' }, nullable: false },
      translator: {
        ...{ type: 'many-to-one', target: 'Author', joinColumn: { name: 'translator_id' }, nullable: true },
      },
      category: {
        ...{ type: 'many-to-one', target: 'Category', joinColumn: { name: 'category_id' }, nullable: true },
      },
    },
  })
  const Review = new EntitySchema<ObjectLiteral>({
    name: 'Review',
    tableName: 'reviews',
    columns: {
      bookId: { ...key, name: 'book_id', primary: true },
      reviewer: text(50, { primary: true }),
      stars: { type: 'int' },
      note: { type: 'text', nullable: true },
    },
    checks: [{ name: 'reviews_stars', expression: 'stars between 1 and 5' }],
    relations: { book: { type: 'many-to-one', target: 'Book', joinColumn: { name: 'book_id' } } },
  })
  const Shelf = new EntitySchema<ObjectLiteral>({
    name: 'Shelf',
    tableName: 'shelves',
    columns: {
      code: text(10, { primary: true }),
      floor: { type: 'int', default: 0 },
      capacity: { type: 'bigint', default: '9007199254740993' },
      builtAt: {
        ...{ ...instant, name: 'built_at' },
        default: dialect === 'pg' ? '2026-01-31T23:59:59.123Z' : '2026-01-31 23:59:59.123',
      },
    },
  })
  const Placement = new EntitySchema<ObjectLiteral>({
    name: 'Placement',
    tableName: 'placements',
    columns: {
      bookId: { ...key, name: 'book_id', primary: true },
      shelfCode: text(10, { name: 'shelf_code', primary: true }),
      copies: { type: 'int', nullable: true },
    },
    relations: {
      book: { type: 'many-to-one', target: 'Book', joinColumn: { name: 'book_id' } },
      shelf: { type: 'many-to-one', target: 'Shelf', joinColumn: { name: 'shelf_code' } },
    },
  })
  const Reply = new EntitySchema<ObjectLiteral>({
    name: 'Reply',
    tableName: 'replies',
    columns: {
      id: increment,
      bookId: { ...key, name: 'book_id', nullable: true },
      reviewer: text(50, nullable),
      text: text(200),
    },
    relations: {
      review: {
        ...{ type: 'many-to-one', target: 'Review', nullable: true },
        joinColumn: [
          { name: 'book_id', referencedColumnName: 'bookId' },
          { name: 'reviewer', referencedColumnName: 'reviewer' },
        ],
      },
    },
  })
  const Oddity = new EntitySchema<ObjectLiteral>({
    name: 'Oddity',
    tableName: 'oddities',
    columns: {
      id: increment,
      name: text(20),
      ...Object.fromEntries(inherited.map((name) => [name, text(20, nullable)])),
    },
  })
  const CheapBook = new EntitySchema<ObjectLiteral>({
    name: 'CheapBook',
    tableName: 'cheap_books',
    type: 'view',
    expression: 'select id, title, price, rating from books where price < 10.00',
    columns: {
      id: { ...key, primary: true },
      title: text(200),
      price: { type: 'decimal', precision: 10, scale: 2 },
      rating: { type: isSqlite ? 'real' : 'double precision', nullable: true },
    },
  })
  return { Author, Category, Book, Review, Shelf, Placement, Reply, Oddity, CheapBook }
}
