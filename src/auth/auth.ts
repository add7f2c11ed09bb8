import type { Cache } from '../cache/cache.ts'
import type { ProblemCode } from '../error/codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Call } from '../operation/call.ts'
import type { Caller } from '../operation/caller.ts'
import type { Operation } from '../operation/operation.ts'
import type { Steps } from '../operation/steps.ts'
import type { ShowUser } from './user/accounts.ts'

/** Finds out who sent a request. `undefined`: somebody anonymous. */
export type Authenticate = (call: Call) => Steps<Caller | undefined>

/** How users are known, as an application has it. */
export interface Auth {
  readonly authenticate: Authenticate
  /** How `authenticate` may refuse a request that writes, beside what every operation may answer. */
  readonly writeProblems: readonly ProblemCode[]
  /** What it serves itself. */
  readonly operations: readonly Operation[]
  /** Ends every token that a user has. Absent: none can be ended. @param id in the form of the key, or as it is in JSON */
  readonly revokeTokens?: (id: unknown) => Promise<void>
  /** Says how its own replies show where files of users are. Absent: they show no users. */
  readonly showUsersBy?: (show: ShowUser) => void
  /** Where it looks up every token. Absent: tokens speak for themselves. */
  readonly cache?: Cache
  /** OpenAPI security schemes by name, any of which will do. */
  readonly schemes: Readonly<Record<string, JsonSchema>>
}
