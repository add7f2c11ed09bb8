import { LRUCache } from 'lru-cache'
import { onceFor } from '../../model/objects.ts'
import type { Database } from './database.ts'

/** The offsets of a time zone from UTC, in seconds. */
export interface Offsets {
  /** Before the first change. */
  readonly first: number
  /** In order: the second since 1970 from which an offset holds. */
  readonly changes: readonly { readonly from: number; readonly offset: number }[]
}

const START = Date.UTC(1880, 0) / 1000
const END = Date.UTC(2100, 0) / 1000
/** In seconds. No zone changes its offset twice within so short a time. */
const STEP = 10 * 86_400

/** All zones that there are: their offsets take some 10 KB each, and too long to be found again for each request. */
const keptIn = onceFor((_database: Database) => new LRUCache<string, Offsets>({ max: 600 }))

/**
 * The offsets of a time zone from 1880 to 2100, as the JavaScript runtime knows them: not all databases have the rules of time
 * zones, and their rules may be of another year. Instants outside these years have the offset of the nearest one within.
 */
export const offsetsOf = (database: Database, timezone: string): Offsets => {
  const kept = keptIn(database)
  const known = kept.get(timezone)
  if (known !== undefined) return known
  const offsetAt = offsetsBy(timezone)
  const changes: { from: number; offset: number }[] = []
  const first = offsetAt(START)
  let last = first
  for (let at = START; at < END; at += STEP) {
    const next = offsetAt(at + STEP)
    if (next !== last) changes.push({ from: changeBetween(at, at + STEP, last, offsetAt), offset: next })
    last = next
  }
  const offsets = Object.freeze({ first, changes })
  kept.set(timezone, offsets)
  return offsets
}

/** The first second that does not have the offset any more. */
const changeBetween = (
  start: number,
  end: number,
  offset: number,
  offsetAt: (second: number) => number,
): number => {
  let [before, after] = [start, end]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle) === offset) before = middle
    else after = middle
  }
  return after
}

/** `GMT`, `GMT+01:00`, `GMT-00:53:28` */
const longOffset = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

const offsetsBy = (timezone: string): ((second: number) => number) => {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
  return (second) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = longOffset.exec(clock.format(second * 1000)) ?? []
    const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
    return sign === '-' ? -size : size
  }
}
