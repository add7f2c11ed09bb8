import { randomUUID } from 'node:crypto'
import { CacheFull } from '../cache/cache.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import type { TokenAuthSettings } from './settings.ts'
import { assertCounted, type Counter, counted } from './throttle.ts'
import type { VerifiedToken } from './tokens.ts'
import {
  type Family,
  lastEnd,
  nowInSeconds,
  type Rotation,
  type Sessions,
  type SignPair,
  secondAfter,
} from './tokens.ts'

/**
 * Sessions whose tokens can be revoked. A refresh token is valid for one refresh: it is marked as rotated atomically, so
 * only one of several concurrent requests gets the new pair.
 */
export const statefulSessions = (sign: SignPair, settings: TokenAuthSettings): Sessions => {
  const { cache } = settings
  const blacklist = blacklistOf(settings)
  const { refreshes, rotated, revoked } = countersOf(settings)
  return {
    open: (subject) => {
      const family = { fid: randomUUID(), auth_time: subject.iat }
      return waitInAnyMode(sign(subject, { family, ...newIds() }))
    },

    *rotate(refresh, subject): Steps<Rotation> {
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
      const counter = revoked(token.claims.sub)
      const [marks] = yield* counted(cache, [counter], 1)
      if (marks === undefined || marks.count <= marks.most)
        return yield* orAllIfFull(revokeOne(token, blacklist), token, blacklist)
      yield* counted(cache, [counter], -1)
      yield* revokeAll(token, blacklist)
    },
  }
}

function* revokeOne(token: VerifiedToken, blacklist: Blacklist): Steps<void> {
  if (yield* blacklist.mark(token, REVOKED)) return
  if ((yield* blacklist.markOf(token.id)) === REVOKED) return
  // It was rotated before, or another request rotates it now: the logout must end the newest tokens too.
  yield* blacklist.revokeFamily(token)
}

/** Ends all sessions of the user, with one entry in the cache that replaces an earlier one. */
function* revokeAll(token: VerifiedToken, blacklist: Blacklist): Steps<void> {
  // The other token of this logout may already have ended them.
  if ((yield* blacklist.stateOf(token)) !== REVOKED) yield* blacklist.revokeUser(token.claims.sub)
}

/** Runs steps that revoke a part of a user's sessions. If the cache is full, ends all of them, for which it has a reserve. */
function* orAllIfFull(steps: Steps<void>, token: VerifiedToken, blacklist: Blacklist): Steps<void> {
  try {
    yield* steps
  } catch (error) {
    if (!(error instanceof CacheFull)) throw error
    yield* revokeAll(token, blacklist)
  }
}

const newIds = () => ({ accessId: randomUUID(), refreshId: randomUUID() })

/** A token of stateless mode starts a family, which is always the same for this token. */
const familyOf = ({ id, claims }: VerifiedToken): Family => ({
  fid: claims.fid ?? id,
  auth_time: claims.auth_time ?? claims.iat,
})

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
  yield* orAllIfFull(blacklist.revokeFamily(token), token, blacklist)
  return { refused: 'reused' }
}

const REVOKED = 'revoked'

/** Why a token is invalid: it was revoked, or rotated at a time (in milliseconds) to another refresh token. */
type Mark = typeof REVOKED | { readonly at: number; readonly child: string }

type Blacklist = ReturnType<typeof blacklistOf>

/** The entries in the cache. Each expires with its token. */
const blacklistOf = (settings: TokenAuthSettings) => {
  const { cache, JWT_ACCESS_EXP, JWT_REFRESH_EXP, JWT_CLOCK_SKEW } = settings
  const keys = keysOf(settings)
  // A token is accepted until its expiry plus the clock skew.
  const secondsLeft = (end: number): number => Math.max(1, end - nowInSeconds() + JWT_CLOCK_SKEW + 1)
  return {
    /** Returns false if the token has a mark already. */
    mark: ({ id, claims }: VerifiedToken, mark: Mark): Steps<boolean> =>
      waitInAnyMode(cache.add(keys.token(id), toText(mark), secondsLeft(claims.exp))),

    *markOf(id: string): Steps<Mark | undefined> {
      const text = yield* waitInAnyMode(cache.get(keys.token(id)))
      return text === undefined ? undefined : toMark(text)
    },

    unmark: ({ id }: VerifiedToken): Steps<void> => waitInAnyMode(cache.delete(keys.token(id))),

    // `add`, like the marks of tokens: the reserve of the cache is for `set`, which ends all sessions of a user.
    *revokeFamily(token: VerifiedToken): Steps<void> {
      const { exp, iat } = token.claims
      // Until its newest tokens expire, with the lifetime of the settings or, if longer, that of this token.
      const end = nowInSeconds() + Math.max(JWT_ACCESS_EXP, JWT_REFRESH_EXP, exp - iat)
      yield* waitInAnyMode(cache.add(keys.family(token), REVOKED, secondsLeft(end)))
    },

    /** Ends all tokens of the user that were issued before. */
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

    /** The mark of a token; `revoked` also if its family or all tokens of its user are revoked. */
    *stateOf(token: VerifiedToken): Steps<Mark | undefined> {
      const { sub, iat, user_model } = token.claims
      const entries = [keys.token(token.id), keys.family(token), keys.user(sub)]
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

/** Separate for each issuer and audience; keys of users also for each user model. Ids of tokens and families are random. */
const keysOf = ({ JWT_ISS, JWT_AUD, userModel }: TokenAuthSettings) => {
  const joined = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join(':')
  const root = `modelrest:auth:${joined(JWT_ISS, JWT_AUD)}`
  return {
    token: (id: string) => `${root}:token:${id}`,
    family: (token: VerifiedToken) => `${root}:family:${familyOf(token).fid}`,
    user: (sub: string) => `${root}:user:${joined(userModel, sub)}`,
    userOfAnyModel: (sub: string) => `${root}:user:${joined(sub)}`,
    refreshes: (sub: string) => `${root}:refreshes:${joined(userModel, sub)}`,
    marks: (kind: string, sub: string) => `${root}:marks:${joined(kind, userModel, sub)}`,
  }
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
  const keys = keysOf(settings)
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
