import { parseCookie } from 'cookie'
import type { Cache } from '../cache/cache.ts'
import { anonymousDetail, identify } from '../controller/permissions.ts'
import { assertKnown, type HttpError, problem, StartError } from '../error/errors.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Call, Caller } from '../operation/call.ts'
import { isSafe } from '../operation/methods.ts'
import type { Operation } from '../operation/operation.ts'
import type { AuthProblems } from '../operation/refusals.ts'
import { runNested, type Steps, waitInAnyMode } from '../operation/steps.ts'
import { readEitherForm } from '../schema/columns.ts'
import { forLog, type ModelSource } from '../source/source.ts'
import type { IssueTokens } from './issue-tokens.ts'
import { type AuthParts, failingClosed, type TokenAuthenticate } from './operation.ts'
import { cookieNames, invalidToken, tokenRefused, unauthenticated } from './replies.ts'
import type { AuthSettings } from './settings/index.ts'

import { nowInSeconds, type TokenType, type VerifiedToken } from './tokens/tokens.ts'
import type { ShownUsers } from './users/accounts.ts'
import type { ManagedUsers } from './users/own-record.ts'
import { currentUser, type Users, userRecordsOf } from './users/users.ts'

export interface Auth {
  /** Returns the caller of a request. `undefined`: anonymous. */
  readonly authenticate: (call: Call) => Steps<Caller | undefined>
  /** The problems with which `authenticate` may refuse requests, in addition to those of every operation. */
  readonly problems: AuthProblems
  /** The endpoints of authentication. @param served Absent if the user model is not served */
  readonly operations: (served?: ShownUsers) => readonly Operation[]
  /** Revokes all tokens of a user. Absent if tokens cannot be revoked. @param id the key, or its form in JSON */
  readonly revokeTokens?: (id: unknown) => Promise<void>
  /** Opens a session for a user. Absent without tokens. */
  readonly issueTokens?: IssueTokens
  /** The cache with revoked tokens. Absent in stateless mode. */
  readonly cache?: Cache
  /** The actions that manage users. Absent without tokens. */
  readonly managed?: ManagedUsers
  /** Waits for mails that are on their way. Absent: it sends none. */
  readonly settled?: () => Promise<void>
  /** OpenAPI security schemes by name. Each of them suffices. */
  readonly schemes: Readonly<Record<string, JsonSchema>>
}

/** RFC 6750, 2.1. The scheme is case-insensitive (RFC 9110, 11.1). */
const bearer = /^bearer +([\w.~+/-]+=*)$/i

/** The access token of a request. An `Authorization` header takes precedence, even without a token. `undefined`: none was sent. */
export const sentToken = (
  call: Call,
  settings: AuthSettings,
): { readonly token: string | undefined; readonly by: 'header' | 'cookie' } | undefined => {
  const header = call.header('authorization')
  if (header !== undefined) return { token: bearer.exec(header)?.[1], by: 'header' }
  const token = tokenInCookie(call, 'access', settings)
  return token === undefined ? undefined : { token, by: 'cookie' }
}

/** The token in a cookie. With `SET_COOKIES: false`, cookies are not read. */
export const tokenInCookie = (
  call: Call,
  type: TokenType,
  { SET_COOKIES }: AuthSettings,
): string | undefined => {
  const header = SET_COOKIES ? call.header('cookie') : undefined
  if (header === undefined || !header.includes(cookieNames[type])) return undefined
  const token = parseCookie(header)[cookieNames[type]]
  return token === '' ? undefined : token
}

/**
 * Whether a request with cookies is safe from CSRF: its method changes nothing, or it comes from the API's own origin or a
 * trusted one. Browsers send `Sec-Fetch-Site`, older ones only `Origin`.
 */
export const isFromOwnOrigin = (call: Call, trustedOrigins: readonly string[]): boolean => {
  if (isSafe(call)) return true
  const origin = call.header('origin')
  if (origin !== undefined && trustedOrigins.includes(origin)) return true
  const site = call.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin !== undefined && isOriginOf(call.header('host'), origin)
}

/**
 * Compares only the host: behind a proxy, the scheme of the request is unknown. The origin `null` of sandboxed pages never
 * matches.
 */
const isOriginOf = (requested: string | undefined, origin: string): boolean => {
  if (!requested || !URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  const own = `${protocol}//${requested}`
  return host !== '' && URL.canParse(own) && new URL(own).host === host
}

/** @throws HttpError 403 for cookies in a request that a page of another origin makes */
export const assertOwnOrigin = (call: Call, trustedOrigins: readonly string[]): void => {
  if (!isFromOwnOrigin(call, trustedOrigins)) throw foreignOrigin()
}

export const foreignOrigin = (): HttpError =>
  problem(
    'forbidden',
    'A request with cookies must come from the same origin or a trusted origin. Send the token as Authorization: Bearer instead.',
  )

/** For a request without a token, or with an invalid one. */
const anonymous = (call: Call): HttpError =>
  unauthenticated(anonymousDetail(call), call.challenge ?? 'Bearer')

type SessionParts = Pick<AuthParts, 'settings' | 'accounts' | 'tokens' | 'sessions'>

/** The caller by access token. A request with an invalid token is anonymous, so public endpoints still respond. */
export const tokenAuthenticate = (parts: SessionParts): TokenAuthenticate => {
  const { settings, accounts, tokens } = parts
  return function* (call) {
    const sent = sentToken(call, settings)
    if (sent === undefined) return undefined
    const token =
      sent.token === undefined ? undefined : yield* waitInAnyMode(tokens.verify(sent.token, 'access'))
    const id = token && accounts.idOf(token.claims.sub)
    if (token === undefined || id === undefined) return challenged(call)
    if (settings.STATEFUL || accounts.keysComeAgain || token.claims.account !== undefined) {
      const since = nowInSeconds()
      if (!(yield* isSessionValid(parts, token, call))) return challenged(call)
      if (parts.sessions.list !== undefined) yield* parts.sessions.list.used(token)
      call.confirm = () => reauthenticate(parts, token, call, since)
    }
    if (sent.by === 'cookie') assertOwnOrigin(call, settings.TRUSTED_ORIGINS)
    call.user ??= currentUser(accounts, id)
    // The key of a record is a string, a number or a bigint.
    return { id: id as Caller['id'], claims: token.claims }
  }
}

const challenged = (call: Call): undefined => {
  call.challenge = invalidToken
  return undefined
}

/** Whether the token is not revoked and the user is neither disabled nor deleted. Keeps the user's record for hooks. */
function* isSessionValid(
  { accounts, sessions }: SessionParts,
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
 * A client controls how long its body takes, so the token is checked again after the body, unless that took less than a
 * second. Models whose keys are reused are always checked: another user may have the key by now. Only these have a check in
 * stateless mode.
 */
function* reauthenticate(parts: SessionParts, token: VerifiedToken, call: Call, since: number): Steps<void> {
  const { accounts, settings } = parts
  if (settings.STATEFUL && !accounts.keysComeAgain && nowInSeconds() === since) return
  if (!(yield* isSessionValid(parts, token, call))) throw tokenRefused()
}

/** Returns the caller and stores it in the call. @throws HttpError 401 */
export function* requireCaller<Found extends Caller>(
  call: Call,
  authenticate: (call: Call) => Steps<Found | undefined>,
): Steps<Found> {
  const caller = yield* authenticate(call)
  identify(call, caller)
  if (caller === undefined) throw anonymous(call)
  return caller
}

/** The caller of a request to the application's own routes. `null`: anonymous. */
export const callerOf = async (
  auth: Auth | undefined,
  source: Pick<ModelSource, 'loggable'>,
  call: Call,
): Promise<Caller | null> => {
  try {
    return (auth && (await runNested(auth.authenticate(call)))) ?? null
  } catch (error) {
    // The application logs this error itself.
    throw forLog(source, error)
  }
}

/**
 * Your own authentication, for the option `auth`. See docs/security.md.
 *
 * @example
 * ```ts
 * import type { OwnAuth } from 'modelrest'
 *
 * const users = new Map([['Bearer a-token-of-ada', 1]])
 *
 * export const auth: OwnAuth<Request> = {
 *   authenticate(request) {
 *     const id = users.get(request.headers.get('authorization') ?? '')
 *     return id === undefined ? null : { id, claims: {} }
 *   },
 * }
 * ```
 */
export interface OwnAuth<Request = unknown> {
  /**
   * Returns the caller of a request, or `null` if it is anonymous. It may be asynchronous, even with `isAsync: false`. A
   * thrown `HttpError` is the response; any other error returns 500.
   */
  authenticate(request: Request): Caller | null | PromiseLike<Caller | null>
  /** An OpenAPI security scheme object, for the document. @default { type: 'http', scheme: 'bearer' } */
  readonly scheme?: Readonly<Record<string, unknown>>
}

export const assertAuth = (auth: unknown): void => {
  if (auth === undefined || typeof auth === 'boolean') return
  if (typeof auth !== 'object' || auth === null || typeof Reflect.get(auth, 'authenticate') !== 'function') {
    throw new StartError('The option auth must be true, false, or { authenticate: (request) => … }.')
  }
  for (const name of Object.keys(auth)) assertKnown('auth: unknown option', name, ownAuthNames)
}

const ownAuthNames = ['authenticate', 'scheme']

/** @param users the user model, if the application has one; `context.user()` reads it */
export const ownAuth = (own: OwnAuth, source: ModelSource, users: Users | undefined): Auth => {
  const records = users && userRecordsOf(users.model, source)
  return {
    *authenticate(call) {
      const given: unknown = yield* waitInAnyMode(own.authenticate(call.request))
      if (given === null || given === undefined) return undefined
      // Any other value must not pass as a caller.
      if (!isCaller(given)) throw new Error('auth.authenticate must return { id, claims } or null.')
      if (records !== undefined) {
        const reading = users?.key && readEitherForm(given.id, users.key)
        call.user = reading?.ok === true ? currentUser(records, reading.value) : () => null
      }
      return Object.freeze({ ...given, id: given.id, claims: given.claims ?? Object.freeze({}) })
    },
    problems: { all: [], writes: [] },
    operations: () => [],
    schemes: { caller: own.scheme ?? { type: 'http', scheme: 'bearer' } },
  }
}

/** Two callers without an id would count as the same. */
const isCaller = (value: unknown): value is Pick<Caller, 'id'> & Partial<Caller> => {
  if (typeof value !== 'object' || value === null || !('id' in value)) return false
  const { id } = value
  return id !== undefined && id !== null && id !== '' && typeof id !== 'boolean' && !Number.isNaN(id)
}
