import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import type { ListQuery } from '../../src/query/list-query.ts'
import type { ListRules } from '../../src/query/settings.ts'
import { naming } from '../naming.ts'
import { readListQuery } from './read.ts'
import { product, rules } from './sample.ts'

const read = (query: string, more: Partial<ListRules> = {}): ListQuery =>
  readListQuery(query, { ...rules, paging: ['cursor'], ...more })

const lamp = {
  id: 7,
  name: 'Lamp "é" & 🎉',
  price: '9.90',
  in_stock: true,
  note: null,
  status: 'live',
  released: new Date('2026-01-31T10:00:00.123Z'),
  stock: 9223372036854775807n,
  maker: 'acme',
}

const cursorOf = (query: string, row: object = lamp, more: Partial<ListRules> = {}): string =>
  read(query, more).cursorAfter?.(row as Record<string, unknown>) ?? ''

const refusal = (query: string, more: Partial<ListRules> = {}): HttpError => {
  try {
    read(query, more)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
  throw new Error(`${query} was accepted.`)
}

describe('a cursor', () => {
  it('holds the sort values of a record, exactly', () => {
    const sort = 'sort=released&sort=stock&order=desc&order=asc'
    const { selection, matching } = read(`${sort}&name=x&cursor=${cursorOf(`${sort}&name=x`)}`)
    expect(matching).toEqual({ op: 'contains', field: 'name', value: 'x' })
    expect(selection).toMatchObject({ limit: 100, offset: 0 })
    const text = JSON.stringify(selection.filter, (_key, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    expect(text).toContain('2026-01-31T10:00:00.123Z')
    expect(text).toContain('9223372036854775807n')
    expect(text).toContain('"op":"gt","field":"id","value":7')
  })

  it.each(['asc', 'desc'])(
    'of a sort by many fields that may be null is read in a few statements, %s',
    (order) => {
      const sorts = ['note', 'released', 'stock', 'limit', 'code', 'weight', 'day', 'opens']
      const sort = sorts.map((name) => `sort=${name}&order=${order}`).join('&')
      for (const row of [{ id: 1, limit: 5, weight: 1 }, { id: 1 }]) {
        const cursor = read(sort).cursorAfter?.(row, [{ ...row, id: 2 }])
        const { continued } = read(`${sort}&cursor=${cursor}`)
        expect(continued?.length).toBeLessThanOrEqual(4)
      }
    },
  )

  it('may be used with another limit, and other fields', () => {
    expect(read(`limit=5&cursor=${cursorOf('limit=50')}`).selection.limit).toBe(5)
    expect(read(`fields=name&cursor=${cursorOf('fields=price')}`).fields).toEqual(['id', 'name'])
  })

  it.each([
    ['another filter', 'name=x', 'name=y', {}],
    ['another search', 'search=x', 'search=y', {}],
    ['no filter', 'name=x', '', {}],
    ['another sort', 'sort=name', 'sort=price', {}],
    ['another order', 'sort=name', 'sort=name&order=desc', {}],
    ['another key', 'sort=name', 'sort=name', { secret: 'another' }],
    ['another model', 'sort=name', 'sort=name', { model: { ...product, name: 'Maker' } }],
  ])('is refused with %s', (_title, given, used, more) => {
    expect(refusal(`${used}&cursor=${cursorOf(given)}`, more)).toMatchObject({
      status: 400,
      code: 'invalid_value',
      errors: [{ parameter: 'cursor', code: 'invalid_value' }],
      detail: expect.stringMatching(naming('cursor')),
    })
  })

  it('is refused when any of its characters is changed, left out or added', () => {
    const cursor = cursorOf('sort=name')
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'ABxyz019-_'), (at, character) => {
        const changed = cursor.slice(0, at) + character + cursor.slice(at + 1)
        if (changed !== cursor) expect(refusal(`sort=name&cursor=${changed}`).status).toBe(400)
        const shorter = cursor.slice(0, at) + cursor.slice(at + 1)
        expect(refusal(`sort=name&cursor=${shorter}`).status).toBe(400)
        expect(refusal(`sort=name&cursor=${cursor}${character}`).status).toBe(400)
      }),
    )
    fc.assert(
      fc.property(
        fc.base64String({ minLength: 1 }),
        (text) => refusal(`cursor=${encodeURIComponent(text)}`).status === 400,
      ),
    )
  })

  it('knows its own parameters alone', () => {
    expect(refusal('offset=1')).toMatchObject({ code: 'unknown_parameter' })
    expect(refusal('page=1')).toMatchObject({ code: 'unknown_parameter' })
    expect(refusal('limit=0')).toMatchObject({
      code: 'invalid_value',
      detail: expect.stringMatching(naming('limit', 1, 1000)),
      errors: [{ parameter: 'limit', code: 'out_of_range' }],
    })
    expect(refusal('cursor=a', { paging: ['limit-offset'] })).toMatchObject({ code: 'unknown_parameter' })
    expect([read('').count, read('count=exact').count]).toEqual(['none', 'exact'])
  })
})
