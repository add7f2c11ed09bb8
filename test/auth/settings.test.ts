import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineSettings } from '../../src/app/options.ts'
import { type AuthSettings, resolveAuth } from '../../src/auth/settings/index.ts'
import { type ServiceAuth, serviceAuthTable } from '../../src/auth/settings/service-auth.ts'
import type { Cache } from '../../src/cache/cache.ts'
import { StartError } from '../../src/error/errors.ts'
import type { SettingRow, SettingRows } from '../../src/error/settings.ts'
import { naming } from '../naming.ts'

const key = 'the secret key of the application, 32 bytes and more'
const hook = (): void => {}

afterEach(() => vi.unstubAllEnvs())

/** The specification, 5.1: each key, its alias, type and default to the letter, and what is read from it. */
const specified: readonly {
  readonly names: readonly [keyof AuthSettings, (keyof ServiceAuth)?]
  readonly type: SettingRow['type']
  readonly default: unknown
  readonly sample: unknown
  readonly wrong: unknown
}[] = [
  {
    ...{ names: ['JWT_SECRET'], type: 'string', default: key, sample: 'another', wrong: 5 },
  },
  {
    ...{ names: ['JWT_ALGORITHM'], type: 'string', default: 'HS256', sample: 'ES256', wrong: ['HS256'] },
  },
  {
    ...{ names: ['JWT_ISS', 'JWT_ISSUER'], type: 'string', default: 'service', sample: 'shop', wrong: 1 },
  },
  {
    ...{ names: ['JWT_AUD', 'JWT_AUDIENCE'], type: 'string', default: 'service-api', sample: 'x', wrong: [] },
  },
  {
    ...{ names: ['JWT_ACCESS_EXP'], type: 'integer', default: 86400, sample: 900, wrong: 0 },
  },
  {
    ...{ names: ['JWT_REFRESH_EXP'], type: 'integer', default: 2592000, sample: 3600, wrong: 1.5 },
  },
  {
    ...{ names: ['LOGIN_FIELDS'], type: 'list of strings', default: undefined, sample: ['email'] },
    ...{ wrong: 'email' },
  },
  {
    ...{ names: ['SET_COOKIES'], type: 'boolean', default: true, sample: false, wrong: 'no' },
  },
  {
    ...{ names: ['COOKIE_SECURE'], type: 'boolean', default: true, sample: false, wrong: 1 },
  },
  {
    ...{ names: ['VALIDATE_PASSWORD'], type: 'boolean', default: true, sample: false, wrong: 0 },
  },
  {
    ...{ names: ['LOG_AUTH_EVENTS'], type: 'boolean', default: true, sample: false, wrong: null },
  },
  {
    ...{ names: ['STATEFUL'], type: 'boolean', default: false, sample: true, wrong: 'true' },
  },
  {
    ...{ names: ['ON_LOGIN', 'LOGIN_HOOK'], type: 'function', default: undefined, sample: hook, wrong: {} },
  },
  {
    ...{ names: ['ON_REGISTER', 'REGISTER_HOOK'], type: 'function', default: undefined, sample: hook },
    ...{ wrong: 'x' },
  },
  {
    ...{ names: ['ON_REFRESH', 'REFRESH_HOOK'], type: 'function', default: undefined, sample: hook },
    ...{ wrong: true },
  },
  {
    ...{ names: ['ON_LOGOUT', 'LOGOUT_HOOK'], type: 'function', default: undefined, sample: hook },
    ...{ wrong: [hook] },
  },
]

const resolved = (serviceAuth: object = {}): AuthSettings =>
  resolveAuth(defineSettings({ SECRET_KEY: key, SERVICE_AUTH: serviceAuth as ServiceAuth }))

describe("the specification's settings of SERVICE_AUTH", () => {
  it('are all there, with no other before them', () => {
    const rows = Object.entries<SettingRow>(serviceAuthTable satisfies SettingRows)
    const names = rows
      .filter(([, { aliasOf }]) => aliasOf === undefined)
      .map(([name]) => [name, ...rows.filter(([, { aliasOf }]) => aliasOf === name).map(([alias]) => alias)])
    expect(names.slice(0, specified.length)).toEqual(specified.map((row) => row.names))
  })

  it.each(specified)('$names have the type $type and the default $default', (row) => {
    expect(serviceAuthTable[row.names[0] as keyof typeof serviceAuthTable].type).toBe(row.type)
    expect(resolved()[row.names[0]]).toEqual(row.default)
    expect(resolveAuth({ SECRET_KEY: key })[row.names[0]]).toEqual(row.default)
  })

  const eachName = specified.flatMap((row) => row.names.map((name = 'JWT_SECRET') => ({ ...row, name })))

  it.each(eachName)('$name is read', ({ name, names, sample }) => {
    expect(resolved({ [name]: sample })[names[0]]).toEqual(sample)
  })

  it.each(eachName)('$name is refused with another type', ({ name, wrong }) => {
    expect(() => resolved({ [name]: wrong })).toThrow(StartError)
    expect(() => resolved({ [name]: wrong })).toThrow(naming(`SERVICE_AUTH.${name}`))
  })

  it.each(eachName)(
    '$name counts as not given where it is undefined',
    ({ name, names, default: fallback }) => {
      expect(resolved({ [name]: undefined })[names[0]]).toEqual(fallback)
    },
  )

  it.each(specified.filter(({ names }) => names.length === 2))('$names are one setting', (row) => {
    const [name, alias = name] = row.names
    expect(resolved({ [name]: row.sample, [alias]: row.sample })[name]).toEqual(row.sample)
    const other = typeof row.sample === 'function' ? () => {} : 'other'
    const given = { [name]: row.sample, [alias]: other }
    expect(() => resolved(given)).toThrow(StartError)
    expect(() => resolved(given)).toThrow(naming('SERVICE_AUTH', name, alias))
  })
})

describe('our own settings of SERVICE_AUTH', () => {
  it('have defaults', () => {
    expect(resolved()).toMatchObject({
      ...{
        JWT_PREVIOUS_SECRETS: [],
        JWT_CLOCK_SKEW: 5,
        REFRESH_REUSE_GRACE: 10,
        REFRESH_ABSOLUTE: false,
        TRUSTED_ORIGINS: [],
      },
      ...{
        REGISTER_FIELDS: undefined,
        LOGIN_MAX_FAILURES: 10,
        LOGIN_MAX_FAILURES_PER_ADDRESS: 100,
        LOGIN_FAILURE_WINDOW: 900,
      },
      REGISTER_MAX_PER_ADDRESS: 100,
      ...{ userModel: undefined, validators: undefined, secretName: 'SECRET_KEY' },
    })
  })

  it('are read', () => {
    const given = resolved({
      ...{ JWT_SECRET: 'own', JWT_PREVIOUS_SECRETS: ['old'], JWT_CLOCK_SKEW: 0, REFRESH_REUSE_GRACE: 0 },
      ...{ STATEFUL: true, REFRESH_ABSOLUTE: true, TRUSTED_ORIGINS: ['https://app.example.com'] },
      ...{
        REGISTER_FIELDS: ['email'],
        LOGIN_MAX_FAILURES: 3,
        LOGIN_MAX_FAILURES_PER_ADDRESS: 4,
        REGISTER_MAX_PER_ADDRESS: 5,
      },
      ...{ LOGIN_FAILURE_WINDOW: 60 },
    })
    expect(given).toMatchObject({
      ...{
        JWT_SECRET: 'own',
        secretName: 'SERVICE_AUTH.JWT_SECRET',
        JWT_PREVIOUS_SECRETS: ['old'],
        JWT_CLOCK_SKEW: 0,
        REFRESH_REUSE_GRACE: 0,
      },
      ...{ STATEFUL: true, REFRESH_ABSOLUTE: true, TRUSTED_ORIGINS: ['https://app.example.com'] },
      ...{
        REGISTER_FIELDS: ['email'],
        LOGIN_MAX_FAILURES: 3,
        LOGIN_MAX_FAILURES_PER_ADDRESS: 4,
        LOGIN_FAILURE_WINDOW: 60,
      },
      REGISTER_MAX_PER_ADDRESS: 5,
    })
  })

  it.each([
    [{ JWT_ISUER: 'x' }, ['SERVICE_AUTH', 'JWT_ISUER', 'JWT_ISSUER', 'COOKIE_SECURE']],
    [{ on_login: hook }, ['SERVICE_AUTH', 'on_login', 'ON_LOGIN']],
    [{ JWT_CLOCK_SKEW: 61 }, ['SERVICE_AUTH.JWT_CLOCK_SKEW', 0, 60]],
    [{ JWT_CLOCK_SKEW: -1 }, ['SERVICE_AUTH.JWT_CLOCK_SKEW', 0, 60]],
    [{ REFRESH_REUSE_GRACE: -1 }, ['SERVICE_AUTH.REFRESH_REUSE_GRACE', 0, 300]],
    [{ LOGIN_MAX_FAILURES: -1 }, ['SERVICE_AUTH.LOGIN_MAX_FAILURES', 0]],
    [{ JWT_PREVIOUS_SECRETS: [''] }, ['SERVICE_AUTH.JWT_PREVIOUS_SECRETS']],
    [{ LOGIN_FIELDS: [] }, ['SERVICE_AUTH.LOGIN_FIELDS', 'LOGIN_FIELDS: ["email"]']],
    [{ REFRESH_ABSOLUTE: true }, ['SERVICE_AUTH.REFRESH_ABSOLUTE', 'STATEFUL: true']],
    [{ SESSIONS: true }, ['SERVICE_AUTH.SESSIONS', 'STATEFUL: true']],
    [{ PASSWORD_RESET: true }, ['SERVICE_AUTH.PASSWORD_RESET', 'ON_PASSWORD_RESET']],
    [{ ON_PASSWORD_RESET: hook }, ['SERVICE_AUTH.ON_PASSWORD_RESET', 'PASSWORD_RESET: true']],
    [{ ON_EMAIL_VERIFY: hook }, ['SERVICE_AUTH.ON_EMAIL_VERIFY', 'EMAIL_VERIFY: true']],
    [{ MAIL_MAX_PER_ADDRESS: -1 }, ['SERVICE_AUTH.MAIL_MAX_PER_ADDRESS', 0]],
    [
      { ON_PASSWORD_CHANGE: hook },
      ['SERVICE_AUTH.ON_PASSWORD_CHANGE', 'PASSWORD_CHANGE', 'PASSWORD_RESET: true'],
    ],
    [{ CLAIMS: 'x' }, ['SERVICE_AUTH.CLAIMS']],
    [
      { JWT_PREVIOUS_KEYS: ['a'], JWT_PREVIOUS_SECRETS: ['b'] },
      ['JWT_PREVIOUS_KEYS', 'JWT_PREVIOUS_SECRETS'],
    ],
  ])('%j is refused', (given, names) => {
    expect(() => resolved(given)).toThrow(StartError)
    expect(() => resolved(given)).toThrow(naming(...names))
  })

  it.each([
    ['https://app.example.com/', 'https://app.example.com'],
    ['https://App.example.com', 'https://app.example.com'],
    ['https://app.example.com:443', 'https://app.example.com'],
    ['https://me@app.example.com/x?y#z', 'https://app.example.com'],
    ['app.example.com', 'https://app.example.com'],
    ['*', 'https://app.example.com'],
    ['null', 'https://app.example.com'],
    ['https://*.example.com', 'https://app.example.com'],
    ['data:text/html,x', 'https://app.example.com'],
    ['file://', 'https://app.example.com'],
  ])('TRUSTED_ORIGINS refuses %s', (origin, written) => {
    expect(() => resolved({ TRUSTED_ORIGINS: [origin] })).toThrow(StartError)
    expect(() => resolved({ TRUSTED_ORIGINS: [origin] })).toThrow(
      naming('SERVICE_AUTH.TRUSTED_ORIGINS', JSON.stringify(origin), JSON.stringify(written)),
    )
  })

  it.each(['http://localhost:5173', 'https://[::1]:8443', 'capacitor://localhost'])(
    'TRUSTED_ORIGINS takes %s',
    (origin) => {
      expect(resolved({ TRUSTED_ORIGINS: [origin] }).TRUSTED_ORIGINS).toEqual([origin])
    },
  )

  it('show no value in a message', () => {
    const secrets = [{ JWT_SECRET: ['hunter2'] }, { JWT_PREVIOUS_SECRETS: 'hunter2' }]
    for (const given of [...secrets, { JWT_ISS: 'hunter2', JWT_ISSUER: 'hunter3' }]) {
      expect(() => resolved(given)).toThrow(/^((?!hunter).)*$/s)
    }
  })
})

describe('the settings beside SERVICE_AUTH', () => {
  it('DEBUG is whether NODE_ENV is development, and turns COOKIE_SECURE off', () => {
    const secure = (settings: { DEBUG?: boolean; SERVICE_AUTH?: ServiceAuth }): boolean =>
      resolveAuth(defineSettings(settings)).COOKIE_SECURE
    vi.stubEnv('NODE_ENV', 'production')
    expect(secure({})).toBe(true)
    expect(secure({ DEBUG: true })).toBe(false)
    expect(secure({ DEBUG: true, SERVICE_AUTH: { COOKIE_SECURE: true } })).toBe(true)
    vi.stubEnv('NODE_ENV', 'development')
    expect(secure({})).toBe(false)
    expect(secure({ DEBUG: false })).toBe(true)
    vi.stubEnv('NODE_ENV', undefined)
    expect(secure({})).toBe(true)
  })

  it('CACHE is the one given, else one in memory', () => {
    const { cache } = resolveAuth({})
    expect(resolveAuth({ CACHE: cache }).cache).toBe(cache)
    expect(defineSettings({ CACHE: cache }).CACHE).toBe(cache)
    const CACHE = new Map() as unknown as Cache
    expect(() => defineSettings({ CACHE })).toThrow(StartError)
    expect(() => defineSettings({ CACHE })).toThrow(
      naming('CACHE', 'get', 'getMany', 'set', 'add', 'count', 'delete'),
    )
  })

  it('AUTH_USER_MODEL and AUTH_PASSWORD_VALIDATORS are read', () => {
    const validators = [() => 'never']
    const settings = defineSettings({
      AUTH_USER_MODEL: 'shop.Customer',
      AUTH_PASSWORD_VALIDATORS: validators,
    })
    expect(resolveAuth(settings)).toMatchObject({ userModel: 'shop.Customer', validators })
  })

  it('SERVICE_AUTH is checked, given its first names, and frozen, by defineSettings', () => {
    const { SERVICE_AUTH } = defineSettings({ SERVICE_AUTH: { JWT_ISSUER: 'shop', LOGIN_HOOK: hook } })
    expect(SERVICE_AUTH).toEqual({ JWT_ISS: 'shop', ON_LOGIN: hook })
    expect(Object.isFrozen(SERVICE_AUTH)).toBe(true)
    expect(() => defineSettings({ SERVICE_AUTH: [] as ServiceAuth })).toThrow(StartError)
    expect(() => defineSettings({ SERVICE_AUTH: [] as ServiceAuth })).toThrow(naming('SERVICE_AUTH'))
  })
})
