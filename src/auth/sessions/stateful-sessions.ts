import { randomUUID } from 'node:crypto'
import { CacheError, CacheFull } from '../../cache/cache.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { assertCounted, type Counter, counted } from '../limits/throttle.ts'
import type { TokenAuthSettings } from '../settings/index.ts'
import { nowInSeconds, type Subject, type VerifiedToken } from '../tokens/tokens.ts'
import { type Blacklist, blacklistOf, cacheKeysOf, familyOf, type Mark, REVOKED } from './revocations.ts'
import { deviceOf, sessionListOf } from './session-list.ts'
import {
  type Client,
  type ListedSession,
  lastEnd,
  type Rotation,
  type Sessions,
  type SignPair,
  type TokenFamily,
  type TokenPair,
} from './sessions.ts'

/**
 * Sessions whose tokens can be revoked. A refresh token is valid for one refresh: it is marked as rotated atomically, so
 * only one of several concurrent requests gets the new pair.
 */
export const statefulSessions = (sign: SignPair, settings: TokenAuthSettings): Sessions => {
  const { cache } = settings
  const blacklist = blacklistOf(settings)
  const { refreshes, rotated, revoked } = countersOf(settings)

  /** Revokes a part of a user's sessions. After too many entries in the cache, or if it is full, revokes all of them. */
  function* limited(sub: string, one: () => Steps<void>, all: () => Steps<void>): Steps<void> {
    const counter = revoked(sub)
    const [marks] = yield* counted(cache, [counter], 1)
    if (marks === undefined || marks.count <= marks.most) return yield* orAllIfFull(one(), all)
    yield* counted(cache, [counter], -1)
    yield* all()
  }

  const end = (sub: string, session: ListedSession): Steps<void> =>
    limited(
      sub,
      () => blacklist.revokeFamily(session.id, session),
      () => blacklist.revokeUser(sub),
    )

  const list = settings.SESSIONS ? sessionListOf(settings, blacklist, end) : undefined

  /** Lists a session. If the cache is full, or fails after the old refresh token is used up, the session goes on unlisted. */
  function* note(subject: Subject, family: TokenFamily, pair: TokenPair, given: Noted): Steps<void> {
    if (list === undefined) return
    const { sub, iat, account } = subject
    const exp = iat + pair.refreshSeconds
    const times = { created: family.auth_time * 1000, used: Date.now(), exp }
    try {
      yield* list.note(sub, {
        ...{ id: family.fid, iat, ...times, ...deviceOf(given.client) },
        ...(account !== undefined && { account }),
      })
    } catch (error) {
      if (!(error instanceof given.unlessFor)) throw error
    }
  }

  return {
    ...(list && {
      list: {
        ...list,
        *end(sub: string, session: ListedSession): Steps<void> {
          yield* end(sub, session)
          yield* list.drop(sub, session.id)
        },
      },
    }),

    *open(subject, client) {
      const family = { fid: randomUUID(), auth_time: subject.iat }
      const pair = yield* waitInAnyMode(sign(subject, { family, ...newIds() }))
      yield* note(subject, family, pair, { client, unlessFor: CacheFull })
      return pair
    },

    *rotate(refresh, subject, client): Steps<Rotation> {
      const { sub } = subject
      const family = familyOf(refresh)
      // The token itself may still be valid: because of the clock skew, or because the lifetime was shortened later.
      if (lastEnd(family, settings) <= nowInSeconds()) return { refused: 'over' }
      const known = yield* blacklist.stateOf(refresh)
      if (known !== undefined) return yield* refuseReuse(refresh, known, blacklist, settings)
      // Counted after the lookup: a reused token adds no entry to the cache, so it does not count.
      yield* assertCounted(cache, 'refreshes', refreshes(sub))
      const [marks] = yield* counted(cache, [rotated(sub)], 1)
      if (marks !== undefined && marks.count > marks.most) {
        yield* counted(cache, [rotated(sub), ...refreshes(sub)], -1)
        return { refused: 'revoked' }
      }
      const ids = newIds()
      if (!(yield* blacklist.mark(refresh, { at: Date.now(), child: ids.refreshId }))) {
        yield* counted(cache, [rotated(sub), ...refreshes(sub)], -1)
        const mark = yield* blacklist.markOf(refresh.id)
        return yield* refuseReuse(refresh, mark ?? REVOKED, blacklist, settings)
      }
      const pair = yield* waitInAnyMode(sign(subject, { family, ...ids }))
      yield* note(subject, family, pair, { client, unlessFor: CacheError })
      return {
        pair,
        *undo() {
          yield* blacklist.unmark(refresh)
          yield* counted(cache, [rotated(sub)], -1)
        },
      }
    },

    *isRevoked(token) {
      return (yield* blacklist.stateOf(token)) === REVOKED
    },

    revokeUser: (sub) => blacklist.revokeUser(sub),

    *revoke(token): Steps<void> {
      const { sub } = token.claims
      const all = (): Steps<void> => revokeAll(token, blacklist)
      if (list === undefined) return yield* limited(sub, () => revokeOne(token, blacklist), all)
      // The other token of this logout may already have ended the session.
      if ((yield* blacklist.stateOf(token)) === REVOKED) return
      yield* limited(sub, () => revokeFamily(token, blacklist), all)
      yield* list.drop(sub, familyOf(token).fid)
    },
  }
}

interface Noted {
  readonly client: Client | undefined
  /** The error of the cache that does not refuse the request. */
  readonly unlessFor: typeof CacheError
}

function* revokeOne(token: VerifiedToken, blacklist: Blacklist): Steps<void> {
  if (yield* blacklist.mark(token, REVOKED)) return
  if ((yield* blacklist.markOf(token.id)) === REVOKED) return
  // It was rotated before, or another request rotates it now: the logout must end the newest tokens too.
  yield* revokeFamily(token, blacklist)
}

const revokeFamily = (token: VerifiedToken, blacklist: Blacklist): Steps<void> =>
  blacklist.revokeFamily(familyOf(token).fid, token.claims)

/** Ends all sessions of the user, with one entry in the cache that replaces an earlier one. */
function* revokeAll(token: VerifiedToken, blacklist: Blacklist): Steps<void> {
  // The other token of this logout may already have ended them.
  if ((yield* blacklist.stateOf(token)) !== REVOKED) yield* blacklist.revokeUser(token.claims.sub)
}

/** Runs steps that revoke a part of a user's sessions. If the cache is full, ends all of them, for which it has a reserve. */
function* orAllIfFull(steps: Steps<void>, all: () => Steps<void>): Steps<void> {
  try {
    yield* steps
  } catch (error) {
    if (!(error instanceof CacheFull)) throw error
    yield* all()
  }
}

const newIds = () => ({ accessId: randomUUID(), refreshId: randomUUID() })

/**
 * Reuse of a rotated token suggests theft, so its whole family is revoked (RFC 9700, 4.14.2). Two tabs that refresh at the
 * same time look the same, so shortly after the rotation the token is only refused.
 */
function* refuseReuse(
  token: VerifiedToken,
  mark: Mark,
  blacklist: Blacklist,
  { REFRESH_REUSE_GRACE }: TokenAuthSettings,
): Steps<Rotation> {
  if (mark === REVOKED) return { refused: 'revoked' }
  const next = yield* blacklist.markOf(mark.child)
  const isParentOfNewest = next === undefined || next === REVOKED
  if (isParentOfNewest && Date.now() - mark.at < REFRESH_REUSE_GRACE * 1000) return { refused: 'revoked' }
  yield* orAllIfFull(revokeFamily(token, blacklist), () => revokeAll(token, blacklist))
  return { refused: 'reused' }
}

/** 1000 logouts with both tokens: more than 30 a day if refresh tokens live for a month. */
const MOST_REVOKED = 2000

/** 166 refreshes a day, for pages that refresh at each load. */
const MOST_ROTATED = 5000

/** The number of clients of one user that may refresh each time their access token expires. */
const CLIENTS = 4

/**
 * Limits the refreshes of a user, and the entries of a user in the cache. An entry stays until its token expires, so entries
 * are counted for the lifetime of a refresh token: otherwise one user could slowly fill the cache within the rate limits.
 */
const countersOf = (settings: TokenAuthSettings) => {
  const { JWT_ACCESS_EXP, JWT_REFRESH_EXP, LOGIN_FAILURE_WINDOW, REFRESH_MAX } = settings
  const keys = cacheKeysOf(settings)
  const mostRotated = Math.max(MOST_ROTATED, CLIENTS * Math.ceil(JWT_REFRESH_EXP / JWT_ACCESS_EXP))
  const marks = (kind: string, sub: string, most: number): Counter => ({
    ...{ key: keys.marks(kind, sub), most, seconds: JWT_REFRESH_EXP },
  })
  return {
    refreshes: (sub: string): readonly Counter[] =>
      REFRESH_MAX === 0
        ? []
        : [{ key: keys.refreshes(sub), most: REFRESH_MAX, seconds: LOGIN_FAILURE_WINDOW }],
    rotated: (sub: string) => marks('rotated', sub, mostRotated),
    revoked: (sub: string) => marks('revoked', sub, MOST_REVOKED),
  }
}
