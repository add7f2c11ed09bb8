import type { ProblemCode } from '../error/codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Model } from '../model/model.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { BodyBounds, BodyShape, Operation } from '../operation/operation.ts'
import { readProblems, translateErrors, writeProblems } from '../operation/refusals.ts'
import { jsonSchemasOf, type NamedSchema } from '../schema/json-schema.ts'
import type { Accounts } from './accounts.ts'
import { tokenCookies } from './cookies.ts'
import type { Passwords } from './passwords.ts'
import { failingClosed, noStore } from './refusals.ts'
import type { Sessions, TokenPair } from './sessions.ts'
import type { AuthSettings } from './settings.ts'
import type { RegistrationLimit, Throttle } from './throttle.ts'
import type { Tokens } from './tokens.ts'
import type { UserModel } from './users.ts'

/** What the five operations work with. */
export interface AuthParts {
  readonly settings: AuthSettings
  readonly user: UserModel
  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly registrations: RegistrationLimit
  readonly events: Events
  /** The names of the models that are served: a refusal names no other. */
  readonly served: ReadonlySet<Model['name']>
  /** What bodies are held to. */
  readonly bodyBounds: BodyBounds
}

/** The group of these operations in the documentation. */
const TAG = 'Auth'

/** What one of the operations says of itself. */
interface AuthAct extends Pick<Operation, 'id' | 'method' | 'summary' | 'success' | 'run'> {
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
    problems: [...problems, ...commonProblems, ...(rest.method === 'GET' ? readProblems : writeProblems)],
    run: translateErrors({ model: user.model, served }, closed),
  })
}

const commonProblems: readonly ProblemCode[] = [
  ...(['unknown_parameter', 'unrepresentable_value', 'internal_error'] as const),
]

/** A JSON body of these operations. */
export const authBody = (
  { bodyBounds }: Pick<AuthParts, 'bodyBounds'>,
  schema: NamedSchema,
  { required, example }: { readonly required: boolean; readonly example: unknown },
): BodyShape => ({ mediaTypes: ['application/json'], required, schema, example, ...bodyBounds })

const JSON_TYPE = 'application/json'

/** A reply that no cache keeps. @param body JSON text */
export const privateJson = (status: number, body: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': JSON_TYPE, ...noStore, ...headers },
  body,
})

/** `Set-Cookie` for a new pair of tokens; nothing where no cookies are set. */
export const pairCookies = (
  { settings }: AuthParts,
  { access, refresh, accessSeconds, refreshSeconds }: TokenPair,
): Reply['headers'] =>
  cookieHeaders(
    tokenCookies(settings, [
      { type: 'access', token: access, seconds: accessSeconds },
      { type: 'refresh', token: refresh, seconds: refreshSeconds },
    ]),
  )

export const cookieHeaders = (values: readonly string[]): Reply['headers'] =>
  values.length === 0 ? {} : { 'set-cookie': values }

/** A new session: its tokens where there are any, and the user. @param user JSON text */
export const sessionReply = (
  parts: AuthParts,
  {
    status,
    pair,
    user,
    headers = {},
  }: {
    readonly status: 200 | 201
    readonly pair: TokenPair | undefined
    readonly user: string
    readonly headers?: Readonly<Record<string, string>>
  },
): Reply => {
  if (pair === undefined) return privateJson(status, `{"user":${user}}`, headers)
  const { access, refresh } = pair
  const tokens = JSON.stringify({ access, refresh }).slice(0, -1)
  return privateJson(status, `${tokens},"user":${user}}`, { ...headers, ...pairCookies(parts, pair) })
}

const accessTokenSchema: JsonSchema = { type: 'string', description: 'A JWT for Authorization: Bearer.' }
const refreshTokenSchema: JsonSchema = { type: 'string', description: 'A JWT for POST /auth/refresh.' }

/** The reply of a refresh. */
export const tokensSchema: NamedSchema = {
  name: 'TokenPair',
  schema: {
    type: 'object',
    required: ['access'],
    properties: {
      access: accessTokenSchema,
      refresh: {
        ...refreshTokenSchema,
        description: 'Absent where the old one came in a cookie: the new one is there too.',
      },
    },
    additionalProperties: true,
  },
}

/**
 * A user as they see themselves. It has a name of its own: where users are served as other models are, what can be
 * changed there is another thing.
 */
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

/** The reply of a login. */
export const sessionSchema = (model: UserModel): NamedSchema =>
  withUser(model, { name: 'Session', required: ['access', 'refresh', 'user'] })

/** The reply of a registration: of a user who may not log in yet, it has no tokens. */
export const registrationReply = (model: UserModel): NamedSchema =>
  withUser(model, { name: 'Registration', required: ['user'] })

const withUser = (
  model: UserModel,
  { name, required }: { readonly name: string; readonly required: readonly string[] },
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

/** What is logged of authentication (specification, 6). */
type AuthEvent = 'login' | 'login_refused' | 'register' | 'refresh' | 'refresh_reused' | 'logout'

/** Says what happened to whom, and from where. */
type Events = (call: Call, event: AuthEvent, user: unknown) => void

const warnings: ReadonlySet<AuthEvent> = new Set(['login_refused', 'refresh_reused'])

/** Entries of the log: a line, and its parts as fields. Nothing that a client wrote stands in the line. */
export const eventsOf = (logged: boolean): Events =>
  logged
    ? (call, event, user) => {
        const level = warnings.has(event) ? 'warn' : 'info'
        call.log[level](`auth.${event}`, {
          event: `auth.${event}`,
          user: user ?? null,
          address: call.address ?? null,
        })
      }
    : () => undefined
