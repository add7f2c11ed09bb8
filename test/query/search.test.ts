import { describe, expect, it } from 'vitest'
import { naming } from '../naming.ts'
import { readListQuery } from './read.ts'
import { product, rules } from './sample.ts'

const filterOf = (query: string, search?: readonly string[]) =>
  readListQuery(query, { ...rules, model: { ...product, ...(search !== undefined && { search }) } }).selection
    .filter

const contains = (field: string, value: string) => ({ op: 'contains', field, value })

describe('search', () => {
  it('looks in every text field that can be read, or in those that the model names', () => {
    const all = ['name', 'note', 'maker'].map((field) => contains(field, 'Lamp 5%'))
    expect(filterOf('search=Lamp+5%25')).toEqual({ op: 'or', conditions: all })
    expect(filterOf('search=x', ['note'])).toEqual({ op: 'or', conditions: [contains('note', 'x')] })
  })

  it('applies beside the conditions', () => {
    expect(filterOf('search=x&id=3', ['note'])).toEqual({
      op: 'and',
      conditions: [
        { op: 'eq', field: 'id', value: 3 },
        { op: 'or', conditions: [contains('note', 'x')] },
      ],
    })
  })

  it.each<[query: string, code: string, names: readonly string[], search?: readonly string[]]>([
    ['search=', 'invalid_value', ['search']],
    ['search=a&search=b', 'malformed_query', ['search']],
    ['search=%00', 'invalid_value', ['search', 'U+0000']],
    ['search=a', 'unknown_parameter', ['Product', 'search'], []],
    ['search>a', 'unknown_parameter', ['search', 'search=', 'q']],
  ])('%s is a 400', (query, code, names, search) => {
    let refusal: unknown
    try {
      filterOf(query, search)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toMatchObject({
      status: 400,
      code,
      detail: expect.stringMatching(naming(...names)),
      errors: [{ parameter: 'search' }],
    })
  })
})
