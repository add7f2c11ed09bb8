import type { Operation } from '../operation/operation.ts'
import type { ModelSource } from '../source/source.ts'
import type { Auth } from './auth.ts'
import { tokenAuthenticate } from './authenticate.ts'
import { eventsOf } from './events.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { me } from './me.ts'
import type { AuthParts } from './parts.ts'
import { loadPasswords } from './password/load-passwords.ts'
import { passwords } from './password/passwords.ts'
import { refresh } from './refresh.ts'
import { register } from './register.ts'
import { tokenRevoker } from './revoke-tokens.ts'
import { pairSigner } from './session/pair.ts'
import { statefulSessions } from './session/stateful.ts'
import { statelessSessions } from './session/stateless.ts'
import type { AuthSettings, TokenAuthSettings } from './settings.ts'
import { registrationLimit, throttleOf } from './throttle.ts'
import { tokensOf } from './token/tokens.ts'
import { cookieNames } from './transport/cookies.ts'
import { accountsOf } from './user/accounts.ts'
import type { UserModel } from './user/user-model.ts'
import { nameOf } from './user/users.ts'

/** What authentication by tokens is made of. */
export interface TokenAuth extends Pick<AuthParts, 'served' | 'bodyBounds'> {
  readonly source: ModelSource
  readonly user: UserModel
  readonly settings: AuthSettings
}

/**
 * Users of the application's own model, who log in and get tokens (specification, 5).
 *
 * @throws StartError for a missing or weak secret, an algorithm or key that cannot be, and a platform without argon2
 */
export const tokenAuth = ({ source, user, settings: given, served, bodyBounds }: TokenAuth): Auth => {
  const settings: TokenAuthSettings = { ...given, userModel: nameOf(user.model) }
  loadPasswords({ validate: settings.validatePassword, validators: settings.validators })
  const tokens = tokensOf(settings)
  const sign = pairSigner(tokens, settings)
  const parts: AuthParts = {
    ...{ settings, user, tokens, passwords, served, bodyBounds },
    accounts: accountsOf(user, source),
    sessions: settings.stateful ? statefulSessions(sign, settings) : statelessSessions(sign),
    throttle: throttleOf(settings),
    registrations: registrationLimit(settings),
    events: eventsOf(settings.logEvents),
  }
  const authenticate = tokenAuthenticate(parts)
  const showUsersBy = parts.accounts.showBy
  const operations: readonly Operation[] = [
    ...[login, register, refresh].map((act) => act(parts)),
    me(parts, authenticate),
    logout(parts),
  ]
  const revokeTokens = tokenRevoker(parts)
  return {
    ...{ authenticate, operations, showUsersBy, schemes: schemesOf(settings) },
    ...(revokeTokens && { revokeTokens }),
    ...(settings.stateful && { cache: settings.cache }),
    // A cookie that a page of another origin made the browser send.
    writeProblems: settings.setCookies ? ['forbidden'] : [],
  }
}

const schemesOf = ({ setCookies }: AuthSettings): Auth['schemes'] => ({
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  ...(setCookies && { cookie: { type: 'apiKey', in: 'cookie', name: cookieNames.access } }),
})
