import { PreciseDate } from '../../../model/precise-date.ts'

/** `2026-01-31 23:59:59.123456` */
const stored = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?$/

/** Without zeros at its end, with a point where anything is left. */
const fractionOf = (digits: string): string => {
  const kept = digits.replace(/0+$/, '')
  return kept === '' ? '' : `.${kept}`
}

/** A `datetime` as a date in UTC, with its microseconds. Zero dates and the like are an invalid one. */
export const readDateTime = (raw: unknown): unknown => {
  if (typeof raw !== 'string') return raw
  const [, date = '', clock = '', digits = ''] = stored.exec(raw) ?? []
  const fraction = fractionOf(digits)
  const text = `${date}T${clock}${fraction}Z`
  return fraction.length > 4 ? new PreciseDate(text) : new Date(text)
}

const MILLISECONDS = 1000

/** Zero is what a zero date has: no instant is stored as it. */
const readSeconds = (raw: unknown): { readonly iso: string; readonly fraction: string } => {
  const [whole = '', digits = ''] = String(raw).split('.')
  const instant = new Date(Number(whole) * MILLISECONDS)
  if (Number(raw) === 0 || Number.isNaN(instant.getTime())) throw new RangeError('no instant')
  return { iso: instant.toISOString().slice(0, 19), fraction: fractionOf(digits) }
}

/** A `timestamp` by its seconds since 1970 (`1769903999.123456`), which no session's zone changes. */
export const readTimestamp = (raw: unknown): Date => {
  const { iso, fraction } = readSeconds(raw)
  const text = `${iso}${fraction}Z`
  return fraction.length > 4 ? new PreciseDate(text) : new Date(text)
}

/** The same as drizzle's mode `string` has it: `2026-01-31 23:59:59.123456`, in UTC. */
export const readTimestampText = (raw: unknown): string => {
  const { iso, fraction } = readSeconds(raw)
  return `${iso.replace('T', ' ')}${fraction}`
}

const clockForm = /^([01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?$/

/** A `time` as clocks have it. It holds durations too, which do not fit. */
export const readTime = (raw: unknown): unknown => {
  if (typeof raw !== 'string') return raw
  if (!clockForm.test(raw)) throw new RangeError('no time of a day')
  const [clock = '', digits = ''] = raw.split('.')
  return clock + fractionOf(digits)
}

/** `2026-01-31T23:59:59.123Z`, or a date, as `2026-01-31 23:59:59.123`. */
export const momentText = (value: unknown): string =>
  (value instanceof Date ? value.toISOString() : String(value)).replace('T', ' ').replace(/Z$/, '')

export const dayText = (value: unknown): string =>
  value instanceof Date ? value.toISOString().slice(0, 10) : String(value)

/** What a `timestamp` holds: from 1970 up to 2038, with MariaDB from 11.5 on up to 2106. */
const FIRST = '1970-01-01 00:00:01'
const LAST = '2038-01-19 03:14:08'
const BEHIND_LAST = '2038-01-20 03:14:08'
const NEVER = '2106-02-07 06:28:16'

/**
 * A value of a `timestamp` in UTC. Just outside of what one holds, the database would take it for the session's own time
 * and store another instant.
 *
 * @throws RangeError
 */
export const timestampText = (value: unknown): string => {
  const text = momentText(value)
  if (text < FIRST || (text >= LAST && text < BEHIND_LAST) || text >= NEVER)
    throw new RangeError('outside of what a timestamp holds')
  return text
}

/** A value that a `timestamp` is compared with: so far outside that no zone brings it back. */
export const comparedTimestampText = (value: unknown): string => {
  const text = momentText(value)
  if (text < FIRST) return '1969-01-01 00:00:00'
  return text >= LAST && text < BEHIND_LAST ? BEHIND_LAST : text
}
