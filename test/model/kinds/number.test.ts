import { describe, expect, test } from 'vitest'
import { Unrepresentable } from '../../../src/model/codec.ts'
import { kinds } from '../../../src/model/kinds/index.ts'
import { naming } from '../../naming.ts'
import { expectation, field, read, readText, write } from './field.ts'

const int32 = field('integer', 'number', { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 })
const integer = field('integer', 'number')
const big = field('bigint', 'bigint')
const bigText = field('bigint', 'string')

describe('an integer', () => {
  test('is a whole JSON number within its bounds', () => {
    expect(read(int32, 2147483647)).toBe(2147483647)
    expect(read(int32, 2147483648)).toBe('out_of_range')
    expect(expectation(int32, 2147483648)).toMatch(naming(-2147483648, 2147483647))
    expect(read(integer, Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER)
    expect(read(integer, 2 ** 53)).toBe('out_of_range')
  })

  test.each([1.5, '1', true, 1n, null, Number.NaN, Number.POSITIVE_INFINITY])(
    '%s is of another type',
    (sent) => {
      expect(read(int32, sent)).toBe('wrong_type')
    },
  )

  test('comes from text in one form alone', () => {
    expect(readText(int32, '-7')).toBe(-7)
    for (const text of ['07', '+7', '7.0', '7e0', ' 7', '', '-0'])
      expect(readText(int32, text)).toBe('invalid_format')
    expect(readText(int32, '99999999999')).toBe('out_of_range')
  })

  test('that its form cannot hold is not written', () => {
    expect(write(integer, 7)).toBe(7)
    expect(() => write(integer, 2 ** 53)).toThrow(Unrepresentable)
    expect(() => write(integer, 'seven')).toThrow(Unrepresentable)
    expect(kinds.integer.writesAsIs?.(integer)).toBe(false)
    expect(kinds.integer.writesAsIs?.(int32)).toBe(true)
  })
})

describe('a bigint', () => {
  test.each([
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    [42, 42n],
    [42n, 42n],
  ])('%s is %s', (sent, stored) => {
    expect(read(big, sent)).toBe(stored)
    expect(read(bigText, sent)).toBe(String(stored))
    expect(write(big, stored)).toBe(String(stored))
    expect(write(bigText, String(stored))).toBe(String(stored))
  })

  test('outside of its bounds is refused', () => {
    expect(read(big, '9223372036854775808')).toBe('out_of_range')
    expect(read(big, '1'.repeat(1_000_000))).toBe('out_of_range')
    expect(read(field('bigint', 'bigint', { minimum: 0n, maximum: 2n ** 64n - 1n }), '-1')).toBe(
      'out_of_range',
    )
  })

  test.each(['1.0', '01', '-0', '1e3', '', ' 1', '0x1'])('%j is no whole number', (sent) => {
    expect(read(big, sent)).toBe('invalid_format')
  })

  test.each([1.5, 2 ** 53, true, null])('%s is of another type', (sent) => {
    expect(read(big, sent)).toBe('wrong_type')
  })

  test('that came as an inexact number is not written', () => {
    expect(() => write(big, 2 ** 60)).toThrow(Unrepresentable)
  })
})

describe('a float', () => {
  const float = field('float', 'number')

  test('is any finite number', () => {
    expect(read(float, 1.5e300)).toBe(1.5e300)
    for (const sent of [Number.NaN, Number.POSITIVE_INFINITY, '1.5', null])
      expect(read(float, sent)).toBe('wrong_type')
    expect(read(field('float', 'number', { minimum: 0, maximum: 1 }), 1.5)).toBe('out_of_range')
    expect(readText(float, '-1.5e3')).toBe(-1500)
    expect(readText(float, '1.')).toBe('invalid_format')
    expect(readText(float, '1e999')).toBe('out_of_range')
  })

  test('without a JSON form is not written', () => {
    expect(write(float, 1.5)).toBe(1.5)
    expect(() => write(float, Number.NaN)).toThrow(Unrepresentable)
    expect(() => write(float, Number.NEGATIVE_INFINITY)).toThrow(Unrepresentable)
  })
})
