import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { AuthSettings } from '../settings.ts'
import type { VerifiedToken } from '../token/tokens.ts'
import { nowInSeconds } from './pair.ts'

/** Why a token is dead: it was revoked, or rotated at a time (in milliseconds) for another refresh token of its family. */
export type Mark = 'revoked' | { readonly at: number; readonly child: string; readonly fid: string }

/** What is kept of tokens in the cache, for as long as they have left. */
export interface Blacklist {
  /** Whether the mark was set: a token has one alone. */
  mark(token: VerifiedToken, mark: Mark): Steps<boolean>
  markOf(id: string): Steps<Mark | undefined>
  unmark(token: VerifiedToken): Steps<void>
  revokeFamily(fid: string): Steps<void>
  isFamilyRevoked(fid: string): Steps<boolean>
  isRevoked(token: VerifiedToken): Steps<boolean>
}

export const blacklistOf = ({ cache, issuer, audience, refreshExp, clockSkew }: AuthSettings): Blacklist => {
  const root = `modelrest:auth:${encodeURIComponent(issuer)}:${encodeURIComponent(audience)}`
  const tokenKey = (id: string): string => `${root}:token:${id}`
  const familyKey = (fid: string): string => `${root}:family:${fid}`
  // A token is taken until its end and the clock skew beyond.
  const secondsLeft = (end: number): number => Math.max(1, end - nowInSeconds() + clockSkew + 1)

  return {
    mark: ({ id, claims }, mark) =>
      waitInAnyMode(cache.add(tokenKey(id), toText(mark), secondsLeft(claims.exp))),
    *markOf(id) {
      const text = yield* waitInAnyMode(cache.get(tokenKey(id)))
      return text === undefined ? undefined : toMark(text)
    },
    unmark: ({ id }) => waitInAnyMode(cache.delete(tokenKey(id))),
    revokeFamily: (fid) =>
      waitInAnyMode(cache.set(familyKey(fid), 'revoked', secondsLeft(nowInSeconds() + refreshExp))),
    *isFamilyRevoked(fid) {
      return (yield* waitInAnyMode(cache.get(familyKey(fid)))) !== undefined
    },
    *isRevoked({ id, claims: { fid } }) {
      const keys = fid === undefined ? [tokenKey(id)] : [tokenKey(id), familyKey(fid)]
      const marks = yield* waitInAnyMode(cache.getMany(keys))
      return marks.some((mark) => mark !== undefined)
    },
  }
}

const toText = (mark: Mark): string => (mark === 'revoked' ? mark : [mark.at, mark.child, mark.fid].join(' '))

const toMark = (text: string): Mark => {
  const [at = '', child, fid] = text.split(' ')
  return child === undefined || fid === undefined ? 'revoked' : { at: Number(at), child, fid }
}
