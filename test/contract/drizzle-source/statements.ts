import { describe, expect, it } from 'vitest'
import { type Condition, everything, type Order } from '../../../src/query/ast.ts'
import { watched } from '../../../src/testing/source/observing.ts'
import type { Stage } from './stage.ts'

const byName: readonly Order[] = [{ field: 'name', direction: 'asc' }]
const byPrice: readonly Order[] = [
  { field: 'price', direction: 'desc' },
  { field: 'id', direction: 'asc' },
]
const page = { filter: everything, order: byPrice, limit: 99, offset: 0 }

export const statements = ({ connected, store, model }: Stage): void => {
  describe('statements', () => {
    const preparedBy = async (act: () => unknown): Promise<number> => {
      const before = connected().prepared()
      await act()
      return connected().prepared() - before
    }

    it('are prepared once for each shape', async () => {
      // A copy of the model: the statements of other tests are prepared already.
      const authors = connected().source.store({ ...model('Author') })
      const find = (names: readonly string[], limit: number, guard: Condition = everything) => {
        const among: Condition = { op: 'in', field: 'name', values: names }
        const filter: Condition = {
          op: 'or',
          conditions: [among, { op: 'contains', field: 'bio', value: 'x' }],
        }
        return authors.list({ filter, order: byName, limit, offset: 0 }, guard)
      }
      expect(await preparedBy(() => find(['a', 'b'], 9))).toBe(1)
      expect(await preparedBy(() => find(['c', 'd'], 3))).toBe(0)
      expect(await preparedBy(() => find(['c', 'd', 'e'], 3))).toBe(1)
      expect(await preparedBy(() => find(['c', 'd'], 3, { op: 'eq', field: 'id', value: 1 }))).toBe(1)
      expect(await preparedBy(() => find(['e', 'f'], 3, { op: 'eq', field: 'id', value: 2 }))).toBe(0)
      expect(await preparedBy(() => find(['a', 'b'], 9))).toBe(0)

      // Where a write gives nothing back, the record is read behind it.
      expect(await preparedBy(() => authors.create({ name: 'a' }))).toBeGreaterThan(0)
      expect(await preparedBy(() => authors.create({ name: 'b' }))).toBe(0)
      expect(await preparedBy(() => authors.create({ name: 'b', bio: 'x' }))).toBe(1)
      expect(await preparedBy(() => authors.update([1], { name: 'a' }, everything))).toBeGreaterThan(0)
      expect(await preparedBy(() => authors.update([2], { name: 'b' }, everything))).toBe(0)
      expect(await preparedBy(() => authors.read([1], everything))).toBe(1)
      expect(await preparedBy(() => authors.read([2], everything))).toBe(0)
      expect(await preparedBy(() => authors.count(everything, everything))).toBe(1)
      expect(await preparedBy(() => authors.count(everything, everything))).toBe(0)
      expect(await preparedBy(() => authors.remove([1], everything))).toBe(1)
      expect(await preparedBy(() => authors.remove([2], everything))).toBe(0)
    })

    it('are observed with their database, model and table', async () => {
      const { observed, statements: seen } = watched(connected().source)
      const authors = observed.store(model('Author'))
      const { id } = await authors.create({ name: 'a' })
      await authors.update([id], { bio: 'x' }, everything)
      await authors.count(everything, everything)
      await authors.remove([id], everything)
      const begun = seen.map((one) => one.begun).filter((facts) => facts.model !== undefined)
      expect(new Set(begun.map(({ operation }) => operation))).toEqual(
        new Set(['insert', 'update', 'select', 'delete']),
      )
      for (const facts of begun)
        expect(facts).toMatchObject({
          system: expect.stringMatching(/^(sqlite|postgresql|mysql)$/),
          ...{ model: 'Author', table: 'authors' },
          text: expect.stringMatching(new RegExp(`^${facts.operation} .*authors`)),
        })
    })

    it('do not grow with a list of values, and are not kept where they do', async () => {
      const [authors, books] = [
        connected().source.store({ ...model('Author') }),
        connected().source.store({ ...model('Book') }),
      ]
      const names = (length: number) => {
        const values = Array.from({ length }, (_, place) => String(place))
        return authors.count({ op: 'in', field: 'name', values }, everything)
      }
      expect(await preparedBy(() => names(100))).toBe(1)
      expect(await preparedBy(() => names(5000))).toBe(0)

      const covers = (length: number) => {
        const values = Array.from({ length }, (_, place) => Buffer.from(String(place)))
        return books.count({ op: 'in', field: 'cover', values }, everything)
      }
      expect(await preparedBy(() => covers(1000))).toBe(1)
      expect(await preparedBy(() => covers(1000))).toBe(1)
      expect(await preparedBy(() => covers(100))).toBe(1)
      expect(await preparedBy(() => covers(100))).toBe(0)
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
