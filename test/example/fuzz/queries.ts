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

/** What a query can name: the fields of a record, and those of the records that it is related to. */
interface Names {
  readonly fields: Readonly<Record<string, JsonSchema>>
  readonly one: Readonly<Record<string, Names>>
  readonly many: Readonly<Record<string, Names>>
}

const namesIn = (schema: JsonSchema, schemas: Schemas): Names => {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, JsonSchema>> }
  const entries = Object.entries(properties).filter(([name]) => name !== '_related')
  const related = (place: (each: JsonSchema) => unknown): Readonly<Record<string, Names>> =>
    Object.fromEntries(
      entries.flatMap(([name, each]) => {
        const $ref = place(each)
        return typeof $ref === 'string' ? [[name, namesIn(resolved($ref, schemas), schemas)]] : []
      }),
    )
  const one = related(({ anyOf }) => (anyOf as readonly JsonSchema[] | undefined)?.[0]?.['$ref'])
  const many = related(({ items }) => (items as JsonSchema | undefined)?.['$ref'])
  const fields = entries.filter(([name]) => !Object.hasOwn(one, name) && !Object.hasOwn(many, name))
  return { fields: Object.fromEntries(fields), one, many }
}

const resolved = ($ref: string, schemas: Schemas): JsonSchema =>
  schemas[$ref.replace('#/components/schemas/', '')] ?? {}

const itemOf = ({ success }: Operation, schemas: Schemas): JsonSchema =>
  resolved((success.schema as unknown as PageSchema).schema.properties.items.items.$ref, schemas)

const conditions = ({ fields, one, many }: Names): fc.Arbitrary<string> => {
  const all = [
    ...Object.entries(fields).map(([name, schema]) => conditionOn(name, schema)),
    ...Object.entries({ ...one, ...many }).flatMap(([relation, { fields }]) => [
      fc.constantFrom('=', '!=').map((operator) => `${relation}${operator}null`),
      ...Object.entries(fields).map(([name, schema]) => conditionOn(`${relation}.${name}`, schema)),
    ]),
  ]
  const single = fc.oneof(...all)
  const group = fc
    .tuple(
      fc.constantFrom('', '!'),
      fc.array(single, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('|', '&'),
    )
    .map(([not, parts, joint]) => `${not}(${parts.join(joint)})`)
  return fc.oneof({ weight: 3, arbitrary: single }, group)
}

/** What `include` takes: each relation once, some with options. */
const includes = ({ one, many }: Names): fc.Arbitrary<readonly string[]> => {
  const limit = fc.nat(10).map((value) => [`limit=${value}`])
  const count = fc.constantFrom('exact', 'none').map((value) => [`count=${value}`])
  const relations = Object.entries({ ...one, ...many }).map(([relation, { fields }]) => {
    const chosen = fc
      .shuffledSubarray(Object.keys(fields), { minLength: 1 })
      .map((names) => [`fields=${names.join(',')}`])
    const possible = Object.hasOwn(many, relation) ? [limit, count, chosen] : [chosen]
    return fc
      .tuple(...possible.map((option) => fc.option(option, { nil: [] })))
      .map((parts) => parts.flat())
      .map((parts) => (parts.length === 0 ? relation : `${relation}(${parts.join(';')})`))
  })
  return fc.option(fc.tuple(...relations), { nil: [] }).chain((each) => fc.subarray([...each]))
}

const isSorted = (schema: JsonSchema): boolean =>
  schema['type'] !== undefined && !String(schema['format']).startsWith('uri')

/** What a URL can hold, and a database. */
const isText = (text: string): boolean => !/\p{Surrogate}|\0/u.test(text)

const inUrl = (name: string, values: readonly string[]): readonly string[] =>
  values.length === 0 ? [] : [`${name}=${encodeURIComponent(values.join(','))}`]

/** The parts of a query string that filter. */
const filters = (names: Names, hasSearch: boolean): readonly fc.Arbitrary<readonly string[]>[] => {
  const one = conditions(names)
  const inQ = fc
    .array(one, { minLength: 1, maxLength: 3 })
    .map((parts) => [`q=${encodeURIComponent(parts.join('&'))}`])
  const typed = one.map((condition) => [encodeURIComponent(condition)])
  const search = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 3 })
    .filter(isText)
    .map((text) => (hasSearch ? [`search=${encodeURIComponent(text)}`] : []))
  return [inQ, typed, search]
}

const upTo = (most: number, names: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.subarray([...names], { maxLength: Math.min(most, names.length) })

/** Query strings that an aggregation takes of the records that the list has. */
const aggregations = (names: Names, hasSearch: boolean): fc.Arbitrary<string> => {
  const all = Object.entries(names.fields)
  const groups = all.filter(([, schema]) => isSorted(schema)).map(([name]) => name)
  const dates = all.filter(([, schema]) => schema['format'] === 'date-time').map(([name]) => name)
  const numbers = all.filter(([, { type }]) => [type].flat().includes('integer')).map(([name]) => name)
  const parts = dates.flatMap((name) => ['year', 'month', 'week', 'day'].map((part) => `${part}(${name})`))
  const functions = [
    'count',
    ...numbers.map((name) => `max(${name})`),
    ...groups.map((name) => `count(${name})`),
  ]
  const group = upTo(3, [...groups, ...parts]).map((chosen) => inUrl('group', chosen))
  const aggregate = upTo(4, functions).map((chosen) => inUrl('aggregate', chosen))
  const limit = fc.integer({ min: 1, max: 1000 }).map((value) => [`limit=${value}`])
  return joined([...filters(names, hasSearch), group, aggregate, limit])
}

const joined = (parts: readonly fc.Arbitrary<readonly string[]>[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => fc.option(part, { nil: [] as readonly string[] })))
    .map((each) => each.flat().join('&'))

/**
 * Query strings that an operation takes.
 * @param list the list whose records an aggregation is about
 */
export const validQueries = (
  operation: Operation,
  list: Operation,
  schemas: Schemas,
): fc.Arbitrary<string> => {
  const has = (parameter: string) => operation.parameters.some(({ name }) => name === parameter)
  if (!has('q') && !has('include')) return fc.constant('')
  const names = namesIn(has('q') ? itemOf(list, schemas) : (operation.success.schema?.schema ?? {}), schemas)
  if (has('aggregate')) return aggregations(names, has('search'))
  const include = includes(names).map((chosen) => inUrl('include', chosen))
  return has('q') ? joined([...listParts(names, has('search')), include]) : joined([include])
}

const listParts = (names: Names, hasSearch: boolean): readonly fc.Arbitrary<readonly string[]>[] => {
  const sortable = [
    ...sortedIn(names),
    ...Object.entries(names.one).flatMap(([relation, of]) =>
      sortedIn(of).map((name) => `${relation}.${name}`),
    ),
  ]
  const sort = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...sortable), fc.constantFrom('asc', 'desc')), {
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
    .tuple(fc.shuffledSubarray(Object.keys(names.fields), { minLength: 1 }), fc.constantFrom(',', '%2C'))
    .map(([chosen, comma]) => [`fields=${chosen.join(comma)}`])
  return [...filters(names, hasSearch), sort, limit, offset, count, fields]
}

const sortedIn = ({ fields }: Names): readonly string[] =>
  Object.entries(fields)
    .filter(([, schema]) => isSorted(schema))
    .map(([name]) => name)

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
      'group',
      'aggregate',
      'timezone',
      'a.b',
    ),
    fc.constantFrom(...model.fields.map(({ name }) => name)),
    fc.constantFrom('id', ...model.relations.flatMap(({ name }) => [name, `${name}.id`])),
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
