import { describe, expect, it, test } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import { parseAggregateRequest } from '../../src/query/aggregate.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { rulesOf } from './graph.ts'
import { encoded } from './read.ts'
import { product, rules as productRules } from './sample.ts'

const rules = rulesOf('Order')
const read = (query: string) => parseAggregateRequest(query, rules)

describe('an aggregation', () => {
  it('has the one name of its time zone', () => {
    for (const name of ['europe/berlin', 'EUROPE/Berlin'])
      expect(read(`timezone=${name}`).timezone).toBe('Europe/Berlin')
  })

  it('has groups, functions, conditions and an order of its columns', () => {
    expect(
      read(
        'group=customer_id,month(placed)&aggregate=count,sum(total),avg(total),min(placed),max(total),count(title)' +
          '&customer.age>5&sort=sum_total&order=desc&limit=5&timezone=Europe/Berlin',
      ),
    ).toEqual({
      filter: {
        ...{ op: 'related', relation: 'customer', condition: { op: 'gt', field: 'age', value: 5 } },
      },
      groups: [{ field: 'customer_id' }, { field: 'placed', part: 'month' }],
      aggregates: [
        { fn: 'count' },
        { fn: 'sum', field: 'total' },
        { fn: 'avg', field: 'total' },
        { fn: 'min', field: 'placed' },
        { fn: 'max', field: 'total' },
        { fn: 'count', field: 'title' },
      ],
      order: [
        { column: 'sum_total', direction: 'desc' },
        { column: 'customer_id', direction: 'asc' },
        { column: 'month_placed', direction: 'asc' },
      ],
      limit: 5,
      timezone: 'Europe/Berlin',
      uses: [{ parameter: 'customer.age', path: 'customer', model: 'Customer' }],
    })
  })

  it('has conditions on the columns of its result, in the form of q', () => {
    const { having } = read(
      `group=customer_id,month(placed)&aggregate=count,avg(total),max(title)&having=${encodeURIComponent('count>=2&(avg_total=1.5|month_placed=2026)&customer_id!=null&max_title=x')}`,
    )
    expect(having).toEqual({
      op: 'and',
      conditions: [
        { op: 'ge', field: 'count', value: 2 },
        {
          op: 'or',
          conditions: [
            { op: 'eq', field: 'avg_total', value: '1.500000' },
            { op: 'contains', field: 'month_placed', value: '2026' },
          ],
        },
        { op: 'is-not-null', field: 'customer_id' },
        { op: 'contains', field: 'max_title', value: 'x' },
      ],
    })
    expect(read('having=').having).toEqual({ op: 'and', conditions: [] })
  })

  it('compares texts of keys as a whole', () => {
    const model = modelOf(
      'Part',
      [fieldNamed('sku', 'text', 'string'), fieldNamed('note', 'text', 'string')],
      {
        primaryKey: ['sku'],
      },
    )
    const op = (having: string) =>
      parseAggregateRequest(`group=sku&aggregate=max(sku),max(note)&having=${having}`, { ...rules, model })
        .having
    expect([op('sku=a'), op('max_sku=a'), op('max_note=a')]).toMatchObject([
      { op: 'eq' },
      { op: 'eq' },
      { op: 'contains' },
    ])
  })

  test.each([
    ['total>5', 'unknown_field'],
    ['customer.age>5', 'unknown_field'],
    ['customer(age>5)', 'unknown_field'],
    ['count=a', 'invalid_value'],
    ['count=1.5', 'invalid_value'],
    ['avg_total>1.1234567890123', 'invalid_value'],
    ['count^=5', 'invalid_operator'],
    ['count>1|count>2', 'malformed_query'],
    ['(count>1', 'malformed_query'],
    ['count', 'malformed_query'],
    [Array.from({ length: 51 }, () => 'count>1').join('&'), 'malformed_query'],
  ])('refuses having=%.30s', (having, code) => {
    const query = `aggregate=count,avg(total)&having=${encodeURIComponent(having)}`
    expect(() => read(query)).toThrow(expect.objectContaining({ code }))
    expect(() => read(`${query}&having=count>1`)).toThrow(HttpError)
  })

  it('counts all records if the request does not say more', () => {
    expect(read('')).toEqual({
      filter: { op: 'and', conditions: [] },
      groups: [],
      aggregates: [{ fn: 'count' }],
      order: [],
      limit: 1000,
      timezone: 'UTC',
      uses: [],
    })
  })

  it('sorts by groups in the order of the request', () => {
    const { order } = read('group=customer_id,parent_id&sort=parent_id&sort=count&order=desc')
    expect(order).toEqual([
      { column: 'parent_id', direction: 'desc' },
      { column: 'count', direction: 'asc' },
      { column: 'customer_id', direction: 'asc' },
    ])
  })

  it('has conditions in q, in groups and on fields that are named like parameters of lists', () => {
    expect(read(encoded('items(price>1&quantity=2)')).uses).toHaveLength(1)
    expect(read(encoded('sort=x')).filter).toEqual({ op: 'contains', field: 'sort', value: 'x' })
    expect(read('search=x').filter).toMatchObject({ op: 'or' })
  })

  test.each([
    ['id', ['count', 'sum', 'avg', 'min', 'max'], []],
    ['price', ['count', 'sum', 'avg', 'min', 'max'], []],
    ['stock', ['count', 'sum', 'avg', 'min', 'max'], []],
    ['weight', ['count', 'sum', 'avg', 'min', 'max'], []],
    ['name', ['count', 'min', 'max'], []],
    ['in_stock', ['count'], []],
    ['status', ['count'], []],
    ['code', ['count'], []],
    ['data', ['count'], []],
    ['tags', ['count'], []],
    ['thumb', ['count'], []],
    ['address', ['count'], []],
    ['released', ['count', 'min', 'max'], ['year', 'quarter', 'month', 'week', 'day', 'hour']],
    ['shown', ['count', 'min', 'max'], ['year', 'quarter', 'month', 'week', 'day', 'hour']],
    ['day', ['count', 'min', 'max'], ['year', 'quarter', 'month', 'week', 'day']],
    ['opens', ['count', 'min', 'max'], []],
  ])('of %s supports what its kind supports', (field, functions, parts) => {
    const isAccepted = (query: string): boolean => {
      try {
        parseAggregateRequest(query, productRules)
        return true
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_operator' })
        expect((error as HttpError).detail).toMatch(naming(field))
        return false
      }
    }
    const all = ['count', 'sum', 'avg', 'min', 'max']
    expect(all.filter((fn) => isAccepted(`aggregate=${fn}(${field})`))).toEqual(functions)
    const allParts = ['year', 'quarter', 'month', 'week', 'day', 'hour']
    expect(allParts.filter((part) => isAccepted(`group=${part}(${field})`))).toEqual(parts)
    expect(isAccepted(`group=${field}`)).toBe(!['data', 'tags'].includes(field))
  })

  it('cannot compare by what the column does not compare', () => {
    const narrowed = (conditions: 'equality' | 'null' | 'inexact') => ({
      ...productRules,
      model: {
        ...product,
        fields: product.fields.map((field) =>
          ['weight', 'day'].includes(field.name) ? { ...field, conditions } : field,
        ),
      },
    })
    for (const [conditions, query] of [
      ['equality', 'aggregate=sum(weight)'],
      ['equality', 'aggregate=max(weight)'],
      ['equality', 'group=month(day)'],
      ['null', 'group=weight'],
      ['inexact', 'group=weight'],
    ] as const)
      expect(() => parseAggregateRequest(query, narrowed(conditions))).toThrow(
        expect.objectContaining({ code: 'invalid_operator' }),
      )
    expect(() => parseAggregateRequest('group=weight', narrowed('equality'))).not.toThrow()
    expect(() => parseAggregateRequest('aggregate=count(weight)', narrowed('null'))).not.toThrow()
  })
})

type Names = readonly (string | number)[]

const many = (count: number, term: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => term(at)).join()

describe('an aggregation that cannot be read', () => {
  test.each<[string, string, string, Names, string?]>([
    ['group=colour', 'unknown_field', 'group', ['colour', 'title']],
    ['group=secret', 'unknown_field', 'group', ['secret', 'title']],
    ['group=customer.age', 'unknown_field', 'group', ['"customer.age"', 'title']],
    ['group=month(plaked)', 'unknown_field', 'group', ['plaked', 'placed', 'placed']],
    ['group=', 'unknown_field', 'group', ['""']],
    ['group=customer_id,', 'unknown_field', 'group', ['""']],
    ['group=decade(placed)', 'invalid_value', 'group', ['decade', 'year', 'hour'], 'not_in_enum'],
    ['group=month(total)', 'invalid_operator', 'group', ['month(total)', 'none']],
    ['group=month(placed', 'malformed_query', 'group', ['month(']],
    ['group=month(placed)x', 'malformed_query', 'group', ['x']],
    ['group=month(placed)(x)', 'malformed_query', 'group', ['(x)']],
    ['group=id,id', 'malformed_query', 'group', ['id']],
    [`group=${many(9, () => 'id')}`, 'malformed_query', 'group', ['group', 8]],
    ['aggregate=sum(colour)', 'unknown_field', 'aggregate', ['colour', 'total']],
    ['aggregate=max(secret)', 'unknown_field', 'aggregate', ['secret', 'total']],
    ['aggregate=count()', 'unknown_field', 'aggregate', ['""']],
    ['aggregate=count(*)', 'unknown_field', 'aggregate', ['"*"']],
    ['aggregate=summ(total)', 'invalid_value', 'aggregate', ['summ', 'sum', 'sum'], 'not_in_enum'],
    ['aggregate=constructor', 'invalid_value', 'aggregate', ['constructor', 'count'], 'not_in_enum'],
    ['aggregate=', 'invalid_value', 'aggregate', ['""', 'count'], 'not_in_enum'],
    ['aggregate=sum', 'malformed_query', 'aggregate', ['sum', 'sum(price)']],
    ['aggregate=sum(title)', 'invalid_operator', 'aggregate', ['sum(title)', 'count', 'min', 'max']],
    ['aggregate=count,count', 'malformed_query', 'aggregate', ['count']],
    ['aggregate=sum(total),sum(total)', 'malformed_query', 'aggregate', ['sum_total']],
    [`aggregate=${many(17, () => 'count')}`, 'malformed_query', 'aggregate', ['aggregate', 16]],
    ['group=id&sort=total', 'unknown_field', 'sort', ['total', 'count', 'id']],
    ['sort=count&sort=count', 'malformed_query', 'sort', ['count']],
    ['sort=count&order=up', 'invalid_value', 'order', ['up', 'asc', 'desc'], 'not_in_enum'],
    ['order=asc', 'malformed_query', 'order', ['order', 1, 'sort', 0]],
    [`${'sort=count&'.repeat(9)}`, 'malformed_query', 'sort', [9, 8]],
    ['limit=0', 'invalid_value', 'limit', [1, 1000], 'out_of_range'],
    ['limit=1001', 'invalid_value', 'limit', [1, 1000, 1001], 'out_of_range'],
    ['timezone=Berlin', 'invalid_value', 'timezone', ['Berlin', 'Europe/Berlin'], 'invalid_format'],
    ['timezone=%2B02:00', 'invalid_value', 'timezone', ['"+02:00"'], 'invalid_format'],
    ['timezone=', 'invalid_value', 'timezone', ['""'], 'invalid_format'],
    ['offset=1', 'unknown_parameter', 'offset', ['offset', 'group', 'aggregate', 'timezone']],
    ['fields=id', 'unknown_parameter', 'fields', ['group', 'aggregate']],
    ['include=items', 'unknown_parameter', 'include', ['group', 'aggregate']],
    ['count=none', 'unknown_parameter', 'count', ['group', 'aggregate']],
    ['distinct=id', 'unknown_parameter', 'distinct', ['group', 'aggregate']],
    ['grup=id', 'unknown_field', 'grup', ['grup', 'group', 'group']],
    ['group=id&group=id', 'malformed_query', 'group', ['group']],
  ])('%s', (query, code, parameter, names, issue = code) => {
    let error: unknown
    try {
      read(query)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({ status: 400, code, errors: [{ parameter, code: issue }] })
    expect((error as HttpError).detail).toMatch(naming(...names))
  })

  it('because two columns would have the same name', () => {
    const fields = product.fields.map((field) =>
      field.name === 'maker' ? { ...field, name: 'sum_price' } : field,
    )
    const clashing = { ...productRules, model: { ...product, fields } }
    for (const [query, parameter] of [
      ['group=sum_price&aggregate=sum(price)', 'aggregate'],
      ['group=id,id&aggregate=sum(price)', 'group'],
    ] as const)
      expect(() => parseAggregateRequest(query, clashing)).toThrow(
        expect.objectContaining({
          code: 'malformed_query',
          errors: [expect.objectContaining({ parameter })],
        }),
      )
  })

  it('because it is too long', () => {
    expect(() => read(`group=${'x'.repeat(9000)}`)).toThrow(
      expect.objectContaining({ code: 'query_too_long' }),
    )
  })
})
