import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Cache, Counted } from '../cache/cache.ts'
import { type HttpError, problem } from '../error/errors.ts'
import { type Awaitable, after, isPromise } from '../model/objects.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import type { TokenAuthSettings } from './settings.ts'

/** Who tries to log in. */
export interface Attempt {
  /** What tells one account from another, the same at every try for it. It is never stored, only its hash. */
  readonly account: string
  /** As far as the host knows it. If it is not known, only the account counts. */
  readonly address: string | undefined
}

/**
 * Bounds how often something is done. Counts are in the cache, so that all processes share them.
 *
 * Asking first leaves nothing in the cache: a count begins only with work that is done, so that pushing the counts of
 * others out of a bounded cache costs that work.
 *
 * @throws CacheError from every act
 */
interface Limit<Who> {
  /** Whether it may be tried at all. Nothing is counted. @throws HttpError 429 */
  assertOpen(who: Who): Steps<void>
  /** Counts it, right before it is done, so that no number of tries at the same time gets past. @throws HttpError 429 */
  enter(who: Who): Steps<void>
}

/** Bounds how many passwords can be tried. */
export interface Throttle extends Limit<Attempt> {
  /** Gives back what this try took: no password was looked at. */
  undo(who: Attempt): Steps<void>
  /** Forgets the account's failures, and gives the address back what this try took. */
  succeeded(who: Attempt): Steps<void>
}

/** Bounds how many users one address registers. An address that is not known has no limit. */
export type RegistrationLimit = Limit<string | undefined>

/** A limit of 0 is off. */
export const throttleOf = (settings: TokenAuthSettings): Throttle => {
  const { cache, LOGIN_MAX_FAILURES, LOGIN_MAX_FAILURES_PER_ADDRESS } = settings
  const ofAccount = ({ account }: Attempt): readonly Counter[] =>
    LOGIN_MAX_FAILURES === 0 ? [] : [counterOf(settings, 'failures:account', account, LOGIN_MAX_FAILURES)]
  const ofAddress = ({ address }: Attempt): readonly Counter[] =>
    addressCounters(settings, 'failures:address', address, LOGIN_MAX_FAILURES_PER_ADDRESS)
  const all = (who: Attempt): readonly Counter[] => [...ofAddress(who), ...ofAccount(who)]
  return {
    assertOpen: (who) => assertBelow(cache, 'failed logins', all(who)),
    *enter(who) {
      // The address first: one that is refused already cannot use up the tries of other people's accounts.
      yield* assertCounted(cache, 'failed logins', ofAddress(who))
      yield* assertCounted(cache, 'failed logins', ofAccount(who))
    },
    *undo(who) {
      yield* counted(cache, all(who), -1)
    },
    *succeeded(who) {
      for (const { key } of ofAccount(who)) yield* waitInAnyMode(cache.delete(key))
      yield* counted(cache, ofAddress(who), -1)
    },
  }
}

export const registrationLimit = (settings: TokenAuthSettings): RegistrationLimit => {
  const { cache, REGISTER_MAX_PER_ADDRESS } = settings
  const counters = (address: string | undefined): readonly Counter[] =>
    addressCounters(settings, 'registrations:address', address, REGISTER_MAX_PER_ADDRESS)
  return {
    assertOpen: (address) => assertBelow(cache, 'registrations', counters(address)),
    enter: (address) => assertCounted(cache, 'registrations', counters(address)),
  }
}

/** A count in the cache, how far it may go, and in how many seconds. */
export interface Counter {
  readonly key: string
  readonly most: number
  readonly seconds: number
}

/** Adds to all counters at the same time. 0 only reads them. */
export function* counted(
  cache: Cache,
  counters: readonly Counter[],
  by: -1 | 0 | 1,
): Steps<readonly (Counter & Counted)[]> {
  const ask = (counter: Counter): Awaitable<Counter & Counted> => {
    try {
      return after(cache.count(counter.key, by, counter.seconds), (known) => ({ ...counter, ...known }))
    } catch (error) {
      // Others may be on their way. If one of those fails too and nobody waits for it, the process ends.
      return Promise.reject(error)
    }
  }
  const counts = counters.map(ask)
  return counts.some(isPromise)
    ? yield* waitInAnyMode(Promise.all(counts))
    : (counts as (Counter & Counted)[])
}

/** Counts it by every counter, the smallest limit first. Which of them was reached is not said. @throws HttpError 429 */
export function* assertCounted(cache: Cache, what: string, counters: readonly Counter[]): Steps<void> {
  const counts = yield* counted(cache, counters, 1)
  const over = counts.find(({ count, most }) => count > most)
  if (over === undefined) return
  // What one limit refuses uses up nothing of a larger one.
  yield* counted(cache, counters.slice(counts.indexOf(over) + 1), -1)
  throw tooMany(what, over.left)
}

function* assertBelow(cache: Cache, what: string, counters: readonly Counter[]): Steps<void> {
  const over = (yield* counted(cache, counters, 0)).find(({ count, most }) => count >= most)
  if (over !== undefined) throw tooMany(what, over.left)
}

/** @param left milliseconds until the next try */
const tooMany = (what: string, left: number): HttpError => {
  const seconds = Math.max(1, Math.ceil(left / 1000))
  return problem('too_many_requests', `Too many ${what}. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds), 'cache-control': 'no-store' },
  })
}

const addressCounters = (
  settings: TokenAuthSettings,
  kind: string,
  address: string | undefined,
  most: number,
): readonly Counter[] =>
  address === undefined || most === 0
    ? []
    : addressBlocks(address).map(({ block, clients }) => counterOf(settings, kind, block, most * clients))

const counterOf = (
  { JWT_ISS, JWT_AUD, userModel, LOGIN_FAILURE_WINDOW: seconds }: TokenAuthSettings,
  kind: string,
  text: string,
  most: number,
): Counter => {
  const who = hash('sha256', JSON.stringify([JWT_ISS, JWT_AUD, userModel, text]), 'base64url')
  return { key: `auth:${kind}:${who}`, most, seconds }
}

/** Networks are given out in these sizes: one to a home as a rule, a few of them to others. */
const prefixes = [
  { bits: 64, clients: 1 },
  { bits: 56, clients: 4 },
  { bits: 48, clients: 16 },
] as const

/**
 * What counts as one client, the smallest block first, and how many times as much as a single client all of it may do: an
 * IPv4 address, or the 64 bits in front of an IPv6 address, behind which a single client has as many addresses as it likes.
 * The same client may have 256 or 65,536 such blocks, so that the 56 and 48 bits in front count as well.
 */
export const addressBlocks = (
  address: string,
): readonly { readonly block: string; readonly clients: number }[] => {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return [{ block: address, clients: 1 }]
  const digits = digitsOf(plain)
  if (digits.startsWith(MAPPED)) {
    const block = Buffer.from(digits.slice(MAPPED.length), 'hex').join('.')
    return [{ block, clients: 1 }]
  }
  return prefixes.map(({ bits, clients }) => ({ block: `${digits.slice(0, bits / 4)}/${bits}`, clients }))
}

/** The largest block that an address lies in: who shares it shares turns where many wait. */
export const largestBlock = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : addressBlocks(address).at(-1)?.block

/** In front of an IPv4 address that is written as an IPv6 one. */
const MAPPED = `${'0'.repeat(20)}ffff`

/** The 32 hexadecimal digits of an IPv6 address. It can be written in many ways; a URL has only one of them. */
const digitsOf = (address: string): string => {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::').map(padded)
  return head + tail.padStart(32 - head.length, '0')
}

const padded = (groups: string): string =>
  groups.replaceAll(/[^:]+/g, (group) => group.padStart(4, '0')).replaceAll(':', '')
