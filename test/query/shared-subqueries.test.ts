import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Condition, everything } from '../../src/query/ast.ts'
import { holds } from '../../src/query/evaluate.ts'
import { parseListRequest } from '../../src/query/list-query.ts'
import { sharingSubqueries, toManyIn } from '../../src/query/shared-subqueries.ts'
import { anyRecords } from './any-records.ts'
import { evaluationOf, modelOf, rulesOf } from './graph.ts'
import { encoded } from './read.ts'

const order = { model: modelOf('Order'), modelOf }
const wide = rulesOf('Order', { maxToMany: 500, maxConditions: 500 })
const filterOf = (q: string): Condition => parseListRequest(encoded(q), wide).filter

/** Few fields and values, so that conditions often hold, and often not. */
const leaves: Readonly<Record<string, readonly string[]>> = {
  Order: ['title', 'customer_id'],
  Item: ['price', 'quantity'],
  Customer: ['name', 'age'],
  Tag: ['name', 'id'],
  Product: ['name', 'id'],
  Line: ['name', 'number'],
}
const texts = new Set(['title', 'name'])

const leafOn = (model: string): fc.Arbitrary<Condition> =>
  fc.constantFrom(...(leaves[model] ?? [])).chain((field) =>
    fc.oneof(
      fc.constantFrom<Condition>({ op: 'is-null', field }, { op: 'is-not-null', field }),
      fc
        .tuple(fc.constantFrom('eq', 'ne'), texts.has(field) ? fc.constantFrom('a', 'b') : fc.nat(3))
        .map(([op, value]): Condition => ({ op, field, value })),
    ),
  )

const conditionOn = (name: string, depth: number): fc.Arbitrary<Condition> => {
  if (depth === 0) return leafOn(name)
  const inner = fc.nat().chain(() => conditionOn(name, depth - 1))
  const relations = modelOf(name).relations.filter(({ model }) => leaves[model] !== undefined)
  const related = fc
    .constantFrom(...relations)
    .chain(({ name: relation, model }) =>
      fc
        .oneof(fc.constant(everything), conditionOn(model, depth - 1), conditionOn(model, depth - 1))
        .map((condition): Condition => ({ op: 'related', relation, condition })),
    )
  const group = fc
    .tuple(fc.constantFrom('and', 'or'), fc.array(inner, { minLength: 2, maxLength: 4 }))
    .map(([op, conditions]): Condition => ({ op, conditions }))
  const negation = inner.map((condition): Condition => ({ op: 'not', condition }))
  return fc.oneof(related, related, group, group, negation)
}

describe('conditions that share subqueries', () => {
  it('hold for the same records as before', () => {
    fc.assert(
      fc.property(conditionOn('Order', 4), anyRecords, (condition, records) => {
        const shared = sharingSubqueries(condition, order)
        const by = evaluationOf('Order', records)
        for (const row of records['Order'] ?? [])
          expect(holds(shared, row, by)).toBe(holds(condition, row, by))
        expect(toManyIn(shared, order)).toBeLessThanOrEqual(toManyIn(condition, order))
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['(items.price=1|items.price=2)', '(items(price=1|price=2))', 1],
    ['(items.price=1|id=7|items(price=2&quantity=3))', '(items(price=1|(price=2&quantity=3))|id=7)', 1],
    ['(items.price=1|(items.price=2|items.price=3))', 'items(price=1|price=2|price=3)', 1],
    ['!(items.price=1|items.price=2)', '!(items(price=1|price=2))', 1],
    ['!(items.price=1)&!(items.price=2)', '!(items(price=1|price=2))', 1],
    ['!(!(items.price=1)&!(items.price=2))', 'items(price=1|price=2)', 1],
    ['(tags.orders.id=1|tags.name==x)', 'tags(orders.id=1|name==x)', 2],
    ['(tags(orders.id=1)|tags(orders.id=2))', 'tags.orders(id=1|id=2)', 2],
    ['items.price=1&items.price=2', 'items.price=1&items.price=2', 2],
    ['!(items.price=1&items.price=2)', '(!(items.price=1)|!(items.price=2))', 2],
    ['(items.price=1|!(items.price=2))', '(items.price=1|!(items.price=2))', 2],
    ['(items=null|items.price=1)', '(items=null|items.price=1)', 2],
    ['(items!=null|items.price=1)', 'items!=null', 1],
    ['customer(name==x)&customer.age=1', 'customer(name==x&age=1)', 0],
    ['(customer(name==x)|customer.age=1)', 'customer(name==x|age=1)', 0],
    ['!(customer(name==x)&customer.age=1)', '!(customer(name==x&age=1))', 0],
  ])('%s is %s', (q, same, hops) => {
    const filter = filterOf(q)
    expect(filter).toEqual(filterOf(same))
    expect(toManyIn(filter, order)).toBe(hops)
  })

  it('leaves those alone that are about one record of a join table', () => {
    const linked = (rank: number): Condition => ({
      ...{ op: 'related', relation: 'tags', condition: everything },
      link: { op: 'eq', field: 'rank', value: rank },
    })
    const either: Condition = { op: 'or', conditions: [linked(1), linked(2)] }
    expect(sharingSubqueries(either, order)).toEqual(either)
  })
})
