import { kinds } from '../model/kinds/index.ts'
import type { Field } from '../model/model.ts'
import { aggregatedKind } from './aggregate-kinds.ts'
import type { DatePart } from './ast.ts'

/** A day `2026-03-31`, and an hour. */
type StartOf = (day: string, hour: string) => string

const startsOf: Readonly<Record<DatePart, StartOf>> = {
  year: (day) => `${day.slice(0, 4)}-01-01`,
  quarter: (day) => {
    const month = Number(day.slice(5, 7))
    return `${day.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
  },
  month: (day) => `${day.slice(0, 7)}-01`,
  week: (day) => {
    const date = new Date(`${day}T00:00:00Z`)
    const sinceMonday = (date.getUTCDay() + 6) % 7
    date.setUTCDate(date.getUTCDate() - sinceMonday)
    return date.toISOString().slice(0, 10)
  },
  day: (day) => day,
  hour: (day, hour) => `${day}T${hour}:00:00`,
}

/**
 * Returns the start of the part that contains a value of a field: `2026-03-01`, with `hour` `2026-03-01T13:00:00`. Instants
 * are converted to the time zone; dates and local date-times do not have one.
 */
export const startOfPart = (
  field: Field,
  { part, timezone }: { readonly part: DatePart; readonly timezone: string },
): ((value: unknown) => string) => {
  const startOf = startsOf[part]
  const local = aggregatedKind(field).isInstant && timezone !== 'UTC' ? clockIn(timezone) : undefined
  return (value) => {
    const text = String(kinds[field.kind].write(value, field))
    if (local === undefined) return startOf(text.slice(0, 10), text.slice(11, 13))
    const { day, hour } = localTime(new Date(text), local)
    return startOf(day, hour)
  }
}

const localTime = (
  instant: Date,
  clock: Intl.DateTimeFormat,
): { readonly day: string; readonly hour: string } => {
  const parts = new Map(clock.formatToParts(instant).map(({ type, value }) => [type, value]))
  // The year 1 before Christ is the year 0.
  const year = parts.get('era')?.startsWith('B') === true ? '0' : (parts.get('year') ?? '')
  const day = [year.padStart(4, '0'), parts.get('month'), parts.get('day')].join('-')
  return { day, hour: parts.get('hour') ?? '' }
}

const digits = '2-digit'

const clockIn = (timezone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: timezone, hourCycle: 'h23', era: 'short', year: 'numeric' },
    ...{ month: digits, day: digits, hour: digits },
  })

/**
 * The name of an IANA time zone as the runtime writes it: `Europe/Berlin` for `europe/berlin`. Databases read offsets such as
 * `+02:00` differently, so these are not names.
 */
export const timezoneNamed = (name: string): string | undefined => {
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    return clockIn(name).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
