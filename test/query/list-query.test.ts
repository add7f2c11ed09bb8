import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/error/http-error.ts'
import { type Condition, everything } from '../../src/query/ast.ts'
import { type ListQuery, readListQuery } from '../../src/query/list-query.ts'
import type { ListRules } from '../../src/query/rules.ts'
import { product, rules } from './sample.ts'

const read = (query: string, more: Partial<ListRules> = {}): ListQuery =>
  readListQuery(query, { ...rules, ...more })
const filterOf = (query: string): Condition => read(query).selection.filter
const encoded = (q: string): string => `q=${encodeURIComponent(q)}`

const refusal = (query: string, more: Partial<ListRules> = {}): HttpError => {
  try {
    read(query, more)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
  throw new Error(`${query} was accepted.`)
}

const contains = (field: string, value: string): Condition => ({ op: 'contains', field, value })
const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

describe('a condition', () => {
  it.each<[string, Condition]>([
    ['name=lamp', contains('name', 'lamp')],
    ['name=lamp shade ', contains('name', 'lamp shade ')],
    ['name=foo (bar)|x', contains('name', 'foo (bar)|x')],
    ['name=5" tv', contains('name', '5" tv')],
    ['name=a=b', contains('name', 'a=b')],
    ['name==lamp', eq('name', 'lamp')],
    ['name==', eq('name', '')],
    ['name==a,b,c', { op: 'in', field: 'name', values: ['a', 'b', 'c'] }],
    ['name=="a,b",c', { op: 'in', field: 'name', values: ['a,b', 'c'] }],
    ['name=a,b', contains('name', 'a,b')],
    ['name="a & b, \\"c\\" \\\\"', contains('name', 'a & b, "c" \\')],
    ['name="null"', contains('name', 'null')],
    ['name=="null"', eq('name', 'null')],
    ['note=null', { op: 'is-null', field: 'note' }],
    ['note==null', { op: 'is-null', field: 'note' }],
    ['note!=null', { op: 'is-not-null', field: 'note' }],
    ['note==a,null', { op: 'or', conditions: [eq('note', 'a'), { op: 'is-null', field: 'note' }] }],
    ['name!=lamp', { op: 'ne', field: 'name', value: 'lamp' }],
    ['name!=a,b', { op: 'not', condition: { op: 'in', field: 'name', values: ['a', 'b'] } }],
    ['price>10', { op: 'gt', field: 'price', value: '10.00' }],
    ['price>=9.9', { op: 'ge', field: 'price', value: '9.90' }],
    ['price<10', { op: 'lt', field: 'price', value: '10.00' }],
    ['price<=10', { op: 'le', field: 'price', value: '10.00' }],
    ['price=10', eq('price', '10.00')],
    ['in_stock=true', eq('in_stock', true)],
    ['status=live', eq('status', 'live')],
    ['maker=acme', eq('maker', 'acme')],
    ['stock=9223372036854775807', eq('stock', 9223372036854775807n)],
    ['released>2026-01-31', { op: 'gt', field: 'released', value: new Date('2026-01-31T00:00:00Z') }],
    ['data=null', { op: 'is-null', field: 'data' }],
    [
      '(name=a|price>2)',
      { op: 'or', conditions: [contains('name', 'a'), { op: 'gt', field: 'price', value: '2.00' }] },
    ],
    ['!(id=3)', { op: 'not', condition: eq('id', 3) }],
    ['(name="a)|b")', contains('name', 'a)|b')],
    [
      '(id=1|id=2&name=x)&!(id=3)',
      {
        op: 'and',
        conditions: [
          {
            op: 'or',
            conditions: [eq('id', 1), { op: 'and', conditions: [eq('id', 2), contains('name', 'x')] }],
          },
          { op: 'not', condition: eq('id', 3) },
        ],
      },
    ],
  ])('%s', (q, condition) => {
    expect(filterOf(encoded(q))).toEqual(condition)
  })

  it('means the same however it is written', () => {
    const both: Condition = {
      op: 'and',
      conditions: [eq('in_stock', true), { op: 'gt', field: 'price', value: '10.00' }],
    }
    for (const query of [
      'q=in_stock=true&price>10',
      'q=in_stock%3Dtrue%26price%3E10',
      'in_stock=true&price%3E10',
      'q=in_stock=true&q=price>10',
      '&in_stock=true&&q=price%3E10%26&q=',
    ]) {
      expect(filterOf(query)).toEqual(both)
    }
  })

  it('is one segment where it is no q', () => {
    expect(filterOf('name=a%26b')).toEqual(contains('name', 'a&b'))
    expect(filterOf('name=a+b%2Bc')).toEqual(contains('name', 'a b+c'))
    expect(filterOf('')).toBe(everything)
  })

  it('keeps the plus of an offset, typed as it is or encoded', () => {
    const instant: Condition = { op: 'ge', field: 'released', value: new Date('2023-12-31T22:00:00Z') }
    expect(filterOf('released>=2024-01-01T00:00:00+02:00')).toEqual(instant)
    expect(filterOf('q=released>=2024-01-01T00:00:00.0+02:00')).toEqual(instant)
    expect(filterOf('released%3E%3D2024-01-01T00%3A00%3A00%2B02%3A00')).toEqual(instant)
  })

  it('reaches a field that is named like a parameter inside q', () => {
    expect(filterOf('q=limit%3E5')).toEqual({ op: 'gt', field: 'limit', value: 5 })
  })
})

describe('sort and pages', () => {
  const order = (query: string) =>
    read(query).selection.order.map(({ field, direction }) => `${field} ${direction}`)

  it('sort by position, with the key as the last', () => {
    expect(order('')).toEqual(['id asc'])
    expect(order('sort=name&sort=price&order=desc')).toEqual(['name desc', 'price asc', 'id asc'])
    expect(order('sort=price&sort=id&order=asc&order=desc')).toEqual(['price asc', 'id desc'])
  })

  it('window by limit and offset, or by page', () => {
    expect(read('').selection).toMatchObject({ limit: 100, offset: 0 })
    expect(read('limit=0&offset=40').selection).toMatchObject({ limit: 0, offset: 40 })
    expect(read('page=3', { paging: 'page-number', perPage: 25 }).selection).toMatchObject({
      limit: 25,
      offset: 50,
    })
    expect(read('', { perPage: 2000 }).selection).toMatchObject({ limit: 1000 })
    expect([read('').count, read('count=none').count]).toEqual(['exact', 'none'])
  })
})

describe('a bad query', () => {
  it.each<[string, string, string, RegExp, Partial<ListRules>?]>([
    ['colour=red', 'unknown_field', 'colour', /no field "colour"\. Fields: id, name, price/],
    [encoded('colour=red'), 'unknown_field', 'q', /no field "colour"/],
    ['password=x', 'unknown_field', 'password', /no field "password"/],
    ['sort=password', 'unknown_field', 'sort', /no field "password" to sort by/],
    ['sort=data', 'invalid_operator', 'sort', /data cannot be sorted by/],
    ['sort=name&sort=name', 'malformed_query', 'sort', /named twice/],
    ['price', 'malformed_query', 'price', /is no condition\. Write field=value/],
    [encoded('price'), 'malformed_query', 'q', /"price" is no condition/],
    ['price=', 'invalid_value', 'price', /price= has no value/],
    ['price>cheap', 'invalid_value', 'price', /price> expects a decimal/],
    ['price>1.234', 'invalid_value', 'price', /price> expects/],
    ['in_stock>true', 'invalid_operator', 'in_stock', /no order/],
    ['price>null', 'invalid_value', 'price', /Nothing is > null/],
    ['data=1', 'invalid_operator', 'data', /only be compared with null/],
    ['status==gone', 'invalid_value', 'status', /one of draft, live/],
    ['name=%zz', 'malformed_query', 'name', /%25/],
    ['name=%ff', 'malformed_query', 'name', /UTF-8/],
    ['name=%00', 'invalid_value', 'name', /U\+0000/],
    ['q=name="a&b"', 'malformed_query', 'q', /percent-encoded as %26/],
    [encoded('name="a" b'), 'malformed_query', 'q', /behind its closing quote/],
    [encoded('(name=a'), 'malformed_query', 'q', /no closing parenthesis/],
    [encoded('(name=a)x'), 'malformed_query', 'q', /not expected here/],
    [encoded(`${'('.repeat(11)}id=1${')'.repeat(11)}`), 'malformed_query', 'q', /deeper than 10 levels/],
    [`q=${'id%3D1%26'.repeat(51)}`, 'malformed_query', 'q', /more than 50 conditions/],
    ['sort=id&'.repeat(9), 'malformed_query', 'sort', /more than 8 sort/],
    ['order=asc', 'malformed_query', 'order', /Each order needs a sort/],
    ['sort=id&order=up', 'invalid_value', 'order', /asc or desc/],
    ['limit=1&limit=2', 'malformed_query', 'limit', /given twice/],
    ['limit=1001', 'invalid_value', 'limit', /from 0 to 1000/],
    ['limit=-1', 'invalid_value', 'limit', /from 0 to 1000/],
    ['limit=1e2', 'invalid_value', 'limit', /whole number/],
    ['limit=', 'invalid_value', 'limit', /whole number/],
    ['offset=99999999999999999999', 'invalid_value', 'offset', /from 0 to/],
    ['limit>5', 'unknown_parameter', 'limit', /reached inside q/],
    ['page=1', 'unknown_parameter', 'page', /Parameters: q, sort, order, count, limit, offset/],
    ['offset=1', 'unknown_parameter', 'offset', /Parameters: .*page/, { paging: 'page-number' }],
    ['page=0', 'invalid_value', 'page', /from 1 to/, { paging: 'page-number' }],
    ['page=999999999999999', 'invalid_value', 'page', /from 1 to/, { paging: 'page-number' }],
    ['count=some', 'invalid_value', 'count', /exact, none/],
    ['include=maker', 'unknown_parameter', 'include', /reserved/],
    ['fields=name', 'unknown_parameter', 'fields', /reserved/],
    ['maker.name=x', 'unknown_parameter', 'maker.name', /dot are reserved/],
  ])('%s', (query, code, parameter, detail, more) => {
    const error = refusal(query, more)
    expect(error).toMatchObject({ status: 400, code, errors: [{ parameter, code }] })
    expect(error.detail).toMatch(detail)
  })

  it('that is too long', () => {
    expect(refusal(`name=${'é'.repeat(4096)}`)).toMatchObject({ code: 'query_too_long' })
  })

  it('never is anything but a 400', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'q=',
        'name',
        'price',
        '=',
        '==',
        '!=',
        '>',
        '(',
        ')',
        '!(',
        '|',
        '&',
        '%26',
        '"',
        '%22',
        '\\',
        ',',
        'null',
        '%',
        '+',
        'sort=',
      ),
      fc.string({ maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        try {
          read(pieces.join(''))
        } catch (error) {
          expect(error).toMatchObject({ name: 'HttpError', status: 400 })
        }
      }),
      { numRuns: 5000 },
    )
  })
})

describe('printing and reading', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 0, maxLength: 12 })
    .filter((s) => s.isWellFormed() && !s.includes('\0'))
  const leaf: fc.Arbitrary<Condition> = fc.oneof(
    fc.record({
      op: fc.constantFrom('eq', 'ne', 'gt', 'le', 'contains'),
      field: fc.constantFrom('name', 'note'),
      value: text,
    }),
    fc.record({ op: fc.constantFrom('eq', 'ne', 'lt', 'ge'), field: fc.constant('id'), value: fc.integer() }),
    fc.record({
      op: fc.constant('in'),
      field: fc.constant('name'),
      values: fc.array(text, { minLength: 2, maxLength: 4 }),
    }),
    fc.record({ op: fc.constantFrom('is-null', 'is-not-null'), field: fc.constantFrom('note', 'released') }),
  ) as fc.Arbitrary<Condition>
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({
        op: fc.constantFrom('and', 'or'),
        conditions: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
      }) as fc.Arbitrary<Condition>,
      fc.record({ op: fc.constant('not'), condition: tie('condition') }) as fc.Arbitrary<Condition>,
    ),
  }))

  it('give back the same filter, in q and as a segment', () => {
    fc.assert(
      fc.property(condition, (filter) => {
        const written = print(filter)
        expect(filterOf(encoded(written))).toEqual(filter)
        expect(filterOf(encodeURIComponent(`(${written})`))).toEqual(filter)
      }),
      { numRuns: 1000 },
    )
  })

  it('takes a sort and page apart again', () => {
    const sorts = fc.uniqueArray(fc.constantFrom('id', 'name', 'price', 'released'), { maxLength: 4 })
    fc.assert(
      fc.property(sorts, fc.nat(1000), fc.nat(), (fields, limit, offset) => {
        const { selection } = read(
          `${fields.map((name) => `sort=${name}&order=desc&`).join('')}limit=${limit}&offset=${offset}`,
        )
        expect(selection).toMatchObject({ limit, offset })
        expect(selection.order.slice(0, fields.length)).toEqual(
          fields.map((field) => ({ field, direction: 'desc' })),
        )
        expect(selection.order.map(({ field }) => field)).toContain(product.primaryKey[0])
      }),
    )
  })
})

const symbols = { eq: '==', ne: '!=', gt: '>', ge: '>=', lt: '<', le: '<=', contains: '=' } as const

const quote = (value: unknown): string =>
  typeof value === 'string' ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : String(value)

const print = (condition: Condition): string => {
  switch (condition.op) {
    case 'and':
      return `(${condition.conditions.map(print).join('&')})`
    case 'or':
      return `(${condition.conditions.map(print).join('|')})`
    case 'not':
      return `!(${print(condition.condition)})`
    case 'in':
      return `${condition.field}==${condition.values.map(quote).join(',')}`
    case 'is-null':
      return `${condition.field}=null`
    case 'is-not-null':
      return `${condition.field}!=null`
    default:
      return `${condition.field}${symbols[condition.op]}${quote(condition.value)}`
  }
}
