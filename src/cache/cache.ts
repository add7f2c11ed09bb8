/** At once, or later. */
type Soon<T> = T | PromiseLike<T>

/** How often something was counted, and when the count ends. */
export interface Counted {
  readonly count: number
  /** Milliseconds until the count begins anew. */
  readonly left: number
}

/**
 * A place for short texts that end by themselves, shared by all processes of an application: what is revoked, how many
 * logins failed.
 *
 * @throws CacheError from every act where it cannot be reached
 */
export interface Cache {
  /** `undefined`: there is none, or it has ended. */
  get(key: string): Soon<string | undefined>
  /** Several at once, in the order of `keys`. */
  getMany(keys: readonly string[]): Soon<readonly (string | undefined)[]>
  /** @param seconds how long it is kept, a whole number from 1 */
  set(key: string, value: string, seconds: number): Soon<void>
  /** Stores only where there is nothing, in one step that nobody can come between. Whether it did. */
  add(key: string, value: string, seconds: number): Soon<boolean>
  /** Adds to a count, in one step. Its time begins with the first of it. @param by may be negative */
  count(key: string, by: number, seconds: number): Soon<Counted>
  delete(key: string): Soon<void>
}
