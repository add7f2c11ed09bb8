import { randomUUID } from 'node:crypto'
import type { FieldFacts, TableFacts } from '../../../src/entry/source.ts'
import { genres } from './genres.ts'
import { inherited } from './inherited.ts'

const id: FieldFacts = { name: 'id', kind: 'integer', hasDefault: true }
const text = (name: string, maxLength: number, more: Partial<FieldFacts> = {}): FieldFacts => ({
  ...{ name, kind: 'text', maxLength },
  ...more,
})
const optional = { nullable: true } as const

/** The library as facts, for a source without a language of its own. */
export const libraryFacts: readonly TableFacts[] = [
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
      { name: 'pages', kind: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
      { name: 'copies', kind: 'bigint', nullable: true },
      { name: 'inStock', kind: 'boolean', hasDefault: true, default: true },
      { name: 'genre', kind: 'enum', values: genres, hasDefault: true, default: 'novel' },
      { name: 'publishedOn', kind: 'date', form: 'string', nullable: true },
      { name: 'printedAt', kind: 'datetime', fractionDigits: 3 },
      { name: 'soldAt', kind: 'localdatetime', fractionDigits: 3, nullable: true },
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
      { name: 'authorId', kind: 'integer' },
      { name: 'translatorId', kind: 'integer', nullable: true },
      { name: 'categoryId', kind: 'integer', nullable: true },
      { name: 'titleLength', kind: 'integer', nullable: true, hasDefault: true, generated: true },
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
    fields: [text('code', 10), { name: 'floor', kind: 'integer', hasDefault: true, default: 0 }],
    primaryKey: ['code'],
  },
  {
    name: 'Oddity',
    fields: [id, text('name', 20), ...inherited.map((name) => text(name, 20, optional))],
    primaryKey: ['id'],
  },
]

/** Defaults that facts cannot express. */
export const libraryDefaults = {
  Book: {
    id: () => randomUUID(),
    titleLength: ({ title }: Readonly<Record<string, unknown>>) =>
      typeof title === 'string' ? [...title].length : null,
  },
}
