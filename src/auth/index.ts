import { nameOf } from '../model/named.ts'
import type { Log } from '../observe/log.ts'
import type { Call } from '../operation/call.ts'
import { KEY_SCHEME, type Operation } from '../operation/operation.ts'
import { runNested } from '../operation/steps.ts'
import type { ModelSource } from '../source/source.ts'
import { type Auth, tokenAuthenticate } from './authenticate.ts'
import { keyAuthenticate, withKeys, withoutKeys } from './authenticate-key.ts'
import { confirmVerification, requestVerification } from './email-verify.ts'
import { acceptInvitation } from './invitations.ts'
import { type IssueCall, type IssuedTokens, type IssueTokensOptions, issuer } from './issue-tokens.ts'
import { getJwks } from './jwks.ts'
import { apiKeysOf } from './keys/api-keys.ts'
import type { KeyModel } from './keys/key-model.ts'
import { mailLimit, registrationLimit, throttleOf, wrongKeyLimit } from './limits/throttle.ts'
import { login } from './login.ts'
import { mailQueue } from './mails/mail-queue.ts'
import { mailTokensOf } from './mails/mail-tokens.ts'
import { managedUsers } from './managed-users.ts'
import { type AuthParts, failingClosed } from './operation.ts'
import { createKey, listKeys, revokeKey } from './own-keys.ts'
import { endSession, listSessions, logoutAll } from './own-sessions.ts'
import { changePassword } from './password-change.ts'
import { confirmReset, requestReset } from './password-reset.ts'
import { loadPasswords } from './passwords/validators.ts'
import { register } from './register.ts'
import { cookieNames } from './replies.ts'
import { logout, me, refresh } from './session-operations.ts'
import { pairSigner, statelessSessions } from './sessions/sessions.ts'
import { statefulSessions } from './sessions/stateful-sessions.ts'
import type { TokenAuthSettings } from './settings/index.ts'
import { tokensOf } from './tokens/tokens.ts'
import { accountsOf } from './users/accounts.ts'
import type { Recording } from './users/user-writes.ts'

interface TokenAuth
  extends Pick<AuthParts, 'user' | 'settings' | 'served' | 'bodyBounds' | 'codes' | 'envelope'> {
  readonly source: ModelSource
  readonly recording: Recording
  readonly log: Log
  /** The model of API keys. @default there are none */
  readonly keys?: (KeyModel & { readonly recording: Recording }) | undefined
  /** Whether the host knows the addresses of clients. Limits per address do not apply otherwise. */
  readonly knowsAddresses: boolean
}

/** Authentication with `auth: true`. @throws StartError for an invalid secret or key, and on a platform without argon2 */
export const tokenAuth = (given: TokenAuth): Auth => {
  const { source, user, served, bodyBounds, codes, envelope, keys, knowsAddresses, recording, log } = given
  const settings: TokenAuthSettings = { ...given.settings, userModel: nameOf(user.model), knowsAddresses }
  loadPasswords(settings)
  const tokens = tokensOf(settings)
  const accounts = accountsOf(user, source, { recording, log })
  const sign = pairSigner(tokens, settings, accounts.keysComeAgain)
  const sessions = settings.STATEFUL ? statefulSessions(sign, settings) : statelessSessions(sign)
  const byToken = tokenAuthenticate({ settings, accounts, tokens, sessions })
  const apiKeys = keys && apiKeysOf(keys, source, keys.recording)
  const byKey =
    apiKeys && keyAuthenticate({ settings, accounts, apiKeys, limit: wrongKeyLimit(settings), source })
  const authenticate = byKey === undefined ? byToken : withoutKeys(byToken, settings)
  const parts: AuthParts = {
    ...{ settings, user, accounts, tokens, sessions, authenticate, served, bodyBounds, codes, envelope },
    throttle: throttleOf(settings),
    registrations: registrationLimit(settings),
    mailLimit: mailLimit(settings),
    mailTokens: mailTokensOf(settings),
    mailQueue: mailQueue(),
  }
  const { revokeUser } = sessions
  return {
    authenticate: byKey === undefined ? byToken : withKeys(byToken, byKey, settings),
    operations: (served) => {
      const showing = {
        ...parts,
        ...(served && { shownUser: { ...served.success, models: served.models } }),
        accounts: accountsOf(user, source, { served, recording, log }),
      }
      return [
        ...routesOf(settings).map((operation) => operation(showing)),
        ...(apiKeys ? keyRoutes.map((operation) => operation({ ...showing, apiKeys })) : []),
      ]
    },
    schemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      ...(settings.SET_COOKIES && { cookie: { type: 'apiKey', in: 'cookie', name: cookieNames.access } }),
      ...(keys && { [KEY_SCHEME]: { type: 'http', scheme: 'bearer', description: 'An API key.' } }),
    },
    issueTokens: issuer(parts),
    managed: managedUsers(parts),
    ...(revokeUser && {
      revokeTokens: async (id) => {
        const sub = accounts.subOf(id)
        if (sub === undefined) throw new Error('revokeTokens() needs the key of a user.')
        await runNested(failingClosed(revokeUser(sub)))
      },
    }),
    settled: parts.mailQueue.settled,
    ...(settings.STATEFUL && { cache: settings.cache }),
    problems: {
      all: keys === undefined ? [] : ['too_many_requests'],
      // For cookies in requests that a page of another origin makes, and for keys that open only reads.
      writes: settings.SET_COOKIES || keys !== undefined ? ['forbidden'] : [],
    },
  }
}

const keyRoutes = [createKey, listKeys, revokeKey] as const

/** In the order of the documentation. */
const routesOf = (settings: TokenAuthSettings): readonly ((parts: AuthParts) => Operation)[] => [
  ...[login, ...(settings.REGISTRATION ? [register] : [])],
  ...[refresh, me, logout],
  ...(settings.PASSWORD_CHANGE ? [changePassword] : []),
  ...(settings.LOGOUT_ALL ? [logoutAll] : []),
  ...(settings.SESSIONS ? [listSessions, endSession] : []),
  ...(settings.PASSWORD_RESET ? [requestReset, confirmReset] : []),
  ...(settings.EMAIL_VERIFY ? [requestVerification, confirmVerification] : []),
  ...(settings.ON_INVITATION === undefined ? [] : [acceptInvitation]),
  ...(settings.JWKS ? [getJwks] : []),
]

export const revokeTokensOf = async (auth: Auth | undefined, id: unknown): Promise<void> => {
  if (auth?.revokeTokens === undefined)
    throw new Error('revokeTokens() needs auth: true and SERVICE_AUTH: { STATEFUL: true }.')
  await auth.revokeTokens(id)
}

/** @param call the request in the options; `undefined` if it is not one of the application */
export const issueTokensOf = async (
  auth: Auth | undefined,
  id: unknown,
  { claims, request }: IssueTokensOptions,
  { call, log }: { readonly call: Call | undefined; readonly log: Log },
): Promise<IssuedTokens> => {
  if (auth?.issueTokens === undefined) throw new Error('issueTokens() needs auth: true.')
  if (request !== undefined && call === undefined)
    throw new Error('issueTokens(): request must be a request that the application received.')
  const from: IssueCall = call ?? { log, address: undefined }
  return await auth.issueTokens(id, claims, from)
}
