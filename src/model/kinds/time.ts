import {
  accepted,
  atScale,
  comparedBy,
  comparison,
  type KindField,
  type KindRow,
  type Reading,
  refused,
  shortest,
  stringReader,
  Unrepresentable,
  unwrapped,
} from '../codec.ts'

/** Parts of regular expressions. Years range from 0001 to 9999. */
const yearPattern = '(?:000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})'
const clockPattern = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d'
const offsetPattern = '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'

/** At most `digits` digits of fractional seconds, followed by any number of zeros. */
const fractionPattern = (digits: number): string =>
  digits === 0 ? '(?:\\.0+)?' : `(?:\\.\\d{1,${digits}}0*)?`

const leapYears = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'

const calendarPattern = `(?:${yearPattern}-(?:${[
  '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])',
  '(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)',
  '02-(?:0[1-9]|1\\d|2[0-8])',
].join('|')})|${leapYears}-02-29)`

const dateForm = new RegExp(`^${calendarPattern}$`)
const clockForm = new RegExp(`^${clockPattern}$`)

const fractionText = (fraction: string, digits: number | undefined): string => {
  const exact = digits === undefined ? fraction : atScale(fraction, digits)
  return exact === '' ? '' : `.${exact}`
}

/** Without the zeros at the end. */
const digitsOf = (fraction: string): number => atScale(fraction, 0).length

const offsetForm = /^([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?$/

/**
 * Converts a local date and time with its offset to `YYYY-MM-DDTHH:MM:SS` in UTC. `undefined` outside of the years 0001
 * to 9999.
 */
const inUtc = (date: string, clock: string, offset: string): string | undefined => {
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] = offsetForm.exec(offset) ?? []
  const shift = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  if (shift === 0) return `${date}T${clock}`
  const time = Date.parse(`${date}T${clock}Z`) - (sign === '-' ? -shift : shift) * 1000
  const iso = new Date(time).toISOString()
  return dateForm.test(iso.slice(0, 10)) ? iso.slice(0, 19) : undefined
}

const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, number) =>
  String(number).padStart(2, '0'),
)

/**
 * `undefined` for an invalid date, and outside of the years 0001 to 9999. Not `toISOString`, which takes four times as
 * long: lists have many dates.
 */
const isoOf = (date: Date): string | undefined => {
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return undefined
  // A `PreciseDate` has more digits than milliseconds.
  if (date.constructor !== Date) return date.toISOString()
  const yearText = year > 999 ? year : String(year).padStart(4, '0')
  const milliseconds = date.getUTCMilliseconds()
  const fraction = milliseconds > 99 ? milliseconds : `0${twoDigits[milliseconds]}`
  return `${yearText}-${twoDigits[date.getUTCMonth() + 1]}-${twoDigits[date.getUTCDate()]}T${twoDigits[date.getUTCHours()]}:${twoDigits[date.getUTCMinutes()]}:${twoDigits[date.getUTCSeconds()]}.${fraction}Z`
}

/** The digits of fractional seconds of a field. By default those of a `Date`, or microseconds as in most databases. */
const fractionDigitsOf = ({ fractionDigits, form }: KindField): number =>
  fractionDigits ?? (form === 'date' ? 3 : 6)

const secondsPhrase = (field: KindField): string => {
  const digits = fractionDigitsOf(field)
  return digits === 0
    ? ' without fractional seconds'
    : ` with at most ${digits} ${digits === 1 ? 'digit' : 'digits'} of fractional seconds`
}

/** A `Date` that keeps the digits beyond milliseconds, because databases store microseconds. */
export class PreciseDate extends Date {
  readonly #exact: string

  /**
   * @param exact RFC 3339 in UTC: `2026-01-31T23:59:59.123456Z`. Local date-times are also written in UTC
   * @throws RangeError if it does not end with `Z`
   */
  constructor(exact: string) {
    if (!exact.endsWith('Z')) throw new RangeError('PreciseDate: the text must be in UTC and end with Z.')
    super(exact)
    this.#exact = exact
  }

  /** With all digits, unless the date was set to another time. */
  override toISOString(): string {
    return Date.parse(this.#exact) === this.getTime() ? this.#exact : super.toISOString()
  }
}

const timeForm = /^(\d\d:\d\d:\d\d)(?:\.(\d+))?$/

const expectedTime = (field: KindField): string => `a time${secondsPhrase(field)}, such as 23:59:59`

const readTime = (text: string, field: KindField): Reading => {
  const [, clock = '', fraction = ''] = timeForm.exec(text) ?? []
  if (!clockForm.test(clock) || digitsOf(fraction) > fractionDigitsOf(field))
    return refused('invalid_format', expectedTime(field))
  return accepted(clock + fractionText(fraction, field.fractionDigits))
}

export const timeKind: KindRow = Object.freeze<KindRow>({
  ...comparison.order,
  compare: comparedBy((value) => timeKind.write(value, shortest)),
  noun: 'a time',
  // The format `time` requires an offset.
  schema: (field) => ({
    type: 'string',
    pattern: `^${clockPattern}${fractionPattern(fractionDigitsOf(field))}$`,
  }),
  read: stringReader(readTime, expectedTime),
  readText: readTime,
  write: (given, field) => {
    const value = unwrapped(given)
    const [, clock = '', fraction = ''] = typeof value === 'string' ? (timeForm.exec(value) ?? []) : []
    if (!clockForm.test(clock)) throw new Unrepresentable('a time outside the range 00:00:00 to 23:59:59')
    return clock + fractionText(fraction, field.fractionDigits)
  },
})

const expectedDate = 'a date, such as 2026-01-31'

const readDateText = (text: string, field: KindField): Reading => {
  if (!dateForm.test(text)) return refused('invalid_format', expectedDate)
  return accepted(field.form === 'date' ? new Date(`${text}T00:00:00.000Z`) : text)
}

const readDate = (value: unknown, field: KindField): Reading => {
  const text = value instanceof Date ? (isoOf(value)?.slice(0, 10) ?? '') : unwrapped(value)
  return typeof text === 'string' ? readDateText(text, field) : refused('wrong_type', expectedDate)
}

export const dateKind: KindRow = Object.freeze<KindRow>({
  ...comparison.order,
  compare: comparedBy((value) => dateKind.write(value, shortest)),
  noun: 'a date',
  // The format by itself allows the year 0000.
  schema: () => ({ type: 'string', format: 'date', pattern: `^${yearPattern}-\\d\\d-\\d\\d$` }),
  read: readDate,
  readText: readDateText,
  write: (value) => {
    const text = value instanceof Date ? isoOf(value)?.slice(0, 10) : unwrapped(value)
    if (typeof text === 'string' && dateForm.test(text)) return text
    throw new Unrepresentable('a date outside the years 0001 to 9999')
  },
})

const dateAndClock = (between: string): string =>
  `^(\\d{4}-\\d\\d-\\d\\d)${between}(\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d+))?`

/** Both kinds of date-times, which differ only in their offset. */
const zoneOf = (suffix: '' | 'Z', noun: string, sentOffset: string, databaseOffset: string) => ({
  suffix,
  noun,
  example: `2026-01-31T23:59:59${suffix}`,
  /** The format that clients send (RFC 3339). */
  sent: new RegExp(`${dateAndClock('T')}${sentOffset}$`),
  /**
   * The format of databases: a space instead of the T, and offsets such as `+00` or `+05:30:15`. Excludes eras and
   * infinity.
   */
  stored: new RegExp(`${dateAndClock('[ T]')}${databaseOffset}$`),
})

type Zone = ReturnType<typeof zoneOf>

const storedOffset = ' ?(Z|[+-]\\d\\d(?::?\\d\\d(?::?\\d\\d)?)?)?'
const instant = zoneOf('Z', 'a date-time with an offset', `(${offsetPattern})`, storedOffset)
const local = zoneOf('', 'a date-time without an offset', '', '')

/** `YYYY-MM-DDTHH:MM:SS`, in UTC or local time, and the digits of fractional seconds. */
interface Moment {
  readonly text: string
  readonly fraction: string
}

const momentIn = (text: string, form: RegExp): Moment | undefined => {
  const [, day = '', clock = '', fraction = '', offset = 'Z'] = form.exec(text) ?? []
  if (!dateForm.test(day) || !clockForm.test(clock)) return undefined
  const utc = inUtc(day, clock, offset)
  return utc === undefined ? undefined : { text: utc, fraction }
}

const momentOf = (date: Date): Moment | undefined => {
  const iso = isoOf(date)
  return iso === undefined ? undefined : { text: iso.slice(0, 19), fraction: iso.slice(20, -1) }
}

/** `2026-01-31T23:59:59.123Z` */
const ISO_LENGTH = 24

const expectedDateTime = ({ noun, example }: Zone, field: KindField): string =>
  `${noun},${secondsPhrase(field)}, such as ${example}`

const dateTimeText = (moment: Moment | undefined, zone: Zone, field: KindField): string | undefined =>
  moment && `${moment.text}${fractionText(moment.fraction, field.fractionDigits)}${zone.suffix}`

const textOfDate = (date: Date, zone: Zone, field: KindField): string | undefined => {
  const iso = isoOf(date)
  const isExact = zone === instant && iso?.length === ISO_LENGTH && (field.fractionDigits ?? 3) === 3
  return isExact ? iso : dateTimeText(momentOf(date), zone, field)
}

const toForm = (moment: Moment, zone: Zone, field: KindField): unknown => {
  if (field.form !== 'date') return dateTimeText(moment, zone, field)
  const utc = `${dateTimeText(moment, instant, field)}`
  return digitsOf(moment.fraction) > 3 ? new PreciseDate(utc) : new Date(utc)
}

const dateTimeRow = (zone: Zone, pattern: (field: KindField) => object): KindRow => {
  const readText = (text: string, field: KindField): Reading => {
    const moment = momentIn(text, zone.sent)
    return moment === undefined || digitsOf(moment.fraction) > fractionDigitsOf(field)
      ? refused('invalid_format', expectedDateTime(zone, field))
      : accepted(toForm(moment, zone, field))
  }
  /** Code cannot choose the number of digits of a `Date`, so extra digits are cut. */
  const readDate = (date: Date, field: KindField): Reading => {
    const moment = momentOf(date)
    if (moment === undefined) return refused('invalid_format', expectedDateTime(zone, field))
    if (field.form === 'date') return accepted(date)
    const fraction = moment.fraction.slice(0, fractionDigitsOf(field))
    return accepted(toForm({ ...moment, fraction }, zone, field))
  }
  const row: KindRow = Object.freeze<KindRow>({
    ...comparison.order,
    // Without the Z, which sorts after the point of fractional seconds.
    compare: comparedBy((value) => String(row.write(value, shortest)).replace('Z', '')),
    noun: zone.noun,
    schema: (field) => ({ type: 'string', ...pattern(field) }),
    read: (value, field) => {
      if (value instanceof Date) return readDate(value, field)
      const text = unwrapped(value)
      return typeof text === 'string'
        ? readText(text, field)
        : refused('wrong_type', expectedDateTime(zone, field))
    },
    readText: (text, field) => readText(dateForm.test(text) ? `${text}T00:00:00${zone.suffix}` : text, field),
    write: (given, field) => {
      const value = unwrapped(given)
      const text =
        value instanceof Date
          ? textOfDate(value, zone, field)
          : typeof value === 'string'
            ? dateTimeText(momentIn(value, zone.stored), zone, field)
            : undefined
      if (text !== undefined) return text
      throw new Unrepresentable('a date-time outside the years 0001 to 9999')
    },
  })
  return row
}

// The format by itself allows the year 0000, leap seconds and any number of digits.
export const datetimeKind: KindRow = dateTimeRow(instant, (field) => ({
  format: 'date-time',
  pattern: `^${yearPattern}-\\d\\d-\\d\\dT${clockPattern}${fractionPattern(fractionDigitsOf(field))}${offsetPattern}$`,
}))

// The format `date-time` requires an offset, so the pattern includes the calendar.
export const localdatetimeKind: KindRow = dateTimeRow(local, (field) => ({
  pattern: `^${calendarPattern}T${clockPattern}${fractionPattern(fractionDigitsOf(field))}$`,
}))
