import type { Call } from '../operation/call.ts'
import type { Caller } from '../operation/caller.ts'
import { runNested } from '../operation/nested.ts'
import type { Auth } from './auth.ts'

/**
 * Who sent a request that none of our operations serves. null: somebody anonymous.
 *
 * @throws Error for what is no request of the application
 */
export const callerOf = async (auth: Auth | undefined, call: Call | undefined): Promise<Caller | null> => {
  if (call === undefined) throw new Error('authenticate takes a request of the application.')
  return (auth && (await runNested(auth.authenticate(call)))) ?? null
}
