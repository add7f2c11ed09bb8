import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { HttpError } from '../../src/error/errors.ts'
import { Unrepresentable } from '../../src/model/codec.ts'
import { jsonSchemasOf } from '../../src/schema/json-schema.ts'
import { serialiserOf } from '../../src/schema/serialiser.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { compile } from './ajv.ts'
import { product } from './model.ts'

const row = Object.freeze({
  ...{
    id: 1,
    name: 'Mug "x"',
    price: '9.9',
    in_stock: true,
    status: null,
    note: null,
    slug: 'mug',
    tags: ['a'],
  },
  ...{ api_key: 'secret', pin: 'secret', search: 'mug', internal: 'secret' },
  created_at: new Date('2026-01-31T23:59:59.123Z'),
})

const thrownBy = (act: () => unknown): HttpError => {
  try {
    act()
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}

const shell = { items: 'items', rest: { count: 9 } }

describe('a record', () => {
  const { record, page } = serialiserOf(product)

  test('has the readable fields, in the order of the model, and nothing else', () => {
    expect(record(row)).toBe(
      '{"id":1,"name":"Mug \\"x\\"","price":"9.90","in_stock":true,"status":null,"note":null,"slug":"mug","tags":["a"],' +
        '"search":"mug","created_at":"2026-01-31T23:59:59.123Z"}',
    )
    expect(page([row, row], { items: 'items', rest: { count: 2 } })).toBe(
      `{"items":[${record(row)},${record(row)}],"count":2}`,
    )
    expect(page([], { items: 'items', rest: { count: 0 } })).toBe('{"items":[],"count":0}')
  })

  test('in another order, or with more, is the same', () => {
    const plain = modelOf('Plain', [fieldNamed('id', 'text', 'string'), fieldNamed('name', 'text', 'string')])
    const serialiser = serialiserOf(plain)
    for (const stored of [
      { id: '1', name: 'a' },
      { name: 'a', id: '1' },
      { id: '1', name: 'a', extra: 1 },
    ])
      expect(serialiser.record(stored)).toBe('{"id":"1","name":"a"}')
  })

  test('of a list has the chosen fields, whatever else the source gives, and in the order of the model', () => {
    const names = Object.freeze(['created_at', 'id', 'price'])
    const chosen = '{"id":1,"price":"9.90","created_at":"2026-01-31T23:59:59.123Z"}'
    const { id, price, created_at } = row
    for (const stored of [row, { id, price, created_at }, { created_at, price, id, note: null }])
      expect(page([stored], shell, names)).toBe(`{"items":[${chosen}],"count":9}`)
    expect(page([row, row], shell, names)).toBe(`{"items":[${chosen},${chosen}],"count":9}`)
    expect(page([], shell, names)).toBe('{"items":[],"count":9}')
  })

  test('never has a field that cannot be read, chosen or not', () => {
    expect(page([row], shell, ['id', 'pin', 'api_key', 'internal'])).toBe('{"items":[{"id":1}],"count":9}')
  })

  test('is what its JSON Schema says', () => {
    const validate = compile(jsonSchemasOf(product).detail)
    expect(validate(JSON.parse(record(row))), JSON.stringify(validate.errors)).toBe(true)
  })

  test('of every kind is what its JSON Schema says, and the row stays as it is', () => {
    const model = modelOf('Sample', [
      fieldNamed('id', 'bigint', 'bigint'),
      fieldNamed('float', 'float', 'number'),
      fieldNamed('uuid', 'uuid', 'string'),
      fieldNamed('date', 'date', 'date'),
      fieldNamed('time', 'time', 'string'),
      fieldNamed('at', 'datetime', 'string', { fractionDigits: 6 }),
      fieldNamed('local', 'localdatetime', 'date'),
      fieldNamed('bytes', 'bytes', 'bytes'),
      fieldNamed('json', 'json', 'json'),
      fieldNamed('opaque', 'opaque', 'json', { nullable: true }),
      fieldNamed('prices', 'array', 'json', { element: { kind: 'decimal', form: 'string', nullable: true } }),
    ])
    const stored = Object.freeze({
      ...{ id: 2n ** 62n, float: 1.5, uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', date: new Date(0) },
      ...{
        time: '10:00:00',
        at: '2024-01-01 10:00:00.5+00',
        local: new Date(0),
        bytes: Buffer.from('hello'),
      },
      ...{ json: { a: [1] }, opaque: null, prices: ['1.5', null] },
    })
    const sent: unknown = JSON.parse(serialiserOf(model).record(stored))
    expect(sent).toEqual({
      ...{ id: '4611686018427387904', float: 1.5, uuid: stored.uuid, date: '1970-01-01', time: '10:00:00' },
      ...{ at: '2024-01-01T10:00:00.500000Z', local: '1970-01-01T00:00:00.000', bytes: 'aGVsbG8=' },
      ...{ json: { a: [1] }, opaque: null, prices: ['1.5', null] },
    })
    const validate = compile(jsonSchemasOf(model).detail)
    expect(validate(sent), JSON.stringify(validate.errors)).toBe(true)
  })
})

describe('a stored value that has no exact form', () => {
  const { page } = serialiserOf(product)

  test('is a 500 that names its field, and for the log its record', () => {
    const error = thrownBy(() => page([row, { ...row, id: 7, created_at: new Date(Number.NaN) }], shell))
    expect(error).toMatchObject({ status: 500, code: 'unrepresentable_value' })
    expect(error.detail).toMatch(naming('created_at'))
    expect(error.cause).toBeInstanceOf(Unrepresentable)
    expect(error.cause).toMatchObject({ message: expect.stringMatching(naming('Product', 7, 'created_at')) })
  })

  test('is no matter where another field is chosen', () => {
    const broken = { ...row, created_at: new Date(Number.NaN) }
    expect(page([broken], shell, ['id', 'name'])).toBe('{"items":[{"id":1,"name":"Mug \\"x\\""}],"count":9}')
    const error = thrownBy(() =>
      page([{ id: 7, created_at: broken.created_at }], shell, ['id', 'created_at']),
    )
    expect(error.cause).toMatchObject({ message: expect.stringMatching(naming('Product', 7, 'created_at')) })
  })

  test('is found in kinds that are not looked at, too', () => {
    const error = thrownBy(() => page([{ ...row, note: 5n }], shell))
    expect(error).toMatchObject({ status: 500, code: 'unrepresentable_value' })
    expect(error.detail).toMatch(naming('note'))
  })
})
