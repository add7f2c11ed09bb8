import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ModelSchemas, schemasOf } from '../../src/schema/zod.ts'
import { naming } from '../naming.ts'
import { product } from './model.ts'

const schemas = schemasOf(product)

const keys = (which: keyof ModelSchemas): readonly string[] => Object.keys(schemas[which].shape)

const required = (which: keyof ModelSchemas): readonly string[] =>
  keys(which).filter((key) => schemas[which].shape[key]?.safeParse(undefined).success === false)

const readable = ['id', 'name', 'price', 'in_stock', 'status', 'note', 'slug', 'tags', 'search', 'created_at']
const creatable = ['name', 'price', 'in_stock', 'status', 'note', 'slug', 'tags', 'api_key', 'pin']

describe('the fields of', () => {
  test.each(['list', 'detail'] as const)('%s are those that can be read', (which) => {
    expect(keys(which)).toEqual(readable)
  })

  test('a reply are there always, but in lists, where a client chooses: there the key is', () => {
    expect(required('detail')).toEqual(readable)
    expect(required('list')).toEqual(['id'])
    const { list } = schemasOf({ ...product, primaryKey: ['slug', 'id'] })
    expect(list.safeParse({ id: 1, slug: 'mug', price: '9.90' }).success).toBe(true)
    expect(list.safeParse({ id: 1, price: '9.90' }).success).toBe(false)
    expect(list.safeParse({ id: 1, slug: 'mug', price: 9.9 }).success).toBe(false)
  })

  test('create are those that can be written, but for what is generated', () => {
    expect(keys('create')).toEqual(creatable)
    expect(required('create')).toEqual(['name', 'price', 'pin'])
  })

  test('update are those of create, all optional', () => {
    expect(keys('update')).toEqual(creatable)
    expect(required('update')).toEqual([])
  })

  test('replace may leave out what cannot be read', () => {
    expect(keys('replace')).toEqual(creatable)
    expect(required('replace')).toEqual(['name', 'price'])
  })

  test('create hold a key that nobody generates, which no other request may change', () => {
    const natural = {
      ...product,
      fields: product.fields.map((field) => (field.name === 'id' ? { ...field, hasDefault: false } : field)),
    }
    const { create, update, replace } = schemasOf(natural)
    expect(create.shape).toHaveProperty('id')
    expect(create.safeParse({ name: 'a', price: 1, pin: '1' }).success).toBe(false)
    expect(update.shape).not.toHaveProperty('id')
    expect(replace.shape).not.toHaveProperty('id')
  })
})

describe('a request', () => {
  test('comes out as it is stored, and no default is applied', () => {
    expect(schemas.create.parse({ name: 'Mug', price: 9.9, pin: '1', tags: ['a'], note: null })).toEqual({
      name: 'Mug',
      price: '9.90',
      pin: '1',
      tags: ['a'],
      note: null,
    })
    expect(schemas.update.parse({})).toEqual({})
  })

  test('holds null only where the column does', () => {
    expect(schemas.update.safeParse({ note: null, status: null, tags: null }).success).toBe(true)
    expect(schemas.update.safeParse({ in_stock: null }).success).toBe(false)
    expect(schemas.update.safeParse({ tags: [null] }).success).toBe(false)
  })

  test('holds no key that the schema does not have', () => {
    expect(schemas.update.safeParse({ id: 1 }).success).toBe(false)
    expect(schemas.update.safeParse({ internal: 'x' }).success).toBe(false)
  })
})

describe('a reply', () => {
  const reply = {
    ...{
      id: 1,
      name: 'Mug',
      price: '9.90',
      in_stock: true,
      status: null,
      note: null,
      slug: 'mug',
      tags: null,
    },
    ...{ search: 'mug', created_at: '2026-01-31T23:59:59.123Z' },
  }

  test('is checked as it is sent', () => {
    expect(schemas.detail.parse(reply)).toEqual(reply)
    expect(schemas.detail.safeParse({ ...reply, price: 9.9 }).success).toBe(false)
    expect(schemas.detail.safeParse({ ...reply, created_at: new Date() }).success).toBe(false)
  })
})

describe('the schemas', () => {
  test('are made once, and frozen', () => {
    expect(schemasOf(product)).toBe(schemas)
    expect(schemas.create).toBe(schemas.create)
    expect(Object.isFrozen(schemas)).toBe(true)
  })

  test('can be looked into and extended', () => {
    const { name, in_stock } = schemas.create.shape
    expect(name).toBeInstanceOf(z.ZodString)
    expect(name instanceof z.ZodString && name.maxLength).toBe(100)
    expect(in_stock instanceof z.ZodOptional && in_stock.unwrap()).toBeInstanceOf(z.ZodBoolean)
    const stricter = schemas.create.extend({ name: z.string().min(2) })
    expect(stricter.safeParse({ name: 'M', price: 1, pin: '1' }).success).toBe(false)
    expect(stricter.parse({ name: 'Mug', price: '1', pin: '1' })).toMatchObject({ price: '1.00' })
  })

  test('say what is allowed', () => {
    const messages = schemas.create
      .safeParse({
        name: 'x'.repeat(101),
        price: '9.999',
        in_stock: 'yes',
        status: 'gone',
        pin: '\0',
        tags: [1],
      })
      .error?.issues.map(({ path, message }) => [path.join('.'), message])
    expect(messages).toEqual([
      ['name', expect.stringMatching(naming(100))],
      ['price', expect.stringMatching(naming(8, 2))],
      ['in_stock', expect.stringMatching(naming('true', 'false'))],
      ['status', expect.stringMatching(naming('draft', 'live'))],
      ['tags.0', expect.stringMatching(naming(5))],
      ['pin', expect.stringMatching(naming('Unicode', 'U+0000'))],
    ])
  })
})
