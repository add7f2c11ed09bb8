import type { Call } from '../../operation/call.ts'
import { type CookieRules, tokenInCookie } from './cookies.ts'

/** An access token as it was sent. */
export interface SentToken {
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
