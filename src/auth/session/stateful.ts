import { randomUUID } from 'node:crypto'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { AuthSettings } from '../settings.ts'
import type { VerifiedToken } from '../token/tokens.ts'
import { type Blacklist, blacklistOf, type Mark } from './blacklist.ts'
import { type Family, nowInSeconds, type SignPair } from './pair.ts'
import type { Rotation, Sessions } from './sessions.ts'

/**
 * Sessions whose tokens can be revoked (specification, 3). A refresh token is good for one refresh: the mark that it was
 * rotated is set in one step, so that one of many requests alone gets the new pair.
 */
export const statefulSessions = (sign: SignPair, settings: AuthSettings): Sessions => {
  const blacklist = blacklistOf(settings)
  return {
    open: (sub) => {
      const family = { fid: randomUUID(), auth_time: nowInSeconds() }
      return waitInAnyMode(sign({ sub, kept: { family, ...newIds() } }))
    },

    *rotate(refresh): Steps<Rotation> {
      const family = familyOf(refresh)
      if (yield* blacklist.isFamilyRevoked(family.fid)) return { refused: 'revoked' }
      const ids = newIds()
      const mark: Mark = { at: Date.now(), child: ids.refreshId, fid: family.fid }
      if (!(yield* blacklist.mark(refresh, mark))) return yield* presentedAgain(refresh, blacklist, settings)
      const pair = yield* waitInAnyMode(sign({ sub: refresh.claims.sub, kept: { family, ...ids } }))
      return { pair, undo: () => blacklist.unmark(refresh) }
    },

    isRevoked: (token) => blacklist.isRevoked(token),

    *revoke(token): Steps<void> {
      if (yield* blacklist.mark(token, 'revoked')) return
      // Another request rotated it meanwhile: who ends a session means its newest tokens too.
      const mark = yield* blacklist.markOf(token.id)
      if (mark !== undefined && mark !== 'revoked') yield* blacklist.revokeFamily(mark.fid)
    },
  }
}

const newIds = (): { readonly accessId: string; readonly refreshId: string } => ({
  accessId: randomUUID(),
  refreshId: randomUUID(),
})

/** A token from before stateful mode begins a family of its own. */
const familyOf = ({ claims }: VerifiedToken): Family => ({
  fid: claims.fid ?? randomUUID(),
  auth_time: claims.auth_time ?? claims.iat,
})

/**
 * A rotated token that comes again was stolen, or its thief has been here before: its whole family ends (RFC 9700, 4.14.2).
 * Two tabs that refresh at the same moment look alike, so that shortly after the rotation it is only refused.
 */
function* presentedAgain(
  { id }: VerifiedToken,
  blacklist: Blacklist,
  { reuseGrace }: AuthSettings,
): Steps<Rotation> {
  const mark = yield* blacklist.markOf(id)
  if (mark === undefined || mark === 'revoked') return { refused: 'revoked' }
  const isParentOfNewest = (yield* blacklist.markOf(mark.child)) === undefined
  if (isParentOfNewest && Date.now() - mark.at < reuseGrace * 1000) return { refused: 'revoked' }
  yield* blacklist.revokeFamily(mark.fid)
  return { refused: 'reused' }
}
