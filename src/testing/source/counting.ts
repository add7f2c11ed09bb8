import { type Condition, everything } from '../../entry/source.ts'
import { same } from '../suite/assertions.ts'
import { is, type Stage } from './stage.ts'

/** Asserts what `count` and `estimate` return. */
export const counting = ({ runner, test, exhaustive, source, model, store, author }: Stage): void => {
  const named = (name: string): Condition => is('name', name)

  runner.describe('counting', () => {
    test('count stops at its bound', [], async () => {
      for (const name of ['a', 'a', 'a', 'b']) await author({ name })
      const counts = async (filter: Condition, guard: Condition) => {
        const bounded: number[] = [await store('Author').count(filter, guard)]
        for (const atMost of [1, 2, 3, 4]) bounded.push(await store('Author').count(filter, guard, atMost))
        return bounded
      }
      const wrong = 'count must return the number of matching records, but at most atMost.'
      same(await counts(everything, everything), [4, 1, 2, 3, 4], wrong)
      same(await counts(named('a'), everything), [3, 1, 2, 3, 3], wrong)
      same(await counts(everything, named('b')), [1, 1, 1, 1, 1], wrong)
      same(await counts(named('a'), named('b')), [0, 0, 0, 0, 0], wrong)
    })

    exhaustive('count includes everything that was stored before the call', [], async () => {
      const asked: Promise<void>[] = []
      for (let stored = 1; stored <= 20; stored += 1) {
        await author()
        for (const filter of [everything, named('Stanisław Lem'), everything]) {
          const counted = (async () => {
            const count = await store('Author').count(filter, everything)
            same(count >= stored, true, 'A count must not be older than its call.')
          })()
          asked.push(counted)
        }
      }
      await Promise.all(asked)
      same(await store('Author').count(everything, everything), 20, 'count must count every record.')
    })

    test('concurrent counts do not get the result of another count', [], async () => {
      const authors = store('Author')
      for (const name of ['1', '1', '1;string1:1', 'x']) await author({ name })
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
      const wrong = 'Only counts with the same condition and bound may share a statement.'
      same(await Promise.all(counts), [3, 2, 1, 1, 2, 1, 0, 2], wrong)
    })

    test('estimate returns a number or undefined, for tables and views', ['Author.estimate'], async () => {
      await author()
      for (const { name } of source().models)
        for (const filter of [
          everything,
          { op: 'is-null', field: model(name).primaryKey[0] ?? '' },
        ] as const) {
          const about = await store(name).estimate?.(filter)
          const isNumber = about === undefined || (Number.isSafeInteger(about) && about >= 0)
          same(isNumber, true, `estimate of ${name} returned ${about}.`)
        }
    })
  })
}
