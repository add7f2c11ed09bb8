import { identify } from '../controller/identify.ts'
import type { Call } from '../operation/call.ts'
import type { Caller } from '../operation/caller.ts'
import { runNested } from '../operation/nested.ts'
import type { Steps } from '../operation/steps.ts'
import type { ModelSource } from '../source/source.ts'
import type { Auth } from './auth.ts'
import { anonymous } from './refusals.ts'

/** Finds out who sent a request, and notes it in the call. @throws HttpError 401 */
export function* requireCaller<Found extends Caller>(
  call: Call,
  authenticate: (call: Call) => Steps<Found | undefined>,
): Steps<Found> {
  const caller = yield* authenticate(call)
  identify(call, caller)
  if (caller === undefined) throw anonymous(call)
  return caller
}

/** How callers are known, and where. */
export interface Known {
  readonly auth: Auth | undefined
  readonly source: Pick<ModelSource, 'loggable'>
}

/**
 * Who sent a request that none of our operations serves. null: somebody anonymous.
 *
 * @throws Error for what is no request of the application
 */
export const callerOf = async ({ auth, source }: Known, call: Call | undefined): Promise<Caller | null> => {
  if (call === undefined) throw new Error('authenticate takes a request of the application.')
  try {
    return (auth && (await runNested(auth.authenticate(call)))) ?? null
  } catch (error) {
    // The log of the application's own routes gets it.
    throw source.loggable(error)
  }
}
