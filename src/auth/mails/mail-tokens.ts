import { hash, randomBytes } from 'node:crypto'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { cacheKeysOf } from '../sessions/revocations.ts'
import type { Subject } from '../sessions/sessions.ts'
import type { TokenAuthSettings } from '../settings.ts'
import { counted } from '../throttle.ts'

/** What a token in a mail is for. */
export type MailPurpose = 'password-reset' | 'email-verify'

/** What a token in a mail was issued for. */
export interface Mailed extends Pick<Subject, 'sub' | 'account'> {
  readonly purpose: MailPurpose
  /** The address that the mail was sent to. */
  readonly email: string
}

/** Tokens for links in mails. @throws CacheError from every method */
export interface MailTokens {
  /** Whether this user and this address may get a mail for this purpose now: one a minute each. */
  mayMail(mailed: Pick<Mailed, 'purpose' | 'sub' | 'email'>): Steps<boolean>
  issue(mailed: Mailed): Steps<string>
  /** `undefined` if it is not one of ours, has expired, or is for another purpose or user model. */
  find(token: string, purpose: MailPurpose): Steps<Mailed | undefined>
  /** Takes a token for its only use. Returns whether it was free. */
  take(token: string): Steps<boolean>
  /** Makes a taken token usable again, because its use failed. */
  giveBack(token: string): Steps<void>
}

/** The lifetime of a token in seconds. */
const HOUR = 3600

/** The minimum time between two mails to one user for the same purpose, in seconds. */
const BETWEEN = 60

/** 256 bits. */
const BYTES = 32

/** The cache has only the hash of a token, so reading the cache does not give access to accounts. */
export const mailTokensOf = (settings: TokenAuthSettings): MailTokens => {
  const { cache } = settings
  const keys = cacheKeysOf(settings)
  const keyOf = (token: string): string => keys.mailed(hash('sha256', token, 'base64url'))
  const takenKey = (token: string): string => `${keyOf(token)}:taken`
  return {
    *mayMail({ purpose, sub, email }) {
      // A user may change the address, and an address may be registered again by another user.
      const counters = [keys.mails(purpose, sub), keys.mailsTo(purpose, hash('sha256', email, 'base64url'))]
      const counts = yield* counted(
        cache,
        counters.map((key) => ({ key, most: 1, seconds: BETWEEN })),
        1,
      )
      return counts.every(({ count, most }) => count <= most)
    },

    *issue(mailed) {
      const token = randomBytes(BYTES).toString('base64url')
      const entry: Stored = { ...mailed, until: Date.now() + HOUR * 1000 }
      yield* waitInAnyMode(cache.add(keyOf(token), JSON.stringify(entry), HOUR))
      return token
    },

    *find(token, purpose) {
      const text = yield* waitInAnyMode(cache.get(keyOf(token)))
      if (text === undefined) return undefined
      const { until, ...mailed } = JSON.parse(text) as Stored
      return mailed.purpose === purpose && Date.now() < until ? mailed : undefined
    },

    take: (token) => waitInAnyMode(cache.add(takenKey(token), '1', HOUR)),

    giveBack: (token) => waitInAnyMode(cache.delete(takenKey(token))),
  }
}

interface Stored extends Mailed {
  /** In milliseconds since 1970: the clock of the cache may differ. */
  readonly until: number
}
