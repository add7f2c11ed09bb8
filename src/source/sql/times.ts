import { Unrepresentable } from '../../model/codec.ts'
import { PreciseDate } from '../../model/kinds/time.ts'

const stored = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(?:Z| ?\+00:00)?$/

/** Of the times that databases write with four digits of the year, in milliseconds since 1970. */
export const FIRST: number = Date.parse('0001-01-01T00:00:00.000Z')
export const LAST: number = Date.parse('9999-12-31T23:59:59.999Z')

/** Fractional digits of a second that a date of JavaScript holds. */
const MILLISECONDS = 3

/** The time of a text in UTC, as databases write it. @throws Unrepresentable */
export const dateOf = (raw: unknown): Date => {
  const [, day, clock = '', fraction = ''] = stored.exec(String(raw)) ?? []
  const text = `${day}T${clock.padEnd(8, ':00')}`
  const digits = fraction.replace(/0+$/, '')
  const date =
    digits.length > MILLISECONDS
      ? new PreciseDate(`${text}.${digits.padEnd(2 * MILLISECONDS, '0')}Z`)
      : new Date(`${text}.${digits.padEnd(MILLISECONDS, '0')}Z`)
  if (day === undefined || Number.isNaN(date.getTime()) || date.getTime() < FIRST)
    throw new Unrepresentable('not exact')
  return date
}

/** Whether the clock of a time zone always shows UTC. @param zone @default that of the process */
export const isUtc = (zone: string = Intl.DateTimeFormat().resolvedOptions().timeZone): boolean =>
  /^(Etc\/)?(UTC|GMT)$/.test(zone)

/** Milliseconds of `+02:00` or `+0200`. `undefined`: another zone, whose clock may change. */
export const offsetOf = (zone: string): number | undefined => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  if (sign === undefined) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

export const isoText = (value: unknown): string => (value as Date).toISOString()

/** `2026-01-31 23:59:59.123`, in UTC. */
export const utcText = (value: unknown): string => isoText(value).replace('T', ' ').slice(0, -1)

/** The same fraction of a second, some milliseconds later. */
export const movedBy = (date: Date, by: number): Date => {
  if (by === 0) return date
  const [, fraction = ''] = /\.(\d+)Z$/.exec(date.toISOString()) ?? []
  return dateOf(`${new Date(date.getTime() + by).toISOString().slice(0, 19)}.${fraction}`)
}

/** Seconds since 1970 with their fraction. */
export const secondsOf = (value: unknown): string => {
  const [, fraction = ''] = /\.(\d+)Z$/.exec(isoText(value)) ?? []
  return `${Math.floor((value as Date).getTime() / 1000)}.${fraction.padEnd(2 * MILLISECONDS, '0')}`
}

export const dateOfSeconds = (raw: unknown): Date => {
  const [seconds = '', fraction = ''] = String(raw).split('.')
  const iso = new Date(Number(seconds) * 1000).toISOString().slice(0, -5)
  return dateOf(fraction === '' ? iso : `${iso}.${fraction}`)
}
