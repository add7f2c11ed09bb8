import { CacheError } from '../cache/cache.ts'
import { type HttpError, problem } from '../error/errors.ts'
import type { Call } from '../operation/call.ts'
import type { Steps } from '../operation/steps.ts'

/** RFC 6750, 3: how to authenticate, and that the token that came is not good. */
export const invalidToken = 'Bearer error="invalid_token"'

/** The answer to who must say who they are, and did not, or with a token that is not good. */
export const anonymous = ({ challenge = 'Bearer' }: Call): HttpError =>
  problem('unauthenticated', 'Authenticate first.', {
    headers: { 'www-authenticate': challenge, ...noStore },
  })

/** The answer to a token that is none of ours, ended, or was revoked. */
export const tokenRefused = (): HttpError =>
  problem('unauthenticated', 'The token is not valid. Log in again.', {
    headers: { 'www-authenticate': invalidToken, ...noStore },
  })

/** The same answer whatever was wrong, so that nobody learns who is registered. */
export const loginRefused = (): HttpError =>
  problem('unauthenticated', 'The login or the password is wrong.', {
    headers: { 'www-authenticate': 'Bearer', ...noStore },
  })

/** @param left milliseconds until the next try */
export const tooMany = (what: string, left: number): HttpError => {
  const seconds = Math.max(1, Math.ceil(left / 1000))
  return problem('too_many_requests', `Too many ${what}. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds), ...noStore },
  })
}

/** What is about one session is kept by nobody. */
export const noStore: Readonly<Record<string, string>> = Object.freeze({ 'cache-control': 'no-store' })

/** Runs steps that ask the cache: where it is away, nothing can be said of a token, and nobody passes. */
export function* failingClosed<T>(steps: Steps<T>): Steps<T> {
  try {
    return yield* steps
  } catch (error) {
    if (!(error instanceof CacheError)) throw error
    throw problem('unavailable', 'Sessions cannot be checked at the moment.', {
      cause: error,
      headers: { 'retry-after': '5' },
    })
  }
}
