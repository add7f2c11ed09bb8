import type { Call } from '../operation/call.ts'
import type { Caller } from '../operation/caller.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import type { AuthParts } from './parts.ts'
import { failingClosed, invalidToken, tokenRefused } from './refusals.ts'
import { nowInSeconds } from './session/pair.ts'
import type { TokenClaims, VerifiedToken } from './token/tokens.ts'
import { assertOwnOrigin } from './transport/same-origin.ts'
import { sentToken } from './transport/sent-token.ts'
import { alive } from './user/alive.ts'
import { currentUser } from './user/current-user.ts'

/** What a token needs to be known for a caller. */
export type Recognising = Pick<AuthParts, 'settings' | 'user' | 'accounts' | 'tokens' | 'sessions'>

/** A caller who is known by a token of ours. */
export interface TokenCaller extends Caller {
  readonly claims: TokenClaims
}

/** Finds out who sent a request, by its token. */
export type TokenAuthenticate = (call: Call) => Steps<TokenCaller | undefined>

/**
 * Who a request's access token names. A token that is not good is as none: what is public stays so.
 *
 * @throws HttpError 403 for a cookie that a page of another origin made the browser send; 503 where sessions cannot be checked
 */
export const tokenAuthenticate = (parts: Recognising): TokenAuthenticate => {
  const { settings, accounts, tokens } = parts
  return function* (call) {
    const sent = sentToken(call, settings)
    if (sent === undefined) return undefined
    const token =
      sent.token === undefined ? undefined : yield* waitInAnyMode(tokens.verify(sent.token, 'access'))
    const id = token && accounts.idOf(token.claims.sub)
    if (token === undefined || id === undefined) return refused(call)
    if (settings.stateful || accounts.mayBeAnothers(token.claims)) {
      const since = nowInSeconds()
      if (!(yield* isAlive(parts, token, call))) return refused(call)
      call.confirm = () => confirmed(parts, token, call, since)
    }
    if (sent.by === 'cookie') assertOwnOrigin(call, settings.trustedOrigins)
    call.user ??= currentUser(accounts, id)
    return { id, claims: token.claims }
  }
}

/** Whether neither the token was revoked nor the user disabled or gone. The user's record is kept for hooks. */
function* isAlive(
  { accounts, sessions, user }: Recognising,
  token: VerifiedToken,
  call: Call,
): Steps<boolean> {
  if (yield* failingClosed(sessions.isRevoked(token))) return false
  const row = yield* alive(user, accounts.named(token.claims))
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
function* confirmed(parts: Recognising, token: VerifiedToken, call: Call, since: number): Steps<void> {
  if (!parts.accounts.mayBeAnothers(token.claims) && nowInSeconds() === since) return
  if (!(yield* isAlive(parts, token, call))) throw tokenRefused()
}

const refused = (call: Call): undefined => {
  call.challenge = invalidToken
  return undefined
}
