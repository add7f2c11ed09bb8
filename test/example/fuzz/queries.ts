import fc from 'fast-check'
import type { Model, Operation } from 'modelrest'
import type { JsonSchema } from '../../../src/model/codec.ts'
import { valuesOf } from './values.ts'

const orderedTypes = ['string', 'integer', 'number']

const operatorsOf = (schema: JsonSchema): readonly string[] => {
  const { enum: values, anyOf, type } = schema
  const isOrdered =
    values === undefined &&
    anyOf === undefined &&
    [type].flat().some((name) => orderedTypes.includes(String(name)))
  return isOrdered ? ['=', '==', '!=', '<', '<=', '>', '>='] : ['=', '==', '!=']
}

const written = (value: unknown): string =>
  typeof value === 'string' ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : plain(value)

/** No exponent with a plus: it would be read as a space. Others are understood. */
const plain = (value: unknown): string => String(value)

const conditionOn = (name: string, schema: JsonSchema): fc.Arbitrary<string> => {
  const isNull = fc.constantFrom('=', '==', '!=').map((operator) => `${name}${operator}null`)
  if (schema['type'] === undefined && schema['anyOf'] === undefined) return isNull
  const compared = fc
    .tuple(fc.constantFrom(...operatorsOf(schema)), valuesOf(schema))
    .filter(([, value]) => value !== null)
    .map(([operator, value]) => `${name}${operator}${written(value)}`)
  const anyOf = fc
    .tuple(
      fc.constantFrom('==', '!='),
      fc.array(
        valuesOf(schema).filter((value) => value !== null),
        { minLength: 1, maxLength: 4 },
      ),
    )
    .map(([operator, values]) => `${name}${operator}${values.map(written).join(',')}`)
  return fc.oneof({ weight: 4, arbitrary: compared }, anyOf, isNull)
}

/** `components.schemas` of the document: what a list's items look like is found there. */
export type Schemas = Readonly<Record<string, JsonSchema>>

interface PageSchema {
  readonly schema: { readonly properties: { readonly items: { readonly items: { readonly $ref: string } } } }
}

const itemProperties = ({ success }: Operation, schemas: Schemas): Readonly<Record<string, JsonSchema>> => {
  const { $ref } = (success.schema as unknown as PageSchema).schema.properties.items.items
  const item = schemas[$ref.replace('#/components/schemas/', '')] as {
    readonly properties: Readonly<Record<string, JsonSchema>>
  }
  return item.properties
}

const conditions = (operation: Operation, schemas: Schemas): fc.Arbitrary<string> => {
  const properties = itemProperties(operation, schemas)
  const single = fc.oneof(...Object.entries(properties).map(([name, schema]) => conditionOn(name, schema)))
  const group = fc
    .tuple(
      fc.constantFrom('', '!'),
      fc.array(single, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('|', '&'),
    )
    .map(([not, parts, joint]) => `${not}(${parts.join(joint)})`)
  return fc.oneof({ weight: 3, arbitrary: single }, group)
}

/** The names that a parameter takes. */
const namesFor = (parameter: 'sort' | 'fields', { parameters }: Operation): readonly string[] => {
  const schema = parameters.find(({ name }) => name === parameter)?.schema ?? {}
  return (schema['items'] as { readonly enum: readonly string[] }).enum
}

/** What a URL can hold, and a database. */
const isText = (text: string): boolean => !/\p{Surrogate}|\0/u.test(text)

/** Query strings that a list takes. */
export const validQueries = (operation: Operation, schemas: Schemas): fc.Arbitrary<string> => {
  const one = conditions(operation, schemas)
  const hasSearch = operation.parameters.some(({ name }) => name === 'search')
  const inQ = fc
    .array(one, { minLength: 1, maxLength: 3 })
    .map((parts) => [`q=${encodeURIComponent(parts.join('&'))}`])
  const typed = one.map((condition) => [encodeURIComponent(condition)])
  const sort = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...namesFor('sort', operation)), fc.constantFrom('asc', 'desc')), {
      selector: ([field]) => field,
      minLength: 1,
      maxLength: 3,
    })
    .map((sorts) => sorts.flatMap(([field, order]) => [`sort=${field}`, `order=${order}`]))
  const limit = fc
    .oneof({ weight: 9, arbitrary: fc.nat(30) }, fc.constantFrom(0, 1, 100, 1000))
    .map((value) => [`limit=${value}`])
  const offset = fc.oneof(fc.nat(100), fc.maxSafeNat()).map((value) => [`offset=${value}`])
  const count = fc.constantFrom('exact', 'estimated', 'none').map((value) => [`count=${value}`])
  const fields = fc
    .tuple(
      fc.shuffledSubarray([...namesFor('fields', operation)], { minLength: 1 }),
      fc.constantFrom(',', '%2C'),
    )
    .map(([chosen, comma]) => [`fields=${chosen.join(comma)}`])
  const search = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 3 })
    .filter(isText)
    .map((text) => (hasSearch ? [`search=${encodeURIComponent(text)}`] : []))
  return fc
    .tuple(
      ...[inQ, typed, sort, limit, offset, count, fields, search].map((part) => fc.option(part, { nil: [] })),
    )
    .map((parts) => parts.flat().join('&'))
}

const names = (model: Model): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      'q',
      'sort',
      'order',
      'limit',
      'offset',
      'page',
      'count',
      'fields',
      'search',
      'include',
      'cursor',
      'a.b',
    ),
    fc.constantFrom(...model.fields.map(({ name }) => name)),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )

const nastyTexts = [
  '',
  'null',
  '-1',
  '1e3',
  '0x10',
  '1001',
  '99999999999999999999',
  'NaN',
  'true',
  '"',
  '%',
  '\0',
  ',',
  '(',
  '9.999',
]

const texts = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '(', ')', '|', '&', '!', '=', '<', '>', ',', '%', '_', 'a'),
    maxLength: 60,
  }),
  fc.nat().map(String),
)

const operators = fc.constantFrom('=', '==', '!=', '<', '<=', '>', '>=', '', '=>', '===', '~')

/** Query strings that are mostly refused. */
export const noiseQueries = (model: Model): fc.Arbitrary<string> => {
  const segment = fc.tuple(names(model), operators, texts).map((parts) => encodeURIComponent(parts.join('')))
  const named = fc
    .tuple(names(model), texts)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const inQ = fc
    .tuple(names(model), operators, texts)
    .map((parts) => `q=${encodeURIComponent(parts.join(''))}`)
  const raw = fc.string({ unit: fc.constantFrom(...'%&=+;,.!~()*ab019<>"\'|[]'), maxLength: 40 })
  const deep = fc.integer({ min: 1, max: 3000 }).map((depth) => `q=${'('.repeat(depth)}`)
  const many = fc
    .integer({ min: 40, max: 400 })
    .map((count) => Array(count).fill(`${model.primaryKey[0]}==1`).join('&'))
  return fc
    .array(
      fc.oneof(
        { weight: 8, arbitrary: segment },
        { weight: 8, arbitrary: named },
        { weight: 8, arbitrary: inQ },
        { weight: 4, arbitrary: raw },
        deep,
        many,
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((segments) => segments.join('&'))
}
