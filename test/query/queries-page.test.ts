import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problemCodes } from '../../src/error/codes.ts'
import { camelName, type SettingRow } from '../../src/error/settings.ts'
import { kinds } from '../../src/model/kinds/index.ts'
import type { Model, Relation } from '../../src/model/model.ts'
import { conditionForms, fieldsByComparability, operatorsOf } from '../../src/query/explained.ts'
import { operators } from '../../src/query/operators.ts'
import { parameterNames } from '../../src/query/parameters.ts'
import { type ListRules, querySettings } from '../../src/query/settings.ts'
import { serialiserOf } from '../../src/schema/serialiser.ts'
import { fieldNamed as field, modelOf } from '../sample-model.ts'
import { type RelatedTo, type Sample, select } from './matches.ts'
import { tablesOf } from './page-tables.ts'
import { encoded, read, refusal } from './read.ts'
import { product } from './sample.ts'

const tables = ['docs/queries.md', 'docs/json-filters.md', 'docs/query-reference.md'].flatMap((page) =>
  tablesOf(readFileSync(page, 'utf8')),
)
const withColumns = (...columns: readonly string[]) =>
  tables.filter((table) => columns.every((column) => table.columns.includes(column)))
const rowsWith = (...columns: readonly string[]) => withColumns(...columns).flatMap(({ rows }) => rows)

const relation = (name: string, other: string, from: string, to: string, inverse: string): Relation => ({
  ...{ name, kind: from === 'id' ? 'to-many' : 'to-one', model: other, inverse },
  ...{ fields: [from], references: [to] },
})

/** The products that the page speaks of, and what they refer to. */
const model: Model = {
  ...product,
  fields: [
    field('id', 'integer', 'number'),
    field('name', 'text', 'string'),
    field('price', 'decimal', 'number', { precision: 10, scale: 2 }),
    field('in_stock', 'boolean', 'boolean'),
    field('status', 'enum', 'string', { values: ['live', 'draft', 'retired'] }),
    field('note', 'text', 'string', { nullable: true }),
    field('added', 'datetime', 'date'),
    field('maker_id', 'integer', 'number', { nullable: true }),
    field('attributes', 'json', 'json', { nullable: true, jsonPaths: true }),
  ],
  relations: [
    relation('maker', 'Maker', 'maker_id', 'id', 'products'),
    relation('reviews', 'Review', 'id', 'product_id', 'product'),
  ],
}
const maker = modelOf(
  'Maker',
  [
    field('id', 'integer', 'number'),
    field('name', 'text', 'string'),
    field('city', 'text', 'string', { nullable: true }),
  ],
  { relations: [relation('products', 'Product', 'id', 'maker_id', 'maker')] },
)
const review = modelOf(
  'Review',
  [
    field('id', 'integer', 'number'),
    field('product_id', 'integer', 'number'),
    field('stars', 'integer', 'number'),
    field('author', 'text', 'string'),
  ],
  { relations: [relation('product', 'Product', 'product_id', 'id', 'reviews')] },
)

const recordsOf = ({ fields }: Model, rows: readonly Readonly<Record<string, string>>[]): readonly Sample[] =>
  rows.map((row) =>
    Object.fromEntries(
      fields.map((each) => {
        const text = row[each.name] ?? ''
        const reading = kinds[each.kind].readText(text, each)
        if (text !== 'null' && !reading.ok) throw new Error(`${each.name}: expected ${reading.expected}`)
        return [each.name, reading.ok && text !== 'null' ? reading.value : null]
      }),
    ),
  )

const attributesOf = new Map(rowsWith('id', 'attributes').map((row) => [row['id'], row['attributes'] ?? '']))

const records = recordsOf(
  model,
  rowsWith('id', 'name', 'price').map((row) => ({ ...row, attributes: attributesOf.get(row['id']) ?? '' })),
)

const all: Readonly<Record<string, { readonly model: Model; readonly records: readonly Sample[] }>> = {
  Product: { model, records },
  Maker: {
    model: maker,
    records: recordsOf(
      maker,
      rowsWith('maker', 'city').map((row) => ({ ...row, id: row['maker'] ?? '' })),
    ),
  },
  Review: {
    model: review,
    records: recordsOf(
      review,
      rowsWith('review', 'stars').map((row) => ({ ...row, id: row['review'] ?? '' })),
    ),
  },
}

const pageModel = (name: string): Model => all[name]?.model ?? model

const rules: Partial<ListRules> = {
  model,
  modelOf: pageModel,
  relationsOf: ({ relations }) =>
    new Map(relations.map((each) => [each.name, { relation: each, target: pageModel(each.model) }])),
}

const related: RelatedTo = (record, name) => {
  const [found] = Object.values(all).flatMap(({ model: { relations }, records: own }) =>
    own.includes(record) ? relations.filter((each) => each.name === name) : [],
  )
  const { fields: [from = ''] = [], references: [to = ''] = [], model: other = '' } = found ?? {}
  return (all[other]?.records ?? []).filter((each) => record[from] !== null && each[to] === record[from])
}

const found = (query: string): string =>
  select(records, read(query, rules).selection, related)
    .map(({ id }) => id)
    .join(', ') || 'none'

describe('the pages on queries', () => {
  it.each(rowsWith('condition', 'finds'))('$condition finds $finds', ({ condition = '', finds }) => {
    expect(found(encoded(condition))).toBe(finds)
  })

  it('what the document of an API explains stands here too', () => {
    const rows = rowsWith('condition', 'meaning').map(({ condition, meaning }) => ({ condition, meaning }))
    for (const { condition, meaning } of conditionForms) expect(rows).toContainEqual({ condition, meaning })
  })

  it.each(operators)(
    'the operator $sign stands in the grammar, and in the document of an API',
    ({ sign }) => {
      expect(readFileSync('docs/query-reference.md', 'utf8')).toContain(`"${sign}"`)
      expect(fieldsByComparability(model).map((group) => operatorsOf(...group))).toContainEqual(
        expect.stringContaining(`\`${sign}\``),
      )
      expect(conditionForms.map((each) => each.condition + each.meaning).join()).toContain(sign)
    },
  )

  it.each(rowsWith('query string', 'finds'))('$0 finds $finds', (row) => {
    expect(found(row['query string'] ?? '')).toBe(row['finds'])
  })

  it.each(rowsWith('query string', 'first item'))('shows: $meaning', (row) => {
    const { selection, fields } = read(row['query string'] ?? '', rules)
    expect(
      serialiserOf(model).page(
        select(records, selection).slice(0, 1),
        { items: 'items', rest: { count: 1 } },
        fields,
      ),
    ).toBe(`{"items":[${row['first item']}],"count":1}`)
  })

  it.each(rowsWith('query string', 'code'))('refuses: $code', (row) => {
    expect(refusal(row['query string'] ?? '', rules).code).toBe(row['code'])
  })

  it('shows every code that a query is refused with', () => {
    const shown = new Set(rowsWith('query string', 'code').map(({ code }) => code))
    const all = Object.keys(problemCodes).filter((code) => /query|parameter|field|operator|value/.test(code))
    expect([...shown].sort()).toEqual(
      all
        .filter(
          (code) =>
            problemCodes[code as keyof typeof problemCodes].status === 400 && code !== 'query_too_long',
        )
        .sort(),
    )
  })

  it('lists every parameter', () => {
    const [table] = withColumns('parameter')
    const listed = (table?.rows ?? []).flatMap(({ parameter = '' }) => parameter.match(/\w+/g) ?? [])
    expect(new Set(listed)).toEqual(new Set(Object.values(parameterNames).flat()))
  })

  it('lists the limits with their defaults', () => {
    const shown = rowsWith('setting', 'default').map(({ setting, default: value }) => [setting, value])
    const limits = Object.entries<SettingRow>(querySettings).filter(([name]) => !name.startsWith('NINJA_'))
    expect(shown).toEqual(limits.map(([name, row]) => [camelName(name, row), String(row.default)]))
  })

  it('has examples', () => {
    expect([withColumns('finds').length, records.length]).toEqual([10, 5])
    expect(rowsWith('finds').length).toBeGreaterThan(40)
  })
})
