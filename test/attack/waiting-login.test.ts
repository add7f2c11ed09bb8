import { afterEach, describe, expect, it, vi } from 'vitest'
import { argon2, hashParameters } from '../../src/auth/passwords/passwords.ts'
import { memoryCache } from '../../src/cache/cache.ts'
import { HttpError, type ServiceAuth } from '../../src/index.ts'
import {
  type AuthService,
  ada,
  loggedIn,
  registered,
  sessionIn,
  startFastify,
} from '../stage/auth-service.ts'
import { lateInSecond, later, refreshing, serving, statuses } from '../stage/stateful.ts'
import { gate, slowCache } from './held.ts'
import { heldQueue, setPassword } from './held-queue.ts'

const changed = 'another correct horse'

/** Whether none of a session's tokens is good. */
const isOver = async (service: AuthService, { access, refresh }: ReturnType<typeof sessionIn>) => {
  expect(await statuses(service, access)).toEqual([401, 401])
  expect((await refreshing(service, refresh)).status).toBe(401)
}

const revokeAll = async ({ rest }: AuthService): Promise<void> => {
  lateInSecond()
  await rest.revokeTokens(1)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a login that waits', () => {
  const start = startFastify
  const serve = serving(start)

  /** A login with the first password, and what happens while it waits in the queue. */
  const meanwhile = async (serviceAuth: ServiceAuth, act: (service: AuthService) => Promise<void>) => {
    const service = await serve(serviceAuth)
    await registered(service)
    const held = heldQueue()
    const login = loggedIn(service)
    await held.reached
    await act(service).finally(held.open)
    return { service, reply: await login }
  }

  it.each([{ STATEFUL: false }, { STATEFUL: true }])(
    'is refused where the password was changed meanwhile (%o)',
    async (serviceAuth) => {
      const { service, reply } = await meanwhile(serviceAuth, (service) => setPassword(service, changed))
      expect([reply.status, reply.cookies, reply.json['access']]).toEqual([401, [], undefined])
      expect((await loggedIn(service, { login: 'ada', password: changed })).status).toBe(200)
    },
  )

  it('is refused where the password was changed and all sessions were ended', async () => {
    const { reply } = await meanwhile({ STATEFUL: true }, async (service) => {
      await setPassword(service, changed)
      await revokeAll(service)
    })
    expect(reply.status).toBe(401)
  })

  it.each([
    ['disabled', 'update users set is_active = (1 = 0)'],
    ['deleted', 'delete from users'],
    ['known by another identifier', "update users set email = 'countess@example.com'"],
  ])('is refused where the user was %s meanwhile', async (_what, statement) => {
    const { reply } = await meanwhile({}, ({ execute }) => execute(statement))
    expect(reply.status).toBe(401)
  })

  it('is good where the same password got another hash meanwhile', async () => {
    const { service, reply } = await meanwhile({ STATEFUL: true }, (service) =>
      setPassword(service, ada.password),
    )
    expect(reply.status).toBe(200)
    expect(await statuses(service, sessionIn(reply).access)).toEqual([200, 200])
  })

  it('has a session that ends with all others that were ended while it waited', async () => {
    const { service, reply } = await meanwhile({ STATEFUL: true }, revokeAll)
    expect(reply.status).toBe(200)
    await isOver(service, sessionIn(reply))
    expect(await statuses(service, sessionIn(await loggedIn(service)).access)).toEqual([200, 200])
  })

  it('has a session that ends with all others while ON_REGISTER waits', async () => {
    const held = gate()
    const service = await serve({ STATEFUL: true, ON_REGISTER: () => held.pass() })
    const reply = service.send('POST', '/api/auth/register', { body: ada })
    await held.reached
    await revokeAll(service)
    held.open()
    await isOver(service, sessionIn(await reply))
  })

  it('ends with the password, changed while ON_LOGIN waits: in stateless mode, refresh tokens only', async () => {
    const held = gate()
    const service = await serve({ STATEFUL: false, ON_LOGIN: () => held.pass() })
    await registered(service)
    const reply = loggedIn(service)
    await held.reached
    await setPassword(service, changed)
    held.open()
    const { access, refresh } = sessionIn(await reply)
    expect((await service.send('GET', '/api/notes/', { token: access })).status).toBe(200)
    expect((await refreshing(service, refresh)).status).toBe(401)
  })

  it('leaves no user behind where ON_REGISTER refuses, and no password before it agrees', async () => {
    const held = gate()
    const service = await serve({
      ON_REGISTER: async () => {
        await held.pass()
        throw new HttpError(403, 'Not now.')
      },
    })
    const reply = service.send('POST', '/api/auth/register', { body: ada })
    await held.reached
    expect((await loggedIn(service)).status).toBe(401)
    held.open()
    expect((await reply).status).toBe(403)
    expect(await service.rows('select email from users')).toEqual([])
  })

  it('is good beside others that make the same weak hash anew', async () => {
    const service = await serve()
    await registered(service)
    const weak = await argon2().hash(ada.password, { ...hashParameters, memoryCost: 8192 })
    await service.execute(`update users set password = '${weak}'`)
    const replies = await Promise.all([loggedIn(service), loggedIn(service), loggedIn(service)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const [row] = await service.rows('select password from users')
    expect(String(row?.['password'])).toContain(`m=${hashParameters.memoryCost},`)
  })
})

describe('a refresh over a slow cache', () => {
  const start = startFastify
  const serve = serving(start)

  it('gives tokens that end with all others that were ended after it had looked', async () => {
    const held = gate()
    const CACHE = slowCache(memoryCache(), async (act) => {
      if (act === 'add') await held.pass()
    })
    const service = await serve({ STATEFUL: true }, { settings: { CACHE } })
    const { refresh } = await registered(service)
    const reply = refreshing(service, refresh)
    await held.reached
    await revokeAll(service)
    held.open()
    await isOver(service, sessionIn(await reply))
  })

  it('gives tokens that end with the password, changed after it had looked', async () => {
    const held = gate()
    const CACHE = slowCache(memoryCache(), async (act) => {
      if (act === 'add') await held.pass()
    })
    const service = await serve({ STATEFUL: true }, { settings: { CACHE } })
    const { refresh } = await registered(service)
    const reply = refreshing(service, refresh)
    await held.reached
    await setPassword(service, changed)
    held.open()
    await isOver(service, sessionIn(await reply))
  })

  it('gives tokens that end with all others although what ends them arrives seconds later', async () => {
    const held = gate()
    const CACHE = slowCache(memoryCache(), async (act) => {
      if (act === 'set') await held.pass()
    })
    const service = await serve({ STATEFUL: true }, { settings: { CACHE } })
    const { refresh } = await registered(service)
    const revoked = service.rest.revokeTokens(1)
    await held.reached
    later(3)
    const next = sessionIn(await refreshing(service, refresh))
    expect(await statuses(service, next.access)).toEqual([200, 200])
    held.open()
    await revoked
    await isOver(service, next)
  })
})
