import { inUtc, isClock, isDate, isoOf, offsetPattern } from './calendar.ts'

/** RFC 3339; the offset is missing in a local one. */
const sentForm = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/
const sentOffset = new RegExp(`^${offsetPattern}$`)

/** What databases write: a space for the T, and offsets as `+00` or `+05:30:15`. No era, no infinity. */
const storedForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))? ?(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?$/

/** The two kinds differ in one thing: whether there is an offset, in what comes in and in what goes out. */
export interface Zone {
  readonly suffix: '' | 'Z'
  readonly takes: (offset: string | undefined) => boolean
  readonly noun: string
  readonly example: string
}

export const instant: Zone = {
  suffix: 'Z',
  takes: (offset) => offset !== undefined && sentOffset.test(offset),
  noun: 'a date-time with an offset',
  example: '2026-01-31T23:59:59Z',
}

export const local: Zone = {
  suffix: '',
  takes: (offset) => offset === undefined,
  noun: 'a date-time without an offset',
  example: '2026-01-31T23:59:59',
}

/** Date and time in UTC, or local, and the fraction of its second. */
export interface Moment {
  /** `YYYY-MM-DDTHH:MM:SS` */
  readonly text: string
  /** Its digits alone. */
  readonly fraction: string
}

/** As clients send it. */
export const sentMoment = (text: string, zone: Zone): Moment | undefined => {
  const [, date = '', clock = '', fraction = '', offset] = sentForm.exec(text) ?? []
  if (!isDate(date) || !isClock(clock) || !zone.takes(offset)) return undefined
  const utc = inUtc(date, clock, offset ?? 'Z')
  return utc === undefined ? undefined : { text: utc, fraction }
}

/** As databases write it; without an offset it is UTC. */
export const storedMoment = (text: string, zone: Zone): Moment | undefined => {
  const [, date = '', clock = '', fraction = '', offset] = storedForm.exec(text) ?? []
  if (!isDate(date) || !isClock(clock) || (zone === local && offset !== undefined)) return undefined
  const utc = inUtc(date, clock, offset ?? 'Z')
  return utc === undefined ? undefined : { text: utc, fraction }
}

export const momentOf = (date: Date): Moment | undefined => {
  const iso = isoOf(date)
  return iso === undefined ? undefined : { text: iso.slice(0, 19), fraction: iso.slice(20, -1) }
}
