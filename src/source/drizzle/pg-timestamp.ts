import { PreciseDate } from '../../model/precise-date.ts'

/** `2026-01-31 23:59:59.123456+05:30`; years beyond 9999 and before Christ have another form. */
const timestampForm =
  /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:([+-])(\d\d)(?::(\d\d)(?::(\d\d))?)?)?$/

const NEVER = Number.NaN

/**
 * A `timestamp` as PostgreSQL writes it, with or without a zone, the latter read as UTC. Microseconds are kept. What is
 * no date of a `Date` (`infinity`) is an invalid one.
 */
export const readPgTimestamp = (raw: unknown): unknown => {
  if (typeof raw !== 'string') return raw
  const match = timestampForm.exec(raw)
  if (match === null) return new Date(NEVER)
  const [, date, clock, fraction = '', sign, hours = '0', minutes = '0', seconds = '0'] = match
  const shift = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  const local = Date.parse(`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  const instant = new Date(sign === '-' ? local + shift : local - shift)
  if (fraction.length <= 3 || Number.isNaN(instant.getTime())) return instant
  // An offset never changes the fraction of a second.
  return new PreciseDate(`${instant.toISOString().slice(0, 19)}.${fraction}Z`)
}
