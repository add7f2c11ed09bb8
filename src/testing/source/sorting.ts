import { type Condition, compareRows, everything, type Order, sortName } from '../../entry/source.ts'
import { kinds } from '../../model/kinds/index.ts'
import { same } from '../suite/assertions.ts'
import { equal } from './forms.ts'
import { pairs } from './samples.ts'
import { is, type Stage } from './stage.ts'

/** Asserts that lists are sorted as `compareRows` does. */
export const sorting = (stage: Stage): void => {
  const { runner, test, groups, store, can, model, author, book, hard, hardRows } = stage
  runner.describe('sorting', () => {
    const all = async (order: readonly Order[]) =>
      store('Book').list({ filter: everything, order, limit: 99, offset: 0 }, everything)

    for (const [title, needs, names] of groups(pairs))
      test(`${title} sorts by value in both directions, with null as the largest`, needs, async () => {
        const sorted = model('Book').fields.filter(
          ({ name, kind, conditions }) =>
            names.includes(name) &&
            kinds[kind].ordered &&
            conditions !== 'equality' &&
            (!kinds[kind].textual || can('exactText')),
        )
        for (const values of hardRows(sorted.map(({ name }) => name))) await book(values)
        for (const { name } of sorted)
          for (const direction of ['asc', 'desc'] as const) {
            const order: readonly Order[] = [{ field: name, direction }]
            const rows = await all(order)
            const expected = rows.toSorted(compareRows(order, { model: model('Book') }))
            const wrong = `${name} must be sorted by value (text by its bytes), ${direction}, with null as the largest.`
            equal(
              rows.map((row) => row[name]),
              expected.map((row) => row[name]),
              wrong,
            )
            const edge = hard(name).includes(null) ? rows.at(direction === 'asc' ? -1 : 0) : rows[0]
            same(edge?.[name] === null, hard(name).includes(null), wrong)
          }
      })

    test('sorts by several keys in different directions', ['Book.rating', 'Book.pages'], async () => {
      const rows = [
        [null, 2],
        [1, 1],
        [null, 1],
        [1, 2],
        [0.5, 3],
      ]
      for (const [rating, pages] of rows) await book({ rating, pages })
      const sorted = async (first: Order['direction'], second: Order['direction']) => {
        const found = await all([
          { field: 'rating', direction: first },
          { field: 'pages', direction: second },
        ])
        return found.map((row) => `${row['rating']}/${row['pages']}`).join(' ')
      }
      const wrong = 'Later sort keys must decide between records that are equal by the earlier ones.'
      same(await sorted('asc', 'asc'), '0.5/3 1/1 1/2 null/1 null/2', wrong)
      same(await sorted('asc', 'desc'), '0.5/3 1/2 1/1 null/2 null/1', wrong)
      same(await sorted('desc', 'asc'), 'null/1 null/2 1/1 1/2 0.5/3', wrong)
      same(await sorted('desc', 'desc'), 'null/2 null/1 1/2 1/1 0.5/3', wrong)
    })

    test(
      'a sort key behind a relation is null without a related record',
      ['relatedSort', 'Book.translator'],
      async () => {
        const [a, b] = [await author({ name: 'a' }), await author({ name: 'b', bio: 'x' })]
        const make = (title: string, translatorId: unknown) =>
          book({ title, translatorId, authorId: a['id'] })
        await make('of b', b['id'])
        await make('of none', null)
        await make('of a', a['id'])
        const titles = async (direction: Order['direction'], guard?: Condition) => {
          const key = { field: 'name', direction, via: [{ relation: 'translator', ...(guard && { guard }) }] }
          const order: readonly Order[] = [key, { field: 'title', direction: 'asc' }]
          const rows = await store('Book').list(
            { filter: everything, order, limit: 9, offset: 0 },
            everything,
          )
          return rows.map((row) => [row['title'], row[sortName(key)]])
        }
        const wrong =
          'Records sort by the value of the related record, which each row also has. Null is the largest.'
        equal(
          await titles('asc'),
          [
            ['of a', 'a'],
            ['of b', 'b'],
            ['of none', null],
          ],
          wrong,
        )
        equal(
          await titles('desc'),
          [
            ['of none', null],
            ['of b', 'b'],
            ['of a', 'a'],
          ],
          wrong,
        )
        const guarded = 'A related record that does not meet the guard of the hop counts as absent.'
        equal(
          await titles('asc', is('bio', 'x')),
          [
            ['of b', 'b'],
            ['of a', null],
            ['of none', null],
          ],
          guarded,
        )
      },
    )
  })
}
