import { randomUUID } from 'node:crypto'
import { CacheFull } from '../../cache/cache-error.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { TokenAuthSettings } from '../settings.ts'
import type { VerifiedToken } from '../token/tokens.ts'
import { type Blacklist, blacklistOf, familyIdOf, type Mark } from './blacklist.ts'
import { markLimit } from './mark-limit.ts'
import { type Family, lastEnd, nowInSeconds, type SignPair } from './pair.ts'
import { refreshLimit } from './refresh-limit.ts'
import type { Rotation, Sessions } from './sessions.ts'

/**
 * Sessions whose tokens can be revoked (specification, 3). A refresh token is good for one refresh: the mark that it was
 * rotated is set in one step, so that one of many requests alone gets the new pair.
 */
export const statefulSessions = (sign: SignPair, settings: TokenAuthSettings): Sessions => {
  const blacklist = blacklistOf(settings)
  const limit = refreshLimit(settings)
  const rotated = markLimit('rotated', settings)
  const revoked = markLimit('revoked', settings)
  return {
    open: (subject) => {
      const family = { fid: randomUUID(), auth_time: subject.iat }
      return waitInAnyMode(sign({ subject, kept: { family, ...newIds() } }))
    },

    *rotate(refresh, subject): Steps<Rotation> {
      const family = familyOf(refresh)
      // A token of it may be good still: it has the clock skew, or is from before a shorter end was set.
      if (lastEnd(family, settings) <= nowInSeconds()) return { refused: 'over' }
      const known = yield* blacklist.stateOf(refresh)
      if (known !== undefined) return yield* presentedAgain(refresh, known, blacklist, settings)
      // After the look: a token that leaves no new mark is not counted, however often it comes.
      yield* limit.take(subject.sub)
      if (!(yield* rotated.take(subject.sub))) {
        yield* limit.giveBack(subject.sub)
        return { refused: 'revoked' }
      }
      const ids = newIds()
      if (!(yield* blacklist.mark(refresh, { at: Date.now(), child: ids.refreshId }))) {
        yield* limit.giveBack(subject.sub)
        yield* rotated.giveBack(subject.sub)
        const mark = yield* blacklist.markOf(refresh.id)
        return yield* presentedAgain(refresh, mark ?? 'revoked', blacklist, settings)
      }
      const pair = yield* waitInAnyMode(sign({ subject, kept: { family, ...ids } }))
      return {
        pair,
        *undo() {
          yield* blacklist.unmark(refresh)
          yield* rotated.giveBack(subject.sub)
        },
      }
    },

    *isRevoked(token) {
      return (yield* blacklist.stateOf(token)) === 'revoked'
    },

    revokeUser: (sub) => blacklist.revokeUser(sub),

    *revoke(token): Steps<void> {
      if (yield* revoked.take(token.claims.sub))
        yield* orAllIfFull(revokeOne(token, blacklist), token, blacklist)
      else yield* revokeAll(token, blacklist)
    },
  }
}

/** Ends one token. */
function* revokeOne(token: VerifiedToken, blacklist: Blacklist): Steps<void> {
  if (yield* blacklist.mark(token, 'revoked')) return
  if ((yield* blacklist.markOf(token.id)) === 'revoked') return
  // It was rotated before, or another request does so now: who ends a session means its newest tokens too.
  yield* blacklist.revokeFamily(token)
}

/** Ends every session of the user: of that there is one entry, which is written over the one before. */
function* revokeAll(token: VerifiedToken, blacklist: Blacklist): Steps<void> {
  // The other token of this logout may have ended them already.
  if ((yield* blacklist.stateOf(token)) !== 'revoked') yield* blacklist.revokeUser(token.claims.sub)
}

/** Runs steps that end a part of a user's sessions. A cache that has no room for that has some for their end as a whole. */
function* orAllIfFull(steps: Steps<void>, token: VerifiedToken, blacklist: Blacklist): Steps<void> {
  try {
    yield* steps
  } catch (error) {
    if (!(error instanceof CacheFull)) throw error
    yield* revokeAll(token, blacklist)
  }
}

const newIds = (): { readonly accessId: string; readonly refreshId: string } => ({
  accessId: randomUUID(),
  refreshId: randomUUID(),
})

const familyOf = (token: VerifiedToken): Family => ({
  fid: familyIdOf(token),
  auth_time: token.claims.auth_time ?? token.claims.iat,
})

/**
 * A rotated token that comes again was stolen, or its thief has been here before: its whole family ends (RFC 9700, 4.14.2).
 * Two tabs that refresh at the same moment look alike, so that shortly after the rotation it is only refused.
 */
function* presentedAgain(
  token: VerifiedToken,
  mark: Mark,
  blacklist: Blacklist,
  { reuseGrace }: Pick<TokenAuthSettings, 'reuseGrace'>,
): Steps<Rotation> {
  if (mark === 'revoked') return { refused: 'revoked' }
  const next = yield* blacklist.markOf(mark.child)
  const isParentOfNewest = next === undefined || next === 'revoked'
  if (isParentOfNewest && Date.now() - mark.at < reuseGrace * 1000) return { refused: 'revoked' }
  yield* orAllIfFull(blacklist.revokeFamily(token), token, blacklist)
  return { refused: 'reused' }
}
