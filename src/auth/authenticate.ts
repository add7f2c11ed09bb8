import type { Cache } from '../cache/cache.ts'
import { identify } from '../controller/permissions.ts'
import type { ProblemCode } from '../error/codes.ts'
import { StartError, suggest } from '../error/errors.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Call, Caller } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { runNested, type Steps, waitInAnyMode } from '../operation/steps.ts'
import { readEitherForm } from '../schema/columns.ts'
import type { ModelSource } from '../source/source.ts'
import { currentUser, type ShowUser, userRecordsOf } from './accounts.ts'
import type { AuthParts } from './operation.ts'
import { nowInSeconds } from './sessions.ts'
import type { TokenClaims, VerifiedToken } from './tokens.ts'
import {
  anonymous,
  assertOwnOrigin,
  failingClosed,
  invalidToken,
  sentToken,
  tokenRefused,
} from './transport.ts'
import type { Users } from './users.ts'

/** How users are known, as an application has it. */
export interface Auth {
  /** Finds out who sent a request. `undefined`: somebody anonymous. */
  readonly authenticate: (call: Call) => Steps<Caller | undefined>
  /** How `authenticate` may refuse a request that writes, beside what every operation may answer. */
  readonly writeProblems: readonly ProblemCode[]
  /** What it serves itself. @param show where files of users are. Absent: it shows none */
  readonly operations: (show?: ShowUser) => readonly Operation[]
  /** Ends every token that a user has. Absent: none can be ended. @param id in the form of the key, or as it is in JSON */
  readonly revokeTokens?: (id: unknown) => Promise<void>
  /** Where it looks up every token. Absent: tokens speak for themselves. */
  readonly cache?: Cache
  /** OpenAPI security schemes by name, any of which will do. */
  readonly schemes: Readonly<Record<string, JsonSchema>>
}

/** What a token needs to be known for a caller. */
type AuthenticationParts = Pick<AuthParts, 'settings' | 'accounts' | 'tokens' | 'sessions'>

/** A caller who is known by a token of ours. */
interface TokenCaller extends Caller {
  readonly claims: TokenClaims
}

/** Finds out who sent a request, by its token. */
export type TokenAuthenticate = (call: Call) => Steps<TokenCaller | undefined>

/**
 * Who a request's access token names. A token that is not good is as none: what is public stays so.
 *
 * @throws HttpError 403 for a cookie that a page of another origin made the browser send; 503 where sessions cannot be checked
 */
export const tokenAuthenticate = (parts: AuthenticationParts): TokenAuthenticate => {
  const { settings, accounts, tokens } = parts
  return function* (call) {
    const sent = sentToken(call, settings)
    if (sent === undefined) return undefined
    const token =
      sent.token === undefined ? undefined : yield* waitInAnyMode(tokens.verify(sent.token, 'access'))
    const id = token && accounts.idOf(token.claims.sub)
    if (token === undefined || id === undefined) return challenged(call)
    if (settings.STATEFUL || accounts.mayBeAnothers(token.claims)) {
      const since = nowInSeconds()
      if (!(yield* isSessionValid(parts, token, call))) return challenged(call)
      call.confirm = () => reauthenticate(parts, token, call, since)
    }
    if (sent.by === 'cookie') assertOwnOrigin(call, settings.TRUSTED_ORIGINS)
    call.user ??= currentUser(accounts, id)
    return { id, claims: token.claims }
  }
}

/** Whether neither the token was revoked nor the user disabled or gone. The user's record is kept for hooks. */
function* isSessionValid(
  { accounts, sessions }: AuthenticationParts,
  token: VerifiedToken,
  call: Call,
): Steps<boolean> {
  if (yield* failingClosed(sessions.isRevoked(token))) return false
  const row = yield* accounts.active(token.claims)
  if (row === undefined) return false
  call.user = () => accounts.withoutPassword(row)
  return true
}

/**
 * Checks the caller again once the body is there: clients decide how long that takes. Within the same second that is left
 * out, unless the key may be another user's by now.
 *
 * @throws HttpError 401, 503
 */
function* reauthenticate(
  parts: AuthenticationParts,
  token: VerifiedToken,
  call: Call,
  since: number,
): Steps<void> {
  if (!parts.accounts.mayBeAnothers(token.claims) && nowInSeconds() === since) return
  if (!(yield* isSessionValid(parts, token, call))) throw tokenRefused()
}

const challenged = (call: Call): undefined => {
  call.challenge = invalidToken
  return undefined
}

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

/**
 * Who sent a request that none of our operations serves. null: somebody anonymous.
 *
 * @throws Error for what is no request of the application
 */
export const callerOf = async (
  auth: Auth | undefined,
  source: Pick<ModelSource, 'loggable'>,
  call: Call | undefined,
): Promise<Caller | null> => {
  if (call === undefined) throw new Error('authenticate takes a request of the application.')
  try {
    return (auth && (await runNested(auth.authenticate(call)))) ?? null
  } catch (error) {
    // The log of the application's own routes gets it.
    throw source.loggable(error)
  }
}

/** One's own way from a request to a user. */
export interface OwnAuth<Request = unknown> {
  /** Who sent the request; null for the anonymous. May be asynchronous in either mode. */
  authenticate(request: Request): Caller | null | PromiseLike<Caller | null>
  /** An OpenAPI security scheme object, for the document. @default { type: 'http', scheme: 'bearer' } */
  readonly scheme?: Readonly<Record<string, unknown>>
}

/** @throws StartError for what cannot tell who sent a request */
export const assertAuth = (auth: unknown): void => {
  if (auth === undefined || typeof auth === 'boolean') return
  if (typeof auth !== 'object' || auth === null || typeof Reflect.get(auth, 'authenticate') !== 'function') {
    throw new StartError('The option auth must be true, false, or { authenticate: (request) => … }.')
  }
  for (const name of Object.keys(auth)) {
    if (!ownAuthNames.includes(name))
      throw new StartError(`There is no auth option ${name}.${suggest(name, ownAuthNames)}`)
  }
}

const ownAuthNames = ['authenticate', 'scheme']

/** @param users the model of users, if the application has one that `context.user()` reads */
export const ownAuth = (own: OwnAuth, source: ModelSource, users: Users | undefined): Auth => {
  const records = users && userRecordsOf(users.model, source)
  return {
    *authenticate(call) {
      const given: unknown = yield* waitInAnyMode(own.authenticate(call.request))
      if (given === null || given === undefined) return undefined
      // What is not a user fails closed.
      if (!isCaller(given)) throw new Error('auth.authenticate must return { id, claims } or null.')
      if (records !== undefined) {
        const reading = users?.key && readEitherForm(given.id, users.key)
        call.user = reading?.ok === true ? currentUser(records, reading.value) : () => null
      }
      return Object.freeze({ ...given, id: given.id, claims: given.claims ?? Object.freeze({}) })
    },
    writeProblems: [],
    operations: () => [],
    schemes: { caller: own.scheme ?? { type: 'http', scheme: 'bearer' } },
  }
}

/** Two callers without an id would be taken for the same. */
const isCaller = (value: unknown): value is Pick<Caller, 'id'> & Partial<Caller> => {
  if (typeof value !== 'object' || value === null || !('id' in value)) return false
  const { id } = value
  return id !== undefined && id !== null && id !== '' && typeof id !== 'boolean' && !Number.isNaN(id)
}
