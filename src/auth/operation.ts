import type { ProblemCode } from '../error/codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Model } from '../model/model.ts'
import { bodyProblems } from '../operation/body.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { BodyBounds, Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath, translateErrors } from '../operation/path.ts'
import { readProblems, writeProblems } from '../operation/refusals.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { jsonSchemasOf, type NamedSchema } from '../schema/json-schema.ts'
import type { Accounts } from './accounts.ts'
import type { Sessions } from './sessions.ts'
import type { AuthSettings } from './settings.ts'
import type { RegistrationLimit, Throttle } from './throttle.ts'
import type { Tokens } from './tokens.ts'
import { failingClosed } from './transport.ts'
import type { UserModel } from './users.ts'

/** What the five operations work with. */
export interface AuthParts {
  readonly settings: AuthSettings
  readonly user: UserModel
  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly sessions: Sessions
  readonly throttle: Throttle
  readonly registrations: RegistrationLimit
  /** The names of the models that are served: a refusal names no other. */
  readonly served: ReadonlySet<Model['name']>
  readonly bodyBounds: BodyBounds
}

/** What one of the operations says of itself. */
interface AuthAct<Input, Outcome> extends Pick<Operation, 'id' | 'method' | 'summary' | 'description'> {
  /** Below `/auth`. */
  readonly path: 'login' | 'register' | 'refresh' | 'me' | 'logout'
  readonly caller?: Operation['caller']
  readonly body?: { readonly required: boolean; readonly schema: NamedSchema; readonly example: unknown }
  readonly success: Operation['success']
  /** Those that only some of them have. */
  readonly problems: readonly ProblemCode[]
  /** What is refused before the body is read. */
  readonly enter?: (call: Call) => Steps<void>
  readonly read: (bytes: Uint8Array) => Input
  readonly act: (input: Input, call: Call) => Steps<Outcome>
  readonly reply: (outcome: Outcome, call: Call) => Reply
}

/** An operation of authentication: `POST /auth/login`. */
export const authOperation = <Input, Outcome>(
  { user, served, bodyBounds }: Pick<AuthParts, 'user' | 'served' | 'bodyBounds'>,
  {
    path,
    caller = 'anyone',
    body: given,
    problems,
    enter,
    read,
    act,
    reply,
    ...rest
  }: AuthAct<Input, Outcome>,
): Operation => {
  const { mediaType } = rest.success
  const body = given && { mediaTypes: ['application/json'], ...given, ...bodyBounds }
  const run = takePath({
    ...(mediaType !== undefined && { mediaType }),
    ...(body && { body }),
    ask: assertNoQuery,
    *enter(call) {
      if (enter !== undefined) yield* enter(call)
      return call
    },
    find: skip,
    validate: (bytes) => wait(read(bytes)),
    act: (_asked, input: Input, call) => act(input, call),
    reply,
  })
  return Object.freeze({
    ...rest,
    ...(body && { body }),
    path: `/auth/${path}`,
    tag: 'Auth',
    caller,
    parameters: [],
    problems: [
      ...problems,
      ...(body ? ([...bodyProblems, 'rejected'] as const) : []),
      ...(mediaType === undefined ? [] : (['not_acceptable'] as const)),
      ...(['forbidden', 'unknown_parameter', 'unrepresentable_value', 'internal_error'] as const),
      ...(rest.method === 'GET' ? readProblems : writeProblems),
    ],
    run: translateErrors({ model: user.model, served }, (call) => failingClosed(run(call))),
  })
}

export const accessTokenSchema: JsonSchema = {
  type: 'string',
  description: 'A JWT for Authorization: Bearer.',
}
export const refreshTokenSchema: JsonSchema = { type: 'string', description: 'A JWT for POST /auth/refresh.' }

/** A user as they see themselves. What can be changed is another thing, so that the schema has a name of its own. */
export const userSchema = ({ model }: UserModel): NamedSchema => {
  const { detail } = jsonSchemasOf(model)
  return Object.freeze({
    name: 'CurrentUser',
    get schema(): JsonSchema {
      return detail.schema
    },
    get uses(): readonly NamedSchema[] {
      return detail.uses ?? []
    },
  })
}

/** The reply of a login or registration. A user who may not log in yet gets no tokens. */
export const sessionSchema = (
  model: UserModel,
  name: 'Session' | 'Registration',
  required: readonly string[],
): NamedSchema => {
  const user = userSchema(model)
  return {
    name,
    schema: {
      type: 'object',
      required,
      properties: {
        access: accessTokenSchema,
        refresh: refreshTokenSchema,
        user: { $ref: `#/components/schemas/${user.name}` },
      },
      additionalProperties: true,
    },
    uses: [user],
  }
}

/** What is logged of authentication. */
type AuthEvent = 'login' | 'login_refused' | 'register' | 'refresh' | 'refresh_reused' | 'logout'

const warnings: ReadonlySet<AuthEvent> = new Set(['login_refused', 'refresh_reused'])

/** Logs a line, and its parts as fields. Nothing that a client wrote stands in the line. */
export const logEvent = (
  { settings }: Pick<AuthParts, 'settings'>,
  call: Call,
  event: AuthEvent,
  user: unknown,
): void => {
  if (!settings.LOG_AUTH_EVENTS) return
  const level = warnings.has(event) ? 'warn' : 'info'
  call.log[level](`auth.${event}`, {
    event: `auth.${event}`,
    user: user ?? null,
    address: call.address ?? null,
  })
}
