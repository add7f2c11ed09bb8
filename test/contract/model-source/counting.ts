import { describe, expect, it } from 'vitest'
import { type Condition, everything } from '../../../src/query/ast.ts'
import type { Stage } from './stage.ts'

export const counting = ({ connected, model, store, author }: Stage): void => {
  const named = (name: string): Condition => ({ op: 'eq', field: 'name', value: name })

  describe('counting', () => {
    it('ends where it is told to', async () => {
      const authors = store('Author')
      for (const name of ['a', 'a', 'a', 'b']) await authors.create({ name })
      const counts = async (filter: Condition, guard: Condition) => [
        await authors.count(filter, guard),
        ...(await Promise.all([1, 2, 3, 4].map((atMost) => authors.count(filter, guard, atMost)))),
      ]
      expect(await counts(everything, everything)).toEqual([4, 1, 2, 3, 4])
      expect(await counts(named('a'), everything)).toEqual([3, 1, 2, 3, 3])
      expect(await counts(everything, named('b'))).toEqual([1, 1, 1, 1, 1])
      expect(await counts(named('a'), named('b'))).toEqual([0, 0, 0, 0, 0])
    })

    it('has everything that was stored before it was asked for, however many ask', async () => {
      const authors = store('Author')
      const asked: Promise<void>[] = []
      for (let stored = 1; stored <= 20; stored += 1) {
        await author()
        for (const filter of [everything, named('Stanisław Lem'), everything]) {
          const counted = (async () =>
            expect(await authors.count(filter, everything)).toBeGreaterThanOrEqual(stored))()
          asked.push(counted)
        }
      }
      await Promise.all(asked)
      expect(await authors.count(everything, everything)).toBe(20)
    })

    it('does not mix up what is asked for at once', async () => {
      const authors = store('Author')
      for (const name of ['1', '1', '1;string1:1', 'x']) await authors.create({ name })
      const among = (...values: string[]): Condition => ({ op: 'in', field: 'name', values })
      const counts = [
        authors.count(among('1', 'x'), everything),
        authors.count(among('1', '1'), everything),
        authors.count(among('1;string1:1', 'y'), everything),
        authors.count(named('1;string1:1'), everything),
        authors.count(named('1'), everything),
        authors.count(named('1'), everything, 1),
        authors.count(named('1'), named('x')),
        authors.count({ op: 'ne', field: 'name', value: '1' }, everything),
      ]
      expect(await Promise.all(counts)).toEqual([3, 2, 1, 1, 2, 1, 0, 2])
    })

    it('about is a number or unknown, of tables and views, of all and of some', async () => {
      await author()
      const filters = [everything, { op: 'is-null', field: 'id' }] as const
      for (const { name } of connected().source.models) {
        for (const filter of filters.slice(0, model(name).primaryKey.includes('id') ? 2 : 1)) {
          const about = await store(name).estimate?.(filter)
          expect([name, about === undefined || (Number.isSafeInteger(about) && about >= 0)]).toEqual([
            name,
            true,
          ])
        }
      }
    })
  })
}
