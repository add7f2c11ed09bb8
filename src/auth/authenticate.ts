import { parseCookie } from 'cookie'
import type { Cache } from '../cache/cache.ts'
import { identify } from '../controller/permissions.ts'
import type { ProblemCode } from '../error/codes.ts'
import { assertKnown, type HttpError, problem, StartError } from '../error/errors.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Call, Caller } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { runNested, type Steps, waitInAnyMode } from '../operation/steps.ts'
import { readEitherForm } from '../schema/columns.ts'
import type { ModelSource } from '../source/source.ts'
import type { ShowUser } from './accounts.ts'
import {
  type AuthParts,
  cookieNames,
  failingClosed,
  invalidToken,
  tokenRefused,
  unauthenticated,
} from './operation.ts'
import type { AuthSettings } from './settings.ts'
import type { TokenClaims, TokenType, VerifiedToken } from './tokens.ts'
import { nowInSeconds } from './tokens.ts'
import { currentUser, type Users, userRecordsOf } from './users.ts'

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

/** RFC 6750, 2.1; the scheme's case does not count (RFC 9110, 11.1). */
const bearer = /^bearer +([\w.~+/-]+=*)$/i

/** The access token of a request. A header decides, even one that holds no token. `undefined`: none was sent. */
export const sentToken = (
  call: Call,
  settings: AuthSettings,
): { readonly token: string | undefined; readonly by: 'header' | 'cookie' } | undefined => {
  const header = call.header('authorization')
  if (header !== undefined) return { token: bearer.exec(header)?.[1], by: 'header' }
  const token = tokenInCookie(call, 'access', settings)
  return token === undefined ? undefined : { token, by: 'cookie' }
}

/** The token that came in a cookie. If none are set, none are read. */
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

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request that browsers send by themselves, cookies included, may act: it changes nothing, or it comes from
 * the API's own origin or a trusted one. The browser says so in `Sec-Fetch-Site`, older ones in `Origin`.
 */
export const isFromOwnOrigin = (call: Call, trustedOrigins: readonly string[]): boolean => {
  if (safeMethods.has(call.method)) return true
  const origin = call.header('origin')
  if (origin !== undefined && trustedOrigins.includes(origin)) return true
  const site = call.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin !== undefined && isOriginOf(call.header('host'), origin)
}

/**
 * Only the host is compared: behind a proxy it is not known whether the request came by https. `null`, which a page in a
 * sandbox sends, is nobody's origin.
 */
const isOriginOf = (requested: string | undefined, origin: string): boolean => {
  if (!requested || !URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  const own = `${protocol}//${requested}`
  return host !== '' && URL.canParse(own) && new URL(own).host === host
}

/** Refuses a cookie that a page of another origin made the browser send. */
export const assertOwnOrigin = (call: Call, trustedOrigins: readonly string[]): void => {
  if (!isFromOwnOrigin(call, trustedOrigins)) throw foreignOrigin()
}

export const foreignOrigin = (): HttpError =>
  problem(
    'forbidden',
    'A request with cookies must come from the same origin or a trusted one. Send the token as Authorization: Bearer instead.',
  )

/** For a request without a token, or with one that is not good. */
const anonymous = ({ challenge = 'Bearer' }: Call): HttpError =>
  unauthenticated('Authenticate first.', challenge)

/** Finds out who sent a request, by its token. */
export type TokenAuthenticate = (call: Call) => Steps<(Caller & { readonly claims: TokenClaims }) | undefined>

/** Who a request's access token names. A token that is not good is as none: what is public stays so. */
export const tokenAuthenticate = (parts: AuthParts): TokenAuthenticate => {
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

const challenged = (call: Call): undefined => {
  call.challenge = invalidToken
  return undefined
}

/** Whether neither the token was revoked nor the user disabled or gone. The user's record is kept for hooks. */
function* isSessionValid(
  { accounts, sessions }: AuthParts,
  token: VerifiedToken,
  call: Call,
): Steps<boolean> {
  if (yield* failingClosed(sessions.isRevoked(token))) return false
  const row = yield* accounts.active(token.claims)
  if (row === undefined) return false
  call.user = () => accounts.withoutPassword(row)
  return true
}

/** Clients decide how long their body takes. Within a second it is left out, unless the key may be another user's by now. */
function* reauthenticate(parts: AuthParts, token: VerifiedToken, call: Call, since: number): Steps<void> {
  if (!parts.accounts.mayBeAnothers(token.claims) && nowInSeconds() === since) return
  if (!(yield* isSessionValid(parts, token, call))) throw tokenRefused()
}

/** Notes in the call who sent it. @throws HttpError 401 */
export function* requireCaller<Found extends Caller>(
  call: Call,
  authenticate: (call: Call) => Steps<Found | undefined>,
): Steps<Found> {
  const caller = yield* authenticate(call)
  identify(call, caller)
  if (caller === undefined) throw anonymous(call)
  return caller
}

/** Who sent a request that none of our operations serves. null: somebody anonymous. */
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

export const assertAuth = (auth: unknown): void => {
  if (auth === undefined || typeof auth === 'boolean') return
  if (typeof auth !== 'object' || auth === null || typeof Reflect.get(auth, 'authenticate') !== 'function') {
    throw new StartError('The option auth must be true, false, or { authenticate: (request) => … }.')
  }
  for (const name of Object.keys(auth)) assertKnown('There is no auth option', name, ownAuthNames)
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
