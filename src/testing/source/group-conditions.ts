import { type Aggregation, type Condition, everything } from '../../entry/source.ts'
import { allRecords, grouped } from './aggregates.ts'
import { equal } from './forms.ts'
import type { Stage } from './stage.ts'

/** Asserts which groups `aggregate` leaves out. */
export const groupConditions = ({ runner, test, store, model, book }: Stage): void => {
  const aggregate = async (aggregation: Aggregation) => store('Book').aggregate?.(aggregation, everything)

  runner.describe('aggregates', () => {
    test(
      'leave out groups by conditions on the columns of the result',
      ['aggregates', 'having', 'Book.genre', 'Book.copies', 'Book.discount', 'Book.rating'],
      async () => {
        // A sum of decimals that are numbers may be refused.
        if (model('Book').fields.some(({ name, form }) => name === 'discount' && form === 'number')) return
        const novel = { genre: 'novel', copies: 2n ** 63n - 1n }
        for (const discount of ['9007199254740993.0001', '0.0001', '-0.0002'])
          await book({ ...novel, discount, pages: 10, rating: 0.1 })
        await book({ genre: 'poetry', copies: 3n, discount: '0.5000', pages: 20 })
        await book({ genre: 'poetry', copies: 4n, discount: '0.5000', pages: 21 })
        const functions = [
          ...(['sum', 'avg'] as const).flatMap((fn) => [
            { fn, field: 'copies' },
            { fn, field: 'discount' },
          ]),
          ...[{ fn: 'count' } as const, { fn: 'max', field: 'pages' } as const],
          ...[{ fn: 'sum', field: 'rating' } as const, { fn: 'min', field: 'rating' } as const],
        ]
        const [large, sum, average] = [
          '27670116110564327421',
          '9007199254740993.0000',
          '3002399751580331.00000000',
        ]
        const genres = async (having: Condition) => {
          const rows = await aggregate(grouped([{ field: 'genre' }], { aggregates: functions, having }))
          return rows?.map((row) => row['genre']).join()
        }
        const wrong =
          'Compare the values of a group with all of their digits, and leave out groups before the limit.'
        const both = 'novel,poetry'
        const expected: readonly (readonly [string, Condition])[] = [
          ['novel', { op: 'eq', field: 'sum_copies', value: large }],
          ['', { op: 'gt', field: 'sum_copies', value: large }],
          [both, { op: 'le', field: 'sum_copies', value: large }],
          ['poetry', { op: 'lt', field: 'sum_copies', value: '27670116110564327420' }],
          [both, { op: 'lt', field: 'sum_copies', value: `1${'0'.repeat(40)}` }],
          [both, { op: 'gt', field: 'avg_discount', value: `-1${'0'.repeat(40)}.00000000` }],
          ['novel', { op: 'in', field: 'sum_discount', values: ['0.0000', sum] }],
          ['poetry', { op: 'ne', field: 'sum_discount', value: sum }],
          ['', { op: 'gt', field: 'sum_discount', value: sum }],
          ['novel', { op: 'gt', field: 'sum_discount', value: '9007199254740992.9999' }],
          ['novel', { op: 'eq', field: 'avg_discount', value: average }],
          ['poetry', { op: 'lt', field: 'avg_discount', value: average }],
          ['poetry', { op: 'eq', field: 'avg_copies', value: '3.5000' }],
          ['', { op: 'eq', field: 'avg_copies', value: '3.0000' }],
          ['poetry', { op: 'is-null', field: 'sum_rating' }],
          ['novel', { op: 'gt', field: 'sum_rating', value: 0.3 }],
          ['novel', { op: 'eq', field: 'min_rating', value: 0.1 }],
          ['novel', { op: 'not', condition: { op: 'lt', field: 'count', value: 3 } }],
          ['poetry', { op: 'ge', field: 'max_pages', value: 21 }],
          ['novel', { op: 'ne', field: 'genre', value: 'poetry' }],
        ]
        for (const [found, having] of expected) equal(await genres(having), found, wrong)
        const all21 = { op: 'in', field: 'count', values: Array.from({ length: 21 }, (_, at) => at) } as const
        equal(await genres(all21), both, wrong)
        equal(await aggregate({ ...allRecords, having: { op: 'gt', field: 'count', value: 5 } }), [], wrong)
      },
    )
  })
}
