import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { tooMany } from '../refusals.ts'
import type { TokenAuthSettings } from '../settings.ts'
import { sessionKeys } from './keys.ts'

/** Bounds how fast a user may refresh. */
export interface RefreshLimit {
  /** Before a mark is set. @throws HttpError 429 with Retry-After where there were too many */
  take(sub: string): Steps<void>
  /** No mark was set after all. */
  giveBack(sub: string): Steps<void>
}

/** Each refresh leaves a mark in the cache. How many of them a user has there in all, `markLimit` bounds. */
export const refreshLimit = (
  settings: Pick<
    TokenAuthSettings,
    'cache' | 'issuer' | 'audience' | 'userModel' | 'refreshMax' | 'failureWindow'
  >,
): RefreshLimit => {
  const { cache, refreshMax, failureWindow } = settings
  const keys = sessionKeys(settings)
  return {
    *take(sub) {
      if (refreshMax === 0) return
      const { count, left } = yield* waitInAnyMode(cache.count(keys.refreshes(sub), 1, failureWindow))
      if (count > refreshMax) throw tooMany('refreshes', left)
    },
    *giveBack(sub) {
      if (refreshMax !== 0) yield* waitInAnyMode(cache.count(keys.refreshes(sub), -1, failureWindow))
    },
  }
}
