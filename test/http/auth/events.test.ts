import { afterEach, expect, it, vi } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import { ada, describeServices, loggedIn, registered } from '../../stage/auth-service.ts'
import { listening } from '../../stage/listening.ts'
import type { Sent } from '../../stage/requests.ts'
import { later, refreshing } from '../../stage/stateful.ts'

afterEach(() => {
  vi.useRealTimers()
})

const address = '203.0.113.9'
const { email, password } = ada

describeServices('events', (plain) => {
  const serve = listening(plain)

  it('checklist 29: login, refused login, register, refresh, reuse and logout are entries with user and address', async () => {
    const { send, heard } = await serve({ STATEFUL: true, LOGIN_MAX_FAILURES: 2 })
    const post = (path: string, sent: Sent) => send('POST', `/api/auth/${path}`, { address, ...sent })
    await post('register', { body: ada })
    expect(heard()).toEqual([['info', 'auth.register', '1', address]])
    const login = await post('login', { body: { email, password } })
    expect(heard()).toEqual([['info', 'auth.login', '1', address]])
    await post('login', { body: { email, password: 'wrong' } })
    await post('login', { body: { email: 'nobody@example.com', password } })
    expect(heard()).toEqual([
      ['warn', 'auth.login_refused', '1', address],
      ['warn', 'auth.login_refused', null, address],
    ])
    const refresh = String(login.json['refresh'])
    const next = await post('refresh', { body: { refresh } })
    expect(heard()).toEqual([['info', 'auth.refresh', '1', address]])
    later(60)
    expect((await post('refresh', { body: { refresh } })).status).toBe(401)
    expect(heard()).toEqual([['warn', 'auth.refresh_reused', '1', address]])
    const again = await post('login', { body: { email, password } })
    heard()
    await post('logout', { token: String(again.json['access']) })
    expect(heard()).toEqual([['info', 'auth.logout', '1', address]])
    // Nothing happened: no entry says that it did.
    await post('logout', { token: String(next.json['access']) })
    await post('refresh', { body: { refresh: 'x' } })
    await post('register', { body: ada })
    await post('login', { body: {} })
    expect(heard()).toEqual([])
  })

  it('checklist 29: a login that is refused after too many, or by its hook, is a refused one', async () => {
    const ON_LOGIN = (): void => {
      throw new HttpError(403, 'Not today.')
    }
    const service = await serve({ ON_LOGIN, LOGIN_MAX_FAILURES: 1 })
    await registered(service)
    service.heard()
    expect((await loggedIn(service)).status).toBe(403)
    expect(service.heard()).toEqual([['warn', 'auth.login_refused', '1', '127.0.0.1']])
    await loggedIn(service, { email, password: 'wrong' })
    expect((await loggedIn(service)).status).toBe(429)
    expect(service.heard()).toEqual([
      ['warn', 'auth.login_refused', '1', '127.0.0.1'],
      ['warn', 'auth.login_refused', '1', '127.0.0.1'],
    ])
  })

  it('checklist 29: what a hook refuses did not happen', async () => {
    let refuses = false
    const refuse = (): void => {
      if (refuses) throw new HttpError(403, 'Not today.')
    }
    const service = await serve({ ON_REGISTER: refuse, ON_REFRESH: refuse, ON_LOGOUT: refuse })
    const { access, refresh } = await registered(service)
    service.heard()
    refuses = true
    const other = { ...ada, email: 'bob@example.com', username: 'bob' }
    expect((await service.send('POST', '/api/auth/register', { body: other })).status).toBe(403)
    expect((await refreshing(service, refresh)).status).toBe(403)
    expect((await service.send('POST', '/api/auth/logout', { token: access })).status).toBe(403)
    expect(service.heard()).toEqual([])
  })

  it('checklist 29: with LOG_AUTH_EVENTS off there are none', async () => {
    const service = await serve({ LOG_AUTH_EVENTS: false })
    const { access, refresh } = await registered(service)
    await loggedIn(service)
    await loggedIn(service, { email, password: 'wrong' })
    await refreshing(service, refresh)
    await service.send('POST', '/api/auth/logout', { token: access })
    expect(service.heard()).toEqual([])
    expect(service.written()).not.toContain('auth.')
  })

  it('checklist 29: line breaks in input forge no line, and nothing that a client wrote stands in one', async () => {
    const service = await serve({}, { trustProxy: true })
    const forged = 'x\nauth.login {"event":"auth.login","user":"1","address":"10.0.0.1"}\r\u2028'
    await service.send('POST', '/api/auth/register', { body: { ...ada, name: forged } })
    // As a user of before may have it: registration takes no line breaks.
    await service.execute(`update users set email = '${forged.trim()}'`)
    service.heard()
    const headers = { 'user-agent': 'forged', 'x-forwarded-for': '1.2.3.4 auth.login' }
    await loggedIn(service, { email: forged, password: forged }, { headers })
    await loggedIn(service, { email: forged, password }, { headers })
    const events = service.heard()
    expect(events.map(([level, line, user]) => [level, line, user])).toEqual([
      ['warn', 'auth.login_refused', '1'],
      ['info', 'auth.login', '1'],
    ])
    const text = service.written()
    for (const part of ['10.0.0.1', 'correct horse', 'forged', '\u2028']) expect(text).not.toContain(part)
  })
})
