import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { TokenAuthSettings } from '../settings.ts'
import { type MarkKind, sessionKeys } from './keys.ts'

/** Bounds how many marks of one kind a user has in the cache at a time. */
export interface MarkLimit {
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
export const markLimit = (
  kind: MarkKind,
  settings: Pick<
    TokenAuthSettings,
    'cache' | 'issuer' | 'audience' | 'userModel' | 'accessExp' | 'refreshExp'
  >,
): MarkLimit => {
  const { cache, accessExp, refreshExp } = settings
  const keys = sessionKeys(settings)
  const most =
    kind === 'revoked' ? MOST_REVOKED : Math.max(MOST_ROTATED, CLIENTS * Math.ceil(refreshExp / accessExp))
  const counted = (sub: string, by: number) =>
    waitInAnyMode(cache.count(keys.marks(kind, sub), by, refreshExp))
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
