import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryCache } from '../../../src/cache/cache.ts'
import { type Cache, CacheError } from '../../../src/index.ts'
import type { Operation } from '../../../src/operation/operation.ts'
import { replyChecks } from '../../example/fuzz/reply-check.ts'
import { lint } from '../../openapi/lint.ts'
import { ada, registered, sessionIn } from '../../stage/auth-service.ts'
import { listening } from '../../stage/listening.ts'
import { arrived, isVerifiedIn, mailbox, startMailing } from '../../stage/mail-service.ts'
import type { Answer, Sent } from '../../stage/requests.ts'
import { claimsOf, later, serving } from '../../stage/stateful.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const { email } = ada
const password = 'a lamp for every desk'
const all = { STATEFUL: true, SESSIONS: true, LOGOUT_ALL: true }

describe('the optional routes of authentication', () => {
  const start = startMailing
  const serve = serving(start)

  it('are in a clean document, with their callers and codes', async () => {
    const { rest } = await serve({ ...all, ...mailbox().hooks })
    const document = rest.openapi()
    expect(await lint(document)).toEqual([])
    const shown = (method: string, path: string) =>
      Reflect.get(document.paths[path] ?? {}, method) as {
        readonly security: readonly object[]
        readonly 'x-problem-codes': { readonly enum: readonly string[] }
      }
    const routes = [
      ['post', '/auth/logout/all', true, 'unauthenticated'],
      ['get', '/auth/sessions', true, 'unauthenticated'],
      ['delete', '/auth/sessions/{id}', true, 'not_found'],
      ['post', '/auth/password/reset', false, 'too_many_requests'],
      ['post', '/auth/password/reset/confirm', false, 'invalid_body'],
      ['post', '/auth/email/verify', false, 'too_many_requests'],
      ['post', '/auth/email/verify/confirm', false, 'invalid_body'],
    ] as const
    for (const [method, path, isProtected, code] of routes) {
      const operation = shown(method, path)
      expect([path, operation.security]).toEqual([path, isProtected ? [{ bearer: [] }, { cookie: [] }] : []])
      expect(operation['x-problem-codes'].enum).toContain(code)
    }
  })

  it('answer as the document says, and are logged as events without secrets', async () => {
    const box = mailbox()
    const service = await listening(async () =>
      serve({ ...all, ...box.hooks, EMAIL_VERIFY: true, MAIL_MAX_PER_ADDRESS: 6 }),
    )()
    const { rest } = service
    const checkOf = replyChecks(rest.openapi() as never)
    const seen: string[] = []
    const send = async (method: string, path: string, sent: Sent = {}): Promise<Answer> => {
      const answer = await service.send(method, `/api/auth/${path}`, sent)
      const operation = rest.operations.find(
        (known) =>
          known.method === method && known.path === `/auth/${path.replace(/^sessions\/.*/, 'sessions/{id}')}`,
      )
      expect([path, checkOf(operation as Operation)(answer)]).toEqual([path, []])
      seen.push(`${path.split('/').slice(0, 2).join('/')} ${answer.status}`)
      return answer
    }
    const mine = await registered(service)
    const [verify] = await arrived(service, box, 'verify')
    for (const body of [{ email }, { email: 7 }, '{']) await send('POST', 'password/reset', { body })
    const [reset] = await arrived(service, box, 'reset')
    for (const body of [{ token: 'x', password }, { token: reset?.token, password: 'x' }, {}])
      await send('POST', 'password/reset/confirm', { body })
    await send('POST', 'email/verify', { body: { email } })
    await send('POST', 'email/verify/confirm', { body: { token: verify?.token } })
    await send('POST', 'email/verify/confirm', { body: { token: verify?.token } })
    await send('GET', 'sessions', { token: mine.access })
    await send('GET', 'sessions')
    await send('GET', 'sessions', { token: mine.access, headers: { accept: 'text/html' } })
    const login = { body: { email, password: ada.password } }
    const other = sessionIn(await service.send('POST', '/api/auth/login', login))
    const id = String(claimsOf(other.access)['fid'])
    await send('DELETE', `sessions/${id}`, { token: mine.access })
    await send('DELETE', `sessions/${id}`, { token: mine.access })
    await send('DELETE', `sessions/${id}`)
    await send('POST', 'logout/all', { token: mine.access })
    await send('POST', 'logout/all', { token: mine.access })
    await send('POST', 'password/reset/confirm', { body: { token: reset?.token, password } })
    for (let count = 0; count < 5; count += 1) await send('POST', 'password/reset', { body: { email: 'x' } })
    expect([...new Set(seen)].toSorted()).toEqual([
      ...['email/verify 202', 'email/verify 204', 'email/verify 422', 'logout/all 204', 'logout/all 401'],
      ...['password/reset 202', 'password/reset 204', 'password/reset 400', 'password/reset 422'],
      ...['password/reset 429', 'sessions 200', 'sessions 401', 'sessions 406'],
      ...[`sessions/${id} 204`, `sessions/${id} 401`, `sessions/${id} 404`].toSorted(),
    ])
    await rest.close()
    const events = service.heard()
    expect(events.map(([level, line, user]) => [level, line, user])).toEqual(
      [
        ...['register', 'email_verify_sent', 'password_reset_sent', 'email_verified', 'login'],
        ...['session_ended', 'logout_all', 'password_reset'],
      ].map((event) => ['info', `auth.${event}`, '1']),
    )
    const written = service.written()
    for (const secret of [password, reset?.token, verify?.token, mine.refresh.split('.')[2]])
      expect(written).not.toContain(secret)
  })

  it('refuse what they cannot check while the cache is away, and store nothing', async () => {
    const memory = memoryCache()
    let isAway = false
    const CACHE = new Proxy(memory, {
      get: (_, act) => {
        if (!isAway) return Reflect.get(memory, act)
        return () => Promise.reject(new CacheError('Away.'))
      },
    }) as Cache
    const box = mailbox()
    const service = await serve({ ...all, ...box.hooks }, { settings: { CACHE } })
    const { access } = await registered(service)
    await service.send('POST', '/api/auth/password/reset', { body: { email } })
    const [reset] = await arrived(service, box, 'reset')
    const [verify] = await arrived(service, box, 'verify')
    isAway = true
    const requests: readonly (readonly [string, string, Sent])[] = [
      ['GET', 'sessions', { token: access }],
      ['DELETE', 'sessions/x', { token: access }],
      ['POST', 'logout/all', { token: access }],
      ['POST', 'password/reset', { body: { email } }],
      ['POST', 'password/reset/confirm', { body: { token: reset?.token, password } }],
      ['POST', 'email/verify', { body: { email } }],
      ['POST', 'email/verify/confirm', { body: { token: verify?.token } }],
    ]
    for (const [method, path, sent] of requests) {
      const reply = await service.send(method, `/api/auth/${path}`, sent)
      expect([path, reply.status, reply.json['code']]).toEqual([path, 503, 'unavailable'])
    }
    isAway = false
    expect(await isVerifiedIn(service, email)).toBe(false)
    const body = { token: reset?.token, password }
    expect((await service.send('POST', '/api/auth/password/reset/confirm', { body })).status).toBe(204)
  })
})

describe('in the mode that waits for no promise of its sources', () => {
  const start = startMailing
  const serve = serving(start)

  it('all of them work', async () => {
    const box = mailbox()
    const service = await serve(
      { ...all, ...box.hooks },
      { isAsync: false, modelConfig: { User: { internal: false } } },
    )
    const { access, user } = await registered(service)
    const [verify] = await arrived(service, box, 'verify')
    const send = async (method: string, path: string, sent: Sent): Promise<number> =>
      (await service.send(method, `/api/auth/${path}`, sent)).status
    expect(await send('POST', 'email/verify/confirm', { body: { token: verify?.token } })).toBe(204)
    expect(await isVerifiedIn(service, email)).toBe(true)
    const change = { token: access, body: { email: 'new@example.com' } }
    expect((await service.send('PATCH', `/api/users/${user['id']}`, change)).status).toBe(200)
    expect(await isVerifiedIn(service, 'new@example.com')).toBe(false)
    expect(await send('GET', 'sessions', { token: access })).toBe(200)
    expect(await send('POST', 'password/reset', { body: { email: 'new@example.com' } })).toBe(202)
    const [reset] = await arrived(service, box, 'reset')
    expect(await send('POST', 'password/reset/confirm', { body: { token: reset?.token, password } })).toBe(
      204,
    )
    const login = { body: { email: 'new@example.com', password } }
    const next = sessionIn(await service.send('POST', '/api/auth/login', login))
    later(61)
    expect(await send('GET', 'sessions', { token: next.access })).toBe(200)
    expect(await send('DELETE', `sessions/${claimsOf(next.access)['fid']}`, { token: next.access })).toBe(204)
    const last = sessionIn(await service.send('POST', '/api/auth/login', login))
    expect(await send('POST', 'logout/all', { token: last.access })).toBe(204)
    expect(await send('GET', 'me', { token: last.access })).toBe(401)
  })
})
