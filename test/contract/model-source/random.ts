import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Field } from '../../../src/model/model.ts'
import { type Comparison, type Condition, everything, type Order } from '../../../src/query/ast.ts'
import type { Row } from '../../../src/source/source.ts'
import { byOrder, holds, isComparable, isOrdered, isTextual } from '../evaluate.ts'
import type { Stage } from './stage.ts'

const ROWS = 30

/** Texts that are close to each other, and to what LIKE takes for a pattern. */
const texts = ['', 'a', 'A', 'ab', 'aB', 'a%', 'a_b', 'É', 'é', 'a\\', "a'", 'b', '🚀', 'ß']

type ValuesOf = (field: Field) => readonly unknown[]

const operatorsOf = (field: Field): readonly Comparison[] => [
  'eq',
  'ne',
  ...(isOrdered(field) ? (['lt', 'le', 'gt', 'ge'] as const) : []),
  ...(isTextual(field) ? (['contains'] as const) : []),
]

const comparison = (field: Field, valuesOf: ValuesOf): fc.Arbitrary<Condition> => {
  const values = fc.constantFrom(...valuesOf(field))
  return fc.oneof(
    fc.record({ op: fc.constantFrom(...operatorsOf(field)), field: fc.constant(field.name), value: values }),
    fc.record({
      op: fc.constant('in' as const),
      field: fc.constant(field.name),
      values: fc.array(values, { maxLength: 3 }),
    }),
    fc.record({
      op: fc.constantFrom('is-null' as const, 'is-not-null' as const),
      field: fc.constant(field.name),
    }),
  )
}

const conditionOn = (fields: readonly Field[], valuesOf: ValuesOf): fc.Arbitrary<Condition> =>
  fc.letrec<{ condition: Condition; conditions: readonly Condition[] }>((part) => ({
    conditions: fc.array(part('condition'), { maxLength: 3 }),
    condition: fc.oneof(
      { maxDepth: 4 },
      { weight: 3, arbitrary: fc.oneof(...fields.map((field) => comparison(field, valuesOf))) },
      {
        weight: 2,
        arbitrary: fc.record({
          op: fc.constantFrom('and' as const, 'or' as const),
          conditions: part('conditions'),
        }),
      },
      { weight: 1, arbitrary: fc.record({ op: fc.constant('not' as const), condition: part('condition') }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...fields.filter(isOrdered)).chain((field) =>
          fc.record({
            op: fc.constant('tie' as const),
            field: fc.constant(field.name),
            value: fc.constantFrom(...valuesOf(field)),
            condition: part('condition'),
          }),
        ),
      },
    ),
  })).condition

export const random = ({ connected, store, model, author, hard }: Stage): void => {
  describe('random conditions', () => {
    it('find what a plain evaluation finds, in its order', async () => {
      const book = model('Book')
      const fields = book.fields.filter((field) => isComparable(field) && hard(field.name) !== undefined)
      const valuesOf: ValuesOf = (field) =>
        isTextual(field) ? texts : (hard(field.name) ?? []).filter((value) => value !== null)
      const { id: authorId } = await author()
      const row = fc.record(
        Object.fromEntries(
          fields.map((field) => {
            const value = fc.constantFrom(...valuesOf(field))
            return [field.name, field.nullable ? fc.option(value, { freq: 3 }) : value]
          }),
        ),
      )
      const rows: Row[] = []
      for (const [place, values] of fc.sample(row, { numRuns: ROWS, seed: 4711 }).entries())
        rows.push(await store('Book').create({ ...values, isbn: `${place}`, authorId }))

      const { unicodeCaseFolding = false } = connected().source.capabilities
      const rules = { model: book, unicodeCaseFolding }
      const condition = conditionOn(fields, valuesOf)
      const order = fc
        .uniqueArray(
          fc.record<Order>({
            field: fc.constantFrom(...fields.filter(isOrdered).map(({ name }) => name)),
            direction: fc.constantFrom('asc', 'desc'),
          }),
          { maxLength: 3, selector: ({ field }) => field },
        )
        .map((keys): readonly Order[] => [...keys, { field: 'isbn', direction: 'asc' }])
      await fc.assert(
        fc.asyncProperty(condition, condition, order, async (filter, guard, keys) => {
          const expected = rows
            .filter((each) => holds(filter, each, rules) && holds(guard, each, rules))
            .sort(byOrder(keys, book))
            .map((each) => each['isbn'])
          const found = await store('Book').list({ filter, order: keys, limit: ROWS, offset: 0 }, guard)
          expect(found.map((each) => each['isbn'])).toEqual(expected)
          expect(await store('Book').count(filter, guard)).toBe(expected.length)
        }),
        { numRuns: 300 },
      )
      expect(await store('Book').count(everything, everything)).toBe(ROWS)
    })
  })
}
