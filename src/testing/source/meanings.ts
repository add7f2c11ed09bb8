import { type Comparison, type Condition, everything, type Order, PreciseDate } from '../../entry/source.ts'
import { rowOf } from '../../model/kinds/index.ts'
import type { TextComparison } from '../../model/text-comparisons.ts'
import { same } from '../suite/assertions.ts'
import { printed } from './forms.ts'
import { not, type Stage } from './stage.ts'

/** Values of the fields of `Book` by their meaning, the smallest one first. Without an order, they are only different. */
export const meanings: Readonly<Record<string, readonly unknown[]>> = {
  title: ['A', 'B', 'a', 'ab', 'b', 'é', 'ﬁ', '🚀'],
  price: ['-10.00', '-9.90', '-0.01', '0.00', '0.10', '9.90', '10.00', '99999999.99'],
  discount: [
    '-1234567890123456.7891',
    '0.0000',
    '0.0001',
    '9.0000',
    '10.0000',
    '9007199254740993.0000',
    '9007199254740993.0001',
  ],
  rating: [-1e300, -10.5, -9, -1e-7, 0, 0.1, 9, 10.25, 1e300],
  weight: [-3.4e38, -10.5, -1e-7, 0, 0.1, 0.2, 0.7, 123456.78, 123456.79, 3.4e38],
  pages: [-2147483648, -10, -9, 0, 9, 10, 2147483647],
  copies: [-(2n ** 63n), -10n, 9n, 10n, 9007199254740992n, 9007199254740993n, 2n ** 63n - 1n],
  inStock: [false, true],
  genre: ['novel', 'poetry', 'science'],
  publishedOn: ['0001-01-01', '0999-12-31', '2024-02-29', '2024-03-01', '9999-12-31'],
  printedAt: [
    new Date('0099-03-01T00:00:00.000Z'),
    new Date('1969-12-31T23:59:59.001Z'),
    // In Amsterdam it is half past two both times.
    new Date('2026-10-25T00:30:00.000Z'),
    new Date('2026-10-25T01:30:00.000Z'),
    // In St. John's it is half past one both times.
    new Date('2026-11-01T04:00:00.000Z'),
    new Date('2026-11-01T05:00:00.000Z'),
    new Date('2026-11-01T05:00:00.001Z'),
  ],
  soldAt: [
    new PreciseDate('1969-12-31T23:59:59.000001Z'),
    new Date('2026-01-31T23:59:59.123Z'),
    new PreciseDate('2026-01-31T23:59:59.123001Z'),
    new PreciseDate('2026-01-31T23:59:59.123456Z'),
    new Date('2026-01-31T23:59:59.124Z'),
  ],
  opensAt: ['00:00:00', '09:30:00', '09:30:00.000001', '09:30:00.1', '10:00:00', '23:59:59.999999'],
  cover: [Buffer.from([]), Buffer.from([0]), Buffer.from([0, 0]), Buffer.from([1]), Buffer.from([255])],
  loanPeriod: ['1 day', '1 year', '14 days'],
  id: [
    '00000000-0000-4000-8000-00000000000a',
    '00000000-0000-4000-8000-00000000000f',
    'f0000000-0000-4000-8000-000000000000',
  ],
  meta: [{ a: 1 }],
  tags: [['a']],
  signature: ['text'],
}

/** Whether a value is found, from the places of both in the table. */
const finds: Readonly<Record<Exclude<Comparison, TextComparison>, (place: number, of: number) => boolean>> = {
  eq: (place, of) => place === of,
  ne: (place, of) => place !== of,
  lt: (place, of) => place < of,
  le: (place, of) => place <= of,
  gt: (place, of) => place > of,
  ge: (place, of) => place >= of,
}
const equality = ['eq', 'ne'] as const
const ordering = ['lt', 'le', 'gt', 'ge'] as const

/** Asserts what conditions find, from a table of values instead of `holds`. */
export const byMeaning = ({ runner, test, store, model, author, book, has, fitting }: Stage): void => {
  runner.describe('values of each kind', () => {
    for (const name of Object.keys(meanings))
      test(`${name} is compared and sorted by its meaning`, [`Book.${name}`], async () => {
        const field = model('Book').fields.find((known) => known.name === name)
        if (field === undefined) return
        const { comparable, ordered, textual } = rowOf(field)
        const values = fitting(name, meanings)
        const places = new Map<unknown, number>()
        const authorId = has('Book.authorId') ? (await author())['id'] : undefined
        // Not in the order of the values.
        for (const [place, value] of [...values.entries()].reverse())
          places.set((await book({ authorId, [name]: value }))['id'], place)
        // Null is the largest value in every order.
        if (field.nullable) places.set((await book({ authorId, [name]: null }))['id'], values.length)
        const listed = async (filter: Condition, order: readonly Order[]) => {
          const rows = await store('Book').list({ filter, order, limit: 99, offset: 0 }, everything)
          return rows.map(({ id }) => places.get(id) ?? -1)
        }
        const all = [...places.values()].sort((a, b) => a - b)
        const assertFound = async (filter: Condition, isFound: (place: number) => boolean) => {
          const found = (await listed(filter, [])).sort((a, b) => a - b)
          const wrong = `A condition on ${name} must find values by their meaning: ${values.map(printed).join(', ')}.`
          same(found, all.filter(isFound), wrong)
        }

        await assertFound({ op: 'is-null', field: name }, (place) => place === values.length)
        await assertFound({ op: 'is-not-null', field: name }, (place) => place < values.length)
        const isExact = comparable || !textual
        const operators = [...(comparable ? equality : []), ...(ordered && isExact ? ordering : [])]
        for (const [of, value] of values.entries())
          for (const op of operators) {
            const isFound = (place: number): boolean =>
              place === values.length ? op === 'ne' : finds[op](place, of)
            await assertFound({ op, field: name, value }, isFound)
            await assertFound(not({ op, field: name, value }), (place) => !isFound(place))
          }
        if (!(ordered && isExact)) return
        const wrong = `${name} must be sorted by its meaning, with null as the largest value.`
        same(await listed(everything, [{ field: name, direction: 'asc' }]), all, wrong)
        same(await listed(everything, [{ field: name, direction: 'desc' }]), all.toReversed(), wrong)
      })
  })
}
