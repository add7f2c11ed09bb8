import Database from 'better-sqlite3'
import { drizzle as sqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as mysql } from 'drizzle-orm/mysql2'
import { drizzle as pg } from 'drizzle-orm/node-postgres'
import { createPool } from 'mysql2/promise'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import type { FieldFacts, Model } from '../../src/entry/source.ts'
import { kinds } from '../../src/model/kinds/index.ts'
import { libraryTables } from '../../src/testing/index.ts'
import { meanings } from '../../src/testing/source/meanings.ts'
import { hardValues, pairs } from '../../src/testing/source/samples.ts'
import { mysqlLibrary, pgLibrary, sqliteLibrary } from '../contract/library.ts'

const books = libraryTables.find(({ name }) => name === 'Book')?.fields ?? []
const sampled = books.filter(
  ({ name, generated }) => generated !== true && !/id$/i.test(name) && name !== 'isbn',
)

test('every field of books has values that are easily stored wrong', () => {
  expect(sampled.map(({ name }) => name).toSorted()).toEqual(Object.keys(hardValues).toSorted())
})

test('every field of books that can be compared has a pair of values', () => {
  const compared = sampled.filter(({ kind }) => kinds[kind].comparable)
  expect(compared.map(({ name }) => name).toSorted()).toEqual(Object.keys(pairs).toSorted())
})

test('every kind has values by their meaning, which the suite does not take from the code under test', () => {
  const kindsOf = (names: readonly string[]) =>
    [...new Set(books.filter(({ name }) => names.includes(name)).map(({ kind }) => kind))].toSorted()
  const inSuite = Object.keys(kinds).filter((kind) => kind !== 'file' && kind !== 'image')
  expect(kindsOf(Object.keys(meanings))).toEqual(inSuite.toSorted())
})

type Named = Pick<Model, 'name'> & { readonly fields: readonly Pick<FieldFacts, 'name'>[] }

const namesOf = (models: readonly Named[], without: readonly string[] = []): readonly string[] =>
  models
    .flatMap(({ name, fields }) => fields.map((field) => `${name}.${field.name}`))
    .filter((name) => !without.includes(name))
    .toSorted()

test.each([
  ['SQLite', () => drizzleModels(sqlite(new Database(':memory:')), sqliteLibrary), ['Book.soldAt']],
  ['PostgreSQL', () => drizzleModels(pg(new Pool()), pgLibrary), []],
  ['MySQL', () => drizzleModels(mysql(createPool({})), mysqlLibrary), []],
] as const)('the tables of %s have the fields of libraryTables', (_, open, without) => {
  expect(namesOf(open().models)).toEqual(namesOf(libraryTables, without))
})
