import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Condition, everything, type Order, sortName } from '../../src/query/ast.ts'
import { compareRows, holds, sortValueOf } from '../../src/query/evaluate.ts'
import { listQueryOf, parseListRequest } from '../../src/query/list-query.ts'
import { type Guards, relatedModels, withGuards } from '../../src/query/related.ts'
import { anyRecords } from './any-records.ts'
import { evaluationOf, modelOf, type Records, rulesOf } from './graph.ts'
import { encoded } from './read.ts'

const order = modelOf('Order')
const of = (relation: string, condition: Condition, link?: Condition): Condition => ({
  ...{ op: 'related', relation, condition, ...(link && { link }) },
})
const is = (value: string): Condition => ({ op: 'eq', field: 'name', value })
const has = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

const guardsOf = (guards: Readonly<Record<string, Condition>>): Guards => ({
  modelOf,
  guardOf: (name) => (Object.hasOwn(guards, name) ? (guards[name] ?? everything) : everything),
})

const both = (...conditions: readonly Condition[]): Condition => ({ op: 'and', conditions })

describe('withGuards', () => {
  const guards = guardsOf({
    Customer: is('mine'),
    OrderTag: has('rank', 1),
    Item: has('price', 1),
    Order: has('id', 1),
  })
  const filterOf = (q: string) => parseListRequest(encoded(q), rulesOf('Order')).filter

  it.each<[string, Condition]>([
    ['id=1', has('id', 1)],
    ['customer.age=5', of('customer', both(has('age', 5), is('mine')))],
    ['!(customer.age=5)', { op: 'not', condition: of('customer', both(has('age', 5), is('mine'))) }],
    ['customer=null', { op: 'not', condition: of('customer', is('mine')) }],
    ['tags.id=2', of('tags', has('id', 2), has('rank', 1))],
    [
      'tags(orders.id=3)',
      of('tags', of('orders', both(has('id', 3), has('id', 1)), has('rank', 1)), has('rank', 1)),
    ],
    [
      '(items.product.id=7|id=2)',
      {
        op: 'or',
        conditions: [of('items', both(of('product', has('id', 7)), has('price', 1))), has('id', 2)],
      },
    ],
  ])('adds the guards of related models to %s', (q, expected) => {
    expect(withGuards(filterOf(q), order, guards)).toEqual(expected)
  })

  it('reaches into ties and the links of hooks, and adds nothing to guards', () => {
    const nested = guardsOf({
      Customer: of('orders', has('id', 9)),
      Order: has('id', 1),
      OrderTag: has('rank', 1),
    })
    const tie = { op: 'tie', field: 'id', value: 1 } as const
    expect(withGuards({ ...tie, condition: of('customer', everything) }, order, nested)).toEqual({
      ...tie,
      condition: of('customer', of('orders', has('id', 9))),
    })
    expect(withGuards(of('tags', everything, has('tag_id', 4)), order, nested)).toEqual(
      of('tags', everything, both(has('tag_id', 4), has('rank', 1))),
    )
    expect(withGuards(of('tags', everything, of('order', everything)), order, nested)).toEqual(
      of('tags', everything, both(of('order', has('id', 1)), has('rank', 1))),
    )
  })

  it('adds the guards of the models that sort keys lead through', () => {
    const key: Order = {
      field: 'age',
      direction: 'asc',
      via: [{ relation: 'parent' }, { relation: 'customer' }],
    }
    expect(withGuards(key, order, guards)).toEqual({
      ...key,
      via: [
        { relation: 'parent', guard: has('id', 1) },
        { relation: 'customer', guard: is('mine') },
      ],
    })
    expect(withGuards(key, order, guardsOf({}))).toEqual(key)
    const own: Order = { field: 'id', direction: 'asc' }
    expect(withGuards(own, order, guards)).toBe(own)
  })

  it('keeps the cursors of a query, whoever sends it', () => {
    const rules = rulesOf('Order', { paging: ['cursor'] })
    const text = 'customer.age>1&sort=customer.age'
    const query = listQueryOf(parseListRequest(text, rules), rules)
    const guarded = withGuards(query, order, guards)
    const row = { id: 1, 'customer.age': 5 }
    const cursor = guarded.cursorAfter?.(row)
    expect(cursor).toBe(query.cursorAfter?.(row))
    const next = withGuards(
      listQueryOf(parseListRequest(`${text}&cursor=${cursor}`, rules), rules),
      order,
      guards,
    )
    expect(next.matching).toEqual(of('customer', both({ op: 'gt', field: 'age', value: 1 }, is('mine'))))
    const conditions = JSON.stringify([next.selection.filter, next.continued])
    // Each condition on a customer, of the filter and of the position, has the guard.
    expect(conditions.split('"customer"').length).toBe(conditions.split('"mine"').length)
    expect(conditions.split('"customer"').length).toBeGreaterThan(3)
  })
})

it('cursors do not depend on the guards that a hook gives to sort keys', () => {
  const rules = rulesOf('Order', { paging: ['cursor'] })
  const row = { id: 1, 'customer.age': 5 }
  const cursorFor = (guard?: Condition) => {
    const via = [{ relation: 'customer', ...(guard && { guard }) }]
    const request = { ...parseListRequest('sort=customer.age', rules) }
    return listQueryOf(
      { ...request, order: [{ field: 'age', direction: 'asc', via }, ...request.order.slice(1)] },
      rules,
    ).cursorAfter?.(row)
  }
  expect(cursorFor(is('a'))).toBe(cursorFor())
})

describe('relatedModels', () => {
  const rules = rulesOf('Order')
  const models = (query: string) =>
    relatedModels(listQueryOf(parseListRequest(query, rules), rules), rules).map(({ model }) => model)

  it('are those of the query string', () => {
    expect(models('id=1')).toEqual([])
    expect(models('customer.age=1&sort=line.name&include=tags')).toEqual([
      'Customer',
      'Line',
      'Tag',
      'OrderTag',
    ])
  })

  it('are also those of a hook, without a parameter', () => {
    const { uses } = parseListRequest('customer.age=1', rules)
    const filter = of('customer', of('orders', of('tags', everything)))
    const key: Order = { field: 'id', direction: 'asc', via: [{ relation: 'line' }] }
    expect(relatedModels({ uses, selection: { filter, order: [key] } }, rules)).toEqual([
      { model: 'Customer', path: 'customer', parameter: 'customer.age' },
      ...['OrderTag', 'Tag', 'Order', 'Line'].map((model) => ({ model, path: model })),
    ])
    expect(
      relatedModels({ uses: [], filter }, rules)
        .map(({ model }) => model)
        .sort(),
    ).toEqual(['Customer', 'Order', 'OrderTag', 'Tag'])
  })
})

const idsOf = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ id }) => id)

/** The rows of a selection, with the values of sort keys. */
const select = (
  records: Records,
  { filter, order: keys }: { filter: Condition; order: readonly Order[] },
) => {
  const by = evaluationOf('Order', records)
  return (records['Order'] ?? [])
    .filter((row) => holds(filter, row, by))
    .toSorted(compareRows(keys, by))
    .map((row) => ({
      ...row,
      ...Object.fromEntries(keys.map((key) => [sortName(key), sortValueOf(key, row, by)])),
    }))
}

describe('pages by cursor, sorted by related records', () => {
  const key = fc.constantFrom(
    'customer.age',
    'parent.customer.age',
    'line.name',
    'total',
    'parent.id',
    'parent.total',
  )
  const sort = fc
    .uniqueArray(fc.record({ key, order: fc.constantFrom('asc', 'desc') }), {
      ...{ minLength: 1, maxLength: 3, selector: (each: { readonly key: string }) => each.key },
    })
    .map((all) => all.map(({ key: name, order: direction }) => `sort=${name}&order=${direction}`).join('&'))
  const scopes = fc.record(
    {
      Customer: fc.constant<Condition>({ op: 'ne', field: 'id', value: 1 }),
      Order: fc.constant<Condition>({ op: 'ne', field: 'id', value: 2 }),
      Line: fc.constant<Condition>(has('region', 'n')),
    },
    { requiredKeys: [] },
  )

  it('have each record once and in order, whatever the caller can reach', () =>
    fc.assert(
      fc.property(anyRecords, sort, scopes, fc.integer({ min: 1, max: 3 }), (records, text, scope, size) => {
        const rules = rulesOf('Order', { paging: ['cursor'] })
        const guards = guardsOf(scope as Readonly<Record<string, Condition>>)
        const pageAt = (cursor: string) => {
          const query = withGuards(listQueryOf(parseListRequest(text + cursor, rules), rules), order, guards)
          const { selection, continued = [] } = query
          const ranges = [selection.filter, ...continued].map((filter) =>
            select(records, { ...selection, filter }),
          )
          return { query, rows: ranges.flat() }
        }
        const whole = idsOf(pageAt('').rows)
        const paged: unknown[] = []
        let cursor = ''
        while (paged.length < whole.length) {
          const { query, rows } = pageAt(cursor)
          expect(idsOf(rows)).toEqual(whole.slice(paged.length))
          const page = rows.slice(0, size)
          paged.push(...idsOf(page))
          const last = page.at(-1)
          if (last === undefined) break
          cursor = `&cursor=${query.cursorAfter?.(last, rows.slice(0, size + 1).slice(-3))}`
        }
        expect(paged).toEqual(whole)
      }),
      { numRuns: 500 },
    ))
})
