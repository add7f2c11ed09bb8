import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Condition, everything, type Order } from '../../../src/query/ast.ts'
import type { Row } from '../../../src/source/source.ts'
import { naming } from '../../naming.ts'
import { errorOf, type Stage } from './stage.ts'

const byPrice: readonly Order[] = [
  { field: 'price', direction: 'desc' },
  { field: 'id', direction: 'asc' },
]
const page = { filter: everything, order: byPrice, limit: 99, offset: 0 }

const only = (names: readonly string[], row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))

export const choosing = ({ connected, store, model, author, book, hard }: Stage): void => {
  describe('choosing fields', () => {
    it('list reads those that are named, exactly, in the order of the model', async () => {
      const known = new Set(model('Book').fields.map(({ name }) => name))
      for (const name of known)
        for (const value of (hard(name) ?? []).slice(0, 3)) await book({ [name]: value })
      const whole = await store('Book').list(page, everything)
      expect(whole.length).toBeGreaterThan(20)
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray([...known]), async (some) => {
          const fields = some.includes('id') ? some : [...some, 'id']
          const found = await store('Book').list({ ...page, fields }, everything)
          expect(found).toEqual(whole.map((row) => only(fields, row)))
          expect(Object.keys(found[0] ?? {})).toEqual([...known].filter((name) => fields.includes(name)))
        }),
        { numRuns: 60 },
      )
    })

    it('filter, guard and sort by fields that are not read', async () => {
      const [, b] = [await book({ pages: 1 }), await book({ pages: 2 }), await book({ pages: 3 })]
      const filter: Condition = { op: 'lt', field: 'pages', value: 3 }
      const guard: Condition = { op: 'eq', field: 'isbn', value: b['isbn'] }
      expect(await store('Book').list({ ...page, fields: ['id'], filter }, guard)).toEqual([{ id: b['id'] }])
    })

    it('list reads keys of several fields, and views', async () => {
      const { id } = await book({ price: '1.00' })
      await store('Review').create({ bookId: id, reviewer: 'Ann', stars: 5 })
      const reviews = { ...page, order: [], fields: ['stars', 'reviewer', 'bookId'] }
      expect(await store('Review').list(reviews, everything)).toEqual([
        { bookId: id, reviewer: 'Ann', stars: 5 },
      ])
      expect(await store('CheapBook').list({ ...page, fields: ['id', 'price'] }, everything)).toEqual([
        { id, price: '1.00' },
      ])
    })

    it('what cannot be returned exactly is no matter where it is not read', async () => {
      const { id } = await book()
      const { statement, field } = connected().spoil
      await connected().execute(statement)
      const chosen = (fields: readonly string[]) => store('Book').list({ ...page, fields }, everything)
      expect(await chosen(['id', 'title'])).toEqual([{ id, title: 'Solaris' }])
      expect(await errorOf(() => chosen(['id', field]))).toMatchObject({
        kind: 'unrepresentable',
        fields: [field],
        cause: { message: expect.stringMatching(naming('Book', String(id), field)) },
      })
    })

    it('list asks whether rows of their sizes are wanted, and decodes none that are not', async () => {
      const title = 'é'.repeat(100)
      for (const times of [1, 2, 1]) await book({ title: title.repeat(times), pages: times })
      const order: readonly Order[] = [{ field: 'pages', direction: 'asc' }, ...byPrice]
      const fields = ['id', 'title']
      const asked: (readonly number[])[] = []
      const list = (wanted: boolean, limit = 9) =>
        store('Book').list({ ...page, order, fields, limit }, everything, (sizes) => {
          asked.push(sizes)
          return wanted
        })
      expect(await list(true)).toHaveLength(3)
      expect(await list(true, 1)).toHaveLength(1)
      const [all = [], one] = asked
      expect(all).toHaveLength(3)
      expect(Math.min(...all)).toBeGreaterThanOrEqual(100)
      expect(all[2]).toBeGreaterThanOrEqual(200)
      expect(one).toEqual([all[0]])
      expect(await list(false)).toEqual([])
      const { statement, field } = connected().spoil
      await connected().execute(statement)
      const refused = store('Book').list({ ...page, fields: ['id', field] }, everything, () => false)
      expect(await refused).toEqual([])
    })

    it('what is no field is refused', async () => {
      await author()
      const fields = ['id', 'nope']
      const order: readonly Order[] = [{ field: 'id', direction: 'asc' }]
      const act = () => store('Author').list({ ...page, order, fields }, everything)
      expect(String(await errorOf(act))).toMatch(/nope/)
    })

    it('one statement is prepared for each choice, in whatever order it is named', async () => {
      const order: readonly Order[] = [{ field: 'id', direction: 'asc' }]
      // No other test asks for this.
      const filter: Condition = { op: 'not', condition: { op: 'is-null', field: 'bio' } }
      const preparedBy = async (fields?: readonly string[]): Promise<number> => {
        const before = connected().prepared()
        await store('Author').list({ ...page, order, filter, ...(fields && { fields }) }, everything)
        return connected().prepared() - before
      }
      expect(await preparedBy()).toBe(1)
      expect(await preparedBy(['id', 'name'])).toBe(1)
      expect(await preparedBy(['name', 'id'])).toBe(0)
      expect(await preparedBy(['id', 'bio'])).toBe(1)
      expect(await preparedBy(['id', 'name'])).toBe(0)
      expect(await preparedBy()).toBe(0)
    })

    it('the statement of a choice is prepared once', async () => {
      const filter: Condition = { op: 'not', condition: { op: 'is-not-null', field: 'rating' } }
      const asked = async (fields: readonly string[]): Promise<number> => {
        const before = connected().prepared()
        await store('Book').list({ ...page, filter, fields }, everything)
        return connected().prepared() - before
      }
      expect(await asked(['id', 'title'])).toBe(1)
      expect(await asked(['id', 'title'])).toBe(0)
      expect(await asked(['id'])).toBe(1)
    })
  })
}
