import { describe, expect, it, test } from 'vitest'
import { everything, type Include } from '../../src/query/ast.ts'
import { listQueryOf, parseDetailRequest, parseListRequest } from '../../src/query/list-query.ts'
import type { ListRules } from '../../src/query/settings.ts'
import { naming } from '../naming.ts'
import { modelOf, rulesOf } from './graph.ts'
import { refusal as refusalOf } from './read.ts'

const includeOf = (text: string, more: Partial<ListRules> = {}) =>
  parseListRequest(`include=${text}`, rulesOf('Order', more)).include

const byId = [{ field: 'id', direction: 'asc' }] as const

const one = (relation: string, more: Partial<Include> = {}): Include => ({
  ...{ relation, selection: { filter: everything, order: byId, limit: 1, offset: 0 } },
  ...{ count: 'none', include: [] },
  ...more,
})

const many = (relation: string, selection: object = {}, more: Partial<Include> = {}): Include => ({
  ...one(relation),
  selection: { filter: everything, order: byId, limit: 20, offset: 0, ...selection },
  ...more,
})

const product = one('product')

describe('include', () => {
  test.each<[string, readonly Include[]]>([
    ['', []],
    ['customer', [one('customer')]],
    ['customer,items', [one('customer'), many('items')]],
    ['items.product', [many('items', {}, { include: [product] })]],
    ['items,items.product', [many('items', {}, { include: [product] })]],
    ['items.product,items,items', [many('items', {}, { include: [product] })]],
    ['items(limit=5)', [many('items', { limit: 5 })]],
    ['items(limit=0;count=exact)', [many('items', { limit: 0 }, { count: 'exact' })]],
    ['items(limit=5).product', [many('items', { limit: 5 }, { include: [product] })]],
    ['items.product,items(limit=5)', [many('items', { limit: 5 }, { include: [product] })]],
    [
      'items(limit=5).product(fields=name)',
      [
        many(
          'items',
          { limit: 5 },
          {
            include: [
              one('product', {
                fields: ['id', 'name'],
                selection: { ...product.selection, fields: ['id', 'name'] },
              }),
            ],
          },
        ),
      ],
    ],
    [
      'items(sort=price;order=desc;sort=product.name)',
      [
        many('items', {
          order: [
            { field: 'price', direction: 'desc' },
            { field: 'name', direction: 'asc', via: [{ relation: 'product' }] },
            ...byId,
          ],
        }),
      ],
    ],
    [
      'items(q=price>10%26quantity=2)',
      [
        many('items', {
          filter: {
            op: 'and',
            conditions: [
              { op: 'gt', field: 'price', value: 10 },
              { op: 'eq', field: 'quantity', value: 2 },
            ],
          },
        }),
      ],
    ],
    [
      'items(q=limit=="a;b),%26";limit=3),customer',
      [many('items', { filter: { op: 'eq', field: 'limit', value: 'a;b),&' }, limit: 3 }), one('customer')],
    ],
    [
      'items(q=(limit==a;b|id=1);limit=3)',
      [
        many('items', {
          filter: {
            op: 'or',
            conditions: [
              { op: 'eq', field: 'limit', value: 'a;b' },
              { op: 'eq', field: 'id', value: 1 },
            ],
          },
          limit: 3,
        }),
      ],
    ],
    ['items(sort="a;b")', [many('items', { order: [{ field: 'a;b', direction: 'asc' }, ...byId] })]],
    ['items(fields="id,a;b")', [many('items', { fields: ['id', 'a;b'] }, { fields: ['id', 'a;b'] })]],
    ['items(q=)', [many('items')]],
    ['tags', [many('tags')]],
    [
      'tags.orders.customer',
      [many('tags', {}, { include: [many('orders', {}, { include: [one('customer')] })] })],
    ],
  ])('%s', (text, expected) => {
    expect(includeOf(text)).toEqual(expected)
    expect(parseDetailRequest(`include=${text}`, rulesOf('Order')).include).toEqual(expected)
  })

  it('reads the fields by which related records are found', () => {
    const [items] = includeOf('items(fields=price).product(fields=name)')
    expect(items?.fields).toEqual(['id', 'price'])
    expect(items?.selection.fields).toEqual(['id', 'price', 'product_id'])
    const rules = rulesOf('Order')
    const list = listQueryOf(parseListRequest('fields=title&include=customer,items', rules), rules)
    expect(list.fields).toEqual(['id', 'title'])
    expect(list.selection.fields).toEqual(['id', 'title', 'customer_id'])
    const cursor = { ...rules, paging: ['cursor'] as const }
    const page = listQueryOf(
      parseListRequest('fields=title&include=line&sort=total&sort=customer.age', cursor),
      cursor,
    )
    expect(page.selection.fields).toEqual(['id', 'title', 'line_region', 'line_number', 'total'])
  })

  it('is what the model says, unless the request says', () => {
    const model = { ...modelOf('Order'), include: ['customer', 'items.product'] }
    const rules = { model }
    const usual = [one('customer'), many('items', {}, { include: [product] })]
    expect(parseListRequest('', rulesOf('Order', rules)).include).toEqual(usual)
    expect(parseDetailRequest('', rulesOf('Order', rules)).include).toEqual(usual)
    expect(includeOf('', rules)).toEqual([])
    expect(includeOf('tags', rules)).toEqual([many('tags')])
  })

  it('takes at most as many records as allowed without a limit too', () => {
    expect(includeOf('items', { includeMaxPerRecord: 3 })[0]?.selection.limit).toBe(3)
  })
})

type Names = readonly (string | number)[]

describe('an include that cannot be read', () => {
  test.each<[string, string, Names]>([
    ['custmer', 'unknown_field', ['custmer', 'customer']],
    ['audit', 'unknown_field', ['audit', 'customer']],
    ['title', 'unknown_field', ['title', 'tags']],
    ['items.prodct', 'unknown_field', ['"items.prodct"', 'items.product']],
    [',', 'unknown_field', ['""', 'items']],
    ['items,', 'unknown_field', ['""', 'items']],
    ['items..product', 'unknown_field', ['"items."', 'items.product']],
    ['items(limit=5', 'malformed_query', ['items', 'parenthesis']],
    ['items(limit=5)x', 'malformed_query', ['x']],
    ['items(limit=5))', 'malformed_query', ['")"']],
    ['items()', 'unknown_parameter', ['items', '""', 'limit', 'sort', 'order', 'fields', 'q', 'count']],
    ['items(limt=5)', 'unknown_parameter', ['limt', 'limit', 'limit', 'count']],
    ['items(offset=5)', 'unknown_parameter', ['offset', 'limit']],
    ['items(limit)', 'invalid_value', ['limit=']],
    ['items(limit=101)', 'invalid_value', ['items', 'limit', 0, 100, 101]],
    ['items(limit=-1)', 'invalid_value', ['limit', 0, 100, '-1']],
    ['items(limit=1;limit=1)', 'malformed_query', ['items', 'limit']],
    ['items(count=estimated)', 'invalid_value', ['exact', 'none', 'estimated']],
    ['items(sort=prise)', 'unknown_field', ['items', 'prise', 'price']],
    ['items(sort=-price)', 'unknown_field', ['sort=price;order=desc']],
    ['items(order=asc)', 'malformed_query', ['order', 1, 'sort', 0]],
    ['items(fields=prise)', 'unknown_field', ['items', 'prise', 'price']],
    ['items(q=prise>1)', 'unknown_field', ['items', 'prise', 'price']],
    ['items(q=price>x)', 'invalid_value', ['items', 'price>', 'x']],
    ['items(q=title=x)', 'unknown_field', ['title', 'price']],
    ['items(q=(price>1)', 'malformed_query', ['items', 'parenthesis']],
    ['items(q=limit="a)', 'malformed_query', ['items', 'limit=']],
    ['items(price>10)', 'unknown_parameter', ['"price>10"', 'q']],
    ['customer(limit=1)', 'unknown_parameter', ['customer', 'limit', 'fields']],
    ['customer(q=age=1)', 'unknown_parameter', ['q', 'fields']],
    ['items(limit=5),items(limit=5)', 'malformed_query', ['items']],
    ['items(limit=5),items(limit=6).product', 'malformed_query', ['items']],
    ['parent.parent.parent.parent', 'malformed_query', [3]],
    [
      'customer,parent,line,children,items,order_tags,tags,parent.customer,parent.line,parent.items,parent.tags',
      'malformed_query',
      [10],
    ],
  ])('%s', (text, code, names) => {
    const error = refusalOf(`include=${text}`, rulesOf('Order'))
    expect(error).toMatchObject({ status: 400, code, errors: [{ parameter: 'include' }] })
    expect(error.detail).toMatch(naming(...names))
  })

  test('not even twice', () => {
    const error = refusalOf('include=items&include=tags', rulesOf('Order'))
    expect(error).toMatchObject({ code: 'malformed_query', errors: [{ parameter: 'include' }] })
  })

  test.each([
    ['fields=title', 'fields'],
    ['title=x', 'title'],
    ['q=id=1', 'q'],
    ['limit=1', 'limit'],
    ['aggregate=count', 'aggregate'],
    ['(id=1)', 'q'],
    ['includes=items', 'includes'],
    ['include=items&x', 'x'],
  ])('a single record has only include: %s', (query, parameter) => {
    expect(() => parseDetailRequest(query, rulesOf('Order'))).toThrow(
      expect.objectContaining({
        code: 'unknown_parameter',
        detail: expect.stringMatching(naming('include')),
        errors: [expect.objectContaining({ parameter })],
      }),
    )
  })

  test('is limited in bytes for a single record too', () => {
    expect(() => parseDetailRequest(`include=${'x'.repeat(9000)}`, rulesOf('Order'))).toThrow(
      expect.objectContaining({ code: 'query_too_long' }),
    )
  })
})
