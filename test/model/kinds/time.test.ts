import { describe, expect, test } from 'vitest'
import { Unrepresentable } from '../../../src/model/codec.ts'
import { PreciseDate } from '../../../src/model/kinds/time.ts'
import { field, read, readText, write } from './field.ts'

const micros = field('datetime', 'string', { fractionDigits: 6 })
const date = field('datetime', 'date', { fractionDigits: 3 })
const preciseDate = field('datetime', 'date', { fractionDigits: 6 })
const local = field('localdatetime', 'string', { fractionDigits: 6 })

describe('a date', () => {
  const text = field('date', 'string')

  test.each(['2024-02-29', '0001-01-01', '9999-12-31', '2000-02-29'])('%s is in the calendar', (sent) => {
    expect(read(text, sent)).toBe(sent)
    expect(read(field('date', 'date'), sent)).toEqual(new Date(`${sent}T00:00:00Z`))
    expect(write(text, new Date(`${sent}T13:00:00Z`))).toBe(sent)
  })

  test.each([
    '2026-02-30',
    '2023-02-29',
    '1900-02-29',
    '0000-01-01',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '2026-01-31T00:00:00Z',
    '',
  ])('%j is not', (sent) => {
    expect(read(text, sent)).toBe('invalid_format')
  })

  test.each(['infinity', '0044-03-15 BC', '0000-00-00', '10000-01-01', new Date(Number.NaN)])(
    '%s in a database has no form',
    (stored) => {
      expect(() => write(text, stored)).toThrow(Unrepresentable)
    },
  )

  test('takes what code hands out', () => {
    expect(read(text, new Date('2026-01-31T23:00:00Z'))).toBe('2026-01-31')
    expect(read(text, new Date(Number.NaN))).toBe('invalid_format')
    expect(read(text, 5)).toBe('wrong_type')
  })
})

describe('a time', () => {
  const time = field('time', 'string', { fractionDigits: 3 })

  test('has the precision that is stored', () => {
    expect(read(time, '23:59:59.1')).toBe('23:59:59.100')
    expect(read(time, '23:59:59.1230000')).toBe('23:59:59.123')
    expect(write(time, '10:00:00')).toBe('10:00:00.000')
    expect(write(field('time', 'string', { fractionDigits: 0 }), '10:00:00')).toBe('10:00:00')
  })

  test.each([
    '23:59:59.1234',
    '24:00:00',
    '23:60:00',
    '23:59:60',
    '9:00:00',
    '10:00',
    '10:00:00Z',
    '10:00:00.',
  ])('%s is refused', (sent) => {
    expect(read(time, sent)).toBe('invalid_format')
  })

  test.each(['24:00:00', '-01:00:00', '838:59:59', 5])('%s in a database has no form', (stored) => {
    expect(() => write(time, stored)).toThrow(Unrepresentable)
  })
})

describe('a date-time that is read', () => {
  test('is an instant in UTC, as exact as it is stored', () => {
    expect(read(micros, '2026-01-31T23:59:59.123456Z')).toBe('2026-01-31T23:59:59.123456Z')
    expect(read(micros, '2026-01-31T23:59:59+05:30')).toBe('2026-01-31T18:29:59.000000Z')
    expect(read(date, '2026-01-31T23:59:59.120Z')).toEqual(new Date('2026-01-31T23:59:59.120Z'))
    expect(read(date, '2026-01-31T00:00:00-14:00')).toEqual(new Date('2026-01-31T14:00:00Z'))
  })

  test('keeps the digits that a Date has no room for', () => {
    const exact = read(preciseDate, '2026-01-31T23:59:59.123456+01:00')
    expect(exact).toBeInstanceOf(PreciseDate)
    expect(write(preciseDate, exact)).toBe('2026-01-31T22:59:59.123456Z')
    expect(read(preciseDate, '2026-01-31T23:59:59.123000Z')).not.toBeInstanceOf(PreciseDate)
  })

  test.each([
    '2026-01-31T23:59:59',
    '2026-01-31',
    '2026-02-30T00:00:00Z',
    '2026-01-31T23:59:60Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31 23:59:59Z',
    '2026-01-31t23:59:59z',
    '2026-01-31T23:59:59+0100',
    '2026-01-31T23:59:59+24:00',
    '2026-01-31T23:59:59.1234Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+010000-01-01T00:00:00Z',
  ])('%s is refused', (sent) => {
    expect(read(date, sent)).toBe('invalid_format')
  })

  test('may be a bare date in a query', () => {
    expect(readText(date, '2026-01-31')).toEqual(new Date('2026-01-31T00:00:00Z'))
    expect(readText(local, '2026-01-31')).toBe('2026-01-31T00:00:00.000000')
    expect(readText(date, '2026-02-30')).toBe('invalid_format')
  })

  test('may be a Date that code hands out', () => {
    const now = new Date('2026-01-31T23:59:59.123Z')
    expect(read(date, now)).toBe(now)
    expect(read(micros, now)).toBe('2026-01-31T23:59:59.123000Z')
    expect(read(field('datetime', 'string', { fractionDigits: 0 }), now)).toBe('2026-01-31T23:59:59Z')
    expect(read(date, new Date(Number.NaN))).toBe('invalid_format')
  })
})

describe('a date-time that is written', () => {
  test.each([
    ['2024-01-01 10:00:00.123456+00', '2024-01-01T10:00:00.123456Z'],
    ['2024-01-01 10:00:00.1+05:30', '2024-01-01T04:30:00.100000Z'],
    ['2024-01-01 10:00:00-03', '2024-01-01T13:00:00.000000Z'],
    ['1890-01-01 00:00:00+00:17:30', '1889-12-31T23:42:30.000000Z'],
    ['2024-01-01 10:00:00', '2024-01-01T10:00:00.000000Z'],
    ['2024-01-01T10:00:00.123456Z', '2024-01-01T10:00:00.123456Z'],
  ])('%s is %s', (stored, sent) => {
    expect(write(micros, stored)).toBe(sent)
  })

  test('has the digits that are stored', () => {
    const moment = new Date('2026-01-31T23:59:59.120Z')
    expect(write(date, moment)).toBe('2026-01-31T23:59:59.120Z')
    expect(write(field('datetime', 'date', { fractionDigits: 0 }), new Date(0))).toBe('1970-01-01T00:00:00Z')
    expect(write(field('datetime', 'date', { fractionDigits: 0 }), moment)).toBe('2026-01-31T23:59:59.12Z')
    expect(write(date, new Date('0099-01-01T00:00:00Z'))).toBe('0099-01-01T00:00:00.000Z')
  })

  test('has no offset where it is local', () => {
    expect(write(local, '2024-01-01 10:00:00.5')).toBe('2024-01-01T10:00:00.500000')
    expect(write(field('localdatetime', 'date', { fractionDigits: 3 }), new Date(0))).toBe(
      '1970-01-01T00:00:00.000',
    )
    expect(() => write(local, '2024-01-01 10:00:00+00')).toThrow(Unrepresentable)
  })

  test.each([
    'infinity',
    '-infinity',
    '0044-03-15 10:00:00+00 BC',
    '10000-01-01 00:00:00+00',
    '0001-01-01 00:00:00+01',
    '0000-00-00 00:00:00',
    new Date(Number.NaN),
    new Date('+010000-01-01T00:00:00Z'),
    new Date('0000-12-31T00:00:00Z'),
    5,
  ])('%s has no form', (stored) => {
    expect(() => write(micros, stored)).toThrow(Unrepresentable)
  })
})

describe('a local date-time that is read', () => {
  test('has no offset', () => {
    expect(read(local, '2026-01-31T23:59:59.5')).toBe('2026-01-31T23:59:59.500000')
    expect(read(local, '2026-01-31T23:59:59Z')).toBe('invalid_format')
    expect(read(field('localdatetime', 'date'), '2026-01-31T23:59:59')).toEqual(
      new Date('2026-01-31T23:59:59Z'),
    )
  })
})

test('a PreciseDate must be written in UTC, because other texts would be read in the zone of the process', () => {
  expect(() => new PreciseDate('2026-01-31T23:59:59.123456')).toThrow(RangeError)
  expect(new PreciseDate('2026-01-31T23:59:59.123456Z').toISOString()).toBe('2026-01-31T23:59:59.123456Z')
})
