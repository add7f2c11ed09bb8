import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { TokenAuthSettings } from '../settings.ts'
import type { VerifiedToken } from '../token/tokens.ts'
import { sessionKeys } from './keys.ts'
import { nowInSeconds, secondAfter } from './pair.ts'

/** Why a token is dead: it was revoked, or rotated at a time (in milliseconds) for another refresh token of its family. */
export type Mark = 'revoked' | { readonly at: number; readonly child: string }

/** What is kept of tokens in the cache, for as long as they have left. */
export interface Blacklist {
  /** Whether the mark was set: a token has one alone. */
  mark(token: VerifiedToken, mark: Mark): Steps<boolean>
  markOf(id: string): Steps<Mark | undefined>
  unmark(token: VerifiedToken): Steps<void>
  revokeFamily(token: VerifiedToken): Steps<void>
  /** Ends every token that the user has, and no token that is made after it. */
  revokeUser(sub: string): Steps<void>
  /** Its mark; `revoked` as well where its family was revoked, or all that its user had. */
  stateOf(token: VerifiedToken): Steps<Mark | undefined>
}

/** A token from before stateful mode begins a family of its own. It is the same one whenever the token comes. */
export const familyIdOf = ({ id, claims }: VerifiedToken): string => claims.fid ?? id

/** What the settings say about where and how long it is kept what is revoked. */
type BlacklistSettings = Pick<
  TokenAuthSettings,
  'cache' | 'issuer' | 'audience' | 'userModel' | 'accessExp' | 'refreshExp' | 'clockSkew'
>

export const blacklistOf = (settings: BlacklistSettings): Blacklist => {
  const { cache, accessExp, refreshExp, clockSkew } = settings
  const keys = sessionKeys(settings)
  const familyKey = (token: VerifiedToken): string => keys.family(familyIdOf(token))
  const keysOf = (token: VerifiedToken): readonly string[] => {
    const { sub, user_model } = token.claims
    const all = [keys.token(token.id), familyKey(token), keys.user(sub)]
    return user_model === undefined ? [...all, keys.userOfAnyModel(sub)] : all
  }
  // A token is taken until its end and the clock skew beyond.
  const secondsLeft = (end: number): number => Math.max(1, end - nowInSeconds() + clockSkew + 1)
  /** Until the newest tokens of a family have ended: they live as the settings say, or as they did when this one was made. */
  const familySeconds = ({ claims: { exp, iat } }: VerifiedToken): number =>
    secondsLeft(nowInSeconds() + Math.max(accessExp, refreshExp, exp - iat))

  return {
    mark: ({ id, claims }, mark) =>
      waitInAnyMode(cache.add(keys.token(id), toText(mark), secondsLeft(claims.exp))),
    *markOf(id) {
      const text = yield* waitInAnyMode(cache.get(keys.token(id)))
      return text === undefined ? undefined : toMark(text)
    },
    unmark: ({ id }) => waitInAnyMode(cache.delete(keys.token(id))),
    // Added, as the marks of tokens are: what is set has room where they have filled the cache. It is there once at most.
    *revokeFamily(token) {
      yield* waitInAnyMode(cache.add(familyKey(token), revoked, familySeconds(token)))
    },
    *revokeUser(sub) {
      // A refresh that looked before this was there makes its tokens as of then. So what is written must not be older than
      // the moment at which it is there: over a slow cache it is written again, for a second that lies ahead.
      let until = nowInSeconds()
      for (let ahead = 1; ; ahead *= 2) {
        const seconds = secondsLeft(until + Math.max(accessExp, refreshExp))
        yield* waitInAnyMode(cache.set(keys.user(sub), String(until), seconds))
        if (nowInSeconds() <= until) return yield* waitInAnyMode(secondAfter(until))
        until = nowInSeconds() + ahead
      }
    },
    *stateOf(token) {
      const [own, family, ...ends] = yield* waitInAnyMode(cache.getMany(keysOf(token)))
      const isEnded = ends.some((until) => until !== undefined && token.claims.iat <= Number(until))
      if (family !== undefined || isEnded) return revoked
      return own === undefined ? undefined : toMark(own)
    },
  }
}

const revoked = 'revoked'

const toText = (mark: Mark): string => (mark === revoked ? mark : [mark.at, mark.child].join(' '))

const toMark = (text: string): Mark => {
  const [at = '', child] = text.split(' ')
  return child === undefined ? revoked : { at: Number(at), child }
}
