import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Cache, Counted } from '../cache/cache.ts'
import { isPromise } from '../model/objects.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import type { TokenAuthSettings } from './settings.ts'
import { tooMany } from './transport.ts'

/** Who tries to log in. */
export interface Attempt {
  /** What tells one account from another, the same at every try for it. It is never stored, only its hash. */
  readonly account: string
  /** The client's address, as far as the host knows it. If it is not known, only the account counts. */
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
  /** Whether it may be tried at all. Nothing is counted. @throws HttpError 429 with Retry-After */
  assertOpen(who: Who): Steps<void>
  /**
   * Counts it, right before it is done, so that no number of tries at the same time gets past.
   * @throws HttpError 429 with Retry-After if there were too many
   */
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

/** What limits are made from. One of 0 is off. */
export type ThrottleSettings = Pick<
  TokenAuthSettings,
  | 'cache'
  | 'LOGIN_MAX_FAILURES'
  | 'LOGIN_MAX_FAILURES_PER_ADDRESS'
  | 'REGISTER_MAX_PER_ADDRESS'
  | 'LOGIN_FAILURE_WINDOW'
  | 'JWT_ISS'
  | 'JWT_AUD'
  | 'userModel'
>

export const throttleOf = (settings: ThrottleSettings): Throttle => {
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

export const registrationLimit = (settings: ThrottleSettings): RegistrationLimit => {
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
  const counts = counters.map(({ key, seconds }) => cache.count(key, by, seconds))
  const known = counts.some(isPromise) ? yield* waitInAnyMode(Promise.all(counts)) : (counts as Counted[])
  return counters.map((counter, at) => ({ ...counter, count: 0, left: 0, ...known[at] }))
}

/**
 * Counts it by every counter, the smallest limit first. Which of them was reached is not said.
 *
 * @throws HttpError 429
 */
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

const addressCounters = (
  settings: ThrottleSettings,
  kind: string,
  address: string | undefined,
  most: number,
): readonly Counter[] =>
  address === undefined || most === 0
    ? []
    : addressBlocks(address).map(({ block, clients }) => counterOf(settings, kind, block, most * clients))

const counterOf = (
  { JWT_ISS, JWT_AUD, userModel, LOGIN_FAILURE_WINDOW: seconds }: ThrottleSettings,
  kind: string,
  text: string,
  most: number,
): Counter => {
  const hash = createHash('sha256').update(JSON.stringify([JWT_ISS, JWT_AUD, userModel, text]))
  return { key: `auth:${kind}:${hash.digest('base64url')}`, most, seconds }
}

/** Networks are given out in these sizes: one to a home as a rule, a few of them to others. */
const prefixes = [
  { bits: 64, clients: 1 },
  { bits: 56, clients: 4 },
  { bits: 48, clients: 16 },
] as const

/**
 * What counts as one client, the smallest block first, and how many times as much as a single client all of it may do: an IPv4 address, or the 64 bits in front of an IPv6 address, behind
 * which a single client has as many addresses as it likes. The same client may have 256 or 65,536 such blocks, so that the
 * 56 and 48 bits in front count as well.
 */
export const addressBlocks = (
  address: string,
): readonly { readonly block: string; readonly clients: number }[] => {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return [{ block: address, clients: 1 }]
  const groups = groupsOf(plain)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return [{ block: dotted(groups.slice(6)), clients: 1 }]
  return prefixes.map(({ bits, clients }) => ({ block: networkOf(groups, bits), clients }))
}

/** The largest block that an address lies in: who shares it shares turns where many wait. */
export const largestBlock = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : addressBlocks(address).at(-1)?.block

const networkOf = (groups: readonly number[], bits: number): string => {
  const inFront = groups.slice(0, 4).map((group, at) => {
    const kept = Math.min(16, Math.max(0, bits - 16 * at))
    return group & (0xffff << (16 - kept))
  })
  return `${inFront.map(hex).join(':')}::/${bits}`
}

const hex = (group: number): string => group.toString(16)

/** The eight groups of an IPv6 address. It can be written in many ways; a URL has one of them alone. */
const groupsOf = (address: string): readonly number[] => {
  const [head = [], tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::').map(numbers)
  return tail === undefined
    ? head
    : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

const numbers = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

const dotted = (groups: readonly number[]): string =>
  groups.flatMap((group) => [group >> 8, group & 255]).join('.')
