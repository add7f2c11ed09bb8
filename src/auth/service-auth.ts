import type { UserRecord } from '../controller/hooks.ts'
import type { Awaitable } from '../model/awaitable.ts'

/**
 * Runs at a login, registration, refresh or logout. A thrown `HttpError` refuses it.
 *
 * @param user The user's record without the password
 * @param request The host's own request
 * @example
 * ```ts
 * import { type AuthHook, HttpError } from 'modelrest'
 *
 * export const onLogin: AuthHook = (user) => {
 *   if (Reflect.get(user, 'email') === 'guest@example.com') throw new HttpError(403, 'Guests may not log in today.')
 * }
 * ```
 */
export type AuthHook<Request = unknown> = (user: UserRecord, request: Request) => Awaitable<void>

/**
 * The setting `SERVICE_AUTH`: authentication (specification, 5.1). Its names are the specification's, to the letter; where
 * there are two, they are one setting.
 *
 * @example
 * ```ts
 * import { defineSettings, type ServiceAuth } from 'modelrest'
 *
 * const auth: ServiceAuth = { JWT_ACCESS_EXP: 900, STATEFUL: true }
 *
 * export const settings = defineSettings({ SECRET_KEY: 'at least 32 bytes, and known to nobody', SERVICE_AUTH: auth })
 * ```
 */
export interface ServiceAuth<Request = unknown> {
  /**
   * Signs tokens. Of HS256 at least 32 bytes, HS384 48, HS512 64; of other algorithms a private key in PEM.
   * @default the setting SECRET_KEY
   */
  readonly JWT_SECRET?: string | undefined
  /** HS256, HS384, HS512, or RS, PS or ES with these sizes, or EdDSA. @default HS256 */
  readonly JWT_ALGORITHM?: string
  /** The claim `iss`. @default service */
  readonly JWT_ISS?: string
  /** Another name of `JWT_ISS`. */
  readonly JWT_ISSUER?: string
  /** The claim `aud`. @default service-api */
  readonly JWT_AUD?: string
  /** Another name of `JWT_AUD`. */
  readonly JWT_AUDIENCE?: string
  /** Seconds that an access token lives. @default 86400 */
  readonly JWT_ACCESS_EXP?: number
  /** Seconds that a refresh token lives. @default 2592000 */
  readonly JWT_REFRESH_EXP?: number
  /** Secrets of before, which verify tokens and sign none. For algorithms with key pairs private or public keys in PEM. */
  readonly JWT_PREVIOUS_SECRETS?: readonly string[]
  /** Seconds that clocks may differ, 0 to 60. @default 5 */
  readonly JWT_CLOCK_SKEW?: number
  /**
   * Fields of the user that one may log in with. `login` means any of them, unless a column has that name.
   * @default those of email, username and login that there are
   */
  readonly LOGIN_FIELDS?: readonly string[]
  /** Fields of the user that registration takes. @default an allow-list, see docs/security.md */
  readonly REGISTER_FIELDS?: readonly string[]
  /** Whether tokens are set as cookies too. @default true */
  readonly SET_COOKIES?: boolean
  /** Whether cookies go over HTTPS alone. @default true, unless DEBUG is on */
  readonly COOKIE_SECURE?: boolean
  /** Other origins that may send requests with cookies: `https://app.example.com`. @default none */
  readonly TRUSTED_ORIGINS?: readonly string[]
  /** Whether new passwords must pass `AUTH_PASSWORD_VALIDATORS`. @default true */
  readonly VALIDATE_PASSWORD?: boolean
  /** Whether logins, registrations, refreshes and logouts are logged. @default true */
  readonly LOG_AUTH_EVENTS?: boolean
  /** Whether tokens can be revoked. Needs a `CACHE` that all processes share. @default false */
  readonly STATEFUL?: boolean
  /** Seconds in which a refresh token that was just used may come again without ending its family. @default 10 */
  readonly REFRESH_REUSE_GRACE?: number
  /** Whether refreshes end `JWT_REFRESH_EXP` after the login. Needs `STATEFUL`. @default false */
  readonly REFRESH_ABSOLUTE?: boolean
  /** Failed logins of one account until it has to wait. @default 10 */
  readonly LOGIN_MAX_FAILURES?: number
  /** Failed logins from one client address until it has to wait. @default 100 */
  readonly LOGIN_MAX_FAILURES_PER_ADDRESS?: number
  /** Registrations from one client address in `LOGIN_FAILURE_WINDOW`. 0: no limit. @default 100 */
  readonly REGISTER_MAX_PER_ADDRESS?: number
  /** Seconds that failed logins, registrations and refreshes are counted for. @default 900 */
  readonly LOGIN_FAILURE_WINDOW?: number
  /** Refreshes of one user in that time, with `STATEFUL`. 0: no limit. @default 100 */
  readonly REFRESH_MAX?: number
  // Methods, not properties: a hook may ask for the request of its host, and for a user with more than is known here.
  /** Runs at a login. */
  ON_LOGIN?(user: UserRecord, request: Request): Awaitable<void>
  /** Another name of `ON_LOGIN`. */
  LOGIN_HOOK?(user: UserRecord, request: Request): Awaitable<void>
  /** Runs at a registration. */
  ON_REGISTER?(user: UserRecord, request: Request): Awaitable<void>
  /** Another name of `ON_REGISTER`. */
  REGISTER_HOOK?(user: UserRecord, request: Request): Awaitable<void>
  /** Runs at a refresh. */
  ON_REFRESH?(user: UserRecord, request: Request): Awaitable<void>
  /** Another name of `ON_REFRESH`. */
  REFRESH_HOOK?(user: UserRecord, request: Request): Awaitable<void>
  /** Runs at a logout. */
  ON_LOGOUT?(user: UserRecord, request: Request): Awaitable<void>
  /** Another name of `ON_LOGOUT`. */
  LOGOUT_HOOK?(user: UserRecord, request: Request): Awaitable<void>
}
