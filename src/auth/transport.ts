import { parseCookie, stringifySetCookie } from 'cookie'
import { CacheError } from '../cache/cache.ts'
import { type HttpError, problem } from '../error/errors.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Steps } from '../operation/steps.ts'
import type { TokenPair } from './sessions.ts'
import type { AuthSettings } from './settings.ts'
import type { TokenType } from './tokens.ts'

/** The cookies of a session. */
export const cookieNames: Readonly<Record<TokenType, string>> = {
  access: 'service_access_token',
  refresh: 'service_refresh_token',
}

type CookieSettings = Pick<AuthSettings, 'SET_COOKIES' | 'COOKIE_SECURE'>

/** An access token as it was sent. */
interface SentToken {
  /** `undefined`: an Authorization header without a bearer token. */
  readonly token: string | undefined
  readonly by: 'header' | 'cookie'
}

/** RFC 6750, 2.1; the scheme's case does not count (RFC 9110, 11.1). */
const bearer = /^bearer +([\w.~+/-]+=*)$/i

/** The access token of a request. A header decides, even one that holds none. `undefined`: none was sent. */
export const sentToken = (call: Call, settings: CookieSettings): SentToken | undefined => {
  const header = call.header('authorization')
  if (header !== undefined) return { token: bearer.exec(header)?.[1], by: 'header' }
  const token = tokenInCookie(call, 'access', settings)
  return token === undefined ? undefined : { token, by: 'cookie' }
}

/** The token that came in a cookie. If none are set, none are read. */
export const tokenInCookie = (
  call: Call,
  type: TokenType,
  { SET_COOKIES }: CookieSettings,
): string | undefined => {
  const header = SET_COOKIES ? call.header('cookie') : undefined
  if (header === undefined || !header.includes(cookieNames[type])) return undefined
  const token = parseCookie(header)[cookieNames[type]]
  return token === '' ? undefined : token
}

/** `Set-Cookie` for a new pair of tokens. Without a pair, it takes both cookies away. */
export const cookieHeaders = (settings: CookieSettings, pair?: TokenPair): Reply['headers'] =>
  settings.SET_COOKIES
    ? {
        'set-cookie': [
          setCookie(settings, 'access', pair?.access, pair?.accessSeconds),
          setCookie(settings, 'refresh', pair?.refresh, pair?.refreshSeconds),
        ],
      }
    : {}

/** RFC 6265, 5.3: a cookie is only taken away by one with the same name, domain and path. */
const setCookie = ({ COOKIE_SECURE }: CookieSettings, type: TokenType, value = '', maxAge = 0): string =>
  stringifySetCookie({
    ...{ name: cookieNames[type], value, maxAge, path: '/' },
    ...{ httpOnly: true, secure: COOKIE_SECURE, sameSite: 'lax' },
  })

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

/** @throws HttpError 403 for a cookie that a page of another origin made the browser send */
export const assertOwnOrigin = (call: Call, trustedOrigins: readonly string[]): void => {
  if (!isFromOwnOrigin(call, trustedOrigins)) throw foreignOrigin()
}

export const foreignOrigin = (): HttpError =>
  problem(
    'forbidden',
    'A request with cookies must come from the same origin or a trusted one. Send the token as Authorization: Bearer instead.',
  )

/** No cache keeps what is about one session. */
const noStore: Readonly<Record<string, string>> = Object.freeze({ 'cache-control': 'no-store' })

/** @param body JSON text */
export const privateJson = (status: number, body: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...noStore, ...headers },
  body,
})

/** A user, and the tokens of a new session if there is one. @param user JSON text */
export const sessionReply = (
  settings: CookieSettings,
  status: 200 | 201,
  { pair, user }: { readonly pair: TokenPair | undefined; readonly user: string },
  headers: Readonly<Record<string, string>> = {},
): Reply => {
  if (pair === undefined) return privateJson(status, `{"user":${user}}`, headers)
  const { access, refresh } = pair
  const tokens = JSON.stringify({ access, refresh }).slice(0, -1)
  return privateJson(status, `${tokens},"user":${user}}`, { ...headers, ...cookieHeaders(settings, pair) })
}

export const loggedOutReply = (settings: CookieSettings): Reply => ({
  status: 204,
  headers: { ...noStore, ...cookieHeaders(settings) },
  body: undefined,
})

/** RFC 6750, 3: how to authenticate, and that the token that came is not good. */
export const invalidToken = 'Bearer error="invalid_token"'

const unauthenticated = (detail: string, challenge: string): HttpError =>
  problem('unauthenticated', detail, { headers: { 'www-authenticate': challenge, ...noStore } })

/** For a request without a token, or with one that is not good. */
export const anonymous = ({ challenge = 'Bearer' }: Call): HttpError =>
  unauthenticated('Authenticate first.', challenge)

export const tokenRefused = (): HttpError =>
  unauthenticated('The token is not valid. Log in again.', invalidToken)

/** The same reply whatever was wrong, so that it does not tell who is registered. */
export const loginRefused = (): HttpError => unauthenticated('The login or the password is wrong.', 'Bearer')

/** Runs steps that ask the cache: while it is away, no token can be checked, and nobody passes. */
export function* failingClosed<T>(steps: Steps<T>): Steps<T> {
  try {
    return yield* steps
  } catch (error) {
    if (!(error instanceof CacheError)) throw error
    throw problem('unavailable', 'Sessions cannot be checked at the moment.', {
      cause: error,
      headers: { 'retry-after': '5' },
    })
  }
}
