import { type Aggregation, aggregateRows, everything, type Grouping } from '../../entry/source.ts'
import { kinds } from '../../model/kinds/index.ts'
import { equal } from './forms.ts'
import { pairs } from './samples.ts'
import { is, refusal, type Stage } from './stage.ts'

export const allRecords: Aggregation = {
  ...{ filter: everything, groups: [], aggregates: [{ fn: 'count' }], order: [] },
  ...{ limit: 1000, timezone: 'UTC' },
}

export const grouped = (groups: readonly Grouping[], more: Partial<Aggregation> = {}): Aggregation => ({
  ...{ ...allRecords, groups },
  order: groups.map(({ field, part }) => ({
    column: part === undefined ? field : `${part}_${field}`,
    direction: 'asc',
  })),
  ...more,
})

/** Asserts what `aggregate` returns. */
export const aggregates = ({ runner, test, store, model, author, book, part, fitting }: Stage): void => {
  const aggregate = async (aggregation: Aggregation, guard = everything) =>
    store('Book').aggregate?.(aggregation, guard)
  const needs = ['aggregates', 'Book'] as const
  const isExact = (decimal: string): boolean =>
    model('Book').fields.find(({ name }) => name === decimal)?.form !== 'number'
  /** Where decimals are numbers, a sum is exact too, or refused. */
  const isRefused = async (decimal: string): Promise<boolean> => {
    const sum = () => aggregate({ ...allRecords, aggregates: [{ fn: 'sum', field: decimal }] })
    try {
      await sum()
      return false
    } catch (error) {
      if (isExact(decimal)) throw error
      await refusal(sum, { kind: 'type', fields: [decimal] })
      return true
    }
  }

  runner.describe('aggregates', () => {
    test('without groups are one row, also of no records', needs, async () => {
      if (await isRefused('price')) return
      const functions = [
        { fn: 'count' },
        { fn: 'sum', field: 'price' },
        { fn: 'avg', field: 'price' },
        { fn: 'min', field: 'price' },
        { fn: 'max', field: 'pages' },
      ] as const
      const wrong = 'Without groups, all records are one group, whose values are null if there are none.'
      const empty = { count: 0, sum_price: null, avg_price: null, min_price: null, max_pages: null }
      equal(await aggregate({ ...allRecords, aggregates: functions }), [empty], wrong)
      for (const price of ['-5.05', '10.10', '9.90']) await book({ price })
      const expected = {
        ...{ count: 3, sum_price: '14.95', avg_price: '4.983333' },
        ...{ min_price: part({ price: '-5.05' })['price'], max_pages: 204 },
      }
      equal(await aggregate({ ...allRecords, aggregates: functions }), [expected], wrong)
    })

    test('sum and avg of numbers whose squares are too large', ['aggregates', 'Book.rating'], async () => {
      for (const rating of [1e200, 3e200, null]) await book({ rating })
      const functions = [
        { fn: 'sum', field: 'rating' },
        { fn: 'avg', field: 'rating' },
      ] as const
      const wrong = 'avg must be the sum, divided by the number of values.'
      equal(
        await aggregate({ ...allRecords, aggregates: functions }),
        [{ sum_rating: 4e200, avg_rating: 2e200 }],
        wrong,
      )
    })

    test(
      'group by values, with null as a group of its own',
      ['aggregates', 'Book.rating', 'Book.genre'],
      async () => {
        const make = (genre: string, rating: number | null, title: string) => book({ genre, rating, title })
        await make('novel', 1.5, 'a')
        await make('poetry', null, 'b')
        await make('novel', 2.25, 'c')
        await make('poetry', 4, 'd')
        const functions = [
          { fn: 'count' },
          { fn: 'count', field: 'rating' },
          { fn: 'sum', field: 'rating' },
        ] as const
        const wrong = 'count counts records, and count of a field those that have a value.'
        equal(
          await aggregate(grouped([{ field: 'genre' }], { aggregates: functions })),
          [
            { genre: 'novel', count: 2, count_rating: 2, sum_rating: 3.75 },
            { genre: 'poetry', count: 2, count_rating: 1, sum_rating: 4 },
          ],
          wrong,
        )
        const sorted =
          'Rows are sorted by their columns, with null as the largest value, and limited after that.'
        const byRating = grouped([{ field: 'rating' }], {
          order: [{ column: 'rating', direction: 'desc' }],
          limit: 2,
        })
        equal(
          await aggregate(byRating),
          [
            { rating: null, count: 1 },
            { rating: 4, count: 1 },
          ],
          sorted,
        )
        const bySum = grouped([{ field: 'genre' }], {
          aggregates: [{ fn: 'avg', field: 'rating' }],
          order: [
            { column: 'avg_rating', direction: 'desc' },
            { column: 'genre', direction: 'asc' },
          ],
        })
        equal(
          await aggregate(bySum),
          [
            { genre: 'poetry', avg_rating: 4 },
            { genre: 'novel', avg_rating: 1.875 },
          ],
          sorted,
        )
        const guarded = 'Only records that meet the filter and the guard are aggregated.'
        const filter = is('genre', 'novel')
        equal(await aggregate({ ...allRecords, filter }, is('title', 'a')), [{ count: 1 }], guarded)
      },
    )

    test(
      'strings are the same group only if their bytes are',
      ['aggregates', 'Book', 'exactText'],
      async () => {
        for (const title of ['Eden', 'eden', 'Eden ', 'Eden']) await book({ title })
        const rows = await aggregate(grouped([{ field: 'title' }]))
        const counts = Object.fromEntries((rows ?? []).map((row) => [row['title'], row['count']]))
        equal(counts, { Eden: 2, eden: 1, 'Eden ': 1 }, 'Group strings byte for byte, in any collation.')
      },
    )

    test(
      'different values are counted as they are compared',
      ['aggregates', 'countDistinct', 'Book', 'exactText'],
      async () => {
        const compared = model('Book').fields.filter(
          ({ name, kind, conditions }) =>
            pairs[name] !== undefined && kinds[kind].comparable && conditions !== 'null' && name !== 'isbn',
        )
        for (const title of ['Eden', 'eden', 'Eden ', 'Eden'])
          for (const place of [0, 1, 2])
            await book({
              ...Object.fromEntries(
                compared.map(({ name }) => [name, fitting(name, pairs)[place % 2] ?? null]),
              ),
              title,
            })
        const counted = compared.map(({ name }) => ({ fn: 'count_distinct' as const, field: name }))
        const rows = await store('Book').list({ ...allRecords, order: [], offset: 0 }, everything)
        equal(
          await aggregate({ ...allRecords, aggregates: counted }),
          aggregateRows({ ...allRecords, aggregates: counted }, rows, model('Book')),
          'count_distinct counts values once that are equal, and not null.',
        )
      },
    )

    test(
      'sums and averages of integers and decimals are exact',
      ['aggregates', 'Book.copies', 'Book.discount'],
      async () => {
        if (await isRefused('discount')) return
        const discounts = ['9007199254740993.0001', '9999999999999999.9999', '0.0001']
        for (const [at, copies] of [2n ** 63n - 1n, 2n ** 63n - 1n, 1n].entries())
          await book({ copies, discount: discounts[at] })
        const functions = ['copies', 'discount'].flatMap((field) =>
          (['sum', 'avg'] as const).map((fn) => ({ fn, field })),
        )
        const expected = {
          ...{ sum_copies: 2n ** 64n - 1n, avg_copies: '6148914691236517205.0000' },
          ...{ sum_discount: '19007199254740993.0001', avg_discount: '6335733084913664.33336667' },
        }
        const wrong =
          'Sums have all digits, and averages four more than the field, rounded half away from zero.'
        equal(await aggregate({ ...allRecords, aggregates: functions }), [expected], wrong)
        for (const discount of [
          '0.0001',
          '0.0000',
          '0.0001',
          '0.0000',
          '0.0000',
          '0.0000',
          '0.0000',
          '0.0000',
        ])
          await book({ discount, pages: 1 })
        await book({ discount: '-0.0001', pages: 2 })
        for (let others = 0; others < 7; others += 1) await book({ discount: '0.0000', pages: 2 })
        const average = (pages: number) =>
          aggregate({ ...allRecords, filter: is('pages', pages), aggregates: functions.slice(3) })
        equal(await average(1), [{ avg_discount: '0.00002500' }], wrong)
        equal(await average(2), [{ avg_discount: '-0.00001250' }], wrong)
      },
    )

    test(
      'parts of instants are those of the time zone',
      ['aggregates', 'dateParts', 'Book.printedAt'],
      async () => {
        for (const at of [
          '2026-03-29T00:59:59Z',
          '2026-03-29T01:00:00Z',
          '2026-12-31T23:30:00Z',
          '2026-10-25T00:30:00Z',
        ])
          await book({ printedAt: new Date(at) })
        const parts = async (of: NonNullable<Grouping['part']>, timezone: string) => {
          const rows = await aggregate(grouped([{ field: 'printedAt', part: of }], { timezone }))
          const name = `${of}_printedAt`
          return rows?.map((row) => `${row[name]} ${row['count']}`)
        }
        const wrong = 'Parts are the start of the year, month, ISO week, day or hour, local to the time zone.'
        equal(await parts('year', 'UTC'), ['2026-01-01 4'], wrong)
        equal(await parts('year', 'Europe/Berlin'), ['2026-01-01 3', '2027-01-01 1'], wrong)
        equal(await parts('quarter', 'UTC'), ['2026-01-01 2', '2026-10-01 2'], wrong)
        equal(await parts('month', 'UTC'), ['2026-03-01 2', '2026-10-01 1', '2026-12-01 1'], wrong)
        equal(await parts('week', 'UTC'), ['2026-03-23 2', '2026-10-19 1', '2026-12-28 1'], wrong)
        equal(await parts('day', 'America/New_York'), ['2026-03-28 2', '2026-10-24 1', '2026-12-31 1'], wrong)
        equal(
          await parts('hour', 'Europe/Berlin'),
          [
            '2026-03-29T01:00:00 1',
            '2026-03-29T03:00:00 1',
            '2026-10-25T02:00:00 1',
            '2027-01-01T00:00:00 1',
          ],
          wrong,
        )
      },
    )

    test('may have conditions on related records', ['aggregates', 'Book.author'], async () => {
      const { id } = await author({ name: 'x' })
      await book({ authorId: id })
      await book()
      const filter = { op: 'related', relation: 'author', condition: is('name', 'x') } as const
      equal(
        await aggregate({ ...allRecords, filter }),
        [{ count: 1 }],
        'The filter may be about related records.',
      )
    })
  })
}
