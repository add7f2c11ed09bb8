import type { Operation } from '../operation/operation.ts'
import { runNested } from '../operation/steps.ts'
import type { ModelSource } from '../source/source.ts'
import { accountsOf } from './accounts.ts'
import { type Auth, tokenAuthenticate } from './authenticate.ts'
import { cookieNames } from './cookies.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { me } from './me.ts'
import { type AuthParts, eventsOf } from './operation.ts'
import { passwords } from './passwords.ts'
import { refresh } from './refresh.ts'
import { failingClosed } from './refusals.ts'
import { register } from './register.ts'
import { pairSigner, statelessSessions } from './sessions.ts'
import type { AuthSettings, TokenAuthSettings } from './settings.ts'
import { statefulSessions } from './stateful-sessions.ts'
import { registrationLimit, throttleOf } from './throttle.ts'
import { tokensOf } from './tokens.ts'
import { nameOf, type UserModel } from './users.ts'
import { loadPasswords } from './validators.ts'

/** What authentication by tokens is made of. */
interface TokenAuth extends Pick<AuthParts, 'served' | 'bodyBounds'> {
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
  loadPasswords({ validate: settings.VALIDATE_PASSWORD, validators: settings.validators })
  const tokens = tokensOf(settings)
  const sign = pairSigner(tokens, settings)
  const parts: AuthParts = {
    ...{ settings, user, tokens, passwords, served, bodyBounds },
    accounts: accountsOf(user, source),
    sessions: settings.STATEFUL ? statefulSessions(sign, settings) : statelessSessions(sign),
    throttle: throttleOf(settings),
    registrations: registrationLimit(settings),
    events: eventsOf(settings.LOG_AUTH_EVENTS),
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
    ...(settings.STATEFUL && { cache: settings.cache }),
    // A cookie that a page of another origin made the browser send.
    writeProblems: settings.SET_COOKIES ? ['forbidden'] : [],
  }
}

const schemesOf = ({ SET_COOKIES }: AuthSettings): Auth['schemes'] => ({
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  ...(SET_COOKIES && { cookie: { type: 'apiKey', in: 'cookie', name: cookieNames.access } }),
})

/** Ends all tokens of a user at once. `undefined` where nothing is kept of tokens. */
const tokenRevoker = ({
  accounts,
  sessions,
}: Pick<AuthParts, 'accounts' | 'sessions'>): Auth['revokeTokens'] => {
  const { revokeUser } = sessions
  if (revokeUser === undefined) return undefined
  return async (id) => {
    const sub = accounts.subOf(id)
    if (sub === undefined) throw new Error('revokeTokens takes the key of a user.')
    await runNested(failingClosed(revokeUser(sub)))
  }
}

/** @throws Error where nothing is kept of tokens, or there are none of ours */
export const revokeTokensOf = async (auth: Auth | undefined, id: unknown): Promise<void> => {
  if (auth?.revokeTokens === undefined)
    throw new Error('revokeTokens needs auth: true and SERVICE_AUTH: { STATEFUL: true }.')
  await auth.revokeTokens(id)
}
