import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { TokenAuthSettings } from '../settings/index.ts'
import { nowInSeconds, secondAfter, type TokenClaims, type VerifiedToken } from '../tokens/tokens.ts'
import type { TokenFamily } from './sessions.ts'

/** A token of stateless mode starts a family, which is always the same for this token. */
export const familyOf = ({ id, claims }: VerifiedToken): TokenFamily => ({
  fid: claims.fid ?? id,
  auth_time: claims.auth_time ?? claims.iat,
})

export const REVOKED = 'revoked'

/** Why a token is invalid: it was revoked, or rotated at a time (in milliseconds) to another refresh token. */
export type Mark = typeof REVOKED | { readonly at: number; readonly child: string }

/** The entries in the cache. Each expires with its token. */
export interface Blacklist {
  /** The lifetime of an entry about a token that expires then, in seconds. @param end in seconds since 1970 */
  secondsLeft(end: number): number
  /** Returns false if the token has a mark already. */
  mark(token: VerifiedToken, mark: Mark): Steps<boolean>
  markOf(id: string): Steps<Mark | undefined>
  unmark(token: VerifiedToken): Steps<void>
  /** Ends a session. @param token one of its tokens */
  revokeFamily(fid: string, token: Pick<TokenClaims, 'exp' | 'iat'>): Steps<void>
  /** Ends all tokens of the user that were issued before. */
  revokeUser(sub: string): Steps<void>
  /** Whether each of these sessions of a user has ended. `iat`: of its newest tokens. */
  areEnded(
    sub: string,
    sessions: readonly { readonly id: string; readonly iat: number }[],
  ): Steps<readonly boolean[]>
  /** The mark of a token; `revoked` also if its family or all tokens of its user are revoked. */
  stateOf(token: VerifiedToken): Steps<Mark | undefined>
}

export const blacklistOf = (settings: TokenAuthSettings): Blacklist => {
  const { cache, JWT_ACCESS_EXP, JWT_REFRESH_EXP, JWT_CLOCK_SKEW } = settings
  const keys = cacheKeysOf(settings)
  // A token is accepted until its expiry plus the clock skew.
  const secondsLeft = (end: number): number => Math.max(1, end - nowInSeconds() + JWT_CLOCK_SKEW + 1)
  return {
    secondsLeft,

    mark: ({ id, claims }: VerifiedToken, mark: Mark): Steps<boolean> =>
      waitInAnyMode(cache.add(keys.token(id), toText(mark), secondsLeft(claims.exp))),

    *markOf(id: string): Steps<Mark | undefined> {
      const text = yield* waitInAnyMode(cache.get(keys.token(id)))
      return text === undefined ? undefined : toMark(text)
    },

    unmark: ({ id }: VerifiedToken): Steps<void> => waitInAnyMode(cache.delete(keys.token(id))),

    // `add`, like the marks of tokens: the reserve of the cache is for `set`, which ends all sessions of a user.
    *revokeFamily(fid: string, { exp, iat }: Pick<TokenClaims, 'exp' | 'iat'>): Steps<void> {
      // Until its newest tokens expire, with the lifetime of the settings or, if longer, that of this token.
      const end = nowInSeconds() + Math.max(JWT_ACCESS_EXP, JWT_REFRESH_EXP, exp - iat)
      yield* waitInAnyMode(cache.add(keys.family(fid), REVOKED, secondsLeft(end)))
    },

    *revokeUser(sub: string): Steps<void> {
      // A refresh that read the cache before this write issues tokens with an earlier time. So the stored time must not be
      // earlier than the moment at which the write takes effect: over a slow cache, write again with a time in the future.
      let until = nowInSeconds()
      for (let ahead = 1; ; ahead *= 2) {
        const seconds = secondsLeft(until + Math.max(JWT_ACCESS_EXP, JWT_REFRESH_EXP))
        yield* waitInAnyMode(cache.set(keys.user(sub), String(until), seconds))
        if (nowInSeconds() <= until) return yield* waitInAnyMode(secondAfter(until))
        until = nowInSeconds() + ahead
      }
    },

    *areEnded(sub, sessions): Steps<readonly boolean[]> {
      const entries = [keys.user(sub), ...sessions.map(({ id }) => keys.family(id))]
      const [until, ...families] = yield* waitInAnyMode(cache.getMany(entries))
      return sessions.map(
        ({ iat }, at) => families[at] !== undefined || (until !== undefined && iat <= Number(until)),
      )
    },

    *stateOf(token: VerifiedToken): Steps<Mark | undefined> {
      const { sub, iat, user_model } = token.claims
      const entries = [keys.token(token.id), keys.family(familyOf(token).fid), keys.user(sub)]
      // The form of earlier versions, without the user model.
      if (user_model === undefined) entries.push(keys.userOfAnyModel(sub))
      const [own, family, ...ends] = yield* waitInAnyMode(cache.getMany(entries))
      const isEnded = ends.some((until) => until !== undefined && iat <= Number(until))
      if (family !== undefined || isEnded) return REVOKED
      return own === undefined ? undefined : toMark(own)
    },
  }
}

const toText = (mark: Mark): string => (mark === REVOKED ? mark : `${mark.at} ${mark.child}`)

const toMark = (text: string): Mark => {
  const [at = '', child] = text.split(' ')
  return child === undefined ? REVOKED : { at: Number(at), child }
}

/** The keys of authentication in the cache. */
interface CacheKeys {
  token(id: string): string
  family(fid: string): string
  user(sub: string): string
  userOfAnyModel(sub: string): string
  refreshes(sub: string): string
  /** One of the sessions of a user. */
  place(sub: string, number: number): string
  /** A token in a mail. @param digest its hash */
  mailed(digest: string): string
  mails(purpose: string, sub: string): string
  /** @param digest the hash of an address */
  mailsTo(purpose: string, digest: string): string
  marks(kind: string, sub: string): string
}

/** Separate for each issuer and audience; keys of users also for each user model. Ids of tokens and families are random. */
export const cacheKeysOf = ({ JWT_ISS, JWT_AUD, userModel }: TokenAuthSettings): CacheKeys => {
  const joined = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join(':')
  const root = `modelrest:auth:${joined(JWT_ISS, JWT_AUD)}`
  return {
    token: (id: string) => `${root}:token:${id}`,
    family: (fid: string) => `${root}:family:${fid}`,
    user: (sub: string) => `${root}:user:${joined(userModel, sub)}`,
    userOfAnyModel: (sub: string) => `${root}:user:${joined(sub)}`,
    refreshes: (sub: string) => `${root}:refreshes:${joined(userModel, sub)}`,
    place: (sub: string, number: number) => `${root}:session:${joined(userModel, sub, String(number))}`,
    mailed: (digest: string) => `${root}:mailed:${joined(userModel, digest)}`,
    mails: (purpose: string, sub: string) => `${root}:mails:${joined(purpose, userModel, sub)}`,
    mailsTo: (purpose: string, digest: string) => `${root}:mails-to:${joined(purpose, userModel, digest)}`,
    marks: (kind: string, sub: string) => `${root}:marks:${joined(kind, userModel, sub)}`,
  }
}
