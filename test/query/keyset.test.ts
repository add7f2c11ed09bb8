import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Condition, everything, type Order } from '../../src/query/ast.ts'
import { rangesAfter } from '../../src/query/keyset.ts'
import { fieldNamed as field, modelOf } from '../sample-model.ts'
import { type Sample, select } from './matches.ts'

const model = modelOf('Thing', [
  field('id', 'integer', 'number'),
  field('rank', 'integer', 'number', { nullable: true }),
  field('size', 'integer', 'number'),
])

const direction = fc.constantFrom('asc', 'desc')
const orders = fc
  .record({
    fields: fc.shuffledSubarray(['rank', 'size']),
    directions: fc.tuple(direction, direction, direction),
  })
  .map(({ fields, directions }) =>
    [...fields, 'id'].map((name, at): Order => ({ field: name, direction: directions[at] ?? 'asc' })),
  )
const rows = fc
  .array(
    fc.record({ rank: fc.option(fc.integer({ min: 0, max: 2 })), size: fc.integer({ min: 0, max: 1 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((all) => all.map((row, at): Sample => ({ id: at, ...row })))

const following = (order: readonly Order[], ties: number, valueIn: (name: string) => unknown) => {
  const values = order.map(({ field: name }) => valueIn(name))
  return rangesAfter(model, order, { values, ties })
}

const everyCondition = (condition: Condition): readonly Condition[] => {
  if (condition.op === 'tie') return [condition, ...everyCondition(condition.condition)]
  return condition.op === 'and' || condition.op === 'or'
    ? [condition, ...condition.conditions.flatMap(everyCondition)]
    : [condition]
}

describe('the records after one', () => {
  it('are those of one range after the other, in the order of the sort', () =>
    fc.assert(
      fc.property(rows, orders, fc.nat(), fc.nat({ max: 2 }), (records, order, nth, ties) => {
        const ids = (filter: Condition) =>
          select(records, { filter, order, limit: 100, offset: 0 }).map(({ id }) => id)
        const all = ids(everything)
        const at = nth % all.length
        const from = records.find(({ id }) => id === all[at]) as Sample
        const found = following(order, ties, (name) => from[name]).flatMap(ids)
        expect(found).toEqual(all.slice(at + 1))
      }),
    ))

  it('never ask an index of the first key for values and nulls at once', () =>
    fc.assert(
      fc.property(orders, fc.option(fc.integer()), fc.nat({ max: 2 }), (order, value, ties) => {
        const [key] = order
        for (const range of following(order, ties, () => value)) {
          const ops = everyCondition(range).filter((each) => 'field' in each && each.field === key?.field)
          expect(new Set(ops.map(({ op }) => op.startsWith('is-'))).size).toBeLessThan(2)
        }
      }),
    ))
})
