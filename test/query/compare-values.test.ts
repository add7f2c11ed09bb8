import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FieldKind, PreciseDate } from '../../src/entry/source.ts'
import { compareValues } from '../../src/query/evaluate.ts'

/** A value, and what it means: its place among all values of the kind, and the spellings of the same value. */
interface Sample {
  readonly meaning: bigint | readonly number[]
  readonly spelled: unknown
}

const spelledAs = (meaning: Sample['meaning'], ...spellings: readonly unknown[]): Arbitrary<Sample> =>
  fc.constantFrom(...spellings).map((spelled) => ({ meaning, spelled }))

/** Digits of a decimal after the point, in all meanings. */
const SCALE = 50

const zeros = (count: number): string => '0'.repeat(count)

const decimal = fc
  .tuple(
    fc.oneof(fc.bigInt({ min: -20n, max: 20n }), fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })),
    fc.nat(45),
  )
  .chain(([digits, scale]) => {
    const [sign, size] = digits < 0n ? ['-', `${-digits}`] : ['', `${digits}`]
    const padded = size.padStart(scale + 1, '0')
    const [whole, fraction] = [padded.slice(0, padded.length - scale), padded.slice(padded.length - scale)]
    const plain = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
    const exact = scale === 0 ? [digits] : []
    const isDouble = size.length <= 15
    const doubles = isDouble ? [Number(`${digits}e-${scale}`)] : []
    return spelledAs(
      digits * 10n ** BigInt(SCALE - scale),
      plain,
      `${plain}${fraction === '' ? '.' : ''}${zeros(60)}`,
      `${digits}e-${scale}`,
      `${digits}E${scale === 0 ? '+' : '-'}${scale}`,
      ...exact,
      ...doubles,
    )
  })

const bigint = fc
  .oneof(fc.bigInt({ min: -9n, max: 9n }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
  .chain((value) => spelledAs(value, value, String(value)))

const float = fc
  .constantFrom(-1e300, -10.5, -9, -1e-7, -0, 0, 5e-324, 1e-7, 0.1, 9, 10, 1e21, 1e300)
  .map((spelled) => ({ meaning: [spelled], spelled }))

const two = (value: number): string => String(value).padStart(2, '0')

/** The clock of a count of microseconds, without `Date`. */
const clock = (micros: number): readonly [string, string] => {
  const seconds = Math.floor(micros / 1e6)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return [parts.map(two).join(':'), String(micros % 1e6).padStart(6, '0')]
}

const day = 24 * 3600 * 1e6
const fractions = (fraction: string): readonly string[] => [
  `.${fraction}`,
  `.${fraction}00`,
  ...(/^0+$/.test(fraction) ? ['', '.0'] : [`.${fraction.replace(/0+$/, '')}`]),
]

const micros = fc.oneof(fc.nat(day - 1), fc.constantFrom(0, 1, 999_999, 1e6, day - 1), fc.nat(50))

const time = micros.chain((value) => {
  const [shown, fraction] = clock(value)
  return spelledAs(BigInt(value), ...fractions(fraction).map((after) => shown + after))
})

const offsets = [0, 90, -210, 720, -720, 345] as const

/** A time of the 14th to the 18th of a month, which stays in the month in every zone. */
const dated = (monthDay: number, value: number, minutes: number): readonly [string, string] => {
  const local = monthDay * day + value + minutes * 60e6
  const [shown, fraction] = clock(local % day)
  return [`2026-03-${two(Math.floor(local / day))}T${shown}`, fraction]
}

const datetime = fc.tuple(fc.integer({ min: 14, max: 18 }), micros).chain(([monthDay, value]) => {
  const [utc, fraction] = dated(monthDay, value, 0)
  const texts = offsets.flatMap((minutes) => {
    const [shown, after] = dated(monthDay, value, minutes)
    const size = Math.abs(minutes)
    const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
    return fractions(after).flatMap((digits) => [
      `${shown}${digits}${minutes === 0 ? 'Z' : offset}`,
      `${shown.replace('T', ' ')}${digits}${offset}`,
    ])
  })
  const dates = fraction.endsWith('000') ? [new Date(`${utc}.${fraction.slice(0, 3)}Z`)] : []
  const meaning = BigInt(monthDay * day + value)
  return spelledAs(meaning, ...texts, new PreciseDate(`${utc}.${fraction}Z`), ...dates)
})

const localdatetime = fc.tuple(fc.integer({ min: 14, max: 18 }), micros).chain(([monthDay, value]) => {
  const [shown, fraction] = dated(monthDay, value, 0)
  const texts = fractions(fraction).flatMap((after) => [shown + after, `${shown.replace('T', ' ')}${after}`])
  const meaning = BigInt(monthDay * day + value)
  return spelledAs(meaning, ...texts, new PreciseDate(`${shown}.${fraction}Z`))
})

const date = fc.integer({ min: 1, max: 28 }).chain((monthDay) => {
  const text = `2026-02-${two(monthDay)}`
  return spelledAs(BigInt(monthDay), text, new Date(`${text}T00:00:00Z`))
})

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.constantFrom('a', 'A', 'é', '\uffff', '🚀', ''),
)
/** The order of UTF-8 is that of the code points. */
const codePoints = (spelled: string): Sample => ({
  meaning: Array.from(spelled, (character) => character.codePointAt(0) ?? 0),
  spelled,
})

const bytes = fc.uint8Array({ maxLength: 3 }).map((spelled) => ({ meaning: [...spelled], spelled }))

const uuid = fc.uuid().chain((value) => {
  const meaning = BigInt(`0x${value.replaceAll('-', '')}`)
  return spelledAs(meaning, value, value.toUpperCase())
})

const boolean = fc.boolean().map((spelled) => ({ meaning: [Number(spelled)], spelled }))

const before = (left: Sample['meaning'], right: Sample['meaning']): number => {
  if (typeof left === 'bigint' || typeof right === 'bigint') return left < right ? -1 : Number(left > right)
  const at = left.findIndex((value, place) => value !== right[place])
  if (at === -1) return left.length === right.length ? 0 : -1
  const [a = 0, b = -1] = [left[at], right[at]]
  return a < b ? -1 : 1
}

const samples = {
  ...{ decimal, bigint, float, time, datetime, localdatetime, date, bytes, uuid, boolean },
  integer: fc.integer().map((spelled) => ({ meaning: [spelled], spelled })),
  text: text.map(codePoints),
  token: text.map(codePoints),
  enum: text.map(codePoints),
} satisfies Partial<Record<FieldKind, Arbitrary<Sample>>>

describe('compareValues compares by meaning', () => {
  test.each(Object.entries(samples))('%s', (kind, values: Arbitrary<Sample>) => {
    const compare = (left: Sample, right: Sample) =>
      Math.sign(compareValues(left.spelled, right.spelled, { kind: kind as FieldKind }))
    fc.assert(
      fc.property(values, values, (left, right) => {
        expect(compare(left, right)).toBe(before(left.meaning, right.meaning))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['decimal', 'x', '1'],
    ['bigint', '1.5', '1'],
    ['datetime', 'yesterday', '2026-01-01T00:00:00Z'],
    ['integer', 'x', 1],
    ['float', Number.NaN, 1],
  ] as const)('refuses %s %s, instead of finding it equal', (kind, left, right) => {
    expect(() => compareValues(left, right, { kind })).toThrow()
    expect(() => compareValues(right, left, { kind })).toThrow()
  })
})
