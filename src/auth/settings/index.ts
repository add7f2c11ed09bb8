import { type Cache, memoryCache } from '../../cache/cache.ts'
import type { IssueCode } from '../../error/codes.ts'
import { StartError } from '../../error/errors.ts'
import {
  type ResolvedSettingsOf,
  resolveRows,
  type SettingRows,
  type SettingsOf,
} from '../../error/settings.ts'
import { type AuthHooks, type ServiceAuth, serviceAuthTable } from './service-auth.ts'

/** Settings of authentication. */
export const authSettings = {
  /** Tokens, cookies, login and registration. See docs/security.md. */
  SERVICE_AUTH: { type: 'object', keys: serviceAuthTable as SettingRows, camel: 'auth' },
  /** The user model, with its app, such as `shop.Customer`. @default the model `User` */
  AUTH_USER_MODEL: { type: 'string' },
  /**
   * The rules for new passwords. @default minimum length, common passwords, similarity to the user's other fields, not only
   * digits
   */
  AUTH_PASSWORD_VALIDATORS: { type: 'list of functions' },
  /** Stores revoked tokens and failed-login counters. @default the memory of this process */
  CACHE: { type: 'object', functions: ['get', 'getMany', 'set', 'add', 'count', 'delete'] },
  /**
   * Development mode: browsers send cookies over HTTP too. @default whether `NODE_ENV` is
   * `development`
   */
  DEBUG: { type: 'boolean' },
} as const

/**
 * A rule for new passwords. Returns `undefined` if it accepts the password, otherwise a sentence that tells the user
 * why not. The sentence must not repeat the password.
 *
 * It gets the password as it was sent, and fields of the user: at a registration those of the body, at a change those that
 * clients may read. It must be synchronous.
 * `code` is the code of the mistake in `errors`, by default `invalid`.
 *
 * @example
 * ```ts
 * import { defaultValidators, defineSettings, type PasswordValidator } from 'modelrest'
 *
 * const notTheShop: PasswordValidator = (password) =>
 *   password.toLowerCase().includes('shop') ? 'The password must not contain the word shop.' : undefined
 *
 * export const settings = defineSettings({
 *   authPasswordValidators: [...defaultValidators, notTheShop],
 * })
 * ```
 */
export type PasswordValidator = ((
  password: string,
  user: Readonly<Record<string, unknown>>,
) => string | undefined) & { readonly code?: IssueCode }

/** The types of the objects and functions in {@link authSettings}. */
export interface AuthSettingTypes {
  SERVICE_AUTH: ServiceAuth
  AUTH_PASSWORD_VALIDATORS: readonly PasswordValidator[]
  CACHE: Cache
}

type GivenSettings = SettingsOf<typeof authSettings, AuthSettingTypes> & {
  readonly SECRET_KEY?: string | undefined
}

/** `SERVICE_AUTH` and related settings with their defaults. Times are in seconds. */
export interface AuthSettings extends ResolvedSettingsOf<typeof serviceAuthTable, AuthHooks<unknown>> {
  /** Empty if not set. */
  readonly JWT_SECRET: string
  /** The setting with the secret, for messages. */
  readonly secretName: 'SERVICE_AUTH.JWT_SECRET' | 'SECRET_KEY'
  readonly COOKIE_SECURE: boolean
  /** `app.Model`, as `AUTH_USER_MODEL` names it. */
  readonly userModel: string | undefined
  readonly validators: readonly PasswordValidator[] | undefined
  readonly cache: Cache
}

/** The settings of `auth: true`, which requires a user model. */
export interface TokenAuthSettings extends AuthSettings {
  readonly userModel: string
  /** Whether the host knows the addresses of clients. */
  readonly knowsAddresses: boolean
}

/** @throws StartError for an invalid setting, or an invalid combination of settings */
export const resolveAuth = (settings: GivenSettings): AuthSettings => {
  const given = resolveServiceAuth(settings.SERVICE_AUTH)
  assertTogether(given)
  const debug = settings.DEBUG ?? process.env['NODE_ENV'] === 'development'
  return Object.freeze({
    ...given,
    JWT_SECRET: given.JWT_SECRET ?? settings.SECRET_KEY ?? '',
    secretName:
      given.JWT_SECRET === undefined && settings.SECRET_KEY ? 'SECRET_KEY' : 'SERVICE_AUTH.JWT_SECRET',
    COOKIE_SECURE: given.COOKIE_SECURE ?? !debug,
    userModel: settings.AUTH_USER_MODEL,
    validators: settings.AUTH_PASSWORD_VALIDATORS,
    cache: settings.CACHE ?? memoryCache(),
  })
}

type ResolvedServiceAuth = ResolvedSettingsOf<typeof serviceAuthTable, AuthHooks<unknown>>

/** `SERVICE_AUTH` with its defaults. @throws StartError */
export const resolveServiceAuth = (given: ServiceAuth = {}): ResolvedServiceAuth =>
  resolveRows<typeof serviceAuthTable, AuthHooks<unknown>>(serviceAuthTable, given, 'SERVICE_AUTH')

const assertTogether = (settings: ResolvedServiceAuth): void => {
  if (settings.LOGIN_FIELDS?.length === 0)
    throw new StartError(
      'The setting SERVICE_AUTH.LOGIN_FIELDS must not be empty. Set LOGIN_FIELDS: ["email"], or remove it.',
    )
  for (const name of ['REFRESH_ABSOLUTE', 'LOGOUT_ALL', 'SESSIONS'] as const)
    if (settings[name] && !settings.STATEFUL)
      throw new StartError(`The setting SERVICE_AUTH.${name} needs STATEFUL: true. Set both, or neither.`)
  if (settings.API_KEY_MODEL !== undefined && !settings.API_KEYS)
    throw new StartError('The setting SERVICE_AUTH.API_KEY_MODEL needs API_KEYS: true. Set both, or neither.')
  if (!/^[a-z][a-z\d]{0,19}$/.test(settings.API_KEY_PREFIX))
    throw new StartError(
      `The setting SERVICE_AUTH.API_KEY_PREFIX must have 1 to 20 lower-case letters and digits, and begin with a letter, such as "desk".`,
    )
  for (const [name, hook] of mailFunctions) {
    if (settings[name] && settings[hook] === undefined)
      throw new StartError(
        `The setting SERVICE_AUTH.${name} needs ${hook}, a function that sends the mail with the token. Set both, or neither.`,
      )
    if (!settings[name] && settings[hook] !== undefined)
      throw new StartError(`The setting SERVICE_AUTH.${hook} needs ${name}: true. Set both, or neither.`)
  }
  if (settings.ON_PASSWORD_CHANGE !== undefined && !settings.PASSWORD_CHANGE && !settings.PASSWORD_RESET)
    throw new StartError(
      'The setting SERVICE_AUTH.ON_PASSWORD_CHANGE needs PASSWORD_CHANGE or PASSWORD_RESET: true. Set one of them, or remove it.',
    )
  for (const text of settings.TRUSTED_ORIGINS) {
    // Browsers send `Origin` only in this form: any other string would never match.
    const origin = originOf(text)
    if (origin === text) continue
    throw new StartError(
      `The setting SERVICE_AUTH.TRUSTED_ORIGINS contains ${JSON.stringify(text)}, which is not an origin. Use ${JSON.stringify(origin ?? 'https://app.example.com')}: the scheme, the host, and the port if it is not the default.`,
    )
  }
}

const mailFunctions = [
  ['PASSWORD_RESET', 'ON_PASSWORD_RESET'],
  ['EMAIL_VERIFY', 'ON_EMAIL_VERIFY'],
] as const

/** Mobile applications have their own scheme: `capacitor://localhost`. */
const originOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { protocol, host } = new URL(text)
  return host === '' || host.includes('*') ? undefined : `${protocol}//${host}`
}
