import fc from 'fast-check'
import { kinds } from '../../src/model/kinds/index.ts'
import { type Field, type FieldKind, isReadable, type Model } from '../../src/model/model.ts'
import type { Comparison, Condition } from '../../src/query/ast.ts'
import { queryFields } from '../../src/query/fields.ts'
import { isKey } from '../../src/query/json-conditions.ts'
import { jsonComparisons } from '../../src/query/json-path.ts'
import { product } from './sample.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !/\p{Surrogate}|\0/u.test(value)),
  fc
    .array(fc.constantFrom('a', '"', '\\', '&', '|', ')', '(', ',', '=', '+', '%', ' ', 'null', '!'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
)
const instant = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

/** Values of the sample's fields, in their forms. */
const values: Readonly<Partial<Record<FieldKind, fc.Arbitrary<unknown>>>> = {
  text,
  token: text,
  integer: fc.maxSafeInteger(),
  decimal: fc.integer({ min: 0, max: 99_999_999 }).map((cents) => (cents / 100).toFixed(2)),
  boolean: fc.boolean(),
  enum: fc.constantFrom('draft', 'live'),
  datetime: instant,
  localdatetime: instant.map((date) => date.toISOString().slice(0, 19)),
  date: instant.map((date) => date.toISOString().slice(0, 10)),
  time: instant.map((date) => date.toISOString().slice(11, 19)),
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  uuid: fc.uuid(),
  float: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  bytes: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
}

const comparisonsOf = (field: Field, model: Model): readonly Comparison[] => {
  const { ordered } = kinds[field.kind]
  const takes: Readonly<Record<Comparison, boolean>> = {
    ...{ eq: true, ne: true, lt: ordered, le: ordered, gt: ordered, ge: ordered },
    contains: queryFields(model).byName.get(field.name)?.contains === true,
    'starts-with': field.comparisons?.includes('starts-with') === true,
    'equals-ignoring-case': field.comparisons?.includes('equals-ignoring-case') === true,
  }
  return (Object.keys(takes) as Comparison[]).filter((op) => takes[op])
}

const nullTest = (field: string): fc.Arbitrary<Condition> =>
  fc.constantFrom<Condition>({ op: 'is-null', field }, { op: 'is-not-null', field })

const key = fc.oneof(
  fc.constantFrom(
    'a',
    'color',
    'a b',
    "it's",
    '$',
    '0',
    'a.b',
    '=',
    '&',
    ')',
    'é🚀',
    '*',
    '[0]',
    '~',
    'null',
  ),
  fc.string({ minLength: 1, maxLength: 8 }).filter(isKey),
)

const scalar = fc.oneof(
  text,
  fc.constantFrom('1', 'true', 'null', '-0.5'),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
)

/** A condition inside JSON, as clients can write it. */
const insideOf = (field: string): fc.Arbitrary<Condition> =>
  fc
    .record({
      path: fc.array(fc.oneof(key, fc.nat()), { minLength: 1, maxLength: 4 }),
      is: fc.constantFrom(...jsonComparisons),
      value: scalar,
    })
    .map(({ path, is, value }): Condition => {
      if (value === '' && is !== 'eq') return { op: 'json-null', field, path }
      const hasOrder = typeof value !== 'boolean' || is === 'matches'
      return { op: 'json', field, path, is: hasOrder ? is : 'eq', value }
    })

const leafOf = (field: Field, model: Model): fc.Arbitrary<Condition> => {
  const value = values[field.kind]
  if (field.comparesElements === true)
    return fc.oneof(
      text.map((value): Condition => ({ op: 'has-element', field: field.name, value })),
      nullTest(field.name),
    )
  if (field.jsonPaths === true) return fc.oneof(insideOf(field.name), nullTest(field.name))
  if (value === undefined) return nullTest(field.name)
  return fc.oneof(
    fc
      .tuple(fc.constantFrom(...comparisonsOf(field, model)), value)
      .filter(([op, value]) => value !== '' || (op !== 'starts-with' && op !== 'equals-ignoring-case'))
      .map(([op, value]): Condition => ({ op, field: field.name, value })),
    fc
      .array(value, { minLength: 2, maxLength: 4 })
      .map((values): Condition => ({ op: 'in', field: field.name, values })),
    nullTest(field.name),
  )
}

/** A comparison or null test of a readable field. */
export const leafOn = (model: Model): fc.Arbitrary<Condition> =>
  fc.oneof(...model.fields.filter(isReadable).map((field) => leafOf(field, model)))

/** Conditions on the sample, in the form that reading them gives: no level with one condition alone. */
export const anyCondition: fc.Arbitrary<Condition> = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leafOn(product),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('tree'), { minLength: 2, maxLength: 3 }))
      .map(([op, conditions]): Condition => ({ op, conditions })),
    tie('tree').map((condition): Condition => ({ op: 'not', condition })),
  ),
})).tree
