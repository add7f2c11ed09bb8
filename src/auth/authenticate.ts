import type { Call } from '../operation/call.ts'
import type { Caller } from '../operation/caller.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import type { Authenticate } from './auth.ts'
import type { AuthParts } from './parts.ts'
import { failingClosed, invalidToken } from './refusals.ts'
import type { VerifiedToken } from './token/tokens.ts'
import { assertOwnOrigin } from './transport/same-origin.ts'
import { sentToken } from './transport/sent-token.ts'
import { alive } from './user/alive.ts'
import { currentUser } from './user/current-user.ts'

/** What a token needs to be known for a caller. */
export type Recognising = Pick<AuthParts, 'settings' | 'user' | 'accounts' | 'tokens' | 'sessions'>

/**
 * Who a request's access token names. A token that is not good is as none: what is public stays so.
 *
 * @throws HttpError 403 for a cookie that a page of another origin made the browser send; 503 where sessions cannot be checked
 */
export const tokenAuthenticate = (parts: Recognising): Authenticate => {
  const { settings, accounts, tokens } = parts
  return function* (call): Steps<Caller | undefined> {
    const sent = sentToken(call, settings)
    if (sent === undefined) return undefined
    const token =
      sent.token === undefined ? undefined : yield* waitInAnyMode(tokens.verify(sent.token, 'access'))
    const id = token && accounts.idOf(token.claims.sub)
    if (token === undefined || id === undefined) return refused(call)
    if (settings.stateful && !(yield* isAlive(parts, token, id, call))) return refused(call)
    if (sent.by === 'cookie') assertOwnOrigin(call, settings.trustedOrigins)
    call.user ??= currentUser(accounts, id)
    return { id, claims: token.claims }
  }
}

/** Whether neither the token was revoked nor the user disabled. The user's record is kept for hooks. */
function* isAlive(
  { accounts, sessions, user }: Recognising,
  token: VerifiedToken,
  id: unknown,
  call: Call,
): Steps<boolean> {
  if (yield* failingClosed(sessions.isRevoked(token))) return false
  const row = yield* alive(user, accounts.read(id))
  if (row === undefined) return false
  call.user = () => accounts.withoutPassword(row)
  return true
}

const refused = (call: Call): undefined => {
  call.challenge = invalidToken
  return undefined
}
