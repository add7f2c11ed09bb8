import { LRUCache } from 'lru-cache'
import { StartError } from '../error/start-error.ts'
import type { Cache } from './cache.ts'
import { CacheError } from './cache-error.ts'
import { wholeSeconds } from './whole-seconds.ts'

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

/** What an entry costs beside its characters, in bytes: its places in the lists and the map. */
const ENTRY = 200

const sizeOf = (value: string, key: string): number => ENTRY + 2 * (key.length + value.length)

const isWhole = /^(?:0|-?[1-9]\d{0,14})$/

/**
 * A cache in the memory of this process: for one process, for development and for tests. What it holds is gone when the
 * process ends, and other processes do not see it: use `redisCache` where there are several, or where a revoked token
 * must stay revoked after a restart.
 *
 * Its memory is bounded, in two rooms. Texts (what is revoked) are never forgotten before their time: where their room
 * is full, `set` and `add` throw `CacheError`, so that the act that needs them fails and nothing that is revoked comes
 * to life again. Counts (failed logins) have a room of their own, so that thousands of them push out no text; where it
 * is full, the count that was not touched for the longest time is forgotten.
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
  const counts = room(forCounts)
  const keep = keeper(texts)

  const holding = (key: string): Room | undefined => [texts, counts].find((either) => either.has(key))
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
      keep(key, value, time)
      return true
    },
    count(key, by, seconds) {
      const ttl = wholeSeconds(seconds) * 1000
      const held = holding(key)
      if (held === undefined) {
        if (by <= 0) return { count: 0, left: 0 }
        counts.set(key, String(by), { ttl })
        return { count: by, left: ttl }
      }
      const before = held.get(key) ?? ''
      if (!isWhole.test(before)) throw new CacheError('What the cache holds there is not a count.')
      const count = Math.max(0, Number(before) + by)
      held.set(key, String(count), { noUpdateTTL: true })
      return { count, left: Math.max(0, Math.ceil(held.getRemainingTTL(key))) }
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

/** Keeps a text, or refuses it: it never pushes out another. */
const keeper = (texts: Room): ((key: string, value: string, seconds: number) => void) => {
  let swept = Number.NEGATIVE_INFINITY
  const fits = (size: number): boolean => texts.calculatedSize + size <= texts.maxSize
  const sweep = (): void => {
    const now = performance.now()
    if (now - swept < SWEEP) return
    swept = now
    texts.purgeStale()
  }
  return (key, value, seconds) => {
    const more = sizeOf(value, key) - (texts.info(key)?.size ?? 0)
    if (!fits(more)) sweep()
    if (!fits(more)) throw new CacheError('The cache is full, and forgets nothing before its time.')
    texts.set(key, value, { ttl: seconds * 1000 })
  }
}
