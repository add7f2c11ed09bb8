import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { AuthSettings } from '../settings.ts'
import type { VerifiedToken } from '../token/tokens.ts'
import { sessionKeys } from './keys.ts'
import { nowInSeconds } from './pair.ts'

/** Why a token is dead: it was revoked, or rotated at a time (in milliseconds) for another refresh token of its family. */
export type Mark = 'revoked' | { readonly at: number; readonly child: string }

/** What is kept of tokens in the cache, for as long as they have left. */
export interface Blacklist {
  /** Whether the mark was set: a token has one alone. */
  mark(token: VerifiedToken, mark: Mark): Steps<boolean>
  markOf(id: string): Steps<Mark | undefined>
  unmark(token: VerifiedToken): Steps<void>
  revokeFamily(token: VerifiedToken): Steps<void>
  /** Ends every token that the user has at this second. */
  revokeUser(sub: string): Steps<void>
  /** Whether its family was revoked, or all that its user had. */
  isEnded(token: VerifiedToken): Steps<boolean>
  /** Whether it was revoked itself, or has ended with others. One that was rotated is not. */
  isRevoked(token: VerifiedToken): Steps<boolean>
}

/** A token from before stateful mode begins a family of its own. It is the same one whenever the token comes. */
export const familyIdOf = ({ id, claims }: VerifiedToken): string => claims.fid ?? id

/** What the settings say about where and how long it is kept what is revoked. */
type BlacklistSettings = Pick<
  AuthSettings,
  'cache' | 'issuer' | 'audience' | 'accessExp' | 'refreshExp' | 'clockSkew'
>

export const blacklistOf = (settings: BlacklistSettings): Blacklist => {
  const { cache, accessExp, refreshExp, clockSkew } = settings
  const keys = sessionKeys(settings)
  const familyKey = (token: VerifiedToken): string => keys.family(familyIdOf(token))
  const endedKeys = (token: VerifiedToken): readonly string[] => [
    familyKey(token),
    keys.user(token.claims.sub),
  ]
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
    revokeFamily: (token) => waitInAnyMode(cache.set(familyKey(token), revoked, familySeconds(token))),
    *revokeUser(sub) {
      const now = nowInSeconds()
      const seconds = secondsLeft(now + Math.max(accessExp, refreshExp))
      yield* waitInAnyMode(cache.set(keys.user(sub), String(now), seconds))
    },
    *isEnded(token) {
      const [family, user] = yield* waitInAnyMode(cache.getMany(endedKeys(token)))
      return hasEnded(token, family, user)
    },
    *isRevoked(token) {
      const asked = [keys.token(token.id), ...endedKeys(token)]
      const [own, family, user] = yield* waitInAnyMode(cache.getMany(asked))
      return hasEnded(token, family, user) || (own !== undefined && toMark(own) === revoked)
    },
  }
}

const revoked = 'revoked'

/** @param since the second up to which all tokens of the user were ended */
const hasEnded = (
  { claims: { iat } }: VerifiedToken,
  family: string | undefined,
  since: string | undefined,
): boolean => family !== undefined || (since !== undefined && iat <= Number(since))

const toText = (mark: Mark): string => (mark === revoked ? mark : [mark.at, mark.child].join(' '))

const toMark = (text: string): Mark => {
  const [at = '', child] = text.split(' ')
  return child === undefined ? revoked : { at: Number(at), child }
}
