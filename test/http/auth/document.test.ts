import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../src/index.ts'
import { replyChecks } from '../../example/fuzz/reply-check.ts'
import { lint } from '../../openapi/lint.ts'
import {
  type AuthService,
  ada,
  describeServices,
  loggedIn,
  sessionIn,
  startFastify,
} from '../../stage/auth-service.ts'
import type { Answer, Sent } from '../../stage/requests.ts'

interface Shown {
  readonly security: readonly object[]
  readonly responses: Readonly<Record<string, object>>
  readonly 'x-problem-codes': { readonly enum: readonly string[] }
}

const shown = ({ rest }: AuthService, method: string, path: string): Shown =>
  Reflect.get(rest.openapi().paths[path] ?? {}, method) as Shown

const codesOf = (service: AuthService, method: string, path: string): readonly string[] =>
  shown(service, method, path)['x-problem-codes'].enum

/** A service whose document is read, without a request. */
const documented = async (
  read: (service: AuthService) => unknown,
  options: Parameters<typeof startFastify>[0] = {},
): Promise<void> => {
  const service = await startFastify(options)
  try {
    await read(service)
  } finally {
    await service.stop()
  }
}

const any = [{ bearer: [] }, { cookie: [] }]
const writes = [
  ['post', '/notes/'],
  ['patch', '/notes/{id}'],
  ['put', '/notes/{id}'],
  ['delete', '/notes/{id}'],
] as const
const reads = [
  ['get', '/notes/'],
  ['get', '/notes/{id}'],
] as const

describe('the document of a service with authentication', () => {
  it.each([
    ['protected', {}],
    ['open to readers', { modelConfig: { Note: { public: 'read' } } }],
    ['with users', { modelConfig: { User: { internal: false } } }],
    ['stateful, without cookies', { settings: { SERVICE_AUTH: { STATEFUL: true, SET_COOKIES: false } } }],
  ] as const)('is clean: %s', (_title, options) =>
    documented(async ({ rest }) => expect(await lint(rest.openapi())).toEqual([]), options),
  )

  it('has the schemes, and says which operations need them', () =>
    documented((service) => {
      expect(service.rest.openapi().components.securitySchemes).toEqual({
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'service_access_token' },
      })
      for (const [method, path] of [...writes, ...reads, ['get', '/auth/me'] as const])
        expect([path, shown(service, method, path).security]).toEqual([path, any])
      for (const path of ['login', 'register', 'refresh', 'logout'])
        expect([path, shown(service, 'post', `/auth/${path}`).security]).toEqual([path, []])
    }))

  it('without cookies has one scheme', () =>
    documented(
      (service) => {
        expect(Object.keys(service.rest.openapi().components.securitySchemes ?? {})).toEqual(['bearer'])
        expect(shown(service, 'get', '/notes/').security).toEqual([{ bearer: [] }])
      },
      { settings: { SERVICE_AUTH: { SET_COOKIES: false } } },
    ))

  it('says where 401, 403 and 429 can occur', () =>
    documented((service) => {
      for (const [method, path] of [...writes, ...reads])
        expect(codesOf(service, method, path)).toContain('unauthenticated')
      // By a cookie that another site made the browser send.
      for (const [method, path] of writes) expect(codesOf(service, method, path)).toContain('forbidden')
      for (const [method, path] of reads) expect(codesOf(service, method, path)).not.toContain('forbidden')
      const ofAuth = Object.fromEntries(
        ['login', 'register', 'refresh', 'logout'].map((path) => [
          path,
          codesOf(service, 'post', `/auth/${path}`),
        ]),
      )
      const has = (code: string) => Object.keys(ofAuth).filter((path) => ofAuth[path]?.includes(code))
      expect(has('unauthenticated')).toEqual(['login', 'refresh'])
      expect(has('forbidden')).toEqual(['login', 'register', 'refresh', 'logout'])
      expect(has('too_many_requests')).toContain('login')
      expect(has('unique_conflict')).toEqual(['register'])
      expect(has('unrepresentable_value')).toEqual(['login', 'register', 'refresh', 'logout'])
      expect(Object.keys(shown(service, 'post', '/auth/login').responses)).toEqual(
        expect.arrayContaining(['401', '429']),
      )
      const { responses } = service.rest.openapi().components
      expect(Object.keys(responses['Problem429']?.headers ?? {})).toEqual(['Retry-After'])
      expect(Object.keys(responses['Problem401']?.headers ?? {})).toEqual(['WWW-Authenticate'])
    }))

  it('says so of public operations, too: they know their callers', () =>
    documented(
      (service) => {
        expect(codesOf(service, 'post', '/notes/')).toContain('forbidden')
        expect(codesOf(service, 'post', '/notes/')).not.toContain('unauthenticated')
      },
      { modelConfig: { Note: { public: true } } },
    ))

  it('without cookies, and with a way of its own to users, has no such 403', async () => {
    const hasNone = (service: AuthService): void => {
      for (const [method, path] of writes) expect(codesOf(service, method, path)).not.toContain('forbidden')
    }
    await documented(hasNone, { settings: { SERVICE_AUTH: { SET_COOKIES: false } } })
    await documented(hasNone, { auth: { authenticate: () => null } })
  })

  it('asks a login for what LOGIN_FIELDS names', () =>
    documented(
      ({ rest }) => {
        const login = rest.openapi().components.schemas['LoginRequest'] as Record<string, object>
        expect(Object.keys(login['properties'] ?? {})).toEqual(['email', 'login', 'password'])
      },
      { settings: { SERVICE_AUTH: { LOGIN_FIELDS: ['email', 'login'] } } },
    ))
})

describeServices('the replies of the five routes', (serve) => {
  it('are as the document says', async () => {
    const service = await serve({
      ...{ STATEFUL: true, LOGIN_MAX_FAILURES: 2, TRUSTED_ORIGINS: ['https://app.example.com'] },
    })
    const { send, rest } = service
    const checkOf = replyChecks(rest.openapi() as never)
    const seen: string[] = []
    const check = (path: string, answer: Answer): Answer => {
      const operation = rest.operations.find((known) => known.path === `/auth/${path}`)
      expect(checkOf(operation as Operation)(answer)).toEqual([])
      seen.push(`${path} ${answer.status}`)
      return answer
    }
    const post = async (path: string, sent: Sent = {}): Promise<Answer> =>
      check(path, await send('POST', `/api/auth/${path}`, sent))
    const me = async (sent: Sent, query = ''): Promise<Answer> =>
      check('me', await send('GET', `/api/auth/me${query}`, sent))

    const { password, email } = ada
    const foreign = { origin: 'https://evil.example' }
    const { access, refresh } = sessionIn(await post('register', { body: ada }))
    for (const body of [ada, { ...ada, password: 'x' }, { ...ada, is_active: true }, '{', 7])
      await post('register', { body })
    await post('register', { body: 'x', headers: { 'content-type': 'text/plain' } })
    await post('register', { body: ada, headers: { accept: 'text/html' } })
    for (const body of [{ email, password }, { email }, '{', { email: 'nobody@example.com', password }])
      await post('login', { body })
    for (let count = 0; count < 3; count += 1) await post('login', { body: { email, password: 'wrong' } })
    await me({ token: access })
    await me({ token: access }, '?a=1')
    await me({})
    await me({ token: 'x' })
    await me({ token: access, headers: { accept: 'image/png' } })
    const cookies = { service_refresh_token: refresh }
    await post('refresh', { cookies, headers: foreign })
    const byCookie = await post('refresh', { cookies, headers: { origin: 'https://app.example.com' } })
    await post('refresh', { body: { refresh } })
    await post('refresh', { body: { refresh: 7 } })
    await post('refresh')
    const kept = { service_access_token: String(byCookie.json['access']) }
    await post('logout', { cookies: kept, headers: foreign })
    await post('logout', { cookies: kept, headers: { origin: 'https://app.example.com' } })
    await post('logout', { body: { token: 'x' } })
    await post('logout')
    expect([...new Set(seen)].toSorted()).toEqual([
      ...['login 200', 'login 400', 'login 401', 'login 422', 'login 429', 'logout 204', 'logout 403'],
      ...['logout 422', 'me 200', 'me 400', 'me 401', 'me 406', 'refresh 200', 'refresh 401', 'refresh 403'],
      ...['refresh 422', 'register 201', 'register 400', 'register 406', 'register 409', 'register 415'],
      'register 422',
    ])
  })

  it('are so where a hook refuses, or lets nobody in yet', async () => {
    let service: AuthService | undefined
    service = await serve({
      ON_REGISTER: async () => service?.execute('update users set is_active = (1 = 0)'),
    })
    const { rest, send } = service
    const operation = rest.operations.find(({ id }) => id === 'register') as Operation
    const check = replyChecks(rest.openapi() as never)(operation)
    expect(check(await send('POST', '/api/auth/register', { body: ada }))).toEqual([])
    expect((await loggedIn(service)).status).toBe(401)
  })
})
