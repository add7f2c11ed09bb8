import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { tooMany } from './refusals.ts'
import type { TokenAuthSettings } from './settings.ts'

/** Who tries to log in. */
export interface Attempt {
  /** What tells one account from another, the same at every try for it. It is never stored, only its hash. */
  readonly account: string
  /** The client's address, as far as the host knows it. Where it is not known, the account alone counts. */
  readonly address: string | undefined
}

/**
 * Bounds how often something is done. Counts are in the cache, so that all processes share them.
 *
 * Asking first leaves nothing in the cache: a count begins only with work that is done, so that pushing the counts of
 * others out of a bounded cache costs that work.
 */
interface Limit<Who> {
  /** Whether it may be tried at all. Nothing is counted. @throws HttpError 429 with Retry-After; CacheError */
  assertOpen(who: Who): Steps<void>
  /**
   * Counts it, right before it is done, so that no number of tries at the same time gets past.
   * @throws HttpError 429 with Retry-After where there were too many
   * @throws CacheError
   */
  enter(who: Who): Steps<void>
}

/** Bounds how many passwords can be tried. */
export interface Throttle extends Limit<Attempt> {
  /** Gives back what this try took: no password was looked at. @throws CacheError */
  undo(who: Attempt): Steps<void>
  /** Forgets the account's failures, and gives the address back what this try took. @throws CacheError */
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
    LOGIN_MAX_FAILURES === 0
      ? []
      : [{ key: keyFor(settings, 'failures:account', account), most: LOGIN_MAX_FAILURES }]
  const ofAddress = ({ address }: Attempt): readonly Counter[] =>
    countersOf(settings, 'failures:address', address, LOGIN_MAX_FAILURES_PER_ADDRESS)
  // The address first: one that is refused already cannot use up the tries of other people's accounts.
  const all = (who: Attempt): readonly Counter[] => [...ofAddress(who), ...ofAccount(who)]
  return {
    assertOpen: (who) => assertBelow(settings, 'failed logins', all(who)),
    enter: (who) => countUp(settings, 'failed logins', all(who)),
    undo: (who) => countDown(settings, all(who)),
    *succeeded(who) {
      for (const { key } of ofAccount(who)) yield* waitInAnyMode(cache.delete(key))
      yield* countDown(settings, ofAddress(who))
    },
  }
}

export const registrationLimit = (settings: ThrottleSettings): RegistrationLimit => {
  const counters = (address: string | undefined): readonly Counter[] =>
    countersOf(settings, 'registrations:address', address, settings.REGISTER_MAX_PER_ADDRESS)
  return {
    assertOpen: (address) => assertBelow(settings, 'registrations', counters(address)),
    enter: (address) => countUp(settings, 'registrations', counters(address)),
  }
}

interface Counter {
  readonly key: string
  readonly most: number
}

const countersOf = (
  settings: ThrottleSettings,
  kind: string,
  address: string | undefined,
  most: number,
): readonly Counter[] =>
  address === undefined || most === 0
    ? []
    : addressBlocks(address).map(({ block, clients }) => ({
        key: keyFor(settings, kind, block),
        most: most * clients,
      }))

const keyFor = ({ JWT_ISS, JWT_AUD, userModel }: ThrottleSettings, kind: string, text: string): string => {
  const hash = createHash('sha256').update(JSON.stringify([JWT_ISS, JWT_AUD, userModel, text]))
  return `auth:${kind}:${hash.digest('base64url')}`
}

type Counting = Pick<ThrottleSettings, 'cache' | 'LOGIN_FAILURE_WINDOW'>

function* assertBelow(
  { cache, LOGIN_FAILURE_WINDOW }: Counting,
  what: string,
  counters: readonly Counter[],
): Steps<void> {
  for (const { key, most } of counters) {
    const { count, left } = yield* waitInAnyMode(cache.count(key, 0, LOGIN_FAILURE_WINDOW))
    if (count >= most) throw tooMany(what, left)
  }
}

/** Which of the limits was reached is not said. */
function* countUp(
  { cache, LOGIN_FAILURE_WINDOW }: Counting,
  what: string,
  counters: readonly Counter[],
): Steps<void> {
  for (const { key, most } of counters) {
    const { count, left } = yield* waitInAnyMode(cache.count(key, 1, LOGIN_FAILURE_WINDOW))
    if (count > most) throw tooMany(what, left)
  }
}

function* countDown({ cache, LOGIN_FAILURE_WINDOW }: Counting, counters: readonly Counter[]): Steps<void> {
  for (const { key } of counters) yield* waitInAnyMode(cache.count(key, -1, LOGIN_FAILURE_WINDOW))
}

/** Addresses that may be those of one client. */
interface AddressBlock {
  readonly block: string
  /** How many times as much as a single client all of it together may do. */
  readonly clients: number
}

/** Networks are given out in these sizes: one to a home as a rule, a few of them to others. */
const prefixes = [
  { bits: 64, clients: 1 },
  { bits: 56, clients: 4 },
  { bits: 48, clients: 16 },
] as const

/**
 * What counts as one client, the smallest block first: an IPv4 address, or the 64 bits in front of an IPv6 address, behind
 * which a single client has as many addresses as it likes. The same client may have 256 or 65,536 such blocks, so that the
 * 56 and 48 bits in front count as well.
 */
export const addressBlocks = (address: string): readonly AddressBlock[] => {
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
