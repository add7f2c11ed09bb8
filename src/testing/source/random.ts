import type { Arbitrary } from 'fast-check'
import {
  type Comparison,
  type Condition,
  compareRows,
  everything,
  type Field,
  holds,
  type Order,
  type Row,
} from '../../entry/source.ts'
import { kinds } from '../../model/kinds/index.ts'
import { same } from '../suite/assertions.ts'
import { fastCheck } from '../suite/fast-check.ts'
import { pairs } from './samples.ts'
import type { Stage } from './stage.ts'

type FastCheck = Awaited<ReturnType<typeof fastCheck>>
type ValuesOf = (field: Field) => readonly unknown[]

const ROWS = 30

/** Strings that differ little, and that have the wildcards of LIKE. */
const texts = ['', 'a', 'A', 'ab', 'aB', 'a%', 'a_b', 'É', 'é', 'a\\', "a'", 'b', '🚀', 'ß']

const isOrdered = ({ kind, conditions }: Field): boolean =>
  kinds[kind].ordered && conditions !== 'equality' && conditions !== 'null'

const always = (): boolean => true

const takes: Readonly<Record<Comparison, (field: Field) => boolean>> = {
  ...{ eq: always, ne: always },
  ...{ lt: isOrdered, le: isOrdered, gt: isOrdered, ge: isOrdered },
  contains: ({ kind }) => kinds[kind].textual,
  'starts-with': ({ comparisons }) => comparisons?.includes('starts-with') === true,
  'equals-ignoring-case': ({ comparisons }) => comparisons?.includes('equals-ignoring-case') === true,
}

const operatorsOf = (field: Field): readonly Comparison[] =>
  (Object.keys(takes) as Comparison[]).filter((op) => takes[op](field))

const leafOn = (fc: FastCheck, field: Field, valuesOf: ValuesOf): Arbitrary<Condition> => {
  const value = fc.constantFrom(...valuesOf(field))
  const named = fc.constant(field.name)
  return fc.oneof(
    fc.record({ op: fc.constantFrom(...operatorsOf(field)), field: named, value }),
    fc.record({ op: fc.constant('in' as const), field: named, values: fc.array(value, { maxLength: 3 }) }),
    fc.record({ op: fc.constantFrom('is-null' as const, 'is-not-null' as const), field: named }),
  )
}

const conditionOn = (fc: FastCheck, fields: readonly Field[], valuesOf: ValuesOf): Arbitrary<Condition> =>
  fc.letrec<{ condition: Condition; conditions: readonly Condition[] }>((part) => {
    const joined = fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      conditions: part('conditions'),
    })
    const tied = fc.constantFrom(...fields.filter(isOrdered)).chain((field) =>
      fc.record({
        op: fc.constant('tie' as const),
        field: fc.constant(field.name),
        value: fc.constantFrom(...valuesOf(field)),
        condition: part('condition'),
      }),
    )
    return {
      conditions: fc.array(part('condition'), { maxLength: 3 }),
      condition: fc.oneof(
        { maxDepth: 4 },
        { weight: 3, arbitrary: fc.oneof(...fields.map((field) => leafOn(fc, field, valuesOf))) },
        { weight: 2, arbitrary: joined },
        {
          weight: 1,
          arbitrary: fc.record({ op: fc.constant('not' as const), condition: part('condition') }),
        },
        { weight: 1, arbitrary: tied },
      ),
    }
  }).condition

/** Asserts that random conditions and orders mean the same as `holds` and `compareRows`. */
export const random = ({ runner, test, can, store, model, author, hard, has }: Stage): void => {
  runner.describe('random conditions', () => {
    test('find what `holds` finds, in the order of `compareRows`', ['Book'], async () => {
      const fc = await fastCheck()
      const book = model('Book')
      const isCompared = (field: Field): boolean =>
        kinds[field.kind].comparable &&
        field.conditions !== 'null' &&
        (!kinds[field.kind].textual || (can('exactText') && can('literalContains')))
      const fields = book.fields.filter((field) => pairs[field.name] !== undefined && isCompared(field))
      const valuesOf: ValuesOf = (field) =>
        kinds[field.kind].textual ? texts : hard(field.name).filter((value) => value !== null)
      const authorId = has('Book.authorId') ? { authorId: (await author())['id'] } : {}
      const written = book.fields.filter(({ name }) => pairs[name] !== undefined)
      const row = fc.record(
        Object.fromEntries(
          written.map((field) => {
            const value = fc.constantFrom(...valuesOf(field))
            return [field.name, field.nullable ? fc.option(value, { freq: 3 }) : value]
          }),
        ),
      )
      const rows: Row[] = []
      for (const [place, values] of fc.sample(row, { numRuns: ROWS, seed: 4711 }).entries())
        rows.push(await store('Book').create({ ...values, isbn: `${place}`, ...authorId }))

      const rules = { model: book, unicodeCaseFolding: can('unicodeCaseFolding') }
      const condition = conditionOn(fc, fields, valuesOf)
      const key = fc.record<Order>({
        field: fc.constantFrom(...fields.filter(isOrdered).map(({ name }) => name)),
        direction: fc.constantFrom('asc', 'desc'),
      })
      const order = fc
        .uniqueArray(key, { maxLength: 3, selector: ({ field }) => field })
        .map((keys): readonly Order[] => [...keys, { field: 'isbn', direction: 'asc' }])
      const wrong = 'list and count must find the records for which filter and guard hold.'
      await fc.assert(
        fc.asyncProperty(condition, condition, order, async (filter, guard, keys) => {
          const expected = rows
            .filter((each) => holds(filter, each, rules) && holds(guard, each, rules))
            .sort(compareRows(keys, rules))
            .map((each) => each['isbn'])
          const found = await store('Book').list({ filter, order: keys, limit: ROWS, offset: 0 }, guard)
          same(
            found.map((each) => each['isbn']),
            expected,
            wrong,
          )
          same(await store('Book').count(filter, guard), expected.length, wrong)
        }),
        { numRuns: 300 },
      )
      same(await store('Book').count(everything, everything), ROWS, wrong)
    })
  })
}
