import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryCache } from '../../src/cache/cache.ts'
import { controllerFor, HttpError, type ServiceAuth } from '../../src/index.ts'
import {
  type AuthService,
  ada,
  loggedIn,
  registered,
  type Session,
  sessionIn,
} from '../stage/auth-service.ts'
import { arrived, isVerifiedIn, mailbox, startMailing } from '../stage/mail-service.ts'
import type { Answer } from '../stage/requests.ts'
import {
  lateInSecond,
  openMemory,
  refreshing,
  type ServeOptions,
  serving,
  statuses,
} from '../stage/stateful.ts'
import { type Gate, gate, slowCache } from './held.ts'

const { email, password } = ada
const changed = 'another correct horse'

/** What another caller does while a request waits. Returns what that caller gets. */
type Route = (service: AuthService, session: Session) => Promise<unknown>

const post = async ({ send }: AuthService, path: string, token: string, body?: object): Promise<number> =>
  (await send('POST', `/api/auth/${path}`, { token, ...(body && { body }) })).status

const routes = {
  'a logout': (service, { access, refresh }) => post(service, 'logout', access, { refresh }),
  'a logout everywhere': (service, { access }) => post(service, 'logout/all', access),
  'the end of one session': async ({ send }, { access }) => {
    const { json } = await send('GET', '/api/auth/sessions', { token: access })
    const [own] = json['items'] as readonly { readonly id: string }[]
    return (await send('DELETE', `/api/auth/sessions/${own?.id}`, { token: access })).status
  },
  revokeTokens: ({ rest }) => rest.revokeTokens(1),
  'a password change': (service, { access }) =>
    post(service, 'password/change', access, { old_password: password, new_password: changed }),
  'a deletion': async ({ send }, { access }) =>
    (await send('DELETE', '/api/users/1', { token: access })).status,
  'a disabling': ({ execute }) => execute('update users set is_active = (1 = 0)'),
  'another address': async ({ send }, { access }) =>
    (await send('PATCH', '/api/users/1', { token: access, body: { email: 'eve@example.com' } })).status,
  'the same refresh': async (service, { refresh }) => (await refreshing(service, refresh)).status,
} satisfies Readonly<Record<string, Route>>

/** What the caller of the route in between gets. */
const replies: Readonly<Record<keyof typeof routes, unknown>> = {
  ...{ 'a logout': 204, 'a logout everywhere': 204, 'the end of one session': 204, revokeTokens: undefined },
  ...{ 'a password change': 200, 'a deletion': 204, 'a disabling': undefined, 'another address': 200 },
  'the same refresh': 401,
}

const take = (route: keyof typeof routes, service: AuthService, session: Session): Promise<unknown> => {
  lateInSecond()
  return routes[route](service, session)
}

/** Those after which no earlier token of the user is good. */
const ends = [
  'a logout everywhere',
  'revokeTokens',
  'a password change',
  'a deletion',
  'a disabling',
] as const
const endsOfSession = ['a logout', 'the end of one session', ...ends] as const

describe('a request that waits', () => {
  const start = startMailing
  const serve = serving(start, openMemory)
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const started = async (given: ServiceAuth, options: ServeOptions = {}) => {
    const service = await serve(
      { LOGOUT_ALL: true, SESSIONS: true, PASSWORD_CHANGE: true, ...given },
      { modelConfig: { User: { internal: false } }, ...options },
    )
    return { service, session: await registered(service) }
  }

  /** Lets a route take effect while the request is held. Returns what both get. */
  const during = async (
    held: Gate,
    request: () => Promise<Answer>,
    route: keyof typeof routes,
    { service, session }: { readonly service: AuthService; readonly session: Session },
  ): Promise<Answer> => {
    const reply = request()
    await held.reached
    try {
      expect(await take(route, service, session)).toEqual(replies[route])
    } finally {
      held.open()
    }
    return reply
  }

  /** Whether none of a session's tokens is good. */
  const isOver = async (service: AuthService, { access, refresh }: Session): Promise<void> => {
    expect(await statuses(service, access)).toEqual([401, 401])
    expect((await refreshing(service, refresh)).status).toBe(401)
  }

  it.each(endsOfSession)('is completed where a hook holds a write, beside %s', async (route) => {
    const held = gate()
    const Note = controllerFor('Note', {
      beforeCreate: async (_request: unknown, payload: object) => {
        await held.pass()
        return payload
      },
    } as never)
    const { service, session } = await started({}, { controllers: [Note] })
    const write = () => service.send('POST', '/api/notes/', { token: session.access, body: { text: 'x' } })
    expect((await during(held, write, route, { service, session })).status).toBe(201)
    await isOver(service, session)
    expect((await write()).status).toBe(401)
  })

  it.each(endsOfSession)('gives no good tokens where ON_REFRESH holds it, beside %s', async (route) => {
    const held = gate()
    const { service, session } = await started({ ON_REFRESH: () => held.pass() })
    const reply = await during(held, () => refreshing(service, session.refresh), route, { service, session })
    expect(reply.status).toBe(200)
    await isOver(service, sessionIn(reply))
  })

  it.each([
    ['a logout', 401],
    ['the end of one session', 401],
    ['revokeTokens', 401],
    ['the same refresh', 200],
  ] as const)(
    'that ON_REFRESH refuses after %s leaves the token as it then is: %i',
    async (route, status) => {
      const held = gate()
      let isRefused = true
      const ON_REFRESH = async (): Promise<void> => {
        await held.pass()
        if (isRefused) throw new HttpError(403, 'Not now.')
      }
      const { service, session } = await started({ ON_REFRESH })
      const refresh = () => refreshing(service, session.refresh)
      expect((await during(held, refresh, route, { service, session })).status).toBe(403)
      isRefused = false
      expect((await refresh()).status).toBe(status)
    },
  )

  it.each(ends)('gives no good tokens where ON_LOGIN holds a login, beside %s', async (route) => {
    const held = gate()
    const { service, session } = await started({ ON_LOGIN: () => held.pass() })
    const reply = await during(held, () => loggedIn(service), route, { service, session })
    expect(reply.status).toBe(200)
    await isOver(service, sessionIn(reply))
  })

  it.each(ends)('gives no good tokens where CLAIMS hold issueTokens, beside %s', async (route) => {
    const held = gate()
    let isHeld = false
    const CLAIMS = async (): Promise<object> => {
      if (isHeld) {
        isHeld = false
        await held.pass()
      }
      return {}
    }
    const { service, session } = await started({ CLAIMS } as ServiceAuth)
    isHeld = true
    const issued = service.rest.issueTokens(1)
    await held.reached
    expect(await take(route, service, session)).toEqual(replies[route])
    held.open()
    await isOver(service, (await issued) as unknown as Session)
  })

  it.each(['the same refresh', ...ends] as const)(
    'is done where ON_LOGOUT holds a logout, beside %s',
    async (route) => {
      const held = gate()
      let isFirst = true
      const ON_LOGOUT = async (): Promise<void> => {
        const waits = isFirst
        isFirst = false
        if (waits) await held.pass()
      }
      const { service, session } = await started({ ON_LOGOUT })
      const { access: token, refresh } = session
      const logout = () => service.send('POST', '/api/auth/logout', { token, body: { refresh } })
      const reply = logout()
      await held.reached
      const other = route === 'the same refresh' ? await refreshing(service, refresh) : undefined
      if (other === undefined) expect(await take(route, service, session)).toEqual(replies[route])
      held.open()
      expect((await reply).status).toBe(204)
      await isOver(service, other === undefined ? session : sessionIn(other))
    },
  )

  /** A service that holds the use of a token of a mail, after it has read the user. */
  const confirming = async (what: 'reset' | 'verify') => {
    const box = mailbox()
    const held = gate()
    const CACHE = slowCache(memoryCache(), async (act, key) => {
      if (act === 'add' && key.endsWith(':taken')) await held.pass()
    })
    const { service, session } = await started(box.hooks, { settings: { CACHE } })
    if (what === 'reset') await post(service, 'password/reset', '', { email })
    const [mail] = await arrived(service, box, what)
    const { path, more } = {
      reset: { path: 'password/reset/confirm', more: { password: 'a third correct horse' } },
      verify: { path: 'email/verify/confirm', more: {} },
    }[what]
    const confirm = () => service.send('POST', `/api/auth/${path}`, { body: { token: mail?.token, ...more } })
    return { held, service, session, confirm }
  }

  it.each([
    ['a password change', 422, changed],
    ['another address', 422, password],
    ['a deletion', 422, undefined],
    ['a logout everywhere', 204, 'a third correct horse'],
  ] as const)(
    'sets no password of a user who has changed: beside %s, a reset is a %i',
    async (route, status, good) => {
      const { held, service, session, confirm } = await confirming('reset')
      expect((await during(held, confirm, route, { service, session })).status).toBe(status)
      for (const known of [password, changed, 'a third correct horse'])
        expect((await loggedIn(service, { login: 'ada', password: known })).status).toBe(
          known === good ? 200 : 401,
        )
    },
  )

  it.each([
    ['another address', 422],
    ['a deletion', 422],
    ['a password change', 204],
    ['a logout everywhere', 204],
  ] as const)('verifies only the address of the mail: beside %s, it is a %i', async (route, status) => {
    const { held, service, session, confirm } = await confirming('verify')
    expect((await during(held, confirm, route, { service, session })).status).toBe(status)
    expect(await isVerifiedIn(service, 'eve@example.com')).toBe(false)
    expect(await isVerifiedIn(service, email)).toBe(status === 204)
  })

  it.each(['another address', 'a deletion', 'a disabling'] as const)(
    'sends no reset where, before the turn of its mail, %s takes effect',
    async (route) => {
      const box = mailbox()
      const { service, session } = await started(box.hooks)
      expect(await post(service, 'password/reset', '', { email })).toBe(202)
      expect(await take(route, service, session)).toEqual(replies[route])
      expect(await arrived(service, box, 'reset')).toEqual([])
    },
  )
})
