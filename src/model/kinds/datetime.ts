import { accepted, type KindField, type KindRow, type Reading, refused, Unrepresentable } from '../codec.ts'
import { PreciseDate } from '../precise-date.ts'
import {
  calendarPattern,
  clockPattern,
  digitsOf,
  fractionPattern,
  fractionText,
  isDate,
  isoOf,
  offsetPattern,
  yearPattern,
} from './calendar.ts'
import { fractionDigitsOf, secondsPhrase } from './fraction.ts'
import { instant, local, type Moment, momentOf, sentMoment, storedMoment, type Zone } from './moment.ts'
import { never, unwrapped } from './row.ts'

/** `2026-01-31T23:59:59.123Z` */
const ISO_LENGTH = 24

const expectedOf = ({ noun, example }: Zone, field: KindField): string =>
  `${noun}${secondsPhrase(field).replace(' with ', ' and ')}, as ${example}`

const textOf = (moment: Moment | undefined, zone: Zone, field: KindField): string | undefined =>
  moment && `${moment.text}${fractionText(moment.fraction, field.fractionDigits)}${zone.suffix}`

const dateText = (date: Date, zone: Zone, field: KindField): string | undefined => {
  const iso = isoOf(date)
  const isExact = zone === instant && iso?.length === ISO_LENGTH && (field.fractionDigits ?? 3) === 3
  return isExact ? iso : textOf(momentOf(date), zone, field)
}

const toForm = (moment: Moment, zone: Zone, field: KindField): unknown => {
  if (field.form !== 'date') return textOf(moment, zone, field)
  const utc = `${textOf(moment, instant, field)}`
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
      const text = unwrapped(value)
      return typeof text === 'string' ? readText(text, field) : refused('wrong_type', expectedOf(zone, field))
    },
    readText: (text, field) => readText(isDate(text) ? `${text}T00:00:00${zone.suffix}` : text, field),
    write: (given, field) => {
      const value = unwrapped(given)
      const text =
        value instanceof Date
          ? dateText(value, zone, field)
          : typeof value === 'string'
            ? textOf(storedMoment(value, zone), zone, field)
            : undefined
      if (text !== undefined) return text
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
