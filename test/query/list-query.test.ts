import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { read } from './read.ts'
import { product } from './sample.ts'

describe('sort and pages', () => {
  const order = (query: string) =>
    read(query).selection.order.map(({ field, direction }) => `${field} ${direction}`)

  it('sort by position, with the key as the last', () => {
    expect(order('')).toEqual(['id asc'])
    expect(order('sort=name&sort=price&order=desc')).toEqual(['name desc', 'price asc', 'id asc'])
    expect(order('sort=price&sort=id&order=asc&order=desc')).toEqual(['price asc', 'id desc'])
  })

  it('window by limit and offset, or by page', () => {
    expect(read('').selection).toMatchObject({ limit: 100, offset: 0 })
    expect(read('limit=0&offset=40').selection).toMatchObject({ limit: 0, offset: 40 })
    expect(read('page=3', { paging: 'page-number', perPage: 25 }).selection).toMatchObject({
      limit: 25,
      offset: 50,
    })
    expect(read('', { perPage: 2000 }).selection).toMatchObject({ limit: 1000 })
    expect([read('').count, read('count=none').count]).toEqual(['exact', 'none'])
  })

  it('takes a sort and page apart again', () => {
    const sorts = fc.uniqueArray(fc.constantFrom('id', 'name', 'price', 'released'), { maxLength: 4 })
    fc.assert(
      fc.property(sorts, fc.nat(1000), fc.nat(), (fields, limit, offset) => {
        const { selection } = read(
          `${fields.map((name) => `sort=${name}&order=desc&`).join('')}limit=${limit}&offset=${offset}`,
        )
        expect(selection).toMatchObject({ limit, offset })
        expect(selection.order.slice(0, fields.length)).toEqual(
          fields.map((field) => ({ field, direction: 'desc' })),
        )
        expect(selection.order.map(({ field }) => field)).toContain(product.primaryKey[0])
      }),
    )
  })
})
