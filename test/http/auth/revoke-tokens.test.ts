import { afterEach, describe, expect, it } from 'vitest'
import type { ServiceAuth } from '../../../src/index.ts'
import { naming } from '../../naming.ts'
import { type AuthService, ada, registered, sessionIn, startFastify } from '../../stage/auth-service.ts'

describe('an application that revokes tokens', () => {
  const start = startFastify
  let service: AuthService | undefined
  afterEach(() => service?.stop())
  const serve = async (serviceAuth: ServiceAuth): Promise<AuthService> => {
    service = await start({ settings: { SERVICE_AUTH: serviceAuth } })
    return service
  }

  it('revokeTokens ends every session of a user, and no other', async () => {
    const { send, rest } = await serve({ STATEFUL: true })
    const first = await registered({ send })
    const login = { login: 'ada', password: ada.password }
    const second = sessionIn(await send('POST', '/api/auth/login', { body: login }))
    const bob = await registered({ send }, { ...ada, email: 'bob@example.com', username: 'bob' })
    await rest.revokeTokens(first.user['id'])
    for (const { access, refresh } of [first, second]) {
      expect((await send('GET', '/api/notes/', { token: access })).status).toBe(401)
      expect((await send('GET', '/api/auth/me', { token: access })).status).toBe(401)
      expect((await send('POST', '/api/auth/refresh', { body: { refresh } })).status).toBe(401)
    }
    expect((await send('GET', '/api/notes/', { token: bob.access })).status).toBe(200)
    const next = sessionIn(await send('POST', '/api/auth/login', { body: login }))
    expect((await send('GET', '/api/notes/', { token: next.access })).status).toBe(200)
    expect((await send('POST', '/api/auth/refresh', { body: { refresh: next.refresh } })).status).toBe(200)
  })

  it('revokeTokens says what it needs: stateful mode, and the key of a user', async () => {
    const { rest } = await serve({})
    await expect(rest.revokeTokens(1)).rejects.toThrow(
      naming('revokeTokens', 'auth: true', 'SERVICE_AUTH', 'STATEFUL: true'),
    )
    await service?.stop()
    const stateful = await serve({ STATEFUL: true })
    await expect(stateful.rest.revokeTokens('ada')).rejects.toThrow(naming('revokeTokens'))
  })

  it('a user refreshes no more often than REFRESH_MAX, so that nobody fills the cache of all', async () => {
    const { send } = await serve({ STATEFUL: true, REFRESH_MAX: 3, LOGIN_FAILURE_WINDOW: 60 })
    let { refresh } = await registered({ send })
    for (let count = 0; count < 3; count += 1) {
      refresh = sessionIn(await send('POST', '/api/auth/refresh', { body: { refresh } })).refresh
    }
    const refused = await send('POST', '/api/auth/refresh', { body: { refresh } })
    expect([refused.status, refused.json['code']]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const bob = await registered({ send }, { ...ada, email: 'bob@example.com', username: 'bob' })
    const body = { refresh: bob.refresh }
    expect((await send('POST', '/api/auth/refresh', { body })).status).toBe(200)
  })
})
