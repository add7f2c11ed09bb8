import type { UserRecord } from '../../controller/controller.ts'
import type { SettingsOf } from '../../error/settings.ts'
import type { Awaitable } from '../../model/objects.ts'

/** The settings in `auth`. */
export const serviceAuthTable = {
  /**
   * Signs tokens. HS256 needs at least 32 bytes, HS384 48 and HS512 64. Other algorithms need a private key in PEM format.
   * @default the setting `secretKey`
   */
  JWT_SECRET: { type: 'string' },
  /**
   * The signature algorithm of tokens: `HS256`, `HS384`, `HS512`, the same sizes of `RS`, `PS` and `ES`, or `EdDSA`. @default
   * HS256
   */
  JWT_ALGORITHM: { type: 'string', default: 'HS256' },
  /** The claim `iss`. Tokens of another issuer are rejected. @default service */
  JWT_ISS: { type: 'string', default: 'service' },
  /** Alias of `jwtIss`. */
  JWT_ISSUER: { type: 'string', aliasOf: 'JWT_ISS' },
  /** The claim `aud`. Tokens for another audience are rejected. @default service-api */
  JWT_AUD: { type: 'string', default: 'service-api' },
  /** Alias of `jwtAud`. */
  JWT_AUDIENCE: { type: 'string', aliasOf: 'JWT_AUD' },
  // A lifetime of more than a century is a mistake.
  /** The lifetime of an access token in seconds. @default 86400 */
  JWT_ACCESS_EXP: { type: 'integer', default: 86_400, most: 3_153_600_000 },
  /** The lifetime of a refresh token in seconds. @default 2592000 */
  JWT_REFRESH_EXP: { type: 'integer', default: 2_592_000, most: 3_153_600_000 },
  /**
   * The fields that identify a user at login. `login` in a login request means any of them, unless a column has that name.
   * @default those of `email`, `username` and `login` that the user model has
   */
  LOGIN_FIELDS: { type: 'list of strings' },
  /** Whether tokens are also sent and accepted as cookies. @default true */
  SET_COOKIES: { type: 'boolean', default: true },
  /** Whether browsers send the cookies only over HTTPS. @default `true`, unless `debug` is on */
  COOKIE_SECURE: { type: 'boolean' },
  /** Whether new passwords must pass `authPasswordValidators`. @default true */
  VALIDATE_PASSWORD: { type: 'boolean', default: true },
  /** Whether logins, registrations, refreshes and logouts are logged. @default true */
  LOG_AUTH_EVENTS: { type: 'boolean', default: true },
  /** Whether tokens can be revoked. Several processes need a shared `cache`. @default false */
  STATEFUL: { type: 'boolean', default: false },
  /** Runs at each login, with `(user, request)`. */
  ON_LOGIN: { type: 'function' },
  /** Alias of `onLogin`. */
  LOGIN_HOOK: { type: 'function', aliasOf: 'ON_LOGIN' },
  /** Runs at each registration, with `(user, request)`. */
  ON_REGISTER: { type: 'function' },
  /** Alias of `onRegister`. */
  REGISTER_HOOK: { type: 'function', aliasOf: 'ON_REGISTER' },
  /** Runs at each refresh, with `(user, request)`. */
  ON_REFRESH: { type: 'function' },
  /** Alias of `onRefresh`. */
  REFRESH_HOOK: { type: 'function', aliasOf: 'ON_REFRESH' },
  /** Runs at each logout, with `(user, request)`. */
  ON_LOGOUT: { type: 'function' },
  /** Alias of `onLogout`. */
  LOGOUT_HOOK: { type: 'function', aliasOf: 'ON_LOGOUT' },
  /**
   * Earlier secrets. Tokens that they signed stay valid; modelrest does not sign new tokens with them. For algorithms with
   * key pairs: private or public keys in PEM format. @default []
   */
  JWT_PREVIOUS_SECRETS: { type: 'list of strings', default: [] },
  /** Alias of `jwtPreviousSecrets`. */
  JWT_PREVIOUS_KEYS: { type: 'list of strings', aliasOf: 'JWT_PREVIOUS_SECRETS' },
  /**
   * Whether `GET /.well-known/jwks.json` publishes the public keys, so that other services can verify tokens. Requires an
   * algorithm with key pairs. @default false
   */
  JWKS: { type: 'boolean', default: false },
  /** The tolerated difference between the clocks of two servers in seconds, up to 60. @default 5 */
  JWT_CLOCK_SKEW: { type: 'integer', default: 5, least: 0, most: 60 },
  /**
   * The time in seconds, up to 300, during which reusing the old token after a refresh does not end the session, because
   * two browser tabs may refresh at the same time. @default 10
   */
  REFRESH_REUSE_GRACE: { type: 'integer', default: 10, least: 0, most: 300 },
  /** Whether a session ends `jwtRefreshExp` after the login, even if it is refreshed. Requires `stateful`. @default false */
  REFRESH_ABSOLUTE: { type: 'boolean', default: false },
  /** Other origins that may send requests with cookies, such as `https://app.example.com`. @default [] */
  TRUSTED_ORIGINS: { type: 'list of strings', default: [] },
  /** The fields that registration accepts besides the password. @default an allow-list, see docs/users.md */
  REGISTER_FIELDS: { type: 'list of strings' },
  /** The maximum number of failed logins with one identifier within `loginFailureWindow`. 0: no limit. @default 10 */
  LOGIN_MAX_FAILURES: { type: 'integer', default: 10, least: 0 },
  /** The maximum number of failed logins from one client address within `loginFailureWindow`. 0: no limit. @default 100 */
  LOGIN_MAX_FAILURES_PER_ADDRESS: { type: 'integer', default: 100, least: 0 },
  /**
   * The maximum number of registrations from one client address within `loginFailureWindow`, including rejected ones whose
   * password was hashed. 0: no limit. @default 100
   */
  REGISTER_MAX_PER_ADDRESS: { type: 'integer', default: 100, least: 0 },
  /** The time for which failed logins, registrations and refreshes are counted, in seconds. @default 900 */
  LOGIN_FAILURE_WINDOW: { type: 'integer', default: 900, most: 3_153_600_000 },
  /**
   * The maximum number of refreshes of one user within `loginFailureWindow`, with `stateful`: each adds an entry to the
   * cache. 0: no limit. @default 100
   */
  REFRESH_MAX: { type: 'integer', default: 100, least: 0 },
  /** Whether users can register themselves (`POST /auth/register`). @default true */
  REGISTRATION: { type: 'boolean', default: true },
  /**
   * Returns own claims of access tokens, as `(user) => ({ tenant: user.tenant_id })`. It runs at each login, registration,
   * refresh and `issueTokens()`. At most 1,024 bytes as JSON.
   */
  CLAIMS: { type: 'function' },
  /**
   * Whether users can change their password (`POST /auth/password/change`), which ends all their other sessions. @default false
   */
  PASSWORD_CHANGE: { type: 'boolean', default: false },
  /** Runs after each changed password, with `(user, request)`, for a notice by email. An error is only logged. */
  ON_PASSWORD_CHANGE: { type: 'function' },
  /**
   * Whether users can ask for a new password by mail (`POST /auth/password/reset` and `/auth/password/reset/confirm`). Requires
   * `onPasswordReset`. @default false
   */
  PASSWORD_RESET: { type: 'boolean', default: false },
  /** Sends the mail with the token of a password reset, with `(user, token, request)`. It runs after the response. */
  ON_PASSWORD_RESET: { type: 'function' },
  /**
   * Whether addresses are verified by mail: at registration, and with `POST /auth/email/verify` and
   * `/auth/email/verify/confirm`. Requires `onEmailVerify` and a column for it, see docs/users.md. @default false
   */
  EMAIL_VERIFY: { type: 'boolean', default: false },
  /** Sends the mail with the token of a verification, with `(user, token, request)`. It runs after the response. */
  ON_EMAIL_VERIFY: { type: 'function' },
  /**
   * Sends the mail with the token of an invitation, with `(user, token, request)`. It runs after the response. Requires
   * `permissions.manageUsers`, see docs/manage-users.md.
   */
  ON_INVITATION: { type: 'function' },
  /** The lifetime of an invitation in seconds, up to 31536000. @default 259200 */
  INVITATION_EXP: { type: 'integer', default: 259_200, most: 31_536_000 },
  /**
   * The maximum number of mails that one client address may ask for within `loginFailureWindow`. 0: no limit.
   * @default 20
   */
  MAIL_MAX_PER_ADDRESS: { type: 'integer', default: 20, least: 0 },
  /** Whether `POST /auth/logout/all` ends all sessions of the caller. Requires `stateful`. @default false */
  LOGOUT_ALL: { type: 'boolean', default: false },
  /**
   * Whether users can list their sessions (`GET /auth/sessions`) and end one (`DELETE /auth/sessions/{id}`). Requires
   * `stateful`. @default false
   */
  SESSIONS: { type: 'boolean', default: false },
  /**
   * Whether users can create API keys (`POST /auth/keys`), list them (`GET /auth/keys`) and revoke one (`DELETE
   * /auth/keys/{id}`). Requires a model for the keys, such as `apiKeysTable`. See docs/api-keys.md. @default false
   */
  API_KEYS: { type: 'boolean', default: false },
  /** The model of API keys, as `app.Model`. @default the model named `ApiKey` */
  API_KEY_MODEL: { type: 'string' },
  /** What API keys begin with, before an underscore, so that scanners for leaked secrets can tell them. @default key */
  API_KEY_PREFIX: { type: 'string', default: 'key' },
  /**
   * The longest lifetime of an API key in seconds, which is the default, too. 0: keys may have any lifetime, and do not expire
   * by default. @default 31536000
   */
  API_KEY_EXP: { type: 'integer', default: 31_536_000, least: 0, most: 3_153_600_000 },
  /** Whether API keys end when the password of their user changes, as sessions do. @default false */
  API_KEYS_END_WITH_PASSWORD: { type: 'boolean', default: false },
} as const

/**
 * A hook of `auth`, which runs at a login, registration, refresh or logout. Throw an `HttpError` to refuse it.
 * `onPasswordChange` runs after the change, which it cannot refuse.
 *
 * @param user the user's record without the password
 * @param request the request of the host
 * @example
 * ```ts
 * import { type AuthHook, HttpError } from 'modelrest'
 *
 * export const onLogin: AuthHook = (user) => {
 *   if (Reflect.get(user, 'email') === 'guest@example.com') throw new HttpError(403, 'Guests may not log in today.')
 * }
 * ```
 */
// A method is checked bivariantly: a hook may declare the request type of its host, and a more specific user.
export type AuthHook<Request = unknown> = {
  hook(user: UserRecord, request: Request): Awaitable<void>
}['hook']

/**
 * Sends a mail with a token: `onPasswordReset`, `onEmailVerify` and `onInvitation`. It runs after the response, so an error is only
 * logged, and the client does not learn whether the address belongs to a user.
 *
 * At most 16 mails are sent at the same time, and four of them for one client (its address, or the recipient if that is unknown). A
 * function that takes longer than a minute no longer counts, and the log says so.
 *
 * @param user the user's record without the password. Send the mail to its `email`
 * @param token for the link in the mail: 43 characters, valid for one use, and for an hour or, if it is an invitation, for
 * `invitationExp`
 * @param request the request of the host
 * @example
 * ```ts
 * import type { AuthMailHook } from 'modelrest'
 *
 * export const onPasswordReset: AuthMailHook = async (user, token) => {
 *   const link = `https://app.example.com/new-password#${token}`
 *   await fetch('https://mail.example.com/send', { method: 'POST', body: `${Reflect.get(user, 'email')} ${link}` })
 * }
 * ```
 */
export type AuthMailHook<Request = unknown> = {
  hook(user: UserRecord, token: string, request: Request): Awaitable<void>
}['hook']

/**
 * Returns own claims of access tokens, for `auth.claims`. `caller.claims` has them, under the same names. Throw an
 * `HttpError` to refuse the login or refresh.
 *
 * @param user the user's record without the password
 * @returns JSON values by name: at most 1,024 bytes, without the names that tokens use themselves, such as `sub`. `undefined`:
 * none
 * @example
 * ```ts
 * import type { AuthClaims } from 'modelrest'
 *
 * export const claims: AuthClaims = (user) => ({ tenant: Reflect.get(user, 'tenant_id') })
 * ```
 */
// A method is checked bivariantly: a function may declare a more specific user.
export type AuthClaims = {
  claims(user: UserRecord): Awaitable<Readonly<Record<string, unknown>> | undefined>
}['claims']

export type AuthHooks<Request> = {
  readonly ON_PASSWORD_RESET: AuthMailHook<Request>
  readonly ON_EMAIL_VERIFY: AuthMailHook<Request>
  readonly ON_INVITATION: AuthMailHook<Request>
} & {
  readonly [Name in `ON_${AuthAct}` | `${AuthAct}_HOOK`]: AuthHook<Request>
} & { readonly CLAIMS: AuthClaims; readonly ON_PASSWORD_CHANGE: AuthHook<Request> }

type AuthAct = 'LOGIN' | 'REGISTER' | 'REFRESH' | 'LOGOUT'

/**
 * The setting `auth`: tokens, cookies, login and registration. If a setting has two names, set only one of
 * them. Times are in seconds. See docs/settings.md.
 *
 * @example
 * ```ts
 * import { defineSettings, type ServiceAuth } from 'modelrest'
 *
 * const auth: ServiceAuth = { jwtAccessExp: 900, stateful: true }
 *
 * export const settings = defineSettings({ secretKey: 'at least 32 bytes that only you know', auth })
 * ```
 */
export interface ServiceAuth<Request = unknown>
  extends SettingsOf<typeof serviceAuthTable, AuthHooks<Request>> {}
