import { afterEach, describe, expect, it, vi } from 'vitest'
import { CacheError, memoryCache } from '../../src/cache/cache.ts'
import { controllerFor, HttpError, type ServiceAuth } from '../../src/index.ts'
import { type AuthService, ada, loggedIn, registered, type ServiceOptions } from '../stage/auth-service.ts'
import { arrived, mailbox, startMailing } from '../stage/mail-service.ts'
import { later, serving } from '../stage/stateful.ts'
import { gate, slowCache } from './held.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const { email } = ada
const refusal = new HttpError(403, 'Only colleagues may register.')

/** Users whom everybody may list, change and delete, and an array of whom one request may write. */
const served: ServiceOptions = {
  modelConfig: { User: { internal: false, bulk: true } },
  controllers: [
    controllerFor('User', {
      scope: () => ({}),
      permissions: { read: 'public', update: 'public', delete: 'public' },
    }),
  ],
}

/** What other requests do while the application decides. Each finds no user. */
const meanwhile: Readonly<Record<string, (service: AuthService) => Promise<unknown>>> = {
  'a login': async (service) => (await loggedIn(service)).status,
  'a reset': async ({ send }) => (await send('POST', '/api/auth/password/reset', { body: { email } })).status,
  'a verification': async ({ send }) =>
    (await send('POST', '/api/auth/email/verify', { body: { email } })).status,
  'a list': async ({ send }) => (await send('GET', '/api/users/')).json['items'],
  'a count': async ({ send }) => (await send('GET', '/api/users/?limit=0')).json['count'],
  'an aggregation': async ({ send }) =>
    (await send('GET', '/api/users/aggregate?aggregate=count')).json['items'],
  'a read': async ({ send }) => (await send('GET', '/api/users/1')).status,
  'an update': async ({ send }) => (await send('PATCH', '/api/users/1', { body: { name: 'Eve' } })).status,
  'an update of many': async ({ send }) =>
    (await send('PATCH', '/api/users/', { body: [{ id: 1, name: 'Eve' }] })).status,
  'a deletion': async ({ send }) => (await send('DELETE', '/api/users/1')).status,
  'an issue of tokens': ({ rest }) => rest.issueTokens(1).catch(({ status }) => status),
}

const found: Readonly<Record<string, unknown>> = {
  ...{ 'a login': 401, 'a reset': 202, 'a verification': 202, 'a list': [], 'a count': 0 },
  ...{ 'an aggregation': [{ count: 0 }], 'a read': 404, 'an update': 404, 'an update of many': 404 },
  ...{ 'a deletion': 404, 'an issue of tokens': 401 },
}

describe('a registration that waits', () => {
  const start = startMailing
  const serve = serving(start)

  /** A registration that a function of the application holds and then ends. */
  const held = async (
    name: 'ON_REGISTER' | 'CLAIMS',
    end: () => void,
    { more = {}, options = {} }: { more?: ServiceAuth; options?: ServiceOptions } = {},
  ) => {
    const waiting = gate()
    const asked = async (): Promise<undefined> => {
      await waiting.pass()
      end()
    }
    const service = await serve({ ...more, [name]: asked }, options)
    const reply = service.send('POST', '/api/auth/register', { body: ada })
    await waiting.reached
    return { service, reply, open: waiting.open }
  }

  describe.each(['ON_REGISTER', 'CLAIMS'] as const)('for %s', (name) => {
    it.each(Object.keys(meanwhile))('does not exist for %s, and is not left behind', async (what) => {
      const box = mailbox()
      const { service, reply, open } = await held(
        name,
        () => {
          throw refusal
        },
        { more: box.hooks, options: served },
      )
      expect(await meanwhile[what]?.(service)).toEqual(found[what])
      expect(await arrived(service, box, 'reset')).toEqual([])
      expect(await arrived(service, box, 'verify')).toEqual([])
      open()
      expect((await reply).status).toBe(403)
      expect(await service.rows('select email from users')).toEqual([])
    })

    it('is good when it is accepted, whatever asked for it meanwhile', async () => {
      const { service, reply, open } = await held(name, () => undefined, { options: served })
      for (const what of Object.keys(meanwhile)) {
        if (what !== 'a reset' && what !== 'a verification')
          expect([what, await meanwhile[what]?.(service)]).toEqual([what, found[what]])
      }
      open()
      expect((await reply).status).toBe(201)
      expect((await loggedIn(service)).status).toBe(200)
    })
  })

  it('keeps its identifiers, and gives them up when its process has died', async () => {
    const { service, open, reply } = await held('ON_REGISTER', () => undefined)
    const another = await serve({}, { after: service })
    const again = () => another.send('POST', '/api/auth/register', { body: ada })
    expect((await again()).json).toMatchObject({ status: 409, code: 'unique_conflict' })
    later(3602)
    expect((await again()).status).toBe(201)
    open()
    expect((await reply).status).toBe(403)
    expect((await loggedIn(another)).status).toBe(200)
    expect((await service.rows('select email from users')).length).toBe(1)
  })

  it('does not exist for any request in a later version without a function that would decide', async () => {
    const box = mailbox()
    const service = await serve(box.hooks, served)
    await registered(service)
    await service.execute("update users set password = '!registering:1:a'")
    for (const what of Object.keys(meanwhile))
      expect([what, await meanwhile[what]?.(service)]).toEqual([what, found[what]])
    expect(await arrived(service, box, 'reset')).toEqual([])
    expect((await arrived(service, box, 'verify')).length).toBe(1)
    expect((await service.send('POST', '/api/auth/register', { body: ada })).status).toBe(201)
    expect((await loggedIn(service)).status).toBe(200)
  })

  const children = 'create table profiles (user_id integer not null references users (id))'
  const child = 'insert into profiles select max(id) from users'

  it('gives up its identifiers at once where other records refer to it', async () => {
    const [waiting, again] = [gate(), { isRefused: true }]
    const service = await serve(
      {
        ON_REGISTER: async () => {
          await waiting.pass()
          if (again.isRefused) throw refusal
        },
      },
      served,
    )
    await service.execute(children)
    const register = () => service.send('POST', '/api/auth/register', { body: ada })
    const reply = register()
    await waiting.reached
    await service.execute(child)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    waiting.open()
    expect((await reply).status).toBe(403)
    for (const what of ['a login', 'a list', 'a read', 'an issue of tokens'])
      expect([what, await meanwhile[what]?.(service)]).toEqual([what, found[what]])
    again.isRefused = false
    expect((await register()).json).toMatchObject({ user: { id: 2, email, username: ada.username } })
    expect((await loggedIn(service)).status).toBe(200)
    expect(await service.rows('select user_id from profiles')).toEqual([{ user_id: 1 }])
  })

  it('keeps what another process made of the user meanwhile', async () => {
    let isRefused = false
    const service: AuthService = await serve(
      {
        ON_REGISTER: async () => {
          await service.execute(child)
          isRefused = true
          throw refusal
        },
      },
      {
        observer: {
          statement: ({ operation }) =>
            isRefused && operation === 'delete'
              ? { end: () => void service.execute("update users set password = 'of another'") }
              : undefined,
        },
      },
    )
    await service.execute(children)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect((await service.send('POST', '/api/auth/register', { body: ada })).status).toBe(403)
    expect(await service.rows('select email, password from users')).toEqual([
      { email, password: 'of another' },
    ])
  })

  it.each<[string, ServiceAuth, string]>([
    ['in another column', {}, `email = 'x@example.com', username = '${email}'`],
    [
      'in a unique column that is no identifier',
      { LOGIN_FIELDS: ['email'], REGISTER_FIELDS: ['email', 'username'] },
      "email = 'x@example.com'",
    ],
  ])('gives up its identifiers after a crash, %s', async (_where, more, values) => {
    const { service, open, reply } = await held('ON_REGISTER', () => undefined)
    await service.execute(`${children}; ${child}; update users set ${values}`)
    const another = await serve(more, { after: service })
    const { name: _name, ...body } = ada
    const register = async () => (await another.send('POST', '/api/auth/register', { body })).status
    expect(await register()).toBe(409)
    later(3602)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await register()).toBe(201)
    open()
    expect((await reply).status).toBe(403)
    expect((await service.rows('select email from users where username is null')).length).toBe(1)
  })

  it('gives up its identifiers where the session cannot be opened and other records refer to it', async () => {
    let isAway = false
    const CACHE = slowCache(memoryCache(), async () => {
      if (isAway) throw new CacheError('Away.')
    })
    let insert = async (): Promise<void> => undefined
    const ON_REGISTER = async (): Promise<void> => {
      await insert()
    }
    const service = await serve({ ON_REGISTER, STATEFUL: true, SESSIONS: true }, { settings: { CACHE } })
    await service.execute(children)
    insert = async () => {
      await service.execute(child)
      isAway = true
    }
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const register = () => service.send('POST', '/api/auth/register', { body: ada })
    expect((await register()).status).toBe(503)
    isAway = false
    expect((await loggedIn(service)).status).toBe(401)
    insert = async () => undefined
    expect((await register()).status).toBe(201)
  })

  it('removes the user where the session cannot be opened', async () => {
    const service = await serve({ CLAIMS: () => ({ tenant: 'x'.repeat(2000) }) })
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect((await service.send('POST', '/api/auth/register', { body: ada })).status).toBe(500)
    expect(await service.rows('select email from users')).toEqual([])
  })
})
