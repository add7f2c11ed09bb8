import { LRUCache } from 'lru-cache'
import { StartError } from '../error/errors.ts'

type Soon<T> = T | PromiseLike<T>

/** How often something was counted, and when the count ends. */
export interface Counted {
  readonly count: number
  /** Milliseconds until the count begins anew; 0 where there is none. */
  readonly left: number
}

/**
 * A place for short texts that end by themselves, shared by all processes of an application: what is revoked, how many
 * logins failed. One of your own must keep to every word here; `memoryCache` and `redisCache` are two that do.
 *
 * @throws CacheError from every act where it cannot be reached, or cannot keep what it is given
 * @throws RangeError where seconds are no whole number from 1
 */
export interface Cache {
  /** `undefined`: there is none, or it has ended. A count is read as its digits. */
  get(key: string): Soon<string | undefined>
  /** Several at once, in the order of `keys`. */
  getMany(keys: readonly string[]): Soon<readonly (string | undefined)[]>
  /** @param seconds how long it is kept, a whole number from 1 */
  set(key: string, value: string, seconds: number): Soon<void>
  /** Stores only where there is nothing, in one step that nobody can come between. Whether it did. */
  add(key: string, value: string, seconds: number): Soon<boolean>
  /**
   * Adds to a count, in one step. Its time begins with the first of it and is never made longer.
   * @param by a whole number. One below 0 takes back, down to 0; where there is no count, neither it nor 0 begins one
   */
  count(key: string, by: number, seconds: number): Soon<Counted>
  delete(key: string): Soon<void>
}

/** The cache could not be reached, or refused. What it said is the cause, for the log alone. */
export class CacheError extends Error {
  override readonly name: string = 'CacheError'
}

/** The cache is there, but has no room. */
export class CacheFull extends CacheError {}

/** The same for every cache: some would keep a text for ever that was to be kept for no time. */
export const wholeSeconds = (seconds: number): number => {
  if (Number.isSafeInteger(seconds) && seconds >= 1) return seconds
  throw new RangeError(`A cache keeps a text for a whole number of seconds from 1, not ${seconds}.`)
}

/** What {@link memoryCache} takes. */
export interface MemoryCacheOptions {
  /**
   * How much memory it may take, in bytes, estimated. One quarter is for counts.
   * @default 67_108_864 (64 MiB: room for about 120,000 revoked tokens)
   */
  readonly maxBytes?: number
}

const MAX_BYTES = 64 * 1024 * 1024

/** A full cache looks for what has ended at most this often, in milliseconds: it looks at everything then. */
const SWEEP = 1000

/** What `add` leaves free of the room of texts. */
const RESERVED = 1 / 8

/** In bytes. An entry costs 200 beside its characters: its places in the lists and the map. */
const sizeOf = (value: string, key: string): number => 200 + 2 * (key.length + value.length)

const isWhole = /^(?:0|-?[1-9]\d{0,14})$/

/**
 * A cache in the memory of this process: for one process, for development and for tests. What it holds is gone when the
 * process ends, and other processes do not see it: use `redisCache` where there are several, or where a revoked token
 * must stay revoked after a restart.
 *
 * Its memory is bounded, in two rooms. Texts (what is revoked) are never forgotten before their time: where their room
 * is full, `set` and `add` throw `CacheError`, so that the act that needs them fails and nothing that is revoked comes
 * to life again. What every token leaves is added; its last eighth is for what is `set`, so that all sessions of a user
 * can be ended still. Counts (failed logins) have a room of their own, so that thousands of them push out no text. Where it is
 * full, the lowest counts are forgotten first, and of those the one that was not touched for the longest time: who counts
 * something once for each of many keys pushes out no count that is near its limit.
 *
 * Every answer is there at once, never a promise.
 * @throws StartError where `maxBytes` is no whole number from 65,536
 * @example
 * ```ts
 * import { memoryCache } from 'modelrest'
 *
 * export const CACHE = memoryCache({ maxBytes: 256 * 1024 * 1024 })
 * ```
 */
export const memoryCache = (options: MemoryCacheOptions = {}): Cache => {
  const { maxBytes = MAX_BYTES } = options
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 65_536)
    throw new StartError(
      `memoryCache: maxBytes must be a whole number from 65536. Its default is ${MAX_BYTES}.`,
    )
  const forCounts = Math.floor(maxBytes / 4)
  const texts = room(maxBytes - forCounts)
  const counts = countRooms(forCounts)
  const keep = keeper(texts)
  const holding = (key: string): Room | undefined => (texts.has(key) ? texts : counts.holding(key))
  const get = (key: string): string | undefined => holding(key)?.get(key)
  return {
    get,
    getMany: (keys) => keys.map(get),
    set(key, value, seconds) {
      keep(key, value, wholeSeconds(seconds))
      counts.delete(key)
    },
    add(key, value, seconds) {
      const time = wholeSeconds(seconds)
      if (holding(key) !== undefined) return false
      keep(key, value, time, texts.maxSize * RESERVED)
      return true
    },
    count(key, by, seconds) {
      const ttl = wholeSeconds(seconds) * 1000
      const held = holding(key)
      if (held === undefined) {
        if (by <= 0) return { count: 0, left: 0 }
        counts.put(key, by, ttl)
        return { count: by, left: ttl }
      }
      const before = held.get(key) ?? ''
      if (!isWhole.test(before)) throw new CacheError('What the cache holds there is not a count.')
      const count = Math.max(0, Number(before) + by)
      const left = Math.max(0, Math.ceil(held.getRemainingTTL(key)))
      if (held === texts) held.set(key, String(count), { noUpdateTTL: true })
      else counts.put(key, count, left)
      return { count, left }
    },
    delete(key) {
      texts.delete(key)
      counts.delete(key)
    },
  }
}

type Room = LRUCache<string, string>

// The clock is read at each act: within one turn of the event loop, too, time goes on.
const room = (maxSize: number): Room =>
  new LRUCache<string, string>({ maxSize, sizeCalculation: sizeOf, ttlResolution: 0 })

/** From these on, a count lies in the next tier. */
const TIERS = [0, 2, 4, 8]

/** Counts in tiers by their height. A tier keeps at least a part of the memory, however many counts the others have. */
const countRooms = (maxBytes: number) => {
  const tiers = TIERS.map((least) => ({ least, room: room(maxBytes) }))
  const kept = maxBytes / (2 * tiers.length)
  const holding = (key: string): Room | undefined => tiers.find((tier) => tier.room.has(key))?.room
  const size = (): number => tiers.reduce((sum, tier) => sum + tier.room.calculatedSize, 0)
  return {
    holding,
    /** @param ttl milliseconds that are left of the count's time */
    put(key: string, count: number, ttl: number): void {
      const tier = tiers.findLast(({ least }) => count >= least)?.room
      const before = holding(key)
      if (before === tier) tier?.set(key, String(count), { noUpdateTTL: true })
      else {
        before?.delete(key)
        // Never longer than what was left; 0 would mean for ever.
        tier?.set(key, String(count), { ttl: Math.max(1, Math.floor(ttl)) })
      }
      while (size() > maxBytes)
        tiers.find(({ room: { calculatedSize } }) => calculatedSize > kept)?.room.pop()
    },
    delete: (key: string) => void holding(key)?.delete(key),
  }
}

/** Keeps a text, or refuses it: it never pushes out another. */
const keeper = (texts: Room) => {
  let swept = Number.NEGATIVE_INFINITY
  const fits = (size: number): boolean => texts.calculatedSize + size <= texts.maxSize
  return (key: string, value: string, seconds: number, spare = 0): void => {
    const more = spare + sizeOf(value, key) - (texts.info(key)?.size ?? 0)
    if (!fits(more) && performance.now() - swept >= SWEEP) {
      swept = performance.now()
      texts.purgeStale()
    }
    if (!fits(more)) throw new CacheFull('The cache is full, and forgets nothing before its time.')
    texts.set(key, value, { ttl: seconds * 1000 })
  }
}
