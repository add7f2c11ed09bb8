import { hash, randomBytes } from 'node:crypto'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { assertRoom, type Counter, counted } from '../limits/throttle.ts'
import { cacheKeysOf } from '../sessions/revocations.ts'
import type { TokenAuthSettings } from '../settings/index.ts'
import type { Subject } from '../tokens/tokens.ts'

/** What a token in a mail is for. */
export type MailPurpose = 'password-reset' | 'email-verify' | 'invitation'

/** What a token in a mail was issued for. */
export interface Mailed extends Pick<Subject, 'sub' | 'account'> {
  readonly purpose: MailPurpose
  /** The address that the mail was sent to. */
  readonly email: string
}

/** Who gets a mail, and for what. */
type Recipient = Pick<Mailed, 'purpose' | 'sub' | 'email'>

/** The same for a user who need not exist yet. */
type Addressee = Pick<Recipient, 'purpose' | 'email'> & Partial<Pick<Recipient, 'sub'>>

/** Tokens for links in mails. @throws CacheError from every method */
export interface MailTokens {
  /**
   * Whether this user and this address may get a mail for this purpose now. After each mail, the pause of both doubles, from a
   * minute up to an hour; a day without a mail after it ends, or `forgive`, makes it a minute again.
   */
  mayMail(recipient: Recipient): Steps<boolean>
  /** The same without beginning a pause, for a caller who may know. @throws HttpError 429 during one */
  assertMayMail(recipient: Addressee): Steps<void>
  /** Makes the pauses a minute again, and ends the present ones: the recipient has used a mail. */
  forgive(recipient: Recipient): Steps<void>
  /** Takes as many round trips to the cache as a mail to a user, and leaves nothing there. */
  pretend(purpose: MailPurpose, email: string): Steps<void>
  issue(mailed: Mailed): Steps<string>
  /** `undefined` if it is not one of ours, has expired, or is for another purpose or user model. */
  find(token: string, purpose: MailPurpose): Steps<Mailed | undefined>
  /** Takes a token for its only use. Returns whether it was free. */
  take(token: string, purpose: MailPurpose): Steps<boolean>
  /** Makes a taken token usable again, because its use failed. */
  giveBack(token: string): Steps<void>
}

/** The lifetime of a token in seconds, unless it is an invitation. */
const HOUR = 3600

/**
 * The first pause between two mails to one recipient for the same purpose, in seconds. The longest is the lifetime of a token, so that
 * callers who ask for mails to someone else cannot leave that user without a valid token.
 */
const FIRST_PAUSE = 60

/** In seconds. */
const DAY = 86_400

/** With this many mails, the pause is an hour. */
const MOST_MAILS = 6

const pauseAfter = (mails: number): number => Math.min(HOUR, FIRST_PAUSE * 2 ** mails)

/** 256 bits. */
const BYTES = 32

/** The cache has only the hash of a token, so reading the cache does not give access to accounts. */
export const mailTokensOf = (settings: TokenAuthSettings): MailTokens => {
  const { cache, INVITATION_EXP } = settings
  const keys = cacheKeysOf(settings)
  const keyOf = (token: string): string => keys.mailed(hash('sha256', token, 'base64url'))
  const takenKey = (token: string): string => `${keyOf(token)}:taken`
  const secondsOf = (purpose: MailPurpose): number => (purpose === 'invitation' ? INVITATION_EXP : HOUR)
  // A user may change the address, and an address may be registered again by another user.
  const keysOf = ({ purpose, sub, email }: Addressee): readonly string[] => [
    ...(sub === undefined ? [] : [keys.mails(purpose, sub)]),
    keys.mailsTo(purpose, hash('sha256', email, 'base64url')),
  ]
  /** How many mails the present pause follows from. */
  const levelKey = (key: string): string => `${key}:sent`
  function* sentTo(own: readonly string[]): Steps<readonly Sent[]> {
    const levels = own.map((key) => ({ key: levelKey(key), most: MOST_MAILS, seconds: DAY }))
    const counts = yield* counted(cache, levels, 0)
    return own.map((key, at) => ({ key, sent: counts[at]?.count ?? 0 }))
  }
  /** As many round trips as a mail takes from here on. */
  function* looked(known: readonly Sent[]): Steps<void> {
    for (const { key } of known)
      for (const each of [key, levelKey(key)]) yield* waitInAnyMode(cache.get(each))
    yield* waitInAnyMode(cache.get(keyOf(randomBytes(BYTES).toString('base64url'))))
  }
  return {
    *mayMail(recipient) {
      const known = yield* sentTo(keysOf(recipient))
      const counts = yield* counted(cache, known.map(pauseOf), 1)
      if (!counts.every(({ count, most }) => count <= most)) {
        yield* looked(known)
        return false
      }
      // Only the request that began the pauses comes here, so no other one writes these counters.
      for (const { key, sent } of known) {
        yield* waitInAnyMode(cache.delete(levelKey(key)))
        const seconds = pauseAfter(sent) + DAY
        yield* waitInAnyMode(cache.count(levelKey(key), Math.min(sent + 1, MOST_MAILS), seconds))
      }
      return true
    },

    *assertMayMail(recipient) {
      const known = yield* sentTo(keysOf(recipient))
      yield* assertRoom(cache, 'mails to this address', known.map(pauseOf))
    },

    *forgive(recipient) {
      for (const key of keysOf(recipient).flatMap((own) => [own, levelKey(own)]))
        yield* waitInAnyMode(cache.delete(key))
    },

    *pretend(purpose, email) {
      const known = yield* sentTo(keysOf({ purpose, sub: '', email }))
      yield* counted(cache, known.map(pauseOf), 0)
      yield* looked(known)
    },

    *issue(mailed) {
      const token = randomBytes(BYTES).toString('base64url')
      const seconds = secondsOf(mailed.purpose)
      const entry: StoredToken = { ...mailed, until: Date.now() + seconds * 1000 }
      yield* waitInAnyMode(cache.add(keyOf(token), JSON.stringify(entry), seconds))
      return token
    },

    *find(token, purpose) {
      const text = yield* waitInAnyMode(cache.get(keyOf(token)))
      if (text === undefined) return undefined
      const { until, ...mailed } = JSON.parse(text) as StoredToken
      return mailed.purpose === purpose && Date.now() < until ? mailed : undefined
    },

    take: (token, purpose) => waitInAnyMode(cache.add(takenKey(token), '1', secondsOf(purpose))),

    giveBack: (token) => waitInAnyMode(cache.delete(takenKey(token))),
  }
}

interface Sent {
  readonly key: string
  readonly sent: number
}

/** The counter that exists during a pause. */
const pauseOf = ({ key, sent }: Sent): Counter => ({ key, most: 1, seconds: pauseAfter(sent) })

interface StoredToken extends Mailed {
  /** In milliseconds since 1970: the clock of the cache may differ. */
  readonly until: number
}
