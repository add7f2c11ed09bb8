import { describe, expect, it } from 'vitest'
import type { Field, Model } from '../../../src/model/model.ts'
import { describeTables } from '../../../src/source/drizzle/describe.ts'
import type { Tables } from '../../../src/source/drizzle/tables.ts'
import { mysqlLibrary, pgLibrary, sqliteLibrary } from '../../contract/library.ts'
import { naming } from '../../naming.ts'

const describeLibrary = (library: Tables) => {
  const { tables, notes } = describeTables({ library })
  return { models: tables.map(({ model }) => model), notes }
}

const text = (maxLength?: number) => ({
  ...{ kind: 'text', form: 'string', comparisons: ['starts-with', 'equals-ignoring-case'] },
  ...(maxLength && { maxLength }),
})
const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }
const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** What is not as in PostgreSQL: the type's part of a field, or `absent`. */
type Differences = Readonly<Record<string, object | 'absent'>>

const ofSqlite: Differences = {
  'Book.id': text(36),
  'Book.publishedOn': text(),
  'Book.soldAt': 'absent',
  'Book.opensAt': text(),
  'Book.tags': { kind: 'json', form: 'json', jsonPaths: true },
  'Book.loanPeriod': text(),
  'Review.bookId': text(36),
  'Placement.bookId': text(36),
  'Reply.bookId': text(36),
  'CheapBook.id': text(36),
}

const ofMysql: Differences = {
  'Author.bio': text(2 ** 16 - 1),
  'Book.cover': { kind: 'bytes', form: 'bytes', maxLength: 2 ** 24 - 1 },
  'Book.id': text(36),
  'Book.tags': { kind: 'json', form: 'json', jsonPaths: true },
  'Book.loanPeriod': text(50),
  'Review.bookId': text(36),
  'Review.note': text(2 ** 16 - 1),
  'Placement.bookId': text(36),
  'Reply.bookId': text(36),
  'CheapBook.id': text(36),
}

/** What a description of PostgreSQL becomes by the differences. */
const changed = (models: readonly Model[], differences: Differences, integers: object): readonly Model[] =>
  models.map((model) => ({
    ...model,
    fields: model.fields.flatMap((field): readonly Field[] => {
      const difference = differences[`${model.name}.${field.name}`]
      if (difference === 'absent') return []
      if (difference === undefined) return [field.kind === 'integer' ? { ...field, ...integers } : field]
      const { kind: _kind, form: _form, maxLength, fractionDigits, element, comparisons, ...others } = field
      const { comparesElements: _, ...rest } = others
      return [{ ...rest, ...difference } as Field]
    }),
  }))

describe('the library', () => {
  const inPg = describeLibrary(pgLibrary)

  it('is one description in three dialects, but for the declared differences', () => {
    expect(describeLibrary(sqliteLibrary).models).toEqual(changed(inPg.models, ofSqlite, safe))
    expect(describeLibrary(mysqlLibrary).models).toEqual(changed(inPg.models, ofMysql, int32))
  })

  it('has every kind of field', () => {
    const kinds = new Set(inPg.models.flatMap(({ fields }) => fields.map(({ kind }) => kind)))
    expect([...kinds].sort()).toEqual(
      [
        ...['array', 'bigint', 'boolean', 'bytes', 'date', 'datetime', 'decimal', 'enum', 'float', 'integer'],
        ...['json', 'localdatetime', 'opaque', 'text', 'time', 'token', 'uuid'],
      ].sort(),
    )
  })

  it('says what nobody knows, once', () => {
    expect(inPg.notes).toHaveLength(1)
    expect(inPg.notes[0]).toMatch(naming('Book', 'signature (text)'))
  })

  it('is described as it is written', () => {
    const book = inPg.models.find(({ name }) => name === 'Book')
    expect(book).toMatchObject({
      app: 'library',
      path: 'books',
      primaryKey: ['id'],
      uniques: [['isbn']],
      relations: [
        { name: 'author', kind: 'to-one', model: 'Author', fields: ['authorId'], references: ['id'] },
        { name: 'translator', kind: 'to-one', model: 'Author', fields: ['translatorId'], references: ['id'] },
        { name: 'category', kind: 'to-one', model: 'Category', fields: ['categoryId'], references: ['id'] },
        { name: 'reviews', kind: 'to-many', model: 'Review', fields: ['id'], references: ['bookId'] },
        { name: 'placements', kind: 'to-many', model: 'Placement', fields: ['id'], references: ['bookId'] },
        { name: 'shelves', kind: 'to-many', model: 'Shelf', fields: ['id'], references: ['code'] },
      ],
    })
    expect(book?.fields.find(({ name }) => name === 'discount')).toEqual({
      ...{ name: 'discount', kind: 'decimal', form: 'string', precision: 20, scale: 4, nullable: false },
      ...{ hasDefault: true, default: '0.0500', generated: false, access: 'read-write', optional: false },
    })
    expect(inPg.models.map(({ name, readOnly }) => `${name}${readOnly ? ' (read-only)' : ''}`)).toEqual([
      ...[
        'Author',
        'Category',
        'Book',
        'Review',
        'Shelf',
        'Placement',
        'Reply',
        'Oddity',
        'CheapBook (read-only)',
      ],
    ])
    expect(inPg.models.find(({ name }) => name === 'Review')?.primaryKey).toEqual(['bookId', 'reviewer'])
  })
})
