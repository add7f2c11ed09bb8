import type { Cache } from '../cache/cache.ts'
import type { UserRecord } from '../controller/hooks.ts'
import type { SettingRow } from '../error/setting.ts'
import type { Awaitable } from '../model/objects.ts'
import type { PasswordValidator } from './validators.ts'

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

/** A second name of a setting. */
type Alias = 'JWT_ISSUER' | 'JWT_AUDIENCE' | `${'LOGIN' | 'REGISTER' | 'REFRESH' | 'LOGOUT'}_HOOK`

const centuryOfSeconds = 3_153_600_000

/** The settings in `SERVICE_AUTH`, as docs/settings.md lists them: first those of the specification, then ours. */
export const serviceAuthTable: {
  readonly [Name in Exclude<keyof ServiceAuth, Alias>]-?: SettingRow
} = {
  JWT_SECRET: {
    type: 'string',
    otherwise: 'the setting `SECRET_KEY`',
    meaning:
      'Signs tokens. HS256 needs at least 32 bytes, HS384 48 and HS512 64. Other algorithms need a private key in PEM.',
  },
  JWT_ALGORITHM: {
    type: 'string',
    default: 'HS256',
    meaning:
      'How tokens are signed: `HS256`, `HS384`, `HS512`, the same sizes of `RS`, `PS` and `ES`, or `EdDSA`.',
  },
  JWT_ISS: {
    type: 'string',
    alias: 'JWT_ISSUER',
    default: 'service',
    meaning: 'The claim `iss`. A token of another issuer is refused.',
  },
  JWT_AUD: {
    type: 'string',
    alias: 'JWT_AUDIENCE',
    default: 'service-api',
    meaning: 'The claim `aud`. A token for another audience is refused.',
  },
  JWT_ACCESS_EXP: {
    type: 'integer',
    default: 86_400,
    most: centuryOfSeconds,
    meaning: 'Seconds that an access token lives.',
  },
  JWT_REFRESH_EXP: {
    type: 'integer',
    default: 2_592_000,
    most: centuryOfSeconds,
    meaning: 'Seconds that a refresh token lives.',
  },
  LOGIN_FIELDS: {
    type: 'list of strings',
    otherwise: 'those of `email`, `username` and `login` that the user has',
    meaning:
      'Fields of the user that one may log in with. `login` means any of them, unless a column has that name.',
  },
  SET_COOKIES: { type: 'boolean', default: true, meaning: 'Whether tokens are set as cookies too.' },
  COOKIE_SECURE: {
    type: 'boolean',
    otherwise: '`true`, unless `DEBUG` is on',
    meaning: 'Whether cookies go over HTTPS alone.',
  },
  VALIDATE_PASSWORD: {
    type: 'boolean',
    default: true,
    meaning: 'Whether new passwords must pass `AUTH_PASSWORD_VALIDATORS`.',
  },
  LOG_AUTH_EVENTS: {
    type: 'boolean',
    default: true,
    meaning: 'Whether logins, registrations, refreshes and logouts are logged.',
  },
  STATEFUL: {
    type: 'boolean',
    default: false,
    meaning: 'Whether tokens can be revoked. Several processes need a `CACHE` that they share.',
  },
  ON_LOGIN: { type: 'function', alias: 'LOGIN_HOOK', meaning: 'Runs at a login, with `(user, request)`.' },
  ON_REGISTER: {
    type: 'function',
    alias: 'REGISTER_HOOK',
    meaning: 'Runs at a registration, with `(user, request)`.',
  },
  ON_REFRESH: {
    type: 'function',
    alias: 'REFRESH_HOOK',
    meaning: 'Runs at a refresh, with `(user, request)`.',
  },
  ON_LOGOUT: {
    type: 'function',
    alias: 'LOGOUT_HOOK',
    meaning: 'Runs at a logout, with `(user, request)`.',
  },
  JWT_PREVIOUS_SECRETS: {
    type: 'list of strings',
    default: [],
    meaning:
      'Secrets of before, which verify tokens and sign none. Of algorithms with key pairs, private or public keys in PEM.',
  },
  JWT_CLOCK_SKEW: {
    type: 'integer',
    default: 5,
    least: 0,
    most: 60,
    meaning: 'Seconds that the clocks of two servers may differ, 0 to 60.',
  },
  REFRESH_REUSE_GRACE: {
    type: 'integer',
    default: 10,
    least: 0,
    most: 300,
    meaning:
      'Seconds, 0 to 300, in which a refresh token that was just used may come again without ending its family: two tabs of one browser do that.',
  },
  REFRESH_ABSOLUTE: {
    type: 'boolean',
    default: false,
    meaning: 'Whether refreshes end `JWT_REFRESH_EXP` after the login. It needs `STATEFUL`.',
  },
  TRUSTED_ORIGINS: {
    type: 'list of strings',
    default: [],
    meaning: 'Other origins that may send requests with cookies: `https://app.example.com`.',
  },
  REGISTER_FIELDS: {
    type: 'list of strings',
    otherwise: 'an allow-list, see [security](security.md)',
    meaning: 'Fields of the user that registration takes beside the password.',
  },
  LOGIN_MAX_FAILURES: {
    type: 'integer',
    default: 10,
    least: 0,
    meaning: 'Failed logins with one identifier until it has to wait. 0: no limit.',
  },
  LOGIN_MAX_FAILURES_PER_ADDRESS: {
    type: 'integer',
    default: 100,
    least: 0,
    meaning: 'Failed logins from one client address until it has to wait. 0: no limit.',
  },
  REGISTER_MAX_PER_ADDRESS: {
    type: 'integer',
    default: 100,
    least: 0,
    meaning:
      'Registrations from one client address in `LOGIN_FAILURE_WINDOW`, refused ones that cost a hash among them. 0: no limit.',
  },
  LOGIN_FAILURE_WINDOW: {
    type: 'integer',
    default: 900,
    most: centuryOfSeconds,
    meaning: 'Seconds that failed logins, registrations and refreshes are counted for.',
  },
  REFRESH_MAX: {
    type: 'integer',
    default: 100,
    least: 0,
    meaning:
      'Refreshes of one user in `LOGIN_FAILURE_WINDOW`, with `STATEFUL`: each leaves a mark in the cache. 0: no limit.',
  },
}

/** Settings of authentication. */
export interface AuthenticationSettings {
  /** Tokens, cookies, login and registration. */
  readonly SERVICE_AUTH?: ServiceAuth
  /** The model of users: `app.Model`. @default the model User */
  readonly AUTH_USER_MODEL?: string
  /** What new passwords must pass. @default length, common passwords, likeness to the user's own fields, all digits */
  readonly AUTH_PASSWORD_VALIDATORS?: readonly PasswordValidator[]
  /** Where it is kept what is revoked and how many logins failed. @default the memory of this process */
  readonly CACHE?: Cache
  /** The application is being developed: cookies go over HTTP too. @default whether NODE_ENV is `development` */
  readonly DEBUG?: boolean
}

export const authSettings: { readonly [Name in keyof Required<AuthenticationSettings>]: SettingRow } = {
  SERVICE_AUTH: {
    type: 'object',
    keys: serviceAuthTable,
    meaning: 'Tokens, cookies, login and registration: the table below.',
  },
  AUTH_USER_MODEL: {
    type: 'string',
    otherwise: 'the model `User`',
    meaning: 'The model of users, with its app: `shop.Customer`.',
  },
  AUTH_PASSWORD_VALIDATORS: {
    type: 'list of functions',
    otherwise: 'length, common passwords, likeness to the own fields, all digits',
    meaning: 'What new passwords must pass.',
  },
  CACHE: {
    type: 'object',
    functions: ['get', 'getMany', 'set', 'add', 'count', 'delete'] satisfies readonly (keyof Cache)[],
    otherwise: 'the memory of this process',
    meaning: 'Where it is kept what is revoked and how many logins failed.',
  },
  DEBUG: {
    type: 'boolean',
    otherwise: 'whether `NODE_ENV` is `development`',
    meaning: 'The application is being developed: cookies go over HTTP too.',
  },
}
