import { parseCookie, stringifySetCookie } from 'cookie'
import type { Call } from '../../operation/call.ts'
import type { TokenType } from '../token/claims.ts'

/** The cookies of a session (contract, 9). */
export const cookieNames: Readonly<Record<TokenType, string>> = {
  access: 'service_access_token',
  refresh: 'service_refresh_token',
}

/** What the settings say about cookies. */
export interface CookieRules {
  readonly setCookies: boolean
  readonly cookieSecure: boolean
}

/** The token that came in a cookie. Where none are set, none are read. */
export const tokenInCookie = (
  call: Call,
  type: TokenType,
  { setCookies }: CookieRules,
): string | undefined => {
  const header = setCookies ? call.header('cookie') : undefined
  if (header === undefined || !header.includes(cookieNames[type])) return undefined
  const token = parseCookie(header)[cookieNames[type]]
  return token === '' ? undefined : token
}

/** A token, and how many seconds it has left. */
export interface CookieToken {
  readonly type: TokenType
  readonly token: string
  readonly seconds: number
}

/** The values of `Set-Cookie` that keep these tokens. */
export const keptIn = (rules: CookieRules, tokens: readonly CookieToken[]): readonly string[] =>
  tokens.flatMap(({ type, token, seconds }) => setCookie(rules, type, token, seconds))

/** The values of `Set-Cookie` that take both cookies away. */
export const cleared = (rules: CookieRules): readonly string[] =>
  (['access', 'refresh'] as const).flatMap((type) => setCookie(rules, type, '', 0))

/** RFC 6265, 5.3: a cookie is only taken away by one with the same name, domain and path. */
const setCookie = (
  { setCookies, cookieSecure }: CookieRules,
  type: TokenType,
  value: string,
  maxAge: number,
): readonly string[] =>
  setCookies
    ? [
        stringifySetCookie({
          name: cookieNames[type],
          value,
          maxAge,
          path: '/',
          httpOnly: true,
          secure: cookieSecure,
          sameSite: 'lax',
        }),
      ]
    : []
