import { LRUCache } from 'lru-cache'
import { HttpError, problem } from '../error/errors.ts'
import type { Call, Caller } from '../operation/call.ts'
import { isSafe } from '../operation/methods.ts'
import type { Steps } from '../operation/steps.ts'
import { forLog, type ModelSource, type Row } from '../source/source.ts'
import { sentToken } from './authenticate.ts'
import { type ApiKey, type ApiKeys, digestOf, isExpired } from './keys/api-keys.ts'
import type { AddressLimit } from './limits/throttle.ts'
import { type AuthParts, failingClosed, logEvent, type TokenAuthenticate } from './operation.ts'
import { invalidToken, tokenRefused } from './replies.ts'
import type { AuthSettings } from './settings/index.ts'
import { subjectWithClaims } from './tokens/claims.ts'
import { nowInSeconds, type OwnClaims } from './tokens/tokens.ts'

const keyForm = /^[a-z][a-z\d]*_[\w-]{43}$/i

/** The API key of a request, in its header. A JWT has dots. */
const keyIn = (call: Call, settings: AuthSettings): string | undefined => {
  const sent = sentToken(call, settings)
  return sent?.by === 'header' && keyForm.test(sent.token ?? '') ? sent.token : undefined
}

/** The caller by API key or token. */
export const withKeys =
  (byToken: TokenAuthenticate, byKey: KeyAuthenticate, settings: AuthSettings) =>
  (call: Call): Steps<Caller | undefined> => {
    const key = keyIn(call, settings)
    return key === undefined ? byToken(call) : byKey(call, key)
  }

/** The caller by token: a key must not open what only those who have logged in may do. @throws HttpError 403 from the result */
export const withoutKeys = (byToken: TokenAuthenticate, settings: AuthSettings): TokenAuthenticate =>
  function* (call) {
    if (keyIn(call, settings) === undefined) return yield* byToken(call)
    throw problem('forbidden', 'An API key is not enough here. Log in, and send the access token.')
  }

const MAX_REMEMBERED = 10_000

/** In milliseconds. */
const MINUTE = 60_000

interface KeyParts extends Pick<AuthParts, 'settings' | 'accounts'> {
  readonly apiKeys: ApiKeys
  /** Limits wrong keys per address. */
  readonly limit: AddressLimit
  readonly source: ModelSource
}

/** The caller with an API key. `undefined`: the key is wrong or expired, or its user cannot log in. */
export type KeyAuthenticate = (call: Call, text: string) => Steps<Caller | undefined>

/** @throws HttpError from the result: 403 for a write with a key that reads, 429 */
export const keyAuthenticate = (parts: KeyParts): KeyAuthenticate => {
  const { accounts } = parts
  const find = validKeys(parts)
  const note = notingUse(parts)
  return function* (call, text) {
    const since = nowInSeconds()
    const found = yield* failingClosed(find(text, call))
    const claims = found && (yield* ownClaimsOf(parts, found.row))
    if (found === undefined || claims === undefined) {
      call.challenge = invalidToken
      return undefined
    }
    const { key, row } = found
    if (key.access === 'read') {
      if (!isSafe(call)) throw readsOnly()
      call.readsOnly = true
    }
    yield* note(key, call)
    call.user = () => accounts.withoutPassword(row)
    // A client controls how long its body takes.
    call.confirm = function* () {
      if (nowInSeconds() !== since && (yield* failingClosed(find(text, call))) === undefined)
        throw tokenRefused()
    }
    const { id, name, access } = key
    return {
      id: accounts.idOf(key.sub) as Caller['id'],
      claims: Object.freeze({ ...claims, sub: key.sub, api_key: Object.freeze({ id, name, access }) }),
    }
  }
}

interface ValidKey {
  readonly key: ApiKey
  readonly row: Row
}

/** What this process knows of a key: that it was good, or when it last looked up a wrong one, in milliseconds since 1970. */
type Known = 'good' | { readonly wrongAt: number }

/**
 * Finds a valid key and its user. A client that sends the same wrong key again counts once, and costs a query per minute; one that tries
 * many is refused. Neither affects keys that this process knows.
 */
const validKeys = (parts: KeyParts) => {
  const { accounts, apiKeys, limit, settings } = parts
  const ttl = settings.LOGIN_FAILURE_WINDOW * 1000
  const seen = new LRUCache<string, Known>({ max: MAX_REMEMBERED })
  const isBound = settings.API_KEYS_END_WITH_PASSWORD || accounts.keysComeAgain
  function* userOf({ sub, account }: ApiKey): Steps<Row | undefined> {
    return yield* accounts.active({ sub, ...(isBound && account !== undefined && { account }) })
  }
  function* refused(digest: string, key: ApiKey | undefined, call: Call): Steps<void> {
    const known = seen.get(digest)
    const isCounted = known !== undefined && known !== 'good'
    // Before it counts: the same key may be sent many times at once.
    seen.set(digest, { wrongAt: Date.now() }, { ttl, noUpdateTTL: isCounted })
    if (isCounted) return
    logEvent(parts, call, 'key_refused', key?.sub, key && { key: key.id })
    if (known === undefined) yield* limit.enter(call.address)
  }
  return function* (text: string, call: Call): Steps<ValidKey | undefined> {
    const digest = digestOf(text)
    const known = seen.get(digest)
    if (known === undefined) yield* limit.assertOpen(call.address)
    else if (known !== 'good' && Math.abs(Date.now() - known.wrongAt) < MINUTE) return undefined
    const key = yield* apiKeys.find(digest)
    const row = key === undefined || isExpired(key) ? undefined : yield* userOf(key)
    if (key === undefined || row === undefined) {
      yield* refused(digest, key, call)
      return undefined
    }
    seen.set(digest, 'good')
    return { key, row }
  }
}

/** The claims of the application, as a login gets them. `undefined`: it refuses the user. */
function* ownClaimsOf(parts: KeyParts, row: Row): Steps<OwnClaims | undefined> {
  try {
    return (yield* subjectWithClaims(parts, row, nowInSeconds())).own?.claims ?? {}
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return undefined
    throw error
  }
}

/** Stores the last use of a key, at most once a minute. */
const notingUse = ({ apiKeys, source }: KeyParts) => {
  /** When this process last stored it. */
  const stored = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  return function* (key: ApiKey, call: Call): Steps<void> {
    const now = Date.now()
    const last = Math.max(key.used ?? 0, stored.get(key.id) ?? 0)
    if (Math.abs(now - last) < MINUTE) return
    stored.set(key.id, now)
    try {
      yield* apiKeys.used(key, now)
    } catch (error) {
      call.log.error('The last use of an API key was not stored', forLog(source, error))
    }
  }
}

const readsOnly = (): HttpError => problem('forbidden', 'This API key opens only reads.')
