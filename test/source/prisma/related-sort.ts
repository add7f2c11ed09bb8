import { describe, expect, it } from 'vitest'
import {
  type Condition,
  compareRows,
  everything,
  type ModelSource,
  type Order,
  type Row,
  type Selection,
  sortName,
} from '../../../src/entry/source.ts'
import { type Evaluation, sortValueOf } from '../../../src/query/evaluate.ts'
import type { Connected } from './contract.ts'

type Key = Omit<Order, 'direction'>

const isNot = (field: string, value: unknown): Condition => ({ op: 'ne', field, value })
const guarded = isNot('name', 'b')
const hidden: Condition = { op: 'in', field: 'name', values: [] }

/** Of books: their own, and those of related records that may be missing, lack the value, or be out of reach. */
const keys: readonly Key[] = [
  { field: 'pages' },
  { field: 'title' },
  { field: 'rating' },
  { field: 'name', via: [{ relation: 'author' }] },
  { field: 'name', via: [{ relation: 'author', guard: isNot('name', 'b') }] },
  { field: 'name', via: [{ relation: 'translator' }] },
  { field: 'bio', via: [{ relation: 'translator' }] },
  { field: 'name', via: [{ relation: 'translator', guard: guarded }] },
  { field: 'bio', via: [{ relation: 'translator', guard: guarded }] },
  { field: 'name', via: [{ relation: 'category' }, { relation: 'parent' }] },
  { field: 'id', via: [{ relation: 'category', guard: isNot('name', 'leaf') }, { relation: 'parent' }] },
  { field: 'name', via: [{ relation: 'category', guard: hidden }] },
]

const nameOf = (key: Key): string => sortName({ ...key, direction: 'asc' })

/** Each key behind each other, in changing directions. */
const orders: readonly (readonly Order[])[] = keys.flatMap((first, at) =>
  keys
    .filter((key) => nameOf(key) !== nameOf(first))
    .map((second, place): readonly Order[] => {
      const directions = ['asc', 'desc'] as const
      const [one, other] = [directions[(at + place) % 2], directions[place % 3 === 0 ? 0 : 1]]
      return [
        { ...first, direction: one ?? 'asc' },
        { ...second, direction: other ?? 'asc' },
        { field: 'id', direction: 'asc' },
      ]
    }),
)

const pages = [
  { limit: 99, offset: 0 },
  { limit: 4, offset: 0 },
  { limit: 5, offset: 3 },
  { limit: 9, offset: 17 },
  { limit: 9, offset: 99 },
]

const stored = async (source: ModelSource) => {
  const storeOf = (name: string) => {
    const model = source.models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`No model ${name}.`)
    return { model, store: source.store(model) }
  }
  const create = (name: string) => async (values: Row) => storeOf(name).store.create(values)
  const each = async (name: string, all: readonly Row[]): Promise<readonly Row[]> => {
    const rows: Row[] = []
    for (const values of all) rows.push(await create(name)(values))
    return rows
  }
  const authors = await each('Author', [
    ...[{ name: 'a', bio: 'y' }, { name: 'A' }, { name: 'b', bio: 'x' }],
    ...[{ name: 'b' }, { name: 'c', bio: 'x' }],
  ])
  const [root] = await each('Category', [{ name: 'root' }])
  const [stem] = await each('Category', [{ name: 'stem', parentId: root?.['id'] }])
  const [leaf] = await each('Category', [{ name: 'leaf', parentId: stem?.['id'] }])
  const categories = [root, stem, leaf].filter((row) => row !== undefined)
  const idOf = (rows: readonly Row[], at: number): unknown => rows[at]?.['id'] ?? null
  const books = await each(
    'Book',
    Array.from({ length: 24 }, (_none, at) => ({
      ...{ isbn: String(at), price: 1, printedAt: new Date(1e12), inStock: true },
      ...{ title: ['b', 'A', 'a', 'B'][at % 4], pages: at % 3, rating: at % 5 === 0 ? null : at % 2 },
      ...{ authorId: idOf(authors, (at * 7) % 5), translatorId: idOf(authors, (at * 5) % 7) },
      categoryId: idOf(categories, (at * 3) % 4),
    })),
  )
  const all: Readonly<Record<string, readonly Row[]>> = { Author: authors, Category: categories, Book: books }
  return { storeOf, books, all }
}

/** Lists sorted by fields of related records are what `compareRows` says, which Prisma itself can only do in part. @param step 1 tests all orders */
export const relatedSorts = (name: string, connect: () => Promise<Connected>, step: number): void => {
  describe(`${name}, sorted through relations`, () => {
    it('sorts by keys of related records in any place, on any page', async () => {
      const { source, server, close } = await connect()
      const { storeOf, books, all } = await stored(source)
      const { store } = storeOf('Book')
      // As the collation of MySQL.
      const isFolded = server !== undefined && server !== 'pg'
      const folded = (row: Row): Row =>
        Object.fromEntries(
          Object.entries(row).map(([field, value]) => [
            field,
            isFolded && typeof value === 'string' ? value.toLowerCase() : value,
          ]),
        )
      const evaluation = (model: string): Evaluation => ({
        model: storeOf(model).model,
        related: (row, relation) => {
          const found = storeOf(model).model.relations.find((known) => known.name === relation)
          const [field = ''] = found?.fields ?? []
          const target = found?.model ?? ''
          return (all[target] ?? [])
            .filter(({ id }) => id === row[field])
            .map((each) => ({ row: folded(each), by: evaluation(target) }))
        },
      })
      for (let at = 0; at < orders.length; at += step) {
        const order = orders[at] ?? []
        const sorted = books.map(folded).toSorted(compareRows(order, evaluation('Book')))
        const ids = sorted.map(({ id }) => id)
        for (const page of [pages[0], pages[1 + (at % 4)]].filter((one) => one !== undefined)) {
          const selection: Selection = { filter: everything, order, fields: ['id'], ...page }
          const rows = await store.list(selection, everything)
          const shown = order.map((key) => `${sortName(key)} ${key.direction}`).join()
          expect([shown, page, rows.map(({ id }) => id)]).toEqual([
            ...[shown, page],
            ids.slice(page.offset, page.offset + page.limit),
          ])
          for (const row of rows) {
            const own = books.find(({ id }) => id === row['id']) ?? {}
            const related = order.filter(({ via }) => via !== undefined)
            expect(folded(row)).toEqual({
              id: row['id'],
              ...Object.fromEntries(
                related.map((key) => [sortName(key), sortValueOf(key, own, evaluation('Book'))]),
              ),
            })
          }
        }
      }
      await close()
    }, 120_000)
  })
}
