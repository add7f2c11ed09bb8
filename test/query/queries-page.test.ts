import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problemCodes } from '../../src/error/codes.ts'
import { kinds } from '../../src/model/kinds/index.ts'
import type { Model } from '../../src/model/model.ts'
import { parameterNames } from '../../src/query/parameters.ts'
import { querySettings } from '../../src/query/settings.ts'
import { serialiserOf } from '../../src/schema/serialiser.ts'
import { fieldNamed as field } from '../sample-model.ts'
import { type Sample, select } from './matches.ts'
import { tablesOf } from './page-tables.ts'
import { encoded, read, refusal } from './read.ts'
import { product } from './sample.ts'

const tables = tablesOf(readFileSync('docs/queries.md', 'utf8'))
const withColumns = (...columns: readonly string[]) =>
  tables.filter((table) => columns.every((column) => table.columns.includes(column)))
const rowsWith = (...columns: readonly string[]) => withColumns(...columns).flatMap(({ rows }) => rows)

/** The products that the page speaks of. */
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
  ],
  relations: [],
}

const records: readonly Sample[] = rowsWith('id', 'name', 'price').map((row) =>
  Object.fromEntries(
    model.fields.map((each) => {
      const text = row[each.name] ?? ''
      const reading = kinds[each.kind].readText(text, each)
      if (!reading.ok) throw new Error(`${each.name}: expected ${reading.expected}`)
      return [each.name, text === 'null' ? null : reading.value]
    }),
  ),
)

const found = (query: string): string =>
  select(records, read(query, { model }).selection)
    .map(({ id }) => id)
    .join(', ') || 'none'

describe('docs/queries.md', () => {
  it.each(rowsWith('condition', 'finds'))('$condition finds $finds', ({ condition = '', finds }) => {
    expect(found(encoded(condition))).toBe(finds)
  })

  it.each(rowsWith('query string', 'finds'))('$0 finds $finds', (row) => {
    expect(found(row['query string'] ?? '')).toBe(row['finds'])
  })

  it.each(rowsWith('query string', 'first item'))('shows: $meaning', (row) => {
    const { selection, fields } = read(row['query string'] ?? '', { model })
    expect(serialiserOf(model).page(select(records, selection).slice(0, 1), { count: 1 }, fields)).toBe(
      `{"items":[${row['first item']}],"count":1}`,
    )
  })

  it.each(rowsWith('query string', 'code'))('refuses: $code', (row) => {
    expect(refusal(row['query string'] ?? '', { model }).code).toBe(row['code'])
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
    const listed = rowsWith('parameter').flatMap(({ parameter = '' }) => parameter.match(/\w+/g) ?? [])
    expect(new Set(listed)).toEqual(new Set(Object.values(parameterNames).flat()))
  })

  it('lists the limits with their defaults', () => {
    for (const { setting = '', default: value } of rowsWith('setting', 'default')) {
      expect(value).toBe(String(querySettings[setting as keyof typeof querySettings].default))
    }
    expect(rowsWith('setting')).toHaveLength(
      Object.keys(querySettings).filter((name) => name.startsWith('QUERY_')).length,
    )
  })

  it('has examples', () => {
    expect([withColumns('finds').length, records.length]).toEqual([7, 5])
    expect(rowsWith('finds').length).toBeGreaterThan(40)
  })
})
