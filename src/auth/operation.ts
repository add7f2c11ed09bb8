import type { ProblemCode } from '../error/codes.ts'
import type { BodyShape, Operation } from '../operation/operation.ts'
import { readProblems, translated, writeProblems } from '../operation/refusals.ts'
import type { NamedSchema } from '../schema/named-schema.ts'
import type { AuthParts } from './parts.ts'
import { failingClosed } from './refusals.ts'

/** The group of these operations in the documentation. */
const TAG = 'Auth'

/** What one of the operations says of itself. */
export interface AuthAct extends Pick<Operation, 'id' | 'method' | 'summary' | 'success' | 'run'> {
  /** Below `/auth`. */
  readonly path: 'login' | 'register' | 'refresh' | 'me' | 'logout'
  readonly description?: string
  readonly caller?: 'required'
  readonly body?: BodyShape
  /** Those of its own. */
  readonly problems: readonly ProblemCode[]
}

/** An operation of authentication: `POST /auth/login`. */
export const authOperation = (
  { user, served }: Pick<AuthParts, 'user' | 'served'>,
  { path, caller, problems, run, ...rest }: AuthAct,
): Operation => {
  const closed: Operation['run'] = (call) => failingClosed(run(call))
  return Object.freeze({
    ...rest,
    path: `/auth/${path}`,
    tag: TAG,
    caller: caller ?? 'anyone',
    parameters: [],
    problems: [...problems, ...problemsOfAll, ...(rest.method === 'GET' ? readProblems : writeProblems)],
    run: translated({ model: user.model, served }, closed),
  })
}

const problemsOfAll: readonly ProblemCode[] = [
  ...(['unknown_parameter', 'unrepresentable_value', 'internal_error'] as const),
]

/** A JSON body of these operations. */
export const authBody = (
  { bodyBounds }: Pick<AuthParts, 'bodyBounds'>,
  schema: NamedSchema,
  { required, example }: { readonly required: boolean; readonly example: unknown },
): BodyShape => ({ mediaTypes: ['application/json'], required, schema, example, ...bodyBounds })
