import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListQuery } from '../../src/query/list-query.ts'
import { naming } from '../naming.ts'
import { read, refusal } from './read.ts'
import { product } from './sample.ts'

const readable = product.fields.map(({ name }) => name).filter((name) => !/^(password|internal)$/.test(name))

const fieldsOf = ({ fields, selection }: ListQuery) => ({ shown: fields, read: selection.fields })

describe('fields', () => {
  it('are all where nothing is said', () => {
    expect(fieldsOf(read('sort=name'))).toEqual({ shown: undefined, read: undefined })
    expect(read('')).not.toHaveProperty('fields')
    expect(read('').selection).not.toHaveProperty('fields')
  })

  it('are those that are named and the key, in the order of the model, however they are named', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(readable, { minLength: 1 }), fc.boolean(), (names, isEncoded) => {
        const expected = readable.filter((name) => name === 'id' || names.includes(name))
        const list = names.join(isEncoded ? '%2C' : ',')
        expect(fieldsOf(read(`fields=${list}&limit=3`))).toEqual({ shown: expected, read: expected })
      }),
    )
  })

  it('hold every field of the key', () => {
    const model = { ...product, primaryKey: ['maker', 'name'] }
    expect(read('fields=price', { model }).fields).toEqual(['name', 'price', 'maker'])
  })

  it('are read with the sort keys where a cursor is made of them, and shown without', () => {
    const { fields, selection, cursorAfter } = read('fields=name&sort=price&sort=name', {
      paging: ['cursor'],
    })
    expect(fields).toEqual(['id', 'name'])
    expect([...(selection.fields ?? [])].sort()).toEqual(['id', 'name', 'price'])
    expect(cursorAfter?.({ id: 1, name: 'a', price: '1.00' })).toBeTruthy()
    expect(fieldsOf(read('fields=name&sort=price'))).toEqual({ shown: ['id', 'name'], read: ['id', 'name'] })
    expect(fieldsOf(read('sort=price', { paging: ['cursor'] }))).toEqual({
      shown: undefined,
      read: undefined,
    })
  })

  it('may change from one cursor page to the next', () => {
    const row = { id: 1, name: 'a' }
    const cursor = (fields: string) => read(`sort=name${fields}`, { paging: ['cursor'] }).cursorAfter?.(row)
    expect(cursor('&fields=price')).toBe(cursor(''))
    const next = read(`sort=name&fields=note,code&cursor=${cursor('&fields=price')}`, { paging: ['cursor'] })
    expect(next.fields).toEqual(['id', 'note', 'code'])
  })

  it('are frozen with their query, so that they can be kept', () => {
    const query = read('fields=price', { paging: ['cursor'] })
    expect([query.fields, query.selection.fields].map((each) => Object.isFrozen(each))).toEqual([true, true])
  })

  it('may have the name of a parameter, and be the name of a field', () => {
    expect(read('fields=limit&limit=5')).toMatchObject({ fields: ['id', 'limit'], selection: { limit: 5 } })
    const [first, ...more] = product.fields
    const model = { ...product, fields: [{ ...first, name: 'fields' }, ...more] as typeof product.fields }
    expect(read(`q=${encodeURIComponent('fields==1')}`, { model }).matching).toMatchObject({
      field: 'fields',
    })
  })

  it.each<[query: string, code: string, names: readonly string[]]>([
    ['fields=colour', 'unknown_field', ['colour']],
    ['fields=id,pric', 'unknown_field', ['pric', 'price']],
    ['fields=password', 'unknown_field', ['password']],
    ['fields=internal', 'unknown_field', ['internal']],
    ['fields=Price', 'unknown_field', ['Price', 'price']],
    ['fields=price,+name', 'unknown_field', ['" name"', 'name', 'name']],
    ['fields=maker.name', 'unknown_field', ['"maker.name"']],
    ['fields=*', 'unknown_field', ['"*"']],
    ['fields=-price', 'unknown_field', ['"-price"', 'price', 'price']],
    ['fields==price', 'unknown_field', ['"=price"', 'price', 'price']],
    ['fields=__proto__', 'unknown_field', ['__proto__']],
    ['fields=price%252Cname', 'unknown_field', ['"price%2Cname"']],
    ['fields=', 'invalid_value', []],
    ['fields', 'invalid_value', []],
    ['fields=,', 'invalid_value', []],
    ['fields=price,', 'invalid_value', []],
    ['fields=price,,name', 'invalid_value', []],
    ['fields=price,name,price', 'malformed_query', ['price']],
    ['fields=id,id', 'malformed_query', ['id']],
  ])('%s is a 400 that says what is allowed', (query, code, names) => {
    const error = refusal(query)
    expect(error).toMatchObject({ status: 400, code, errors: [{ parameter: 'fields', code }] })
    expect(error.detail).toMatch(naming('fields', ...names, ...readable))
    expect(error.detail.replace(query.slice('fields='.length), '')).not.toMatch(/password|internal/)
  })

  it('the name may be repeated, as many clients do', () => {
    expect(read('fields=price&fields=name').fields).toEqual(read('fields=price,name').fields)
    expect(refusal('fields=price&fields=price')).toMatchObject({ code: 'malformed_query' })
  })

  it.each<[query: string, code: string, names: readonly string[]]>([
    ['fields>price', 'unknown_parameter', ['fields=', 'q']],
  ])('%s is a 400', (query, code, names) => {
    expect(refusal(query)).toMatchObject({
      code,
      detail: expect.stringMatching(naming('fields', ...names)),
      errors: [{ parameter: 'fields', code }],
    })
  })

  it('of any number of characters are refused in few', () => {
    expect(refusal(`fields=${'x'.repeat(8000)}`).detail.length).toBeLessThan(500)
    expect(refusal(`fields=${'a,'.repeat(4000)}`).detail.length).toBeLessThan(500)
  })
})
