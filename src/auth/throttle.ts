import { createHash } from 'node:crypto'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { addressBlocks } from './address-block.ts'
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
export interface Limit<Who> {
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
  | 'maxFailures'
  | 'maxFailuresPerAddress'
  | 'maxRegistrationsPerAddress'
  | 'failureWindow'
  | 'issuer'
  | 'audience'
  | 'userModel'
>

export const throttleOf = (settings: ThrottleSettings): Throttle => {
  const { cache, maxFailures, maxFailuresPerAddress } = settings
  const ofAccount = ({ account }: Attempt): readonly Counter[] =>
    maxFailures === 0 ? [] : [{ key: keyFor(settings, 'failures:account', account), most: maxFailures }]
  const ofAddress = ({ address }: Attempt): readonly Counter[] =>
    countersOf(settings, 'failures:address', address, maxFailuresPerAddress)
  // The address first: one that is refused already cannot use up the tries of other people's accounts.
  const all = (who: Attempt): readonly Counter[] => [...ofAddress(who), ...ofAccount(who)]
  return {
    assertOpen: (who) => assertBelow(settings, 'failed logins', all(who)),
    enter: (who) => add(settings, 'failed logins', all(who)),
    undo: (who) => giveBack(settings, all(who)),
    *succeeded(who) {
      for (const { key } of ofAccount(who)) yield* waitInAnyMode(cache.delete(key))
      yield* giveBack(settings, ofAddress(who))
    },
  }
}

export const registrationLimit = (settings: ThrottleSettings): RegistrationLimit => {
  const counters = (address: string | undefined): readonly Counter[] =>
    countersOf(settings, 'registrations:address', address, settings.maxRegistrationsPerAddress)
  return {
    assertOpen: (address) => assertBelow(settings, 'registrations', counters(address)),
    enter: (address) => add(settings, 'registrations', counters(address)),
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

const keyFor = ({ issuer, audience, userModel }: ThrottleSettings, kind: string, text: string): string => {
  const hash = createHash('sha256').update(JSON.stringify([issuer, audience, userModel, text]))
  return `auth:${kind}:${hash.digest('base64url')}`
}

type Counting = Pick<ThrottleSettings, 'cache' | 'failureWindow'>

function* assertBelow(
  { cache, failureWindow }: Counting,
  what: string,
  counters: readonly Counter[],
): Steps<void> {
  for (const { key, most } of counters) {
    const { count, left } = yield* waitInAnyMode(cache.count(key, 0, failureWindow))
    if (count >= most) throw tooMany(what, left)
  }
}

/** Which of the limits was reached is not said. */
function* add({ cache, failureWindow }: Counting, what: string, counters: readonly Counter[]): Steps<void> {
  for (const { key, most } of counters) {
    const { count, left } = yield* waitInAnyMode(cache.count(key, 1, failureWindow))
    if (count > most) throw tooMany(what, left)
  }
}

function* giveBack({ cache, failureWindow }: Counting, counters: readonly Counter[]): Steps<void> {
  for (const { key } of counters) yield* waitInAnyMode(cache.count(key, -1, failureWindow))
}
