import { atScale } from './decimal-text.ts'

/** Regular expressions, as parts of a pattern. Years go from 0001 to 9999. */
export const yearPattern = '(?:000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})'
export const clockPattern = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d'
export const offsetPattern = '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'

/** At most so many digits of a second's fraction; zeros beyond them say nothing and are let through. */
export const fractionPattern = (digits: number): string =>
  digits === 0 ? '(?:\\.0+)?' : `(?:\\.\\d{1,${digits}}0*)?`

const leapYears = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'

/** A date that the calendar has, where no `format` says so. */
export const calendarPattern: string = `(?:${yearPattern}-(?:${[
  '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])',
  '(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)',
  '02-(?:0[1-9]|1\\d|2[0-8])',
].join('|')})|${leapYears}-02-29)`

const calendarForm = new RegExp(`^${calendarPattern}$`)
const clockForm = new RegExp(`^${clockPattern}$`)

export const isDate = (text: string): boolean => calendarForm.test(text)
export const isClock = (text: string): boolean => clockForm.test(text)

/** The fraction with its point, exactly `digits` digits long unless digits beyond them are not zero. */
export const fractionText = (fraction: string, digits: number | undefined): string => {
  const exact = digits === undefined ? fraction : atScale(fraction, digits)
  return exact === '' ? '' : `.${exact}`
}

/** Digits of a fraction without the zeros at its end. */
export const digitsOf = (fraction: string): number => atScale(fraction, 0).length

const offsetForm = /^([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?$/

/** Date and clock of an offset, as `YYYY-MM-DDTHH:MM:SS` in UTC. `undefined` outside of the years 0001 to 9999. */
export const inUtc = (date: string, clock: string, offset: string): string | undefined => {
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] = offsetForm.exec(offset) ?? []
  const shift = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  if (shift === 0) return `${date}T${clock}`
  const time = Date.parse(`${date}T${clock}Z`) - (sign === '-' ? -shift : shift) * 1000
  const iso = new Date(time).toISOString()
  return isDate(iso.slice(0, 10)) ? iso.slice(0, 19) : undefined
}

const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, number) =>
  String(number).padStart(2, '0'),
)

/**
 * ISO text of a date. `undefined` for an invalid one, and outside of the years 0001 to 9999.
 *
 * A list of records is full of dates, and `toISOString` takes four times as long.
 */
export const isoOf = (date: Date): string | undefined => {
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return undefined
  // It may know more digits than its milliseconds (`PreciseDate`).
  if (date.constructor !== Date) return date.toISOString()
  const yearText = year > 999 ? year : String(year).padStart(4, '0')
  const milliseconds = date.getUTCMilliseconds()
  const fraction = milliseconds > 99 ? milliseconds : `0${twoDigits[milliseconds]}`
  return `${yearText}-${twoDigits[date.getUTCMonth() + 1]}-${twoDigits[date.getUTCDate()]}T${twoDigits[date.getUTCHours()]}:${twoDigits[date.getUTCMinutes()]}:${twoDigits[date.getUTCSeconds()]}.${fraction}Z`
}
