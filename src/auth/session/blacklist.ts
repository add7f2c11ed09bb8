import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { AuthSettings } from '../settings.ts'
import type { VerifiedToken } from '../token/tokens.ts'
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
  isFamilyRevoked(token: VerifiedToken): Steps<boolean>
  /** Whether it was revoked, or its family. One that was rotated is not. */
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
  const { cache, issuer, audience, accessExp, refreshExp, clockSkew } = settings
  const root = `modelrest:auth:${encodeURIComponent(issuer)}:${encodeURIComponent(audience)}`
  const tokenKey = (id: string): string => `${root}:token:${id}`
  const familyKey = (token: VerifiedToken): string => `${root}:family:${familyIdOf(token)}`
  // A token is taken until its end and the clock skew beyond.
  const secondsLeft = (end: number): number => Math.max(1, end - nowInSeconds() + clockSkew + 1)
  /** Until the newest tokens of a family have ended, whichever kind lives longer. */
  const familySeconds = (): number => secondsLeft(nowInSeconds() + Math.max(accessExp, refreshExp))

  return {
    mark: ({ id, claims }, mark) =>
      waitInAnyMode(cache.add(tokenKey(id), toText(mark), secondsLeft(claims.exp))),
    *markOf(id) {
      const text = yield* waitInAnyMode(cache.get(tokenKey(id)))
      return text === undefined ? undefined : toMark(text)
    },
    unmark: ({ id }) => waitInAnyMode(cache.delete(tokenKey(id))),
    revokeFamily: (token) => waitInAnyMode(cache.set(familyKey(token), revoked, familySeconds())),
    *isFamilyRevoked(token) {
      return (yield* waitInAnyMode(cache.get(familyKey(token)))) !== undefined
    },
    *isRevoked(token) {
      const [own, family] = yield* waitInAnyMode(cache.getMany([tokenKey(token.id), familyKey(token)]))
      return family !== undefined || (own !== undefined && toMark(own) === revoked)
    },
  }
}

const revoked = 'revoked'

const toText = (mark: Mark): string => (mark === revoked ? mark : [mark.at, mark.child].join(' '))

const toMark = (text: string): Mark => {
  const [at = '', child] = text.split(' ')
  return child === undefined ? revoked : { at: Number(at), child }
}
