/** At once, or later. */
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
