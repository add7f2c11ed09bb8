import type { SettingRow } from '../error/setting.ts'
import type { ServiceAuth } from './service-auth.ts'

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
