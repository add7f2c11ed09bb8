import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { tooMany } from '../refusals.ts'
import type { AuthSettings } from '../settings.ts'
import { sessionKeys } from './keys.ts'

/**
 * Bounds how often a user refreshes. Each refresh leaves a mark that is kept for as long as its token had left: without a
 * bound, one user could fill the cache of all.
 *
 * @throws HttpError 429 with Retry-After
 */
export const refreshLimit = (
  settings: Pick<AuthSettings, 'cache' | 'issuer' | 'audience' | 'refreshMax' | 'failureWindow'>,
): ((sub: string) => Steps<void>) => {
  const { cache, refreshMax, failureWindow } = settings
  const keys = sessionKeys(settings)
  return function* (sub) {
    if (refreshMax === 0) return
    const { count, left } = yield* waitInAnyMode(cache.count(keys.refreshes(sub), 1, failureWindow))
    if (count > refreshMax) throw tooMany('refreshes', left)
  }
}
