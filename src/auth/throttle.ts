import { createHash } from 'node:crypto'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Cache } from '../cache/cache.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { addressBlock } from './address-block.ts'
import { tooMany } from './refusals.ts'
import type { TokenAuthSettings } from './settings.ts'

/** Who tries to log in. */
export interface Attempt {
  /** What tells one account from another, the same at every try for it. It is never stored, only its hash. */
  readonly account: string
  /** The client's address, as far as the host knows it. Where it is not known, the account alone counts. */
  readonly address: string | undefined
}

/** Bounds how many passwords can be tried. Counts are in the cache, so that all processes share them. */
export interface Throttle {
  /**
   * Takes its place before a password is looked at, so that no number of tries at the same time gets past.
   * @throws HttpError 429 with Retry-After where there were too many
   * @throws CacheError
   */
  enter(who: Attempt): Steps<void>
  /** Gives both their points back: nobody looked at the password. @throws CacheError */
  undo(who: Attempt): Steps<void>
  /** Forgets the account's failures, and gives the address back what this try took. @throws CacheError */
  succeeded(who: Attempt): Steps<void>
}

/** What a {@link Throttle} is made from. A limit of 0 is off. */
export type ThrottleSettings = Pick<
  TokenAuthSettings,
  'cache' | 'maxFailures' | 'maxFailuresPerAddress' | 'failureWindow' | 'issuer' | 'audience' | 'userModel'
>

export const throttleOf = (settings: ThrottleSettings): Throttle => {
  const { issuer, audience, userModel } = settings
  const limits = {
    account: limitOf(settings, 'account', settings.maxFailures),
    address: limitOf(settings, 'address', settings.maxFailuresPerAddress),
  }
  const key = (text: string): string =>
    createHash('sha256')
      .update(JSON.stringify([issuer, audience, userModel, text]))
      .digest('base64url')
  const keyOf = {
    account: ({ account }: Attempt) => key(account),
    address: ({ address }: Attempt) => (address === undefined ? undefined : key(addressBlock(address))),
  }
  return {
    *enter(who) {
      // The address first: one that is refused already cannot use up the tries of other people's accounts.
      yield* take(limits.address, keyOf.address(who))
      yield* take(limits.account, keyOf.account(who))
    },
    *undo(who) {
      yield* giveBack(limits.address, keyOf.address(who))
      yield* giveBack(limits.account, keyOf.account(who))
    },
    *succeeded(who) {
      yield* waitInAnyMode(limits.account?.delete(keyOf.account(who)))
      yield* giveBack(limits.address, keyOf.address(who))
    },
  }
}

function* take(limit: RateLimiterRedis | undefined, key: string | undefined): Steps<void> {
  if (limit === undefined || key === undefined) return
  try {
    yield* waitInAnyMode(limit.consume(key))
  } catch (refusal) {
    // Which of the limits was reached is not said.
    throw refusal instanceof RateLimiterRes ? tooMany('failed logins', refusal.msBeforeNext) : refusal
  }
}

function* giveBack(limit: RateLimiterRedis | undefined, key: string | undefined): Steps<void> {
  if (limit !== undefined && key !== undefined) yield* waitInAnyMode(limit.reward(key))
}

const limitOf = (
  { cache, failureWindow }: ThrottleSettings,
  kind: string,
  points: number,
): RateLimiterRedis | undefined =>
  points === 0
    ? undefined
    : new RateLimiterRedis({
        storeClient: asRedis(cache),
        useRedisPackage: true,
        keyPrefix: `auth:failures:${kind}`,
        points,
        duration: failureWindow,
      })

/** The two commands of a client of Redis by which the limiter counts and forgets, on our cache, whichever that is. */
const asRedis = (cache: Cache) => ({
  /** The limiter's script adds the first argument to its one key, and begins its time with the second, in seconds. */
  async eval(_script: string, { keys: [key = ''], arguments: [by, seconds] }: Script) {
    const { count, left } = await cache.count(key, Number(by), Number(seconds))
    return [count, left] as const
  },
  async del(key: string) {
    await cache.delete(key)
    return 1
  },
})

interface Script {
  readonly keys: readonly string[]
  readonly arguments: readonly string[]
}
