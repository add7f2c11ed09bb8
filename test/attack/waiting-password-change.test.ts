import { afterEach, describe, expect, it, vi } from 'vitest'
import { CacheError, memoryCache } from '../../src/cache/cache.ts'
import type { ServiceAuth } from '../../src/index.ts'
import {
  type AuthService,
  ada,
  loggedIn,
  registered,
  sessionIn,
  startFastify,
} from '../stage/auth-service.ts'
import { later, refreshing, serving, statuses } from '../stage/stateful.ts'
import { gate, slowCache } from './held.ts'
import { heldQueue, setPassword } from './held-queue.ts'

const next = 'a lamp for every desk'

const changing = ({ send }: AuthService, token: string) =>
  send('POST', '/api/auth/password/change', {
    token,
    body: { old_password: ada.password, new_password: next },
  })

describe('a change of the password that waits', () => {
  const start = startFastify
  const serve = serving(start)
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const begin = async (serviceAuth: ServiceAuth) => {
    const service = await serve({ PASSWORD_CHANGE: true, ...serviceAuth })
    return { service, session: await registered(service) }
  }

  /** A change, and what happens while it waits in the queue. */
  const meanwhile = async (serviceAuth: ServiceAuth, act: (service: AuthService) => Promise<unknown>) => {
    const { service, session } = await begin(serviceAuth)
    const held = heldQueue()
    const change = changing(service, session.access)
    await held.reached
    await act(service).finally(held.open)
    return { service, reply: await change }
  }

  it.each([
    [{ STATEFUL: false }, 422],
    [{ STATEFUL: true }, 401],
  ])('keeps the password that another request has set meanwhile (%o)', async (serviceAuth, status) => {
    const another = 'another correct horse'
    const { service, reply } = await meanwhile(serviceAuth, (service) => setPassword(service, another))
    expect(reply.status).toBe(status)
    expect((await loggedIn(service, { login: 'ada', password: another })).status).toBe(200)
    expect((await loggedIn(service, { login: 'ada', password: next })).status).toBe(401)
  })

  it('is done where a login has hashed the same password anew meanwhile', async () => {
    const { service, reply } = await meanwhile({}, (service) => setPassword(service, ada.password))
    expect(reply.status).toBe(200)
    expect((await loggedIn(service, { login: 'ada', password: next })).status).toBe(200)
  })

  it.each([
    ['ended', async ({ rest }: AuthService) => rest.revokeTokens(1)],
    [
      'of a user who is disabled',
      async ({ execute }: AuthService) => execute('update users set is_active = (1 = 0)'),
    ],
    ['of a user who is deleted', async ({ execute }: AuthService) => execute('delete from users')],
  ])('is refused where the session is %s', async (_what, act) => {
    const { service, reply } = await meanwhile({ STATEFUL: true }, async (service) => {
      await act(service)
      later(2)
    })
    expect([reply.status, reply.cookies]).toEqual([401, []])
    await service.execute('update users set is_active = (1 = 1)')
    expect((await loggedIn(service, { login: 'ada', password: next })).status).toBe(401)
  })

  it('checklist 38: tells the user of the change, also if the cache is away by then', async () => {
    const notices: unknown[] = []
    let isChanged: (() => Promise<boolean>) | undefined
    const CACHE = slowCache(memoryCache(), async () => {
      if ((await isChanged?.()) === true) throw new CacheError('It is away.')
    })
    const service = await serve(
      { PASSWORD_CHANGE: true, ON_PASSWORD_CHANGE: (user) => void notices.push(Reflect.get(user, 'email')) },
      { settings: { CACHE } },
    )
    const { access } = await registered(service)
    const [before] = await service.rows('select password from users')
    isChanged = async () =>
      (await service.rows('select password from users'))[0]?.['password'] !== before?.['password']
    expect((await changing(service, access)).status).toBe(503)
    expect([await isChanged(), notices]).toEqual([true, [ada.email]])
  })

  it('gives a disabled user no tokens, in stateless mode too', async () => {
    const { reply } = await meanwhile({}, ({ execute }) => execute('update users set is_active = (1 = 0)'))
    expect([reply.status, reply.cookies, reply.json['access']]).toEqual([401, [], undefined])
  })

  it.each([{ STATEFUL: false }, { STATEFUL: true }])(
    'ends the login that waits in the queue, and the refresh under way (%o)',
    async (serviceAuth) => {
      const held = gate()
      const hook = gate()
      const { service, session } = await begin({
        ...serviceAuth,
        ON_LOGIN: () => hook.pass(),
        ON_REFRESH: () => held.pass(),
      })
      const refresh = refreshing(service, session.refresh)
      const login = loggedIn(service)
      await Promise.all([held.reached, hook.reached])
      expect((await changing(service, session.access)).status).toBe(200)
      held.open()
      hook.open()
      for (const late of [sessionIn(await refresh), sessionIn(await login)]) {
        expect((await refreshing(service, late.refresh)).status).toBe(401)
        const [status] = await statuses(service, late.access)
        expect(status).toBe(serviceAuth.STATEFUL ? 401 : 200)
      }
    },
  )
})
