import { expect, onTestFinished, test } from 'vitest'
import { both, type Condition, everything } from '../../src/query/ast.ts'
import { softlyDeletedModels, withSoftDeletion } from '../../src/source/soft-deletion.ts'
import type { ModelSource, RecordStore } from '../../src/source/source.ts'
import { library } from '../http/deleted/tables.ts'
import { openSqlite } from '../stage/databases.ts'

const ofTenant: Condition = { op: 'eq', field: 'tenant', value: 1 }
const isLiving: Condition = { op: 'is-null', field: 'deleted_at' }

/** The books of a source, and the conditions that its statements get. @param meanwhile runs before each update */
const watchedBooks = (
  meanwhile: (below: RecordStore) => unknown = () => undefined,
): { readonly books: RecordStore; readonly asked: readonly Condition[] } => {
  const { models: source, close } = openSqlite(library.sqlite.tables, library.sqlite.ddl)
  onTestFinished(close)
  const asked: Condition[] = []
  const watching: ModelSource = {
    ...source,
    store: (model) => ({
      ...source.store(model),
      update(...asked) {
        meanwhile(source.store(model))
        return source.store(model).update(...asked)
      },
      estimate(filter) {
        asked.push(filter)
        return 7
      },
      aggregate(_aggregation, guard) {
        asked.push(guard)
        return []
      },
    }),
  }
  const models = softlyDeletedModels(watching, { Book: { softDelete: 'deleted_at' } })
  const living = withSoftDeletion(watching, models)
  const model = living.models.find(({ name }) => name === 'Book')
  return { books: model === undefined ? expect.fail() : living.store(model), asked }
}

const dune = [1] as const

test.each(['remove', 'take'] as const)('%s leaves a record beyond the guard', (method) => {
  const { books } = watchedBooks()
  expect(books[method](dune, both(ofTenant, { op: 'eq', field: 'tenant', value: 2 }))).toBeFalsy()
  expect(books.count(everything, everything)).toBe(3)
  expect(books[method](dune, ofTenant)).toBeTruthy()
  expect(books.count(everything, everything)).toBe(2)
})

test('a record that leaves the guard while it is taken stays', () => {
  const { books } = watchedBooks((below) => below.update(dune, { tenant: 2 }, everything))
  expect(books.take(dune, ofTenant)).toBeUndefined()
  expect(books.count(everything, everything)).toBe(3)
})

test('estimates leave deleted records out', () => {
  const { books, asked } = watchedBooks()
  expect(books.estimate?.(everything)).toBe(7)
  expect(asked).toEqual([isLiving])
})

test('aggregates leave deleted records out, and those beyond the guard', () => {
  const { books, asked } = watchedBooks()
  const aggregation = { filter: everything, groups: [], aggregates: [], order: [], limit: 1 }
  expect(books.aggregate?.(aggregation as never, ofTenant)).toEqual([])
  expect(asked).toEqual([{ op: 'and', conditions: [ofTenant, isLiving] }])
})
