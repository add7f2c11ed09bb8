import { accepted, type KindField, type KindRow, type Reading, refused, Unrepresentable } from '../codec.ts'
import { clockPattern, digitsOf, fractionPattern, fractionText, isClock } from './calendar.ts'
import { fractionDigitsOf, secondsPhrase } from './fraction.ts'
import { never, stringReader, unwrapped } from './row.ts'

const form = /^(\d\d:\d\d:\d\d)(?:\.(\d+))?$/

const expected = (field: KindField): string => `a time${secondsPhrase(field)}, as 23:59:59`

const readText = (text: string, field: KindField): Reading => {
  const [, clock = '', fraction = ''] = form.exec(text) ?? []
  if (!isClock(clock) || digitsOf(fraction) > fractionDigitsOf(field))
    return refused('invalid_format', expected(field))
  return accepted(clock + fractionText(fraction, field.fractionDigits))
}

const write = (given: unknown, field: KindField): string => {
  const value = unwrapped(given)
  const [, clock = '', fraction = ''] = typeof value === 'string' ? (form.exec(value) ?? []) : []
  if (!isClock(clock)) throw new Unrepresentable('a time that no clock shows')
  return clock + fractionText(fraction, field.fractionDigits)
}

export const time: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: true,
  textual: false,
  noun: 'a time',
  // The format `time` asks for an offset.
  schema: (field) => ({
    type: 'string',
    pattern: `^${clockPattern}${fractionPattern(fractionDigitsOf(field))}$`,
  }),
  read: stringReader(readText, expected),
  readText,
  write,
  writesAsIs: never,
})
