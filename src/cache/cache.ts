import { LRUCache } from 'lru-cache'
import { StartError } from '../error/errors.ts'

type Soon<T> = T | PromiseLike<T>

/** The value of a counter, and the time until it expires. */
export interface Counted {
  readonly count: number
  /** Milliseconds until the counter expires; 0 if there is no counter. */
  readonly left: number
}

/**
 * A key-value store whose entries expire, shared by all processes of an application. It stores revoked tokens and
 * failed-login counters. `memoryCache` and `redisCache` implement it. Your own implementation must follow this description
 * exactly; `cacheContract` of `modelrest/testing` tests it.
 *
 * @throws CacheError from every method if the cache is unavailable or cannot store the value
 * @throws RangeError from `set`, `add` and `count` if `seconds` is not an integer of at least 1
 */
export interface Cache {
  /** Returns the value, or `undefined` if the key is missing or expired. The value of a counter is its digits. */
  get(key: string): Soon<string | undefined>
  /** Returns several values, in the order of `keys`. */
  getMany(keys: readonly string[]): Soon<readonly (string | undefined)[]>
  /** Stores a value. @param seconds the time until it expires, an integer of at least 1 */
  set(key: string, value: string, seconds: number): Soon<void>
  /** Stores a value if the key does not exist, atomically. Returns whether it stored the value. */
  add(key: string, value: string, seconds: number): Soon<boolean>
  /**
   * Adds to a counter, atomically, and returns it. The counter expires `seconds` after it was created; later calls do not
   * extend this time.
   * @param by an integer. A negative value decreases the counter, but not below 0. Only a positive value creates a
   *   counter
   */
  count(key: string, by: number, seconds: number): Soon<Counted>
  delete(key: string): Soon<void>
}

/** The cache is unavailable or refused the command. The original error is the `cause` and appears only in the log. */
export class CacheError extends Error {
  override readonly name: string = 'CacheError'
}

/** The cache is available but full. */
export class CacheFull extends CacheError {}

/** Some caches store a value forever if its lifetime is 0, so every cache rejects it. */
export const wholeSeconds = (seconds: number): number => {
  if (Number.isSafeInteger(seconds) && seconds >= 1) return seconds
  throw new RangeError(
    `The lifetime of a cache entry must be an integer of at least 1, in seconds, not ${seconds}.`,
  )
}

/** The options of {@link memoryCache}. */
export interface MemoryCacheOptions {
  /**
   * The maximum memory in bytes, estimated, at least 65,536. One quarter is reserved for counters.
   * @default 67_108_864 (64 MiB, enough for about 120,000 revoked tokens)
   */
  readonly maxBytes?: number
}

const MAX_BYTES = 64 * 1024 * 1024

/** The minimum time between two searches for expired entries in a full cache, in milliseconds: each visits all entries. */
const SWEEP = 1000

/** The part of the memory for values that `add` leaves free. */
const RESERVED = 1 / 8

/** In bytes. The lists and the map take 200 bytes per entry, in addition to its characters. */
const sizeOf = (value: string, key: string): number => 200 + 2 * (key.length + value.length)

const isWhole = /^(?:0|-?[1-9]\d{0,14})$/

/**
 * A cache in the memory of this process, for a single process, development and tests. Its entries are lost when the process
 * ends, and other processes do not see them: use `redisCache` if you run several processes, or if revoked tokens must stay
 * revoked after a restart.
 *
 * Its memory is limited:
 *
 * - Values (revoked tokens) are never evicted. If their memory is full, `set` and `add` throw a `CacheError`, so the request
 *   fails and revoked tokens stay revoked. Only `set` may use the last eighth, so there is room to end all sessions of a user.
 * - Counters (failed logins) have separate memory, a quarter of the total. If it is full, the lowest counters are evicted
 *   first, and the least recently used among them. Many keys that are counted once cannot evict a counter near its limit.
 *
 * Its methods are synchronous.
 * @throws StartError if `maxBytes` is not an integer of at least 65,536
 * @example
 * ```ts
 * import { memoryCache } from 'modelrest'
 *
 * export const cache = memoryCache({ maxBytes: 256 * 1024 * 1024 })
 * ```
 */
export const memoryCache = (options: MemoryCacheOptions = {}): Cache => {
  const { maxBytes = MAX_BYTES } = options
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 65_536)
    throw new StartError(
      `memoryCache: maxBytes must be an integer of at least 65536. The default is ${MAX_BYTES}.`,
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
      if (!isWhole.test(before)) throw new CacheError('The value of this cache key is not a counter.')
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

// With `ttlResolution: 0`, each call reads the clock: a long tick must not extend the life of an entry.
const room = (maxSize: number): Room =>
  new LRUCache<string, string>({ maxSize, sizeCalculation: sizeOf, ttlResolution: 0 })

/** The lowest count of each tier. */
const TIERS = [0, 2, 4, 8]

/** Counters in tiers by their value. Each tier keeps a minimum of the memory, however many counters the others have. */
const countRooms = (maxBytes: number) => {
  const tiers = TIERS.map((least) => ({ least, room: room(maxBytes) }))
  const kept = maxBytes / (2 * tiers.length)
  const holding = (key: string): Room | undefined => tiers.find((tier) => tier.room.has(key))?.room
  const size = (): number => tiers.reduce((sum, tier) => sum + tier.room.calculatedSize, 0)
  return {
    holding,
    /** @param ttl milliseconds until the counter expires */
    put(key: string, count: number, ttl: number): void {
      const tier = tiers.findLast(({ least }) => count >= least)?.room
      const before = holding(key)
      if (before === tier) tier?.set(key, String(count), { noUpdateTTL: true })
      else {
        before?.delete(key)
        // Rounded down, so that a counter never lives longer; 0 would mean forever.
        tier?.set(key, String(count), { ttl: Math.max(1, Math.floor(ttl)) })
      }
      while (size() > maxBytes)
        tiers.find(({ room: { calculatedSize } }) => calculatedSize > kept)?.room.pop()
    },
    delete: (key: string) => void holding(key)?.delete(key),
  }
}

/** Stores a value, or throws if there is no room: it never evicts another value. */
const keeper = (texts: Room) => {
  let swept = Number.NEGATIVE_INFINITY
  const fits = (size: number): boolean => texts.calculatedSize + size <= texts.maxSize
  return (key: string, value: string, seconds: number, spare = 0): void => {
    const more = spare + sizeOf(value, key) - (texts.info(key)?.size ?? 0)
    if (!fits(more) && performance.now() - swept >= SWEEP) {
      swept = performance.now()
      texts.purgeStale()
    }
    if (!fits(more))
      throw new CacheFull(
        'The cache is full, and its entries have not expired yet. Increase maxBytes of memoryCache.',
      )
    texts.set(key, value, { ttl: seconds * 1000 })
  }
}
