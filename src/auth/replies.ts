import { stringifySetCookie } from 'cookie'
import { type HttpError, problem } from '../error/errors.ts'
import type { Reply } from '../operation/call.ts'
import type { TokenPair } from './sessions/sessions.ts'
import type { AuthSettings } from './settings/index.ts'
import type { TokenType } from './tokens/tokens.ts'

export const cookieNames: Readonly<Record<TokenType, string>> = {
  access: 'service_access_token',
  refresh: 'service_refresh_token',
}

/** `Set-Cookie` for a new pair of tokens. Without a pair, it clears both cookies. */
export const cookieHeaders = (settings: AuthSettings, pair?: TokenPair): Reply['headers'] =>
  settings.SET_COOKIES
    ? {
        'set-cookie': [
          setCookie(settings, 'access', pair?.access, pair?.accessSeconds),
          setCookie(settings, 'refresh', pair?.refresh, pair?.refreshSeconds),
        ],
      }
    : {}

/** A cookie is only replaced by one with the same name, domain and path (RFC 6265, 5.3). */
const setCookie = ({ COOKIE_SECURE }: AuthSettings, type: TokenType, value = '', maxAge = 0): string =>
  stringifySetCookie({
    ...{ name: cookieNames[type], value, maxAge, path: '/' },
    ...{ httpOnly: true, secure: COOKIE_SECURE, sameSite: 'lax' },
  })

/** Caches must not store responses with tokens or user data. */
export const noStore: Readonly<Record<string, string>> = Object.freeze({ 'cache-control': 'no-store' })

/** @param body JSON text */
export const privateJson = (status: number, body: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...noStore, ...headers },
  body,
})

/** A user, and the tokens of a new session, if any. @param user JSON text */
export const sessionReply = (
  settings: AuthSettings,
  status: 200 | 201,
  { pair, user }: { readonly pair: TokenPair | undefined; readonly user: string },
  headers: Readonly<Record<string, string>> = {},
): Reply => {
  if (pair === undefined) return privateJson(status, `{"user":${user}}`, headers)
  const { access, refresh } = pair
  const tokens = JSON.stringify({ access, refresh }).slice(0, -1)
  return privateJson(status, `${tokens},"user":${user}}`, { ...headers, ...cookieHeaders(settings, pair) })
}

/** The challenge for an invalid token (RFC 6750, 3). */
export const invalidToken = 'Bearer error="invalid_token"'

export const unauthenticated = (detail: string, challenge: string): HttpError =>
  problem('unauthenticated', detail, { headers: { 'www-authenticate': challenge, ...noStore } })

export const tokenRefused = (): HttpError =>
  unauthenticated('The token is not valid. Log in again.', invalidToken)

/** The same response for every cause, because it must not reveal who is registered. */
export const loginRefused = (): HttpError => unauthenticated('The login or password is wrong.', 'Bearer')
