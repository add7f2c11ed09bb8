import { describe, expect, it } from 'vitest'
import {
  type AuthService,
  ada,
  registered,
  type ServiceOptions,
  sessionIn,
  startFastify,
} from '../../stage/auth-service.ts'
import { inTest } from '../../stage/service.ts'

describe('users', () => {
  const start = startFastify
  const serve = (options: ServiceOptions = {}): Promise<AuthService> => inTest(start(options))

  it('register, log in, see themselves, call protected routes, refresh and log out', async () => {
    const { send } = await serve()
    expect((await send('GET', '/api/notes/')).status).toBe(401)

    const registration = await send('POST', '/api/auth/register', { body: ada })
    expect([registration.status, registration.headers['location']]).toEqual([201, '/api/auth/me'])
    expect(registration.json).toMatchObject({
      access: expect.any(String),
      refresh: expect.any(String),
      user: { email: ada.email, name: ada.name },
    })

    const login = await send('POST', '/api/auth/login', {
      body: { login: ' ADA@example.com ', password: ada.password },
    })
    expect(login.status).toBe(200)
    const { access, refresh } = sessionIn(login)

    const me = await send('GET', '/api/auth/me', { token: access })
    expect(me.json).toMatchObject({ email: ada.email, username: 'ada' })
    expect((await send('POST', '/api/notes/', { token: access, body: { text: 'mine' } })).status).toBe(201)
    expect((await send('GET', '/api/notes/', { token: access })).json).toMatchObject({ count: 1 })

    const refreshed = await send('POST', '/api/auth/refresh', { body: { refresh } })
    expect(refreshed.status).toBe(200)
    expect((await send('GET', '/api/auth/me', { token: sessionIn(refreshed).access })).status).toBe(200)
    const logout = await send('POST', '/api/auth/logout', { token: access, body: { refresh } })
    expect([logout.status, logout.text]).toEqual([204, ''])
  })

  it('in stateful mode have no access once they have logged out', async () => {
    const { send } = await serve({ settings: { SERVICE_AUTH: { STATEFUL: true } } })
    const { access, refresh } = await registered({ send })
    expect((await send('GET', '/api/notes/', { token: access })).status).toBe(200)
    expect((await send('POST', '/api/auth/logout', { token: access, body: { refresh } })).status).toBe(204)
    const refused = await send('GET', '/api/notes/', { token: access })
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ])
    expect((await send('POST', '/api/auth/refresh', { body: { refresh } })).status).toBe(401)
  })
})
