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
 * Sessions whose tokens can be revoked. A refresh token is good for one refresh: the mark that it was rotated is set in one
 * step, so that only one of many requests gets the new pair.
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
      // A token of it may be good still: it has the clock skew, or is from before a shorter end was set.
      if (lastEnd(family, settings) <= nowInSeconds()) return { refused: 'over' }
      const known = yield* blacklist.stateOf(refresh)
      if (known !== undefined) return yield* refuseReuse(refresh, known, blacklist, settings)
      // After the look: a token that leaves no new mark is not counted, however often it comes.
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
  // It was rotated before, or another request does so now: who ends a session means its newest tokens too.
  yield* blacklist.revokeFamily(token)
}

/** Ends every session of the user: there is one entry of that, which is written over the one before. */
function* revokeAll(token: VerifiedToken, blacklist: Blacklist): Steps<void> {
  // The other token of this logout may have ended them already.
  if ((yield* blacklist.stateOf(token)) !== REVOKED) yield* blacklist.revokeUser(token.claims.sub)
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

const newIds = () => ({ accessId: randomUUID(), refreshId: randomUUID() })

/** A token from before stateful mode begins a family of its own. It is the same one whenever the token comes. */
const familyOf = ({ id, claims }: VerifiedToken): Family => ({
  fid: claims.fid ?? id,
  auth_time: claims.auth_time ?? claims.iat,
})

/**
 * A rotated token that comes again was stolen, or its thief has been here before: its whole family ends (RFC 9700, 4.14.2).
 * Two tabs that refresh at the same moment look alike, so that shortly after the rotation it is only refused.
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

/** Why a token is dead: it was revoked, or rotated at a time (in milliseconds) for another refresh token of its family. */
type Mark = typeof REVOKED | { readonly at: number; readonly child: string }

type Blacklist = ReturnType<typeof blacklistOf>

/** What is kept of tokens in the cache, for as long as they have left. */
const blacklistOf = (settings: TokenAuthSettings) => {
  const { cache, JWT_ACCESS_EXP, JWT_REFRESH_EXP, JWT_CLOCK_SKEW } = settings
  const keys = keysOf(settings)
  // A token is taken until its end and the clock skew beyond.
  const secondsLeft = (end: number): number => Math.max(1, end - nowInSeconds() + JWT_CLOCK_SKEW + 1)
  return {
    /** Whether the mark was set: a token has only one. */
    mark: ({ id, claims }: VerifiedToken, mark: Mark): Steps<boolean> =>
      waitInAnyMode(cache.add(keys.token(id), toText(mark), secondsLeft(claims.exp))),

    *markOf(id: string): Steps<Mark | undefined> {
      const text = yield* waitInAnyMode(cache.get(keys.token(id)))
      return text === undefined ? undefined : toMark(text)
    },

    unmark: ({ id }: VerifiedToken): Steps<void> => waitInAnyMode(cache.delete(keys.token(id))),

    // Added, as the marks of tokens are: what is set has room where they have filled the cache. It is there once at most.
    *revokeFamily(token: VerifiedToken): Steps<void> {
      const { exp, iat } = token.claims
      // Until the newest tokens of it have ended: they live as the settings say, or as they did when this one was made.
      const end = nowInSeconds() + Math.max(JWT_ACCESS_EXP, JWT_REFRESH_EXP, exp - iat)
      yield* waitInAnyMode(cache.add(keys.family(token), REVOKED, secondsLeft(end)))
    },

    /** Ends every token that the user has, and no token that is made after it. */
    *revokeUser(sub: string): Steps<void> {
      // A refresh that looked before this was there makes its tokens as of then. So what is written must not be older than
      // the moment at which it is there: over a slow cache it is written again, for a second that lies ahead.
      let until = nowInSeconds()
      for (let ahead = 1; ; ahead *= 2) {
        const seconds = secondsLeft(until + Math.max(JWT_ACCESS_EXP, JWT_REFRESH_EXP))
        yield* waitInAnyMode(cache.set(keys.user(sub), String(until), seconds))
        if (nowInSeconds() <= until) return yield* waitInAnyMode(secondAfter(until))
        until = nowInSeconds() + ahead
      }
    },

    /** Its mark; `revoked` as well if its family was revoked, or all that its user had. */
    *stateOf(token: VerifiedToken): Steps<Mark | undefined> {
      const { sub, iat, user_model } = token.claims
      const asked = [keys.token(token.id), keys.family(token), keys.user(sub)]
      // Its earlier form, without the user model.
      if (user_model === undefined) asked.push(keys.userOfAnyModel(sub))
      const [own, family, ...ends] = yield* waitInAnyMode(cache.getMany(asked))
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

/** Apart for each issuer and audience, and of users for each user model: ids of tokens and families are random anyway. */
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

/** A thousand logouts with both tokens: more than 30 a day, where refresh tokens have a month. */
const MOST_REVOKED = 2000

/** 166 refreshes a day, for pages that refresh each time that they are loaded. */
const MOST_ROTATED = 5000

/** This many clients of one user may refresh each time that their access token ends. */
const CLIENTS = 4

/**
 * How fast a user may refresh, and how many marks a user has in the cache at a time. A mark is kept for as long as its token
 * had left, so that marks are counted for as long as a refresh token lives: without a bound, one user could fill the cache
 * of all within the limits of requests per minute.
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
