import type { FieldFacts, TableFacts } from '../../entry/source.ts'

/** The values of `Book.genre`. */
export const genres = ['novel', 'poetry', 'science'] as const

/** Names that every object inherits, or that a promise and JSON.stringify look for. Columns may have them too. */
export const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'toJSON'] as const

const id: FieldFacts = { name: 'id', kind: 'integer', hasDefault: true }
const text = (name: string, maxLength: number, more: Partial<FieldFacts> = {}): FieldFacts => ({
  ...{ name, kind: 'text', maxLength },
  ...more,
})
const optional = { nullable: true } as const

/**
 * The models of `sourceContract`. Create these tables in your database with the types that suit it, and pass your source an
 * empty database that has them. `Author` with `id`, `name` and `bio` is needed. Leave out other models, fields without which a
 * record is complete, and foreign keys, if your source cannot have them: the suite then skips what needs them. Text may be
 * stored without the limit of its length, times with more or fewer digits of fractional seconds, and `Book.weight` with single
 * precision if your database has it.
 *
 * `Book.id` has a random UUID as its default, and the other `id` fields count up. Other defaults are JSON: `constantDefault`
 * returns them in the form of the field.
 *
 * @example
 * ```ts
 * import { libraryTables } from 'modelrest/testing'
 *
 * // A store without views and computed columns.
 * export const tables = libraryTables
 *   .filter(({ readOnly }) => readOnly !== true)
 *   .map((table) => ({ ...table, fields: table.fields.filter(({ generated }) => generated !== true) }))
 * ```
 */
export const libraryTables: readonly TableFacts[] = [
  {
    name: 'Author',
    fields: [
      id,
      text('name', 100),
      text('email', 200, optional),
      { name: 'bio', kind: 'text', nullable: true },
    ],
    primaryKey: ['id'],
    uniques: [['email']],
  },
  {
    name: 'Category',
    fields: [id, text('name', 50), { name: 'parentId', kind: 'integer', nullable: true }],
    primaryKey: ['id'],
    uniques: [['name']],
    foreignKeys: [{ fields: ['parentId'], model: 'Category', references: ['id'] }],
  },
  {
    name: 'Book',
    fields: [
      { name: 'id', kind: 'uuid', hasDefault: true },
      text('title', 200),
      text('isbn', 13),
      { name: 'price', kind: 'decimal', precision: 10, scale: 2 },
      { name: 'discount', kind: 'decimal', precision: 20, scale: 4, hasDefault: true, default: '0.0500' },
      { name: 'rating', kind: 'float', nullable: true },
      { name: 'weight', kind: 'float', nullable: true },
      { name: 'pages', kind: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
      { name: 'copies', kind: 'bigint', nullable: true },
      { name: 'inStock', kind: 'boolean', hasDefault: true, default: true },
      { name: 'genre', kind: 'enum', values: genres, hasDefault: true, default: 'novel' },
      { name: 'publishedOn', kind: 'date', form: 'string', nullable: true },
      { name: 'printedAt', kind: 'datetime', fractionDigits: 3 },
      { name: 'soldAt', kind: 'localdatetime', fractionDigits: 6, nullable: true },
      { name: 'opensAt', kind: 'time', fractionDigits: 6, nullable: true },
      { name: 'cover', kind: 'bytes', nullable: true },
      { name: 'meta', kind: 'json', nullable: true },
      {
        name: 'tags',
        kind: 'array',
        element: { kind: 'text', form: 'string', nullable: false },
        nullable: true,
      },
      { name: 'loanPeriod', kind: 'token', nullable: true },
      { name: 'signature', kind: 'opaque', nullable: true },
      { name: 'authorId', kind: 'integer' },
      { name: 'translatorId', kind: 'integer', nullable: true },
      { name: 'categoryId', kind: 'integer', nullable: true },
      {
        ...{ name: 'titleLength', kind: 'integer', nullable: true, hasDefault: true, generated: true },
        description: 'The number of characters of the title, which the database computes.',
      },
    ],
    primaryKey: ['id'],
    uniques: [['isbn']],
    foreignKeys: [
      { fields: ['authorId'], model: 'Author', references: ['id'] },
      { fields: ['translatorId'], model: 'Author', references: ['id'] },
      { fields: ['categoryId'], model: 'Category', references: ['id'] },
    ],
  },
  {
    name: 'Review',
    fields: [
      { name: 'bookId', kind: 'uuid' },
      text('reviewer', 50),
      { name: 'stars', kind: 'integer', minimum: 1, maximum: 5 },
      { name: 'note', kind: 'text', nullable: true },
    ],
    primaryKey: ['bookId', 'reviewer'],
    foreignKeys: [{ fields: ['bookId'], model: 'Book', references: ['id'] }],
  },
  {
    name: 'Shelf',
    fields: [
      text('code', 10),
      { name: 'floor', kind: 'integer', hasDefault: true, default: 0 },
      { name: 'capacity', kind: 'bigint', hasDefault: true, default: '9007199254740993' },
      {
        ...{ name: 'builtAt', kind: 'datetime', fractionDigits: 3 },
        ...{ hasDefault: true, default: '2026-01-31T23:59:59.123Z' },
      },
    ],
    primaryKey: ['code'],
  },
  {
    name: 'Placement',
    fields: [
      { name: 'bookId', kind: 'uuid' },
      text('shelfCode', 10),
      { name: 'copies', kind: 'integer', nullable: true },
    ],
    primaryKey: ['bookId', 'shelfCode'],
    foreignKeys: [
      { fields: ['bookId'], model: 'Book', references: ['id'] },
      { fields: ['shelfCode'], model: 'Shelf', references: ['code'] },
    ],
  },
  {
    name: 'Reply',
    fields: [
      id,
      { name: 'bookId', kind: 'uuid', nullable: true },
      text('reviewer', 50, optional),
      text('text', 200),
    ],
    primaryKey: ['id'],
    foreignKeys: [{ fields: ['bookId', 'reviewer'], model: 'Review', references: ['bookId', 'reviewer'] }],
  },
  {
    name: 'Oddity',
    fields: [id, text('name', 20), ...inherited.map((name) => text(name, 20, optional))],
    primaryKey: ['id'],
  },
  {
    name: 'CheapBook',
    fields: [
      { name: 'id', kind: 'uuid' },
      text('title', 200),
      { name: 'price', kind: 'decimal', precision: 10, scale: 2 },
      { name: 'rating', kind: 'float', nullable: true },
    ],
    primaryKey: ['id'],
    readOnly: true,
    description: 'A view: the books whose price is below 10.00.',
  },
]
