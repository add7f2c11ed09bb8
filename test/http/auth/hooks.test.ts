import { afterEach, describe, expect, it, vi } from 'vitest'
import { HttpError, type ServiceAuth, ValueError } from '../../../src/index.ts'
import {
  type AuthService,
  ada,
  describeServices,
  loggedIn,
  registered,
  type Session,
  startFastify,
} from '../../stage/auth-service.ts'
import type { Answer, Sent } from '../../stage/requests.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

type Act = 'login' | 'register' | 'refresh' | 'logout'
type Hook = (user: object, request: unknown) => void | Promise<void>

/** Both names of each hook. */
const names: readonly (readonly [name: string, act: Act])[] = (
  ['login', 'register', 'refresh', 'logout'] as const
).flatMap((act) => [
  [`ON_${act.toUpperCase()}`, act],
  [`${act.toUpperCase()}_HOOK`, act],
])

const eve = { email: 'eve@example.com', username: 'eve', password: ada.password }
const told = { headers: { 'x-told': 'yes' } }

/** Asks for an act, with a header by which the request is known again. */
const acts: Readonly<Record<Act, (service: AuthService, session: Session) => Promise<Answer>>> = {
  login: (service) => loggedIn(service, undefined, told),
  register: ({ send }) => send('POST', '/api/auth/register', { body: eve, ...told }),
  refresh: ({ send }, { refresh }) => send('POST', '/api/auth/refresh', { body: { refresh }, ...told }),
  logout: ({ send }, { access, refresh }) =>
    send('POST', '/api/auth/logout', { token: access, body: { refresh }, ...told }),
}
const succeeded: Readonly<Record<Act, number>> = { login: 200, register: 201, refresh: 200, logout: 204 }

/** The headers of a request of either host. */
const headerOf = (request: unknown, name: string): unknown => {
  const { headers } = request as { headers: Headers | Record<string, unknown> }
  return headers instanceof Headers ? headers.get(name) : headers[name]
}

describeServices('hooks', (serve) => {
  /** A service with ada in it. The hook runs from the act on. */
  const begin = async (name: string, hook: Hook, more: ServiceAuth = {}) => {
    let isOn = false
    const service = await serve({
      ...more,
      [name]: (...given: Parameters<Hook>) => (isOn ? hook(...given) : undefined),
    })
    const session = await registered(service)
    isOn = true
    return { service, session }
  }
  const users = ({ rows }: AuthService) => rows('select email from users order by id')

  it.each(names)(
    'checklist 30: %s is called once, with the user without the password and the request of the host',
    async (name, act) => {
      const calls: Parameters<Hook>[] = []
      const { service, session } = await begin(name, (...given) => void calls.push(given))
      expect((await acts[act](service, session)).status).toBe(succeeded[act])
      const [[user, request] = [{}, undefined]] = calls
      expect(calls.length).toBe(1)
      const { email, username } = act === 'register' ? eve : ada
      expect(user).toMatchObject({ id: act === 'register' ? 2 : 1, email, username, is_active: true })
      expect(user).not.toHaveProperty('password')
      expect(JSON.stringify(user)).not.toContain('argon2')
      expect(headerOf(request, 'x-told')).toBe('yes')
      expect(request instanceof Request || 'raw' in (request as object)).toBe(true)

      const others = (Object.keys(acts) as Act[]).filter((other) => other !== act && other !== 'register')
      for (const other of others) await acts[other](service, session)
      expect(calls.length).toBe(1)
    },
  )

  it.each(names)('checklist 30: %s is waited for, and refuses by HttpError', async (name, act) => {
    const { service, session } = await begin(name, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      throw new HttpError(403, 'Not today.', { headers: { 'x-why': 'sunday' } })
    })
    const reply = await acts[act](service, session)
    expect(reply.json).toMatchObject({ status: 403, code: 'forbidden', detail: 'Not today.' })
    expect([reply.headers['x-why'], reply.cookies]).toEqual(['sunday', []])
    expect(reply.json).not.toHaveProperty('access')
    expect(await users(service)).toEqual([{ email: ada.email }])
  })

  it.each(names)('checklist 30: a ValueError of %s is a 400 with its message', async (name, act) => {
    const { service, session } = await begin(name, () => {
      throw new ValueError('Not by this door.')
    })
    const reply = await acts[act](service, session)
    expect(reply.json).toMatchObject({ status: 400, code: 'rejected', detail: 'Not by this door.' })
    expect(await users(service)).toEqual([{ email: ada.email }])
  })

  it.each(names)('checklist 30: anything else that %s throws is an opaque 500', async (name, act) => {
    const lines = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    for (const thrown of [new TypeError('secret of mine'), 'secret of mine', undefined]) {
      const { service, session } = await begin(name, () => {
        throw thrown
      })
      const reply = await acts[act](service, session)
      expect(reply.json).toMatchObject({ status: 500, code: 'internal_error' })
      expect(reply.json['request_id']).toEqual(expect.any(String))
      expect([reply.cookies, reply.text.includes('secret')]).toEqual([[], false])
      expect(await users(service)).toEqual([{ email: ada.email }])
      if (thrown instanceof Error) {
        expect(JSON.stringify([service.log, lines.mock.calls])).toContain('secret of mine')
      }
    }
  })

  it('checklist 30: a login that its hook refuses is no failed one, and none of its words are hidden', async () => {
    const { service } = await begin(
      'ON_LOGIN',
      () => {
        throw new HttpError(403, 'Confirm your address first.')
      },
      { LOGIN_MAX_FAILURES: 2 },
    )
    for (let count = 0; count < 4; count += 1) {
      expect((await loggedIn(service)).json['detail']).toBe('Confirm your address first.')
    }
    // Of a wrong password the hook hears nothing.
    const wrong = await loggedIn(service, { email: ada.email, password: 'wrong' })
    expect(wrong.json).toMatchObject({ status: 401, code: 'unauthenticated' })
  })

  it('checklist 30: hooks hear of what was good alone', async () => {
    const heard: string[] = []
    const hook = (name: string) => () => void heard.push(name)
    const service = await serve({
      ...{ ON_LOGIN: hook('login'), ON_REGISTER: hook('register') },
      ...{ ON_REFRESH: hook('refresh'), ON_LOGOUT: hook('logout') },
    })
    const { send } = service
    await registered(service)
    heard.length = 0
    const post = (path: string, sent: Sent) => send('POST', `/api/auth/${path}`, sent)
    await post('login', { body: { email: ada.email, password: 'wrong' } })
    await post('login', { body: { email: 'nobody@example.com', password: ada.password } })
    await post('login', { body: {} })
    await post('register', { body: ada })
    await post('register', { body: { ...eve, password: '123' } })
    await post('refresh', { body: { refresh: 'x' } })
    await post('refresh', {})
    await post('logout', {})
    await post('logout', { token: 'x', body: { refresh: 'x' } })
    expect(heard).toEqual([])
  })

  it('checklist 30: nobody is a user while the hook decides about their registration', async () => {
    const asked = Promise.withResolvers<void>()
    const decided = Promise.withResolvers<void>()
    const { service } = await begin('ON_REGISTER', () => {
      asked.resolve()
      return decided.promise
    })
    const registration = acts.register(service, {} as Session)
    await asked.promise
    const body = { email: eve.email, password: eve.password }
    expect((await loggedIn(service, body)).status).toBe(401)
    expect((await service.send('POST', '/api/auth/register', { body: eve })).status).toBe(409)
    decided.reject(new HttpError(403, 'Not today.'))
    expect((await registration).status).toBe(403)
    expect(await users(service)).toEqual([{ email: ada.email }])
    expect((await loggedIn(service, body)).status).toBe(401)
  })

  it('checklist 30: who was let in by it logs in from then on', async () => {
    const { service } = await begin('ON_REGISTER', async () => undefined)
    const registration = await acts.register(service, {} as Session)
    expect(registration.status).toBe(201)
    expect((await loggedIn(service, { email: eve.email, password: eve.password })).status).toBe(200)
    expect(await service.rows("select count(*) as n from users where password like '$argon2id$%'")).toEqual([
      { n: 2 },
    ])
  })
})

describeServices('users whom a hook has disabled', (serve) => {
  it('checklist 30: are registered without tokens', async () => {
    let service: AuthService | undefined
    service = await serve({
      ON_REGISTER: async () => service?.execute("update users set is_active = (1 = 0), name = 'seen'"),
    })
    const reply = await service.send('POST', '/api/auth/register', { body: ada })
    expect([reply.status, Object.keys(reply.json), reply.cookies]).toEqual([201, ['user'], []])
    expect(reply.json['user']).toMatchObject({ email: ada.email, name: 'seen', is_active: false })
    expect((await loggedIn(service)).status).toBe(401)
    await service.execute('update users set is_active = (1 = 1)')
    expect((await loggedIn(service)).status).toBe(200)
  })

  it('checklist 30: or has taken away are refused', async () => {
    let service: AuthService | undefined
    service = await serve({ ON_REGISTER: async () => service?.execute('delete from users') })
    const reply = await service.send('POST', '/api/auth/register', { body: ada })
    expect([reply.status, reply.cookies]).toEqual([403, []])
  })
})

describe('synchronous operation', () => {
  it('checklist 30: waits for hooks of authentication, too', async () => {
    const heard: string[] = []
    const service = await startFastify({
      isAsync: false,
      settings: { SERVICE_AUTH: { ON_LOGIN: async () => void heard.push('login') } },
    })
    const session = await registered(service)
    for (const act of ['login', 'register', 'refresh', 'logout'] as const)
      expect((await acts[act](service, session)).status).toBe(succeeded[act])
    expect(heard).toEqual(['login'])
    await service.stop()
  })
})
