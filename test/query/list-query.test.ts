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
    expect(read('page=3', { paging: ['page-number'], perPage: 25 }).selection).toMatchObject({
      limit: 25,
      offset: 50,
    })
    expect(read('', { perPage: 2000 }).selection).toMatchObject({ limit: 1000 })
    expect([read('').count, read('count=none').count]).toEqual(['exact', 'none'])
  })

  it('are frozen, so that they can be kept', () => {
    const query = read('sort=name&limit=5')
    for (const part of [query, query.selection, query.selection.order, ...query.selection.order]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  it('reach as far as numbers do', () => {
    expect(read(`offset=${Number.MAX_SAFE_INTEGER}`).selection.offset).toBe(Number.MAX_SAFE_INTEGER)
    const { offset } = read('page=360287970189639', { paging: ['page-number'], perPage: 25 }).selection
    expect(Number.isSafeInteger(offset + 25)).toBe(true)
  })

  it('end with every field of the key that is not named', () => {
    const model = { ...product, primaryKey: ['maker', 'name', 'id'] }
    expect(read('sort=name&order=desc', { model }).selection.order).toEqual([
      { field: 'name', direction: 'desc' },
      { field: 'maker', direction: 'asc' },
      { field: 'id', direction: 'asc' },
    ])
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
