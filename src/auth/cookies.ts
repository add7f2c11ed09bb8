import { parseCookie, stringifySetCookie } from 'cookie'
import { type HttpError, problem } from '../error/errors.ts'
import type { Call } from '../operation/call.ts'
import type { TokenType } from './tokens.ts'

/** The cookies of a session (contract, 9). */
export const cookieNames: Readonly<Record<TokenType, string>> = {
  access: 'service_access_token',
  refresh: 'service_refresh_token',
}

/** What the settings say about cookies. */
interface CookieRules {
  readonly SET_COOKIES: boolean
  readonly COOKIE_SECURE: boolean
}

/** The token that came in a cookie. Where none are set, none are read. */
export const tokenInCookie = (
  call: Call,
  type: TokenType,
  { SET_COOKIES }: CookieRules,
): string | undefined => {
  const header = SET_COOKIES ? call.header('cookie') : undefined
  if (header === undefined || !header.includes(cookieNames[type])) return undefined
  const token = parseCookie(header)[cookieNames[type]]
  return token === '' ? undefined : token
}

/** A token, and how many seconds it has left. */
interface CookieToken {
  readonly type: TokenType
  readonly token: string
  readonly seconds: number
}

/** The values of `Set-Cookie` that keep these tokens. */
export const tokenCookies = (rules: CookieRules, tokens: readonly CookieToken[]): readonly string[] =>
  tokens.flatMap(({ type, token, seconds }) => setCookie(rules, type, token, seconds))

/** The values of `Set-Cookie` that take both cookies away. */
export const clearedCookies = (rules: CookieRules): readonly string[] =>
  (['access', 'refresh'] as const).flatMap((type) => setCookie(rules, type, '', 0))

/** RFC 6265, 5.3: a cookie is only taken away by one with the same name, domain and path. */
const setCookie = (
  { SET_COOKIES, COOKIE_SECURE }: CookieRules,
  type: TokenType,
  value: string,
  maxAge: number,
): readonly string[] =>
  SET_COOKIES
    ? [
        stringifySetCookie({
          name: cookieNames[type],
          value,
          maxAge,
          path: '/',
          httpOnly: true,
          secure: COOKIE_SECURE,
          sameSite: 'lax',
        }),
      ]
    : []

/** An access token as it was sent. */
interface SentToken {
  /** `undefined`: an Authorization header without a bearer token. */
  readonly token: string | undefined
  readonly by: 'header' | 'cookie'
}

/** RFC 6750, 2.1; the scheme's case does not count (RFC 9110, 11.1). */
const bearer = /^bearer +([\w.~+/-]+=*)$/i

/** The access token of a request. A header decides, even one that holds none. `undefined`: none was sent. */
export const sentToken = (call: Call, rules: CookieRules): SentToken | undefined => {
  const header = call.header('authorization')
  if (header !== undefined) return { token: bearer.exec(header)?.[1], by: 'header' }
  const token = tokenInCookie(call, 'access', rules)
  return token === undefined ? undefined : { token, by: 'cookie' }
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
 * Only the host is compared: behind a proxy nobody here knows whether it was asked by https. `null`, as a page in a sandbox
 * has it, is nobody's origin.
 */
const isOriginOf = (asked: string | undefined, origin: string): boolean => {
  if (!asked || !URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  const own = `${protocol}//${asked}`
  return host !== '' && URL.canParse(own) && new URL(own).host === host
}

/** The answer to a cookie that a page of another origin made the browser send. */
export const foreignOrigin = (): HttpError =>
  problem(
    'forbidden',
    'A request with cookies must come from the same origin or a trusted one. Send the token as Authorization: Bearer instead.',
  )

/** @throws HttpError 403 */
export const assertOwnOrigin = (call: Call, trustedOrigins: readonly string[]): void => {
  if (!isFromOwnOrigin(call, trustedOrigins)) throw foreignOrigin()
}
