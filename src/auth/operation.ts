import { CacheError } from '../cache/cache.ts'
import type { ProblemCode } from '../error/codes.ts'
import { problem } from '../error/errors.ts'
import type { OwnCodes } from '../error/own-codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Model } from '../model/model.ts'
import { bodyProblems } from '../operation/body.ts'
import type { Call, Caller, Reply } from '../operation/call.ts'
import type { BodyBounds, Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath, translateErrors } from '../operation/path.ts'
import { readProblems, writeProblems } from '../operation/refusals.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Envelope } from '../schema/envelope.ts'
import { exampleOf } from '../schema/example.ts'
import { jsonSchemasOf, type NamedSchema } from '../schema/json-schema.ts'
import type { AddressLimit, Throttle } from './limits/throttle.ts'
import type { MailQueue } from './mails/mail-queue.ts'
import type { MailTokens } from './mails/mail-tokens.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AuthSettings } from './settings/index.ts'
import type { TokenClaims, Tokens } from './tokens/tokens.ts'
import type { Accounts, ShownUsers } from './users/accounts.ts'
import type { UserModel } from './users/users.ts'

/** The caller of a request by its token. */
export type TokenCaller = Caller & { readonly claims: TokenClaims }

/** Returns the caller of a request by its token. */
export type TokenAuthenticate = (call: Call) => Steps<TokenCaller | undefined>

/** The parts that the operations share. */
export interface AuthParts {
  readonly settings: AuthSettings
  readonly user: UserModel
  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly sessions: Sessions
  readonly throttle: Throttle
  readonly registrations: AddressLimit
  readonly mailLimit: AddressLimit
  readonly mailTokens: MailTokens
  readonly mailQueue: MailQueue
  readonly authenticate: TokenAuthenticate
  /** How responses show users whose model is served. Absent: with the fields that the model lets clients read. */
  readonly shownUser?: ShownUsers['success'] & Pick<ShownUsers, 'models'>
  /** The names of the served models: error messages must not name others. */
  readonly served: ReadonlySet<Model['name']>
  readonly bodyBounds: BodyBounds
  /** The codes of the application. */
  readonly codes?: OwnCodes | undefined
  /** The names of members of lists. */
  readonly envelope: Pick<Envelope, 'items'>
}

interface AuthAct<Input, Outcome> extends Pick<Operation, 'id' | 'method' | 'summary' | 'description'> {
  /** Below `/auth`. */
  readonly path: string
  /** The functions of the application that may refuse the request with an `HttpError`, if it has them. @default none */
  readonly asks?: readonly unknown[]
  readonly caller?: Operation['caller']
  /** @default none */
  readonly parameters?: Operation['parameters']
  readonly body?: { readonly required: boolean; readonly schema: NamedSchema; readonly example: unknown }
  readonly success: Operation['success']
  readonly problems: readonly ProblemCode[]
  /** Runs before the body is read, and may refuse the request. */
  readonly enter?: (call: Call) => Steps<void>
  readonly read: (bytes: Uint8Array) => Input
  readonly act: (input: Input, call: Call) => Steps<Outcome>
  readonly reply: (outcome: Outcome, call: Call) => Reply
}

export const authOperation = <Input, Outcome>(
  { user, served, shownUser, bodyBounds, codes }: AuthParts,
  {
    path,
    asks = [],
    caller = 'anyone',
    parameters = [],
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
    models: () => shownUser?.models ?? [user.model.name],
    caller,
    parameters,
    ...(codes && asks.some((asked) => asked !== undefined) && { codes }),
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
  description: 'A JWT for the header `Authorization: Bearer`. It expires at the time of its claim `exp`.',
}
export const refreshTokenSchema: JsonSchema = {
  type: 'string',
  description: 'A JWT for `POST /auth/refresh`, which returns new tokens.',
}

type ShownParts = Pick<AuthParts, 'user' | 'shownUser'>

/** A user in responses of authentication. It differs from the schema for updates, so it has its own name. */
export const userSchema = ({ user: { model }, shownUser }: ShownParts): NamedSchema => {
  const detail = shownUser?.schema ?? jsonSchemasOf(model).detail
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

/** The response to a login or registration. An inactive user gets no tokens. */
export const sessionSchema = (
  parts: ShownParts,
  name: 'Session' | 'Registration',
  required: readonly string[],
): NamedSchema => {
  const user = userSchema(parts)
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

/** The same for the documentation. */
export const sessionExample = (parts: ShownParts): object => {
  const token = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…'
  return { access: token, refresh: token, user: userExample(parts) }
}

/** A user as the responses of authentication show it. */
export const userExample = ({ user, shownUser }: ShownParts): unknown =>
  shownUser?.example ?? exampleOf(user.model, 'detail')

export type AuthEvent =
  | 'login'
  | 'login_refused'
  | 'register'
  | 'issue'
  | 'refresh'
  | 'refresh_reused'
  | 'logout'
  | 'logout_all'
  | 'session_ended'
  | 'password_reset_sent'
  | 'password_reset'
  | 'email_verify_sent'
  | 'email_verified'
  | 'password_change'
  | 'password_change_refused'
  | 'key_created'
  | 'key_revoked'
  | 'key_refused'
  | 'user_invited'
  | 'invitation_sent'
  | 'invitation_accepted'
  | 'user_disabled'
  | 'user_enabled'

const suspicious: ReadonlySet<AuthEvent> = new Set([
  'login_refused',
  'refresh_reused',
  'password_change_refused',
  'key_refused',
])

/** The line must not contain text from the client. @param about `key`: the id of an API key; `by`: the user who did it to another one */
export const logEvent = (
  { settings }: Pick<AuthParts, 'settings'>,
  call: Pick<Call, 'log' | 'address'>,
  event: AuthEvent,
  user: unknown,
  about: { readonly key?: string; readonly by?: unknown } = {},
): void => {
  if (!settings.LOG_AUTH_EVENTS) return
  const level = suspicious.has(event) ? 'warn' : 'info'
  call.log[level](`auth.${event}`, {
    event: `auth.${event}`,
    user: user ?? null,
    ...about,
    address: call.address ?? null,
  })
}

/** Runs steps that use the cache. If the cache is unavailable, tokens cannot be checked, so every request is refused. */
export function* failingClosed<T>(steps: Steps<T>): Steps<T> {
  try {
    return yield* steps
  } catch (error) {
    if (!(error instanceof CacheError)) throw error
    throw problem('unavailable', 'The session store is temporarily unavailable.', {
      cause: error,
      headers: { 'retry-after': '5' },
    })
  }
}
