import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseAggregateRequest } from '../../src/query/aggregate.ts'
import { aggregateRows, exactAverage } from '../../src/query/aggregate-rows.ts'
import type { DatePart } from '../../src/query/ast.ts'
import { startOfPart } from '../../src/query/date-parts.ts'
import { fieldNamed as field, modelOf } from '../sample-model.ts'
import { rules } from './sample.ts'

const model = modelOf('Sale', [
  field('id', 'integer', 'number'),
  field('status', 'text', 'string', { nullable: true }),
  field('total', 'decimal', 'string', { nullable: true, precision: 10, scale: 2 }),
  field('free', 'decimal', 'string', { nullable: true }),
  field('pieces', 'integer', 'number', { nullable: true }),
  field('views', 'bigint', 'bigint', { nullable: true }),
  field('weight', 'float', 'number', { nullable: true }),
  field('placed', 'datetime', 'date', { nullable: true }),
])

const empty = {
  ...{ status: null, total: null, free: null, pieces: null, views: null, weight: null, placed: null },
}
const rows = [
  { id: 1, status: 'open', total: '9.90', pieces: 2, views: 2n ** 62n, weight: 0.5 },
  { id: 2, status: 'open', total: '0.2', pieces: 3, views: 2n ** 62n, weight: 0.25 },
  { id: 3, status: 'done', total: '-0.01', pieces: -1 },
  { id: 4, status: null, total: '1e2' },
  { id: 5, status: 'done' },
].map((row) => ({ ...empty, ...row }))

const aggregate = (query: string, given: readonly object[] = rows) =>
  aggregateRows(
    parseAggregateRequest(query, { ...rules, model }),
    given as readonly Record<string, unknown>[],
    model,
  )

describe('aggregateRows', () => {
  it('compares the texts of groups as conditions compare those of records', () => {
    const asked = parseAggregateRequest('group=status&having=status=äb', { ...rules, model })
    const found = (by: object) => aggregateRows(asked, [{ ...empty, id: 1, status: 'ÄB' }], model, by)
    expect(found({ unicodeCaseFolding: true })).toEqual([{ status: 'ÄB', count: 1 }])
    expect(found({})).toEqual([])
  })

  it('groups, counts and adds, with nulls as the largest group', () => {
    expect(
      aggregate('group=status&aggregate=count,count(total),sum(total),avg(total),min(total),max(total)'),
    ).toEqual([
      {
        ...{ status: 'done', count: 2, count_total: 1, sum_total: '-0.01', avg_total: '-0.010000' },
        ...{ min_total: '-0.01', max_total: '-0.01' },
      },
      {
        ...{ status: 'open', count: 2, count_total: 2, sum_total: '10.10', avg_total: '5.050000' },
        ...{ min_total: '0.2', max_total: '9.90' },
      },
      {
        ...{ status: null, count: 1, count_total: 1, sum_total: '100.00', avg_total: '100.000000' },
        ...{ min_total: '1e2', max_total: '1e2' },
      },
    ])
  })

  it('keeps all digits of integers, bigints and floats', () => {
    const query = 'aggregate=sum(pieces),avg(pieces),sum(views),avg(views),sum(weight),avg(weight),max(views)'
    expect(aggregate(query)).toEqual([
      {
        ...{
          sum_pieces: 4n,
          avg_pieces: '1.3333',
          sum_views: 2n ** 63n,
          avg_views: '4611686018427387904.0000',
        },
        ...{ sum_weight: 0.75, avg_weight: 0.375, max_views: 2n ** 62n },
      },
    ])
  })

  it('has one group without groupings, and none with them, if there are no records', () => {
    const nothing = { count: 0, sum_total: null, avg_pieces: null, min_status: null, sum_weight: null }
    const functions = 'aggregate=count,sum(total),avg(pieces),min(status),sum(weight)'
    expect(aggregate(functions, [])).toEqual([nothing])
    expect(aggregate(`${functions}&group=status`, [])).toEqual([])
  })

  test.each<[string, readonly unknown[]]>([
    ['group=status', ['done', 'open', null]],
    ['group=status&sort=status&order=desc', [null, 'open', 'done']],
    ['group=status&sort=count&order=desc', ['done', 'open', null]],
    ['group=status&aggregate=sum(total)&sort=sum_total&order=desc', [null, 'open', 'done']],
    ['group=status&aggregate=sum(views)&sort=sum_views', ['open', 'done', null]],
    ['group=status&aggregate=avg(pieces)&sort=avg_pieces', ['done', 'open', null]],
    ['group=status&limit=2', ['done', 'open']],
  ])('sorts and limits the groups: %s', (query, expected) => {
    expect(aggregate(query).map((row) => row['status'])).toEqual(expected)
  })

  it('takes equal values as one group, however they are written', () => {
    const written = ['1.5', '1.50', '1.500'].map((free, at) => ({ ...empty, id: at, free }))
    expect(aggregate('group=free', written)).toMatchObject([{ count: 3 }])
    expect(aggregate('aggregate=sum(free),avg(free)', written)).toEqual([
      { sum_free: '4.500', avg_free: '1.5000000' },
    ])
  })

  it('groups by the start of a part in the time zone', () => {
    const placed = ['2026-03-28T23:30:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z', null].map(
      (text, id) => ({ ...empty, id, placed: text === null ? null : new Date(text) }),
    )
    expect(aggregate('group=day(placed)&timezone=Europe/Berlin', placed)).toEqual([
      { day_placed: '2026-03-29', count: 2 },
      { day_placed: '2026-03-30', count: 1 },
      { day_placed: null, count: 1 },
    ])
    expect(aggregate('group=day(placed)', placed).map((row) => row['count'])).toEqual([1, 2, 1])
  })

  it('adds exactly: a sum is that of the cents', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -99_999, max: 99_999 }), { minLength: 1 }), (cents) => {
        const given = cents.map((amount, id) => ({ ...empty, id, total: (amount / 100).toFixed(2) }))
        const [row] = aggregate('aggregate=sum(total),avg(total)', given)
        const sum = cents.reduce((all, amount) => all + amount, 0)
        expect(row?.['sum_total']).toBe((sum / 100).toFixed(2).replace(/^-0\.00$/, '0.00'))
        expect(Number(row?.['avg_total'])).toBeCloseTo(sum / cents.length / 100, 6)
        expect(row?.['avg_total']).toMatch(/^-?\d+\.\d{6}$/)
      }),
    )
  })
})

test.each([
  [10n, 0, 3n, '3.3333'],
  [20n, 0, 3n, '6.6667'],
  [-20n, 0, 3n, '-6.6667'],
  [1n, 4, 2n, '0.00005000'],
  [1n, 0, 20_000n, '0.0001'],
  [-1n, 0, 20_000n, '-0.0001'],
  [1n, 0, 20_001n, '0.0000'],
  [-1n, 0, 30_000n, '0.0000'],
])('the average of %s with %s digits over %s is %s', (units, digits, count, expected) => {
  expect(exactAverage(units, digits, count)).toBe(expected)
})

test.each<[string, DatePart, string, string]>([
  ['2026-05-17T10:59:59.999Z', 'year', 'UTC', '2026-01-01'],
  ['2026-05-17T10:59:59.999Z', 'quarter', 'UTC', '2026-04-01'],
  ['2026-12-31T23:59:59Z', 'quarter', 'UTC', '2026-10-01'],
  ['2026-05-17T10:59:59.999Z', 'month', 'UTC', '2026-05-01'],
  ['2026-05-17T10:59:59.999Z', 'week', 'UTC', '2026-05-11'],
  ['2026-05-18T00:00:00Z', 'week', 'UTC', '2026-05-18'],
  ['2027-01-01T00:00:00Z', 'week', 'UTC', '2026-12-28'],
  ['2024-02-29T12:00:00Z', 'day', 'UTC', '2024-02-29'],
  ['2026-05-17T10:59:59.999Z', 'hour', 'UTC', '2026-05-17T10:00:00'],
  ['2026-12-31T23:30:00Z', 'year', 'Europe/Berlin', '2027-01-01'],
  ['2026-07-01T01:15:00Z', 'hour', 'Asia/Kolkata', '2026-07-01T06:00:00'],
  ['2026-10-25T00:30:00Z', 'hour', 'Europe/Berlin', '2026-10-25T02:00:00'],
  ['2026-10-25T01:30:00Z', 'hour', 'Europe/Berlin', '2026-10-25T02:00:00'],
  ['2026-01-01T05:00:00Z', 'day', 'America/New_York', '2026-01-01'],
  ['2026-01-01T04:59:59Z', 'day', 'America/New_York', '2025-12-31'],
  ['0001-01-01T00:00:00Z', 'week', 'UTC', '0001-01-01'],
  ['0001-01-01T00:00:00Z', 'day', 'America/New_York', '0000-12-31'],
  ['0099-06-01T00:00:00Z', 'month', 'Europe/Berlin', '0099-06-01'],
])('the start of %s by %s in %s is %s', (text, part, timezone, expected) => {
  const about = field('at', 'datetime', 'date')
  expect(startOfPart(about, { part, timezone })(new Date(text))).toBe(expected)
})

test.each([
  ['date', 'string', '2026-05-17', 'week', '2026-05-11'],
  ['localdatetime', 'string', '2026-05-17T23:30:00', 'hour', '2026-05-17T23:00:00'],
] as const)('a %s does not have a time zone', (kind, form, value, part, expected) => {
  const about = field('at', kind, form)
  expect(startOfPart(about, { part, timezone: 'Asia/Tokyo' })(value)).toBe(expected)
})
