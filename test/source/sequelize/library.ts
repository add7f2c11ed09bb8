import { DataTypes, type Model, type ModelAttributeColumnOptions, type Sequelize } from 'sequelize'
import { genres } from '../../../src/testing/source/library.ts'

type Column = ModelAttributeColumnOptions

const required = (type: Column['type'], more: Partial<Column> = {}): Column => ({
  ...{ type, allowNull: false },
  ...more,
})

const text = (length: number, more: Partial<Column> = {}): Column => required(DataTypes.STRING(length), more)
const optional = (type: Column['type'], more: Partial<Column> = {}): Column => ({ type, ...more })

const id: Column = { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true }

/** A kind that nobody knows: any JSON, kept as text. */
const signature: Column = {
  type: DataTypes.TEXT,
  get(this: Model) {
    const stored = this.getDataValue('signature' as never) as string | null | undefined
    return typeof stored === 'string' ? JSON.parse(stored.slice(5)) : stored
  },
  set(this: Model, value: unknown) {
    this.setDataValue(
      'signature' as never,
      (value === null ? null : `json ${JSON.stringify(value)}`) as never,
    )
  },
}

/** The canonical library as models of Sequelize, see test/contract/library.ts. */
export const defineLibrary = (sequelize: Sequelize): void => {
  const dialect = sequelize.getDialect()
  const isPg = dialect === 'postgres'
  const isSqlite = dialect === 'sqlite'
  const define = (name: string, tableName: string, columns: Readonly<Record<string, Column>>) =>
    sequelize.define(name, columns, { tableName, timestamps: false })
  const length = isPg || isSqlite ? {} : { length: 'medium' as const }
  const Author = define('Author', 'authors', {
    id,
    name: text(100),
    email: optional(DataTypes.STRING(200), { unique: 'authors_email_unique' }),
    bio: optional(DataTypes.TEXT(length)),
  })
  const Category = define('Category', 'categories', {
    id,
    name: text(50, { unique: 'categories_name_unique' }),
    parentId: optional(DataTypes.INTEGER, { field: 'parent_id' }),
  })
  const Book = define('Book', 'books', {
    id: { type: DataTypes.UUID, primaryKey: true, defaultValue: DataTypes.UUIDV4 },
    title: text(200),
    isbn: text(13, { unique: 'books_isbn_unique' }),
    price: required(DataTypes.DECIMAL(10, 2)),
    // SQLite keeps 15 digits of a decimal.
    ...(!isSqlite && { discount: required(DataTypes.DECIMAL(20, 4), { defaultValue: '0.05' }) }),
    rating: optional(DataTypes.DOUBLE),
    weight: optional(isPg ? DataTypes.REAL : DataTypes.FLOAT),
    pages: required(DataTypes.INTEGER),
    copies: optional(DataTypes.BIGINT),
    inStock: required(DataTypes.BOOLEAN, { field: 'in_stock', defaultValue: true }),
    genre: required(DataTypes.ENUM(...genres), { defaultValue: 'novel' }),
    publishedOn: optional(DataTypes.DATEONLY, { field: 'published_on' }),
    printedAt: required(DataTypes.DATE(3), { field: 'printed_at' }),
    opensAt: optional(DataTypes.TIME, { field: 'opens_at' }),
    cover: optional(DataTypes.BLOB('medium')),
    meta: optional(isPg ? DataTypes.JSONB : DataTypes.JSON),
    tags: optional(isPg ? DataTypes.ARRAY(DataTypes.TEXT) : DataTypes.JSON),
    loanPeriod: optional(isPg ? 'INTERVAL' : DataTypes.STRING(50), { field: 'loan_period' }),
    signature,
    authorId: required(DataTypes.INTEGER, { field: 'author_id' }),
    translatorId: optional(DataTypes.INTEGER, { field: 'translator_id' }),
    categoryId: optional(DataTypes.INTEGER, { field: 'category_id' }),
  })
  const Review = define('Review', 'reviews', {
    bookId: required(DataTypes.UUID, { field: 'book_id', primaryKey: true }),
    reviewer: text(50, { primaryKey: true }),
    stars: required(DataTypes.INTEGER, { validate: { min: 1, max: 5 } }),
    note: optional(DataTypes.TEXT),
  })
  const Shelf = define('Shelf', 'shelves', {
    code: text(10, { primaryKey: true }),
    floor: required(DataTypes.INTEGER, { defaultValue: 0 }),
    capacity: required(DataTypes.BIGINT, { defaultValue: '9007199254740993' }),
    builtAt: required(DataTypes.DATE(3), {
      ...{ field: 'built_at', defaultValue: new Date('2026-01-31T23:59:59.123Z') },
    }),
  })
  const Placement = define('Placement', 'placements', {
    bookId: required(DataTypes.UUID, { field: 'book_id', primaryKey: true }),
    shelfCode: text(10, { field: 'shelf_code', primaryKey: true }),
    copies: optional(DataTypes.INTEGER),
  })
  // Associations of Sequelize have one attribute, so there is none to the review. Oddity cannot be: instances inherit its names.
  define('Reply', 'replies', {
    id,
    bookId: optional(DataTypes.UUID, { field: 'book_id' }),
    reviewer: optional(DataTypes.STRING(50)),
    text: text(200),
  })
  const restricted = { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' } as const
  Category.belongsTo(Category, { as: 'parent', foreignKey: 'parentId', ...restricted })
  Book.belongsTo(Author, { as: 'author', foreignKey: 'authorId', ...restricted })
  Author.hasMany(Book, { as: 'books', foreignKey: 'authorId', ...restricted })
  Book.belongsTo(Author, { as: 'translator', foreignKey: 'translatorId', ...restricted })
  Book.belongsTo(Category, { as: 'category', foreignKey: 'categoryId', ...restricted })
  Review.belongsTo(Book, { as: 'book', foreignKey: 'bookId', ...restricted })
  const through = { through: Placement, ...restricted }
  Book.belongsToMany(Shelf, { as: 'shelves', foreignKey: 'bookId', otherKey: 'shelfCode', ...through })
  Shelf.belongsToMany(Book, { as: 'books', foreignKey: 'shelfCode', otherKey: 'bookId', ...through })
}
