import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Cache, Counted } from '../../cache/cache.ts'
import { type HttpError, problem } from '../../error/errors.ts'
import { type Awaitable, after, isPromise } from '../../model/objects.ts'
import type { Call } from '../../operation/call.ts'
import { runNested, type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { TokenAuthSettings } from '../settings/index.ts'
import type { Waiter } from './fair-queue.ts'

/** An attempt to log in, or to prove the old password. */
export interface Attempt {
  /** Identifies the account. Only its hash is stored. */
  readonly account: string
  /** What `account` is: an identifier as it was typed, or the claim `sub`, to change the password or to create an API key. @default identifier */
  readonly by?: 'identifier' | 'user' | 'key'
  /** `undefined`: unknown. All such attempts have one counter, unless the host never knows addresses. */
  readonly address: string | undefined
}

/**
 * A rate limit with its counters in the cache, which all processes share.
 *
 * `assertOpen` adds nothing to the cache: only work that is done creates a counter, so an attacker who wants to evict the
 * counters of others from a limited cache has to pay for that work.
 *
 * @throws CacheError from every method
 */
interface Limit<Who> {
  /** Checks the limit without counting. @throws HttpError 429 */
  assertOpen(who: Who): Steps<void>
  /** Counts an attempt right before its work, so concurrent attempts cannot exceed the limit. @throws HttpError 429 */
  enter(who: Who): Steps<void>
}

/** Limits failed logins. */
export interface Throttle extends Limit<Attempt> {
  /** Deletes the counters of these accounts. */
  forget(accounts: readonly string[]): Steps<void>
  /** Uncounts an attempt whose password was not checked. */
  undo(who: Attempt): Steps<void>
  /**
   * Uncounts this attempt for the address, and deletes the counter of the account. That of a user stays: each change of the
   * password may send a notice, to an address that may be a victim's. A new API key only uncounts.
   */
  succeeded(who: Attempt): Steps<void>
}

/** Limits requests per address. Requests with an unknown address have one counter, as attempts to log in have. */
export type AddressLimit = Limit<string | undefined>

/** A limit of 0 is disabled. */
export const throttleOf = (settings: TokenAuthSettings): Throttle => {
  const { cache, LOGIN_MAX_FAILURES, LOGIN_MAX_FAILURES_PER_ADDRESS } = settings
  const ofAccount = ({ account, by = 'identifier' }: Attempt): readonly Counter[] =>
    LOGIN_MAX_FAILURES === 0
      ? []
      : [
          counterOf(
            settings,
            by === 'identifier' ? 'failures:account' : 'failures:user',
            account,
            LOGIN_MAX_FAILURES,
          ),
        ]
  const ofAddress = ({ address }: Attempt): readonly Counter[] =>
    addressCounters(settings, 'failures:address', address, LOGIN_MAX_FAILURES_PER_ADDRESS)
  const all = (who: Attempt): readonly Counter[] => [...ofAddress(who), ...ofAccount(who)]
  return {
    assertOpen: (who) => assertRoom(cache, 'failed logins', all(who)),
    *enter(who) {
      // The address first: once it is refused, it must not use up the attempts of other accounts.
      yield* assertCounted(cache, 'failed logins', ofAddress(who))
      yield* assertCounted(cache, 'failed logins', ofAccount(who))
    },
    *undo(who) {
      yield* counted(cache, all(who), -1)
    },
    *forget(accounts) {
      for (const account of accounts)
        for (const { key } of ofAccount({ account, address: undefined }))
          yield* waitInAnyMode(cache.delete(key))
    },
    *succeeded(who) {
      const { by = 'identifier' } = who
      if (by === 'identifier') for (const { key } of ofAccount(who)) yield* waitInAnyMode(cache.delete(key))
      yield* counted(cache, by === 'key' ? all(who) : ofAddress(who), -1)
    },
  }
}

/**
 * Checks a password within the limits of failures. An attempt counts from its first turn in the hashing queue, unless an
 * error prevents the check or, at a login, it succeeds.
 *
 * @param check returns `undefined` for a wrong password. To be passed to each turn: `begin`
 * @throws HttpError 429, and errors of the check
 */
export function* limited<T>(
  throttle: Throttle,
  who: Attempt,
  check: (begin: () => Promise<void>) => Steps<T | undefined>,
): Steps<T | undefined> {
  yield* throttle.assertOpen(who)
  let isCounted = false
  const begin = async (): Promise<void> => {
    if (isCounted) return
    await runNested(throttle.enter(who))
    isCounted = true
  }
  let found: T | undefined
  try {
    found = yield* check(begin)
  } catch (error) {
    if (isCounted) yield* throttle.undo(who)
    throw error
  }
  if (found !== undefined) yield* throttle.succeeded(who)
  return found
}

export const registrationLimit = (settings: TokenAuthSettings): AddressLimit =>
  addressLimit(settings, 'registrations', settings.REGISTER_MAX_PER_ADDRESS)

/** Limits how many mails an address may ask for. */
export const mailLimit = (settings: TokenAuthSettings): AddressLimit =>
  addressLimit(settings, 'mails', settings.MAIL_MAX_PER_ADDRESS)

/** Limits requests with API keys that do not exist. */
export const wrongKeyLimit = (settings: TokenAuthSettings): AddressLimit =>
  addressLimit(settings, 'wrong keys', settings.LOGIN_MAX_FAILURES_PER_ADDRESS)

/** @param what counted, as part of the keys and of messages */
const addressLimit = (settings: TokenAuthSettings, what: string, most: number): AddressLimit => {
  const { cache } = settings
  const counters = (address: string | undefined): readonly Counter[] =>
    addressCounters(settings, `${what}:address`, address, most)
  return {
    assertOpen: (address) => assertRoom(cache, what, counters(address)),
    enter: (address) => assertCounted(cache, what, counters(address)),
  }
}

/** A counter in the cache, with its maximum within a number of seconds. */
export interface Counter {
  readonly key: string
  readonly most: number
  readonly seconds: number
}

/** Adds to all counters concurrently. 0 only reads them. */
export function* counted(
  cache: Cache,
  counters: readonly Counter[],
  by: -1 | 0 | 1,
): Steps<readonly (Counter & Counted)[]> {
  const ask = (counter: Counter): Awaitable<Counter & Counted> => {
    try {
      return after(cache.count(counter.key, by, counter.seconds), (known) => ({ ...counter, ...known }))
    } catch (error) {
      // A promise of another counter may be pending: if it rejected unhandled, the process would exit.
      return Promise.reject(error)
    }
  }
  const counts = counters.map(ask)
  return counts.some(isPromise)
    ? yield* waitInAnyMode(Promise.all(counts))
    : (counts as (Counter & Counted)[])
}

/** Adds 1 to every counter, the smallest limit first. The error does not reveal which limit was reached. @throws HttpError 429 */
export function* assertCounted(cache: Cache, what: string, counters: readonly Counter[]): Steps<void> {
  const counts = yield* counted(cache, counters, 1)
  const over = counts.find(({ count, most }) => count > most)
  if (over === undefined) return
  // A request that a smaller limit refuses must not count toward a larger one.
  yield* counted(cache, counters.slice(counts.indexOf(over) + 1), -1)
  throw tooMany(what, over.left)
}

export function* assertRoom(cache: Cache, what: string, counters: readonly Counter[]): Steps<void> {
  const over = (yield* counted(cache, counters, 0)).find(({ count, most }) => count >= most)
  if (over !== undefined) throw tooMany(what, over.left)
}

/** @param left milliseconds until the next attempt is allowed */
const tooMany = (what: string, left: number): HttpError => {
  const seconds = Math.max(1, Math.ceil(left / 1000))
  return problem('too_many_requests', `Too many ${what}. Retry after ${seconds} s.`, {
    headers: { 'retry-after': String(seconds), 'cache-control': 'no-store' },
  })
}

/** Shared by all requests whose address the host does not know: a client may be able to hide its own. */
const UNKNOWN = 'unknown'

const addressCounters = (
  settings: TokenAuthSettings,
  kind: string,
  address: string | undefined,
  most: number,
): readonly Counter[] =>
  !settings.knowsAddresses || most === 0
    ? []
    : addressBlocks(address ?? UNKNOWN).map(({ block, clients }) =>
        counterOf(settings, kind, block, most * clients),
      )

const counterOf = (
  { JWT_ISS, JWT_AUD, userModel, LOGIN_FAILURE_WINDOW: seconds }: TokenAuthSettings,
  kind: string,
  text: string,
  most: number,
): Counter => {
  const who = hash('sha256', JSON.stringify([JWT_ISS, JWT_AUD, userModel, text]), 'base64url')
  return { key: `auth:${kind}:${who}`, most, seconds }
}

/** Providers assign IPv6 networks in these sizes: usually one to a home, larger ones to others. */
const prefixes = [
  { bits: 64, clients: 1 },
  { bits: 56, clients: 4 },
  { bits: 48, clients: 16 },
] as const

/**
 * The address blocks that are limited, the smallest first, with the factor of the limit for each: an IPv4 address, or the
 * /64 of an IPv6 address, in which a client has any number of addresses. A client may also have a /56 or a /48, which hold
 * 256 or 65,536 such blocks, so those are limited too.
 */
export const addressBlocks = (
  address: string,
): readonly { readonly block: string; readonly clients: number }[] => {
  const host = withoutPort(address)
  const [plain = ''] = host.split('%')
  if (!isIPv6(plain)) return [{ block: host, clients: 1 }]
  const digits = digitsOf(plain)
  if (digits.startsWith(MAPPED)) {
    const block = Buffer.from(digits.slice(MAPPED.length), 'hex').join('.')
    return [{ block, clients: 1 }]
  }
  return prefixes.map(({ bits, clients }) => ({ block: `${digits.slice(0, bits / 4)}/${bits}`, clients }))
}

/** Some proxies append the port, which is another one for each connection: `203.0.113.9:50000`, `[2001:db8::1]:50000`. */
const withoutPort = (address: string): string =>
  address.replace(/^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/, '$1$2')

/** The largest block of an address: clients in the same block share turns in the hashing queue. */
export const largestBlock = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : addressBlocks(address).at(-1)?.block

/** The place of a login, or of another check of a password, in the hashing queue. */
export const turnOf = ({ address }: Call): Waiter => ({ purpose: 'login', client: largestBlock(address) })

/** The prefix of an IPv4-mapped IPv6 address. */
const MAPPED = `${'0'.repeat(20)}ffff`

/** The 32 hexadecimal digits of an IPv6 address. `URL` normalizes its many spellings. */
const digitsOf = (address: string): string => {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::').map(padded)
  return head + tail.padStart(32 - head.length, '0')
}

const padded = (groups: string): string =>
  groups.replaceAll(/[^:]+/g, (group) => group.padStart(4, '0')).replaceAll(':', '')
