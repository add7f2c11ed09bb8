import { describe, expect, test } from 'vitest'
import { Unrepresentable } from '../../../src/model/codec.ts'
import { kinds } from '../../../src/model/kinds/index.ts'
import { naming } from '../../naming.ts'
import { expectation, field, read, readText, write } from './field.ts'

const price = field('decimal', 'string', { precision: 10, scale: 2 })
const any = field('decimal', 'string')

describe('a decimal that is read', () => {
  test.each([
    ['9.90', '9.90'],
    ['9.9', '9.90'],
    ['9', '9.00'],
    [9.9, '9.90'],
    [5e-2, '0.05'],
    [7n, '7.00'],
    ['-0', '0.00'],
    [-0, '0.00'],
    ['-0.00', '0.00'],
    ['-12345678.99', '-12345678.99'],
  ])('%s is %s', (sent, stored) => {
    expect(read(price, sent)).toBe(stored)
  })

  test.each(['9.999', '123456789', '9.900', 123456789, 0.1 + 0.2])('%s has too many digits', (sent) => {
    expect(read(price, sent)).toBe('out_of_range')
    expect(expectation(price, sent)).toMatch(naming(8, 2))
  })

  test.each([
    '',
    ' 1',
    '+1',
    '.5',
    '1.',
    '1e3',
    '0x10',
    '1,5',
    'NaN',
    'Infinity',
    '01',
    '1.2.3',
    '--1',
    '１',
  ])('%j is no number', (sent) => {
    expect(read(price, sent)).toBe('invalid_format')
  })

  test.each([true, {}, [], null, undefined, Number.NaN, Number.POSITIVE_INFINITY])(
    '%s is of another type',
    (sent) => {
      expect(read(price, sent)).toBe('wrong_type')
    },
  )

  test('keeps the scale that was sent where the column has none', () => {
    expect(read(any, '9.90')).toBe('9.90')
    expect(read(any, '1'.repeat(400))).toBe('1'.repeat(400))
    expect(read(any, 1e21)).toBe('1000000000000000000000')
    expect(read(any, 1.5e-9)).toBe('0.0000000015')
  })

  test('has the form of its column', () => {
    expect(read(field('decimal', 'number', { precision: 10, scale: 2 }), '9.90')).toBe(9.9)
    expect(
      read(field('decimal', 'bigint', { precision: 30, scale: 0 }), '123456789012345678901234567890'),
    ).toBe(123456789012345678901234567890n)
    expect(read(field('decimal', 'bigint'), '1.5')).toBe('out_of_range')
  })

  test('is refused where a double would change it', () => {
    const double = field('decimal', 'number')
    expect(read(double, '123456789012.345')).toBe(123456789012.345)
    expect(read(double, '12345678901234.567')).toBe('out_of_range')
    expect(read(field('decimal', 'number', { precision: 20, scale: 2 }), '12345678901234.56')).toBe(
      'out_of_range',
    )
  })

  test('follows scales beyond the precision and below zero', () => {
    const tiny = field('decimal', 'string', { precision: 2, scale: 4 })
    expect(read(tiny, '0.0099')).toBe('0.0099')
    expect(read(tiny, '0.01')).toBe('out_of_range')
    const thousands = field('decimal', 'string', { precision: 2, scale: -3 })
    expect(read(thousands, '99000')).toBe('99000')
    expect(read(thousands, '99500')).toBe('out_of_range')
  })

  test('is not negative where the column is unsigned', () => {
    const unsigned = field('decimal', 'string', { precision: 10, scale: 2, minimum: 0 })
    expect(read(unsigned, '0.01')).toBe('0.01')
    expect(read(unsigned, '-0.01')).toBe('out_of_range')
  })

  test('comes from text too', () => {
    expect(readText(price, '10')).toBe('10.00')
    expect(readText(price, 'abc')).toBe('invalid_format')
  })
})

describe('a decimal that is written', () => {
  test.each([
    ['9.90', '9.90'],
    ['9.9', '9.90'],
    [9.9, '9.90'],
    [12n, '12.00'],
    ['-0.00', '0.00'],
    ['1e+21', '1000000000000000000000.00'],
    ['00012.5', '12.50'],
  ])('%s is %s', (stored, sent) => {
    expect(write(price, stored)).toBe(sent)
  })

  test('keeps digits that its column should not have', () => {
    expect(write(price, '9.999')).toBe('9.999')
    expect(write(price, '9.9000')).toBe('9.90')
    expect(write(price, '1.5e-7')).toBe('0.00000015')
  })

  test.each(['NaN', 'Infinity', Number.NaN, Number.POSITIVE_INFINITY, {}, 'abc'])(
    '%s has no form',
    (stored) => {
      expect(() => write(price, stored)).toThrow(Unrepresentable)
    },
  )
})

describe('the other JSON form of a decimal', () => {
  test.each([
    [9.9, '9.9'],
    ['9.90', 9.9],
    ['-0.50', -0.5],
    [1e21, '1000000000000000000000'],
    ['9007199254740993', undefined],
    ['1.10000000000000000001', undefined],
    ['1e3', undefined],
    ['x', undefined],
    ['', undefined],
    [true, undefined],
    [null, undefined],
  ])('of %j is %j', (sent, other) => {
    expect(kinds.decimal.otherJson?.(sent, any)).toBe(other)
    expect(kinds.bigint.otherJson?.(sent, any)).toBe(other)
  })

  test('is that of each element of an array', () => {
    const list = field('array', 'json', { element: { kind: 'decimal', form: 'string', nullable: true } })
    expect(kinds.array.otherJson?.(['9.90', 1, null, 'x'], list)).toEqual([9.9, '1', null, 'x'])
    expect(kinds.array.otherJson?.('9.90', list)).toBeUndefined()
    expect(kinds.text.otherJson).toBeUndefined()
  })
})
