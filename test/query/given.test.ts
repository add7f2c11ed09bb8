import { describe, expect, it, test } from 'vitest'
import { everything } from '../../src/query/ast.ts'
import { givenQuery } from '../../src/query/given.ts'
import { naming } from '../naming.ts'
import { modelOf } from './graph.ts'

const query = { filter: everything, order: [{ field: 'id', direction: 'asc' as const }], limit: 5, offset: 0 }

const given = (change: object, hasRelations = true) =>
  givenQuery({ ...query, ...change }, query, {
    ...{
      model: modelOf('Order'),
      modelOf,
      hasRelations,
      sortsRelated: hasRelations,
      hook: () => 'beforeList',
    },
  })

const of = (relation: unknown, condition: unknown = everything, more: object = {}) => ({
  filter: { op: 'related', relation, condition, ...more },
})
const sorted = (field: string, via: unknown) => ({ order: [{ field, direction: 'asc', via }] })
const eq = (field: string) => ({ op: 'eq', field, value: 1 })

describe('the query of a hook', () => {
  it.each([
    of('customer', eq('age')),
    of('items', of('product', eq('name')).filter),
    of('audit', eq('name')),
    of('tags', eq('name'), { link: eq('rank') }),
    sorted('age', [{ relation: 'parent' }, { relation: 'customer', guard: eq('id') }]),
    sorted('name', [{ relation: 'audit' }]),
  ])('may go through relations: %j', (change) => {
    expect(given(change)).toMatchObject(change)
  })

  test.each<[object, readonly string[]]>([
    [of('custmer'), ['relation', 'custmer', 'customer', 'customer', 'items']],
    [of('constructor'), ['relation', 'constructor']],
    [of(undefined), ['relation', 'undefined']],
    [{ filter: { op: 'related', relation: 'customer' } }, ['filter', 'eq']],
    [of('customer', eq('title')), ['title', 'age']],
    [of('items', of('product', eq('price')).filter), ['price', 'name']],
    [of('items', of('customer').filter), ['relation', 'customer', 'product']],
    [of('items', eq('price'), { link: eq('rank') }), ['link', 'items']],
    [of('tags', eq('name'), { link: eq('name') }), ['name', 'rank']],
    [of('tags', eq('name'), { link: 5 }), ['filter', 'eq']],
    [sorted('age', 'customer'), ['order', 'via']],
    [sorted('age', ['customer']), ['order', 'via']],
    [sorted('age', [{ relation: 'items' }]), ['to-one', 'items', 'customer']],
    [sorted('title', [{ relation: 'customer' }]), ['title', 'age']],
    [sorted('age', [{ relation: 'customer', guard: eq('title') }]), ['title', 'age']],
  ])('is refused with the name of the mistake: %j', (change, names) => {
    expect(() => given(change)).toThrow(naming('beforeList', ...names))
  })

  it('goes through to-one relations in filters only, if the source does not have the capability', () => {
    expect(given(of('customer', eq('age')), false)).toMatchObject(of('customer', eq('age')))
    expect(() => given(of('items'), false)).toThrow(naming('to-one', 'items', 'customer'))
    expect(() => given(of('customer', of('orders').filter), false)).toThrow(naming('to-one', 'orders'))
    expect(() => given(sorted('age', [{ relation: 'customer' }]), false)).toThrow(naming('relations'))
  })
})
