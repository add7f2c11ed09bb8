import type { Cache } from '../cache/cache.ts'
import { memoryCache } from '../cache/memory.ts'
import { StartError } from '../error/errors.ts'
import { readSettings } from '../error/settings.ts'
import {
  type AuthenticationSettings,
  type AuthHook,
  type ServiceAuth,
  serviceAuthTable,
} from './service-auth.ts'
import type { PasswordValidator } from './validators.ts'

export type { AuthHook, ServiceAuth } from './service-auth.ts'

/** What `SERVICE_AUTH` and the settings beside it say: aliases joined, defaults in. Times are in seconds. */
export interface AuthSettings {
  /** Empty: there is none. */
  readonly secret: string
  /** The setting that the secret is from, for messages. */
  readonly secretName: 'JWT_SECRET' | 'SECRET_KEY'
  readonly previousSecrets: readonly string[]
  readonly algorithm: string
  readonly issuer: string
  readonly audience: string
  readonly accessExp: number
  readonly refreshExp: number
  readonly clockSkew: number
  readonly loginFields: readonly string[] | undefined
  readonly registerFields: readonly string[] | undefined
  readonly setCookies: boolean
  readonly cookieSecure: boolean
  readonly trustedOrigins: readonly string[]
  readonly validatePassword: boolean
  readonly logEvents: boolean
  readonly stateful: boolean
  readonly reuseGrace: number
  readonly refreshAbsolute: boolean
  /** Per account and window. */
  readonly maxFailures: number
  /** Per client address and window. */
  readonly maxFailuresPerAddress: number
  /** Per client address and window. */
  readonly maxRegistrationsPerAddress: number
  readonly failureWindow: number
  /** Per user and window, in stateful mode. */
  readonly refreshMax: number
  readonly hooks: {
    readonly login?: AuthHook | undefined
    readonly register?: AuthHook | undefined
    readonly refresh?: AuthHook | undefined
    readonly logout?: AuthHook | undefined
  }
  /** `app.Model`, as `AUTH_USER_MODEL` names it. */
  readonly userModel: string | undefined
  readonly validators: readonly PasswordValidator[] | undefined
  readonly cache: Cache
}

/** The same where users log in by our own routes: there is a model of them. */
export interface TokenAuthSettings extends AuthSettings {
  readonly userModel: string
}

/** Names that have a default in the table. */
type Defaulted =
  | 'JWT_ALGORITHM'
  | 'JWT_ISS'
  | 'JWT_AUD'
  | 'JWT_ACCESS_EXP'
  | 'JWT_REFRESH_EXP'
  | 'SET_COOKIES'
  | 'VALIDATE_PASSWORD'
  | 'LOG_AUTH_EVENTS'
  | 'STATEFUL'
  | 'JWT_PREVIOUS_SECRETS'
  | 'JWT_CLOCK_SKEW'
  | 'REFRESH_REUSE_GRACE'
  | 'REFRESH_ABSOLUTE'
  | 'TRUSTED_ORIGINS'
  | 'LOGIN_MAX_FAILURES'
  | 'LOGIN_MAX_FAILURES_PER_ADDRESS'
  | 'REGISTER_MAX_PER_ADDRESS'
  | 'LOGIN_FAILURE_WINDOW'
  | 'REFRESH_MAX'

type WithDefaults = ServiceAuth & { readonly [Name in Defaulted]-?: Exclude<ServiceAuth[Name], undefined> }

/**
 * Settings of authentication with their defaults.
 *
 * @throws StartError for an unknown name or a value that cannot be, a name and its alias with different values,
 *   `REFRESH_ABSOLUTE` without `STATEFUL`, and no origin in `TRUSTED_ORIGINS`
 */
export const resolveAuth = (
  settings: AuthenticationSettings & { readonly SECRET_KEY?: string | undefined },
): AuthSettings => {
  const given = withDefaults(settings.SERVICE_AUTH ?? {})
  assertTogether(given)
  const debug = settings.DEBUG ?? process.env['NODE_ENV'] === 'development'
  return Object.freeze({
    secret: given.JWT_SECRET ?? settings.SECRET_KEY ?? '',
    secretName: given.JWT_SECRET === undefined && settings.SECRET_KEY ? 'SECRET_KEY' : 'JWT_SECRET',
    previousSecrets: given.JWT_PREVIOUS_SECRETS,
    algorithm: given.JWT_ALGORITHM,
    issuer: given.JWT_ISS,
    audience: given.JWT_AUD,
    accessExp: given.JWT_ACCESS_EXP,
    refreshExp: given.JWT_REFRESH_EXP,
    clockSkew: given.JWT_CLOCK_SKEW,
    loginFields: given.LOGIN_FIELDS,
    registerFields: given.REGISTER_FIELDS,
    setCookies: given.SET_COOKIES,
    cookieSecure: given.COOKIE_SECURE ?? !debug,
    trustedOrigins: given.TRUSTED_ORIGINS,
    validatePassword: given.VALIDATE_PASSWORD,
    logEvents: given.LOG_AUTH_EVENTS,
    stateful: given.STATEFUL,
    reuseGrace: given.REFRESH_REUSE_GRACE,
    refreshAbsolute: given.REFRESH_ABSOLUTE,
    maxFailures: given.LOGIN_MAX_FAILURES,
    maxFailuresPerAddress: given.LOGIN_MAX_FAILURES_PER_ADDRESS,
    maxRegistrationsPerAddress: given.REGISTER_MAX_PER_ADDRESS,
    failureWindow: given.LOGIN_FAILURE_WINDOW,
    refreshMax: given.REFRESH_MAX,
    hooks: Object.freeze({
      login: given.ON_LOGIN,
      register: given.ON_REGISTER,
      refresh: given.ON_REFRESH,
      logout: given.ON_LOGOUT,
    }),
    userModel: settings.AUTH_USER_MODEL,
    validators: settings.AUTH_PASSWORD_VALIDATORS,
    cache: settings.CACHE ?? memoryCache(),
  })
}

/** The issuer and audience of tokens. They tell a service from others, even if it issues no tokens. */
export const issuedFor = ({
  SERVICE_AUTH = {},
}: AuthenticationSettings): Pick<AuthSettings, 'issuer' | 'audience'> => {
  const { JWT_ISS: issuer, JWT_AUD: audience } = withDefaults(SERVICE_AUTH)
  return { issuer, audience }
}

const withDefaults = (serviceAuth: ServiceAuth): WithDefaults => {
  const defaults = Object.entries(serviceAuthTable).map(([name, row]) => [name, row.default])
  // The table has checked each type, which TypeScript cannot follow.
  return {
    ...Object.fromEntries(defaults),
    ...readSettings(serviceAuthTable, serviceAuth, 'SERVICE_AUTH'),
  } as WithDefaults
}

const assertTogether = ({
  LOGIN_FIELDS,
  TRUSTED_ORIGINS,
  REFRESH_ABSOLUTE,
  STATEFUL,
}: WithDefaults): void => {
  if (LOGIN_FIELDS?.length === 0) {
    throw new StartError(
      'The setting SERVICE_AUTH.LOGIN_FIELDS is empty, so nobody could log in. Write LOGIN_FIELDS: ["email"].',
    )
  }
  if (REFRESH_ABSOLUTE && !STATEFUL) {
    throw new StartError(
      'The setting SERVICE_AUTH.REFRESH_ABSOLUTE needs STATEFUL: true, which tells when a login was. Write both or neither.',
    )
  }
  assertOrigins(TRUSTED_ORIGINS)
}

/** @throws StartError for what a browser never sends as `Origin`, so that it would silently trust nobody */
const assertOrigins = (origins: readonly string[]): void => {
  for (const text of origins) {
    const origin = originOf(text)
    if (origin === text) continue
    throw new StartError(
      `The setting SERVICE_AUTH.TRUSTED_ORIGINS holds ${JSON.stringify(text)}, which is no origin. Write ${JSON.stringify(origin ?? 'https://app.example.com')}: scheme, host and port where it is not the scheme's own.`,
    )
  }
}

/** Of an application in a phone the scheme is its own: `capacitor://localhost`. */
const originOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { protocol, host } = new URL(text)
  return host === '' || host.includes('*') ? undefined : `${protocol}//${host}`
}
