import { describe, expect, it } from 'vitest'
import { type Condition, everything, type Order } from '../../../src/query/ast.ts'
import { errorOf, type Stage } from './stage.ts'

const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

const byName: readonly Order[] = [{ field: 'name', direction: 'asc' }]

export const capabilities = ({ connected, model, store, author }: Stage): void => {
  describe('capabilities', () => {
    it('every act gives its result at once where the source is synchronous, else a promise', async () => {
      const { id } = await author()
      const page = { filter: everything, order: byName, limit: 9, offset: 0 }
      const results = [
        store('Author').list(page, everything),
        store('Author').count(everything, everything),
        store('Author').read([id], everything),
        store('Author').update([id], { bio: 'x' }, everything),
        store('Author').create({ name: 'y' }),
        store('Author').remove([id], everything),
        connected().source.ping(),
      ]
      await Promise.all(results)
      const { synchronous } = connected().source.capabilities
      expect(results.map(isPromise)).toEqual(results.map(() => !synchronous))
    })

    it('refusals come at once, too', async () => {
      const { id } = await author()
      await store('Book').create(bookOf(id))
      const acts = [
        () => store('Book').create(bookOf(0)),
        () => store('Author').remove([id], everything),
        () => store('Author').update([id], { name: null }, everything),
      ]
      for (const act of acts) {
        let thrown = false
        const attempt = () => {
          try {
            return act()
          } catch (error) {
            thrown = true
            throw error
          }
        }
        await errorOf(attempt)
        expect(thrown).toBe(connected().source.capabilities.synchronous)
      }
    })
  })

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

    it('are not mixed up', async () => {
      const [a, b] = [await author(), await author()]
      const authors = store('Author')
      const ids = async (first: Condition, second: Condition) => {
        const filter: Condition = { op: 'and', conditions: [first, second] }
        return authors.count(filter, everything)
      }
      const is = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })
      expect(await ids(is('id', a['id']), is('name', a['name']))).toBe(1)
      expect(await ids(is('name', a['name']), is('id', b['id']))).toBe(1)
      expect(await ids(is('id', b['id']), { op: 'ne', field: 'name', value: a['name'] })).toBe(0)
      expect(
        await authors.count({ op: 'or', conditions: [is('id', a['id']), is('id', b['id'])] }, everything),
      ).toBe(2)
      expect(
        await authors.count({ op: 'and', conditions: [is('id', a['id']), is('id', b['id'])] }, everything),
      ).toBe(0)
    })
  })
}

const bookOf = (authorId: unknown) => ({
  title: 'x',
  isbn: 'x',
  price: '1.00',
  pages: 1,
  printedAt: new Date('2026-01-31T23:59:59.123Z'),
  authorId,
})
