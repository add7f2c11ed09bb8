import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { nullable, Unrepresentable } from '../../../src/model/codec.ts'
import { kinds } from '../../../src/model/kinds/index.ts'
import { naming } from '../../naming.ts'
import { expectation, field, read, readText, write } from './field.ts'

describe('the flags', () => {
  const having = (flag: 'comparable' | 'ordered' | 'textual') =>
    Object.entries(kinds)
      .filter(([, row]) => row[flag])
      .map(([kind]) => kind)

  test('say what can be compared, ordered and searched', () => {
    expect(having('textual')).toEqual(['text'])
    expect(having('ordered').sort()).toEqual(
      ['text', 'integer', 'bigint', 'float', 'decimal', 'date', 'time', 'datetime', 'localdatetime'].sort(),
    )
    expect(Object.keys(kinds).filter((kind) => !having('comparable').includes(kind))).toEqual([
      'json',
      'array',
      'file',
      'image',
      'opaque',
    ])
  })
})

describe('text', () => {
  const name = field('text', 'string', { maxLength: 3 })

  test('is as long as its code points', () => {
    expect(read(name, '🎈🎈🎈')).toBe('🎈🎈🎈')
    expect(read(name, '🎈🎈🎈🎈')).toBe('too_long')
    expect(read(name, 'abcd')).toBe('too_long')
    expect(expectation(name, 'abcd')).toMatch(naming(3))
  })

  test('is Unicode that databases hold', () => {
    expect(read(name, 'a\0')).toBe('invalid_format')
    expect(read(name, '\ud83c')).toBe('invalid_format')
    expect(readText(name, '\0')).toBe('invalid_format')
    expect(read(name, 5)).toBe('wrong_type')
  })

  test('in a query may be longer than any that is stored', () => {
    expect(readText(name, 'abcdef')).toBe('abcdef')
  })
})

describe('enums, booleans and UUIDs', () => {
  const status = field('enum', 'string', { values: ['draft', 'live'] })

  test('are one of their values', () => {
    expect(read(status, 'live')).toBe('live')
    expect(read(status, 'gone')).toBe('not_in_enum')
    expect(read(status, 1)).toBe('wrong_type')
    expect(expectation(status, 'gone')).toMatch(naming('draft', 'live'))
    const boolean = field('boolean', 'boolean')
    expect(read(boolean, true)).toBe(true)
    expect(read(boolean, 'true')).toBe('wrong_type')
    expect(readText(boolean, 'false')).toBe(false)
    expect(readText(boolean, '0')).toBe('invalid_format')
  })

  test('a UUID is lower case once it is read', () => {
    const uuid = field('uuid', 'string')
    expect(read(uuid, '3F2504E0-4F89-41D3-9A0C-0305E82C3301')).toBe('3f2504e0-4f89-41d3-9a0c-0305e82c3301')
    expect(read(uuid, 'urn:uuid:3f2504e0-4f89-41d3-9a0c-0305e82c3301')).toBe('invalid_format')
    expect(read(uuid, '3f2504e04f8941d39a0c0305e82c3301')).toBe('invalid_format')
  })
})

describe('bytes', () => {
  const bytes = field('bytes', 'bytes', { maxLength: 4 })

  test('are canonical base64', () => {
    expect(read(bytes, 'AAEC')).toEqual(Buffer.from([0, 1, 2]))
    expect(write(bytes, new Uint8Array([0, 1, 2, 255]))).toBe('AAEC/w==')
    expect(read(bytes, '')).toEqual(Buffer.alloc(0))
    for (const sent of ['AAE', 'AA', 'AB==', 'AA-_', 'AA EC', 'AAEC\n'])
      expect(read(bytes, sent)).toBe('invalid_format')
    expect(read(bytes, 'AAECAwQ=')).toBe('too_long')
    expect(read(bytes, [0, 1])).toBe('wrong_type')
  })

  test('may be bytes that code hands out', () => {
    expect(read(bytes, new Uint8Array([1, 2]))).toEqual(Buffer.from([1, 2]))
    expect(read(bytes, new Uint8Array(5))).toBe('too_long')
    expect(() => write(bytes, 'AAEC')).toThrow(Unrepresentable)
  })
})

describe('JSON', () => {
  const json = field('json', 'json')

  test('is data', () => {
    const value = { a: [1, 'b', null, { c: true }] }
    expect(read(json, value)).toBe(value)
    for (const sent of [() => 1, undefined, 1n, Number.NaN, { a: undefined }, [new Date()], new Map()])
      expect(read(json, sent)).toBe('wrong_type')
    const loop: Record<string, unknown> = {}
    loop['loop'] = loop
    expect(read(json, loop)).toBe('wrong_type')
  })

  test('is made of values that nobody knows', () => {
    const opaque = field('opaque', 'json')
    expect(write(opaque, new Date(0))).toBe('1970-01-01T00:00:00.000Z')
    expect(write(opaque, { big: 1n })).toEqual({ big: '1' })
    expect(() => write(opaque, () => 1)).toThrow(Unrepresentable)
    expect(kinds.opaque.readOwn?.(new Map(), opaque)).toEqual({ ok: true, value: new Map() })
  })
})

describe('an array', () => {
  const prices = field('array', 'json', {
    size: 2,
    element: { kind: 'decimal', form: 'string', nullable: true, precision: 5, scale: 2 },
  })

  test('is read and written element by element', () => {
    expect(read(prices, [9.9, null])).toEqual(['9.90', null])
    expect(write(prices, ['9.9', null])).toEqual(['9.90', null])
    expect(read(prices, [1, 'x'])).toBe('invalid_format')
    expect(expectation(prices, [1, 'x'])).toMatch(naming(3, 2))
    expect(read(prices, [1])).toBe('too_short')
    expect(read(prices, [1, 2, 3])).toBe('too_long')
    expect(read(prices, 'x')).toBe('wrong_type')
    expect(
      read(field('array', 'json', { element: { kind: 'boolean', form: 'boolean', nullable: false } }), [
        null,
      ]),
    ).toBe('not_nullable')
  })
})

describe('null beside a value', () => {
  test('is a second type, and stands beside an enum', () => {
    expect(nullable({ type: 'string', maxLength: 5 })).toEqual({ type: ['string', 'null'], maxLength: 5 })
    expect(nullable({ type: 'string', enum: ['a'] })).toEqual({
      anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }],
    })
  })
})
