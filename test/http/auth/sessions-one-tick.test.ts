import { describe, expect, it } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import { onRedis } from '../../servers/test-redis.ts'
import { ada, cookieIn, registered, sessionIn, startFastify } from '../../stage/auth-service.ts'
import {
  openIoRedis,
  openMemory,
  openNodeRedis,
  refreshing,
  type Serve,
  serving,
  statuses,
} from '../../stage/stateful.ts'

/** A driver that gives values, in the mode that waits for no promise of its sources. */
const isAsync = false

const defineAll = (serve: Serve, stateful: boolean): void => {
  it('registers, logs in, shows, refreshes and logs out', async () => {
    const service = await serve({}, { isAsync })
    const { send } = service
    const registration = await registered(service)
    expect(registration.user).toMatchObject({ email: ada.email })
    const body = { login: 'ADA', password: ada.password }
    const login = await send('POST', '/api/auth/login', { body })
    expect([login.status, cookieIn(login, 'service_access_token')]).toEqual([200, sessionIn(login).access])
    const { access, refresh } = sessionIn(login)
    expect(await statuses(service, access)).toEqual([200, 200])
    expect((await send('POST', '/api/notes/', { token: access, body: { text: 'mine' } })).status).toBe(201)
    const reply = await refreshing(service, refresh)
    expect(reply.status).toBe(200)
    const next = sessionIn(reply)
    const sent = { token: next.access, body: { refresh: next.refresh } }
    expect((await send('POST', '/api/auth/logout', sent)).status).toBe(204)
    const after = stateful ? 401 : 200
    expect(await statuses(service, next.access)).toEqual([after, after])
    expect((await refreshing(service, next.refresh)).status).toBe(after)
    expect((await refreshing(service, refresh)).status).toBe(after)
  })

  it('refuses what is wrong by the same answers', async () => {
    const service = await serve({}, { isAsync })
    const { send } = service
    const { access } = await registered(service)
    const act = async (path: string, body: unknown) =>
      (await send('POST', `/api/auth/${path}`, { body })).status
    expect(await act('register', ada)).toBe(409)
    expect(await act('register', { ...ada, password: '1' })).toBe(422)
    expect(await act('login', { email: ada.email, password: 'wrong' })).toBe(401)
    expect(await act('login', { password: 'wrong' })).toBe(422)
    expect(await act('refresh', { refresh: access })).toBe(401)
    expect(await act('refresh', '{')).toBe(400)
    expect(await act('logout', { refresh: 5 })).toBe(422)
    expect(await statuses(service, 'none of ours')).toEqual([401, 401])
  })

  it('waits for hooks, whatever they give, and lets them refuse', async () => {
    const calls: string[] = []
    const hook = (name: string) => async (): Promise<void> => {
      calls.push(name)
      await Promise.resolve()
      if (calls.filter((call) => call === name).length > 1) throw new HttpError(403, 'Not now.')
    }
    const hooks = {
      ON_REGISTER: hook('register'),
      ON_LOGIN: hook('login'),
      ON_REFRESH: hook('refresh'),
      ON_LOGOUT: hook('logout'),
    }
    const service = await serve(hooks, { isAsync })
    const { access, refresh } = await registered(service)
    const other = { ...ada, email: 'grace@example.com', username: 'grace' }
    const login = { email: ada.email, password: ada.password }
    const act = async (path: string, body: unknown) =>
      (await service.send('POST', `/api/auth/${path}`, { body, token: access })).status
    const next = sessionIn(await refreshing(service, refresh))
    expect([await act('login', login), await act('logout', {})]).toEqual([200, 204])
    expect(await act('register', other)).toBe(403)
    expect(await act('login', login)).toBe(403)
    expect((await refreshing(service, next.refresh)).status).toBe(403)
    expect(await act('logout', { refresh: next.refresh })).toBe(403)
    expect(await service.rows('select email from users')).toEqual([{ email: ada.email }])
  })
}

describe('isAsync: false, stateless', () => defineAll(serving(startFastify), false))

describe('isAsync: false, stateful in memory', () => defineAll(serving(startFastify, openMemory), true))

onRedis('isAsync: false, stateful on Redis', () => {
  describe('node-redis', () => defineAll(serving(startFastify, openNodeRedis), true))
  describe('ioredis', () => defineAll(serving(startFastify, openIoRedis), true))
})
