import { randomUUID } from 'node:crypto'
import { CacheFull } from '../cache/cache.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { tooMany } from './refusals.ts'
import {
  type Family,
  lastEnd,
  nowInSeconds,
  type Rotation,
  type Sessions,
  type SignPair,
  secondAfter,
} from './sessions.ts'
import type { TokenAuthSettings } from './settings.ts'
import type { VerifiedToken } from './tokens.ts'

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
      if (known !== undefined) return yield* refuseReuse(refresh, known, blacklist, settings)
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
        return yield* refuseReuse(refresh, mark ?? 'revoked', blacklist, settings)
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
function* refuseReuse(
  token: VerifiedToken,
  mark: Mark,
  blacklist: Blacklist,
  { REFRESH_REUSE_GRACE }: Pick<TokenAuthSettings, 'REFRESH_REUSE_GRACE'>,
): Steps<Rotation> {
  if (mark === 'revoked') return { refused: 'revoked' }
  const next = yield* blacklist.markOf(mark.child)
  const isParentOfNewest = next === undefined || next === 'revoked'
  if (isParentOfNewest && Date.now() - mark.at < REFRESH_REUSE_GRACE * 1000) return { refused: 'revoked' }
  yield* orAllIfFull(blacklist.revokeFamily(token), token, blacklist)
  return { refused: 'reused' }
}

/** Why a token is dead: it was revoked, or rotated at a time (in milliseconds) for another refresh token of its family. */
type Mark = 'revoked' | { readonly at: number; readonly child: string }

/** What is kept of tokens in the cache, for as long as they have left. */
interface Blacklist {
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
const familyIdOf = ({ id, claims }: VerifiedToken): string => claims.fid ?? id

/** What the settings say about where and how long it is kept what is revoked. */
type BlacklistSettings = Pick<
  TokenAuthSettings,
  'cache' | 'JWT_ISS' | 'JWT_AUD' | 'userModel' | 'JWT_ACCESS_EXP' | 'JWT_REFRESH_EXP' | 'JWT_CLOCK_SKEW'
>

const blacklistOf = (settings: BlacklistSettings): Blacklist => {
  const { cache, JWT_ACCESS_EXP, JWT_REFRESH_EXP, JWT_CLOCK_SKEW } = settings
  const keys = sessionKeys(settings)
  const familyKey = (token: VerifiedToken): string => keys.family(familyIdOf(token))
  const keysOf = (token: VerifiedToken): readonly string[] => {
    const { sub, user_model } = token.claims
    const all = [keys.token(token.id), familyKey(token), keys.user(sub)]
    return user_model === undefined ? [...all, keys.userOfAnyModel(sub)] : all
  }
  // A token is taken until its end and the clock skew beyond.
  const secondsLeft = (end: number): number => Math.max(1, end - nowInSeconds() + JWT_CLOCK_SKEW + 1)
  /** Until the newest tokens of a family have ended: they live as the settings say, or as they did when this one was made. */
  const familySeconds = ({ claims: { exp, iat } }: VerifiedToken): number =>
    secondsLeft(nowInSeconds() + Math.max(JWT_ACCESS_EXP, JWT_REFRESH_EXP, exp - iat))

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
      yield* waitInAnyMode(cache.add(familyKey(token), REVOKED, familySeconds(token)))
    },
    *revokeUser(sub) {
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
    *stateOf(token) {
      const [own, family, ...ends] = yield* waitInAnyMode(cache.getMany(keysOf(token)))
      const isEnded = ends.some((until) => until !== undefined && token.claims.iat <= Number(until))
      if (family !== undefined || isEnded) return REVOKED
      return own === undefined ? undefined : toMark(own)
    },
  }
}

const REVOKED = 'revoked'

const toText = (mark: Mark): string => (mark === REVOKED ? mark : [mark.at, mark.child].join(' '))

const toMark = (text: string): Mark => {
  const [at = '', child] = text.split(' ')
  return child === undefined ? REVOKED : { at: Number(at), child }
}

/** What a mark says of its token. */
type MarkKind = 'rotated' | 'revoked'

/**
 * Where it is kept in the cache what is known of tokens: apart for each issuer and audience, and of users apart for each
 * user model. Ids of tokens and families are random, so that those of two models never meet.
 */
interface SessionKeys {
  token(id: string): string
  family(fid: string): string
  user(sub: string): string
  /** Its earlier form, without the user model. It is only read, for tokens that name no model. */
  userOfAnyModel(sub: string): string
  refreshes(sub: string): string
  marks(kind: MarkKind, sub: string): string
}

const sessionKeys = ({
  JWT_ISS,
  JWT_AUD,
  userModel,
}: Pick<TokenAuthSettings, 'JWT_ISS' | 'JWT_AUD' | 'userModel'>): SessionKeys => {
  const joined = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join(':')
  const root = `modelrest:auth:${joined(JWT_ISS, JWT_AUD)}`
  return {
    token: (id) => `${root}:token:${id}`,
    family: (fid) => `${root}:family:${fid}`,
    user: (sub) => `${root}:user:${joined(userModel, sub)}`,
    userOfAnyModel: (sub) => `${root}:user:${joined(sub)}`,
    refreshes: (sub) => `${root}:refreshes:${joined(userModel, sub)}`,
    marks: (kind, sub) => `${root}:marks:${joined(kind, userModel, sub)}`,
  }
}

/** Bounds how many marks of one kind a user has in the cache at a time. */
interface MarkLimit {
  /** Before a mark is set. @returns whether it may be */
  take(sub: string): Steps<boolean>
  /** No mark was set after all, or it is gone. */
  giveBack(sub: string): Steps<void>
}

/** A thousand logouts with both tokens: more than 30 a day, where refresh tokens have a month. */
const MOST_REVOKED = 2000

/** 166 refreshes a day, for pages that refresh each time that they are loaded. */
const MOST_ROTATED = 5000

/** This many clients of one user may refresh each time that their access token ends. */
const CLIENTS = 4

/**
 * A mark is kept for as long as its token had left. So marks are counted for as long as a refresh token lives: without a
 * bound, one user could fill the cache of all within the limits of requests per minute.
 */
const markLimit = (
  kind: MarkKind,
  settings: Pick<
    TokenAuthSettings,
    'cache' | 'JWT_ISS' | 'JWT_AUD' | 'userModel' | 'JWT_ACCESS_EXP' | 'JWT_REFRESH_EXP'
  >,
): MarkLimit => {
  const { cache, JWT_ACCESS_EXP, JWT_REFRESH_EXP } = settings
  const keys = sessionKeys(settings)
  const most =
    kind === 'revoked'
      ? MOST_REVOKED
      : Math.max(MOST_ROTATED, CLIENTS * Math.ceil(JWT_REFRESH_EXP / JWT_ACCESS_EXP))
  const counted = (sub: string, by: number) =>
    waitInAnyMode(cache.count(keys.marks(kind, sub), by, JWT_REFRESH_EXP))
  return {
    *take(sub) {
      const { count } = yield* counted(sub, 1)
      if (count <= most) return true
      yield* counted(sub, -1)
      return false
    },
    *giveBack(sub) {
      yield* counted(sub, -1)
    },
  }
}

/** Bounds how fast a user may refresh. */
interface RefreshLimit {
  /** Before a mark is set. @throws HttpError 429 with Retry-After where there were too many */
  take(sub: string): Steps<void>
  /** No mark was set after all. */
  giveBack(sub: string): Steps<void>
}

/** Each refresh leaves a mark in the cache. How many of them a user has there in all, `markLimit` bounds. */
const refreshLimit = (
  settings: Pick<
    TokenAuthSettings,
    'cache' | 'JWT_ISS' | 'JWT_AUD' | 'userModel' | 'REFRESH_MAX' | 'LOGIN_FAILURE_WINDOW'
  >,
): RefreshLimit => {
  const { cache, REFRESH_MAX, LOGIN_FAILURE_WINDOW } = settings
  const keys = sessionKeys(settings)
  return {
    *take(sub) {
      if (REFRESH_MAX === 0) return
      const { count, left } = yield* waitInAnyMode(cache.count(keys.refreshes(sub), 1, LOGIN_FAILURE_WINDOW))
      if (count > REFRESH_MAX) throw tooMany('refreshes', left)
    },
    *giveBack(sub) {
      if (REFRESH_MAX !== 0) yield* waitInAnyMode(cache.count(keys.refreshes(sub), -1, LOGIN_FAILURE_WINDOW))
    },
  }
}
