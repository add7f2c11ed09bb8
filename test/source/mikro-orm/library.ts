import { defineEntity, p, Type } from '@mikro-orm/core'
import { genres, inherited } from '../../../src/testing/source/library.ts'

export type Dialect = 'pg' | 'mysql' | 'sqlite'

/** A kind that nobody knows: any JSON, kept as text. */
class Signature extends Type<unknown, string | null> {
  override convertToDatabaseValue(value: unknown): string | null {
    return value === null || value === undefined ? null : `json ${JSON.stringify(value)}`
  }

  override convertToJSValue(stored: string | null): unknown {
    return stored === null ? null : JSON.parse(stored.slice(5))
  }

  override getColumnType(): string {
    return 'text'
  }
}

const text = (length: number) => p.string().length(length)

/** The canonical library as entities, see test/contract/library.ts. */
export const libraryEntities = (dialect: Dialect) => {
  const isSqlite = dialect === 'sqlite'
  const key = () => (dialect === 'mysql' ? p.uuid().columnType('varchar(36)') : p.uuid())
  const instant = (field: string) =>
    dialect === 'mysql'
      ? p.datetime(3).columnType('timestamp(3)').fieldName(field)
      : p.datetime(3).fieldName(field)
  const ofDialect = {
    pg: {
      soldAt: p.datetime(6).columnType('timestamp').nullable(),
      tags: p.array().nullable(),
      loanPeriod: p.string().columnType('interval').nullable(),
    },
    mysql: {
      soldAt: p.datetime(6).nullable(),
      tags: p.json().nullable(),
      loanPeriod: text(50).nullable(),
    },
    sqlite: { tags: p.json().nullable(), loanPeriod: p.text().nullable() },
  }[dialect]
  const Author = defineEntity({
    name: 'Author',
    tableName: 'authors',
    properties: {
      id: p.integer().primary().autoincrement(),
      name: text(100),
      email: text(200).nullable().unique(),
      bio: (dialect === 'mysql' ? p.text().columnType('mediumtext') : p.text()).nullable(),
    },
  })
  const Category = defineEntity({
    name: 'Category',
    tableName: 'categories',
    properties: {
      id: p.integer().primary().autoincrement(),
      name: text(50).unique(),
      parent: () => p.manyToOne(Category).nullable().joinColumn('parent_id').deleteRule('no action'),
    },
  })
  const Book = defineEntity({
    name: 'Book',
    tableName: 'books',
    properties: {
      id: key()
        .primary()
        .onCreate(() => crypto.randomUUID()),
      title: text(200),
      isbn: text(13).unique(),
      price: p.decimal().precision(10).scale(2),
      // SQLite keeps 15 digits of a decimal.
      ...(!isSqlite && { discount: p.decimal().precision(20).scale(4).default('0.05') }),
      rating: p.double().nullable(),
      weight: p.float().nullable(),
      pages: p.integer(),
      copies: p.bigint().nullable(),
      inStock: p.boolean().default(true),
      genre: (dialect === 'pg' ? p.enum([...genres]).nativeEnumName('genre') : p.enum([...genres])).default(
        'novel',
      ),
      publishedOn: p.date().nullable(),
      printedAt: instant('printed_at'),
      opensAt: (dialect === 'mysql'
        ? p.time().columnType('time(6)')
        : dialect === 'pg'
          ? p.time().columnType('time')
          : p.time()
      ).nullable(),
      cover: (dialect === 'mysql' ? p.blob().columnType('mediumblob') : p.blob()).nullable(),
      meta: p.json().nullable(),
      signature: p.type(Signature).nullable(),
      ...ofDialect,
      author: () => p.manyToOne(Author),
      translator: () => p.manyToOne(Author).nullable().deleteRule('no action'),
      category: () => p.manyToOne(Category).nullable().deleteRule('no action'),
      titleLength: p
        .integer()
        .generated(`(${dialect === 'mysql' ? 'char_length' : 'length'}(title)) stored`)
        .nullable(),
    },
  })
  const Review = defineEntity({
    name: 'Review',
    tableName: 'reviews',
    properties: {
      book: () => p.manyToOne(Book).primary(),
      reviewer: text(50).primary(),
      stars: p.integer(),
      note: p.text().nullable(),
    },
    checks: [{ name: 'reviews_stars', expression: 'stars between 1 and 5' }],
  })
  const Shelf = defineEntity({
    name: 'Shelf',
    tableName: 'shelves',
    properties: {
      code: text(10).primary(),
      floor: p.integer().default(0),
      capacity: p.bigint().default('9007199254740993'),
      builtAt: instant('built_at').default(
        dialect === 'mysql' ? '2026-01-31 23:59:59.123' : '2026-01-31T23:59:59.123Z',
      ),
    },
  })
  const Placement = defineEntity({
    name: 'Placement',
    tableName: 'placements',
    properties: {
      book: () => p.manyToOne(Book).primary(),
      shelf: () => p.manyToOne(Shelf).primary(),
      copies: p.integer().nullable(),
    },
  })
  const Reply = defineEntity({
    name: 'Reply',
    tableName: 'replies',
    properties: {
      id: p.integer().primary().autoincrement(),
      review: () => p.manyToOne(Review).nullable().joinColumns('book_id', 'reviewer').deleteRule('no action'),
      text: text(200),
    },
  })
  const Oddity = defineEntity({
    name: 'Oddity',
    tableName: 'oddities',
    properties: {
      id: p.integer().primary().autoincrement(),
      name: text(20),
      // MikroORM refuses `constructor`.
      ...Object.fromEntries(
        inherited
          .filter((name) => name !== 'constructor')
          .map((name) => [name, text(20).nullable().fieldName(name)]),
      ),
    },
  })
  const CheapBook = defineEntity({
    name: 'CheapBook',
    tableName: 'cheap_books',
    view: true,
    expression: 'select id, title, price, rating from books where price < 10.00',
    properties: {
      id: key().primary(),
      title: text(200),
      price: p.decimal().precision(10).scale(2),
      rating: p.double().nullable(),
    },
  })
  return { Author, Category, Book, Review, Shelf, Placement, Reply, Oddity, CheapBook }
}
