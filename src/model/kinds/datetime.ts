import { accepted, type KindField, type KindRow, type Reading, refused, Unrepresentable } from '../codec.ts'
import { PreciseDate } from '../precise-date.ts'
import {
  calendarPattern,
  clockPattern,
  digitsOf,
  fractionPattern,
  fractionText,
  inUtc,
  isClock,
  isDate,
  isoOf,
  offsetPattern,
  yearPattern,
} from './calendar.ts'
import { fractionDigitsOf, secondsPhrase } from './fraction.ts'
import { never } from './row.ts'

/** RFC 3339; the offset is missing in a local one. */
const sentForm = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/
const sentOffset = new RegExp(`^${offsetPattern}$`)

/** What databases write: a space for the T, and offsets as `+00` or `+05:30:15`. No era, no infinity. */
const storedForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))? ?(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?$/

/** The two kinds differ in one thing: whether there is an offset, in what comes in and in what goes out. */
interface Zone {
  readonly suffix: '' | 'Z'
  readonly takes: (offset: string | undefined) => boolean
  readonly noun: string
  readonly example: string
}

const instant: Zone = {
  suffix: 'Z',
  takes: (offset) => offset !== undefined && sentOffset.test(offset),
  noun: 'a date-time with an offset',
  example: '2026-01-31T23:59:59Z',
}

const local: Zone = {
  suffix: '',
  takes: (offset) => offset === undefined,
  noun: 'a date-time without an offset',
  example: '2026-01-31T23:59:59',
}

/** Date and time in UTC, or local, and the fraction of its second. */
interface Moment {
  readonly text: string
  readonly fraction: string
}

const expectedOf = ({ noun, example }: Zone, field: KindField): string =>
  `${noun}${secondsPhrase(field).replace(' with ', ' and ')}, as ${example}`

const sentMoment = (text: string, zone: Zone): Moment | undefined => {
  const [, date = '', clock = '', fraction = '', offset] = sentForm.exec(text) ?? []
  if (!isDate(date) || !isClock(clock) || !zone.takes(offset)) return undefined
  const utc = inUtc(date, clock, offset ?? 'Z')
  return utc === undefined ? undefined : { text: utc, fraction }
}

const storedMoment = (text: string, zone: Zone): Moment | undefined => {
  const [, date = '', clock = '', fraction = '', offset] = storedForm.exec(text) ?? []
  if (!isDate(date) || !isClock(clock) || (zone === local && offset !== undefined)) return undefined
  const utc = inUtc(date, clock, offset ?? 'Z')
  return utc === undefined ? undefined : { text: utc, fraction }
}

const momentOf = (date: Date): Moment | undefined => {
  const iso = isoOf(date)
  return iso === undefined ? undefined : { text: iso.slice(0, 19), fraction: iso.slice(20, -1) }
}

const textOf = ({ text, fraction }: Moment, zone: Zone, digits: number | undefined): string =>
  `${text}${fractionText(fraction, digits)}${zone.suffix}`

const toForm = (moment: Moment, zone: Zone, field: KindField): unknown => {
  const exact = textOf(moment, zone, field.fractionDigits)
  if (field.form !== 'date') return exact
  const utc = zone === local ? `${exact}Z` : exact
  return digitsOf(moment.fraction) > 3 ? new PreciseDate(utc) : new Date(utc)
}

const rowOf = (zone: Zone, pattern: (field: KindField) => object): KindRow => {
  const readText = (text: string, field: KindField): Reading => {
    const moment = sentMoment(text, zone)
    return moment === undefined || digitsOf(moment.fraction) > fractionDigitsOf(field)
      ? refused('invalid_format', expectedOf(zone, field))
      : accepted(toForm(moment, zone, field))
  }
  /** A date comes from code, which cannot choose how many digits it has: those that are too many go. */
  const readDate = (date: Date, field: KindField): Reading => {
    const moment = momentOf(date)
    if (moment === undefined) return refused('invalid_format', expectedOf(zone, field))
    if (field.form === 'date') return accepted(date)
    const fraction = moment.fraction.slice(0, fractionDigitsOf(field))
    return accepted(toForm({ ...moment, fraction }, zone, field))
  }
  return Object.freeze<KindRow>({
    comparable: true,
    ordered: true,
    textual: false,
    noun: zone.noun,
    schema: (field) => ({ type: 'string', ...pattern(field) }),
    read: (value, field) => {
      if (value instanceof Date) return readDate(value, field)
      return typeof value === 'string'
        ? readText(value, field)
        : refused('wrong_type', expectedOf(zone, field))
    },
    readText: (text, field) => readText(isDate(text) ? `${text}T00:00:00${zone.suffix}` : text, field),
    write: (value, field) => {
      const moment =
        value instanceof Date
          ? momentOf(value)
          : typeof value === 'string'
            ? storedMoment(value, zone)
            : undefined
      if (moment !== undefined) return textOf(moment, zone, field.fractionDigits)
      throw new Unrepresentable('a date-time outside of the years 0001 to 9999')
    },
    writesAsIs: never,
  })
}

// The format alone has a year 0000, leap seconds and any number of digits.
export const datetime: KindRow = rowOf(instant, (field) => ({
  format: 'date-time',
  pattern: `^${yearPattern}-\\d\\d-\\d\\dT${clockPattern}${fractionPattern(fractionDigitsOf(field))}${offsetPattern}$`,
}))

// The format `date-time` asks for an offset, so the pattern has to know the calendar.
export const localdatetime: KindRow = rowOf(local, (field) => ({
  pattern: `^${calendarPattern}T${clockPattern}${fractionPattern(fractionDigitsOf(field))}$`,
}))
