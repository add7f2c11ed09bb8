import type { Call } from '../operation/call.ts'
import { runNested, type Steps } from '../operation/steps.ts'
import type { Turn } from './passwords.ts'
import { type Attempt, largestBlock, type Throttle } from './throttle.ts'

/** The place of a login, or of another check of a password, in the hashing queue. */
export const turnOf = ({ address }: Call): Turn => ({ purpose: 'login', client: largestBlock(address) })

/**
 * Checks a password within the limits of failures. An attempt counts from its first turn in the hashing queue, unless it
 * succeeds or an error prevents the check.
 *
 * @param check returns `undefined` for a wrong password. To be passed to each turn: `begin`
 * @throws HttpError 429, and errors of the check
 */
export function* limited<T>(
  throttle: Throttle,
  who: Attempt,
  check: (begin: () => Promise<void>) => Steps<T | undefined>,
): Steps<T | undefined> {
  yield* throttle.assertOpen(who)
  let isCounted = false
  const begin = async (): Promise<void> => {
    if (isCounted) return
    await runNested(throttle.enter(who))
    isCounted = true
  }
  let found: T | undefined
  try {
    found = yield* check(begin)
  } catch (error) {
    if (isCounted) yield* throttle.undo(who)
    throw error
  }
  if (found !== undefined) yield* throttle.succeeded(who)
  return found
}
