import { describe, expect, it } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import {
  type AuthService,
  ada,
  cookieIn,
  loggedIn,
  registered,
  type Session,
  sessionIn,
  startFastify,
} from '../../stage/auth-service.ts'
import type { Answer, Sent } from '../../stage/requests.ts'
import { inTest } from '../../stage/service.ts'
import { claimsOf, describeStateful, later, refreshing, statuses } from '../../stage/stateful.ts'

type Listed = Readonly<Record<'id' | 'user_agent' | 'address' | 'created_at' | 'last_used_at', string>> & {
  readonly current: boolean
}

const listing = async ({ send }: AuthService, { access }: Session): Promise<readonly Listed[]> => {
  const reply = await send('GET', '/api/auth/sessions', { token: access })
  expect(reply.status).toBe(200)
  return reply.json['items'] as readonly Listed[]
}

const idsIn = async (service: AuthService, session: Session): Promise<readonly string[]> =>
  (await listing(service, session)).map(({ id }) => id)

const idOf = ({ access }: Session): string => String(claimsOf(access)['fid'])

const ending = ({ send }: AuthService, { access }: Session, id: string, sent?: Sent): Promise<Answer> =>
  send('DELETE', `/api/auth/sessions/${encodeURIComponent(id)}`, { token: access, ...sent })

const isOver = async (service: AuthService, { access, refresh }: Session): Promise<void> => {
  expect(await statuses(service, access)).toEqual([401, 401])
  expect((await refreshing(service, refresh)).status).toBe(401)
}

const isOpen = async (service: AuthService, { access }: Session): Promise<void> =>
  expect(await statuses(service, access)).toEqual([200, 200])

const opened = async (service: AuthService, sent?: Sent): Promise<Session> =>
  sessionIn(await loggedIn(service, undefined, sent))

const bob = { ...ada, email: 'bob@example.com', username: 'bob' }
const settings = { SESSIONS: true, LOGOUT_ALL: true }

describeStateful('sessions that users see', (serve) => {
  it('checklist 41: are listed with device, address and times, the latest use first, and without tokens', async () => {
    const service = await serve(settings)
    const first = await registered(service)
    later(30)
    const second = await opened(service, {
      ...{ headers: { 'user-agent': 'Telephone/1.0' }, address: '203.0.113.9' },
    })
    const reply = await service.send('GET', '/api/auth/sessions', { token: first.access })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json['items']).toMatchObject([
      { id: idOf(second), current: false, user_agent: 'Telephone/1.0', address: '203.0.113.9' },
      { id: idOf(first), current: true },
    ])
    const [other, own] = await listing(service, second)
    expect([own?.current, other?.current]).toEqual([false, true])
    expect(Date.parse(String(own?.created_at))).toBe(Number(claimsOf(first.access)['auth_time']) * 1000)
    for (const session of [first, second])
      for (const token of [session.access, session.refresh]) expect(reply.text).not.toContain(token)
  })

  it('checklist 41: keep their place when they are refreshed, with the device that refreshes', async () => {
    const service = await serve(settings)
    const first = await registered(service)
    const headers = { 'user-agent': 'Telephone/2.0' }
    const body = { refresh: first.refresh }
    const next = sessionIn(await service.send('POST', '/api/auth/refresh', { body, headers }))
    const [only, another] = await listing(service, next)
    expect(another).toBe(undefined)
    expect(only).toMatchObject({ id: idOf(first), current: true, user_agent: 'Telephone/2.0' })
  })

  it('checklist 41: end one by one: every token of the session, and none of another', async () => {
    const service = await serve(settings)
    const [mine, lost] = [await registered(service), await opened(service)]
    const next = sessionIn(await refreshing(service, lost.refresh))
    const reply = await ending(service, mine, idOf(lost))
    expect([reply.status, reply.text, reply.cookies]).toEqual([204, '', []])
    for (const session of [lost, next]) await isOver(service, session)
    await isOpen(service, mine)
    expect(await idsIn(service, mine)).toEqual([idOf(mine)])
    expect((await ending(service, mine, idOf(lost))).status).toBe(404)
    expect((await refreshing(service, mine.refresh)).status).toBe(200)
  })

  it('checklist 41: end with the cookies where it is the session of the request', async () => {
    const service = await serve(settings)
    const mine = await registered(service)
    const reply = await ending(service, mine, idOf(mine))
    expect([reply.status, cookieIn(reply, 'service_refresh_token')]).toEqual([204, ''])
    await isOver(service, mine)
  })

  it('checklist 41: are nobody else’s to see or end, whatever the id', async () => {
    const service = await serve(settings)
    const [mine, theirs] = [await registered(service), await registered(service, bob)]
    expect(await idsIn(service, mine)).toEqual([idOf(mine)])
    const ids = [idOf(theirs), 'x', '*', '../login', `${idOf(mine)} `, idOf(mine).toUpperCase(), '😀', 'a:b']
    for (const id of ids) expect([id, (await ending(service, mine, id)).status]).toEqual([id, 404])
    const cut = await service.send('DELETE', '/api/auth/sessions/%', { token: mine.access })
    expect([400, 404]).toContain(cut.status)
    expect((await service.send('DELETE', `/api/auth/sessions/${idOf(mine)}`)).status).toBe(401)
    expect((await service.send('GET', '/api/auth/sessions')).status).toBe(401)
    expect((await service.send('GET', '/api/auth/sessions', { token: mine.refresh })).status).toBe(401)
    for (const session of [mine, theirs]) await isOpen(service, session)
  })

  it('checklist 41: leave the list at a logout, which ends the whole session by either token', async () => {
    const service = await serve(settings)
    const mine = await registered(service)
    for (const sent of [
      (session: Session) => ({ token: session.access }),
      (session: Session) => ({ body: { refresh: session.refresh } }),
    ]) {
      const session = await opened(service)
      expect((await service.send('POST', '/api/auth/logout', sent(session))).status).toBe(204)
      await isOver(service, session)
      expect(await idsIn(service, mine)).toEqual([idOf(mine)])
    }
  })

  it('checklist 41: leave the list with a reused refresh token, and with revokeTokens', async () => {
    const service = await serve({ ...settings, REFRESH_REUSE_GRACE: 0 })
    const [mine, stolen] = [await registered(service), await opened(service)]
    await refreshing(service, stolen.refresh)
    expect((await refreshing(service, stolen.refresh)).status).toBe(401)
    expect(await idsIn(service, mine)).toEqual([idOf(mine)])
    await service.rest.revokeTokens(mine.user['id'])
    const fresh = await opened(service)
    expect(await idsIn(service, fresh)).toEqual([idOf(fresh)])
  })

  it('checklist 41: leave the list with a changed password, but for the session that changes it', async () => {
    const service = await serve({ ...settings, PASSWORD_CHANGE: true })
    const [mine, other] = [await registered(service), await opened(service)]
    const body = { old_password: ada.password, new_password: 'a lamp for every desk' }
    const reply = await service.send('POST', '/api/auth/password/change', {
      ...{ body, token: mine.access, headers: { 'user-agent': 'Telephone/3.0' } },
    })
    expect(reply.status).toBe(200)
    const next = sessionIn(reply)
    for (const session of [mine, other]) await isOver(service, session)
    expect(await listing(service, next)).toMatchObject([
      { id: idOf(next), current: true, user_agent: 'Telephone/3.0' },
    ])
  })

  it('checklist 41: that the application begins have the device of its request, or none', async () => {
    const service = await serve(settings)
    const { user } = await registered(service)
    const issued = await service.rest.issueTokens(user['id'] as never)
    const own = (await listing(service, { ...issued, user })).find(({ current }) => current)
    expect(own).toMatchObject({ user_agent: null, address: null })
  })

  it('checklist 41: have the time of their last use, which requests write once a minute', async () => {
    const service = await serve(settings)
    const mine = await registered(service)
    const usedAt = async (): Promise<number> =>
      Date.parse(String((await listing(service, mine))[0]?.last_used_at))
    const begin = await usedAt()
    later(30)
    await isOpen(service, mine)
    expect(await usedAt()).toBe(begin)
    later(31)
    const next = await usedAt()
    expect(next - begin).toBeGreaterThanOrEqual(60_000)
    expect(await usedAt()).toBe(next)
  })

  it('checklist 41: are 50 at most: the one that was not used for longest makes room', async () => {
    const service = await serve(settings)
    const first = await registered(service)
    later(1)
    const second = await opened(service)
    later(1)
    for (let count = 0; count < 48; count += 1) await opened(service)
    expect((await idsIn(service, second)).length).toBe(50)
    later(120)
    await isOpen(service, first)
    const last = await opened(service)
    const ids = await idsIn(service, last)
    expect([ids.length, ids.includes(idOf(first)), ids.includes(idOf(second))]).toEqual([50, true, false])
    await isOver(service, second)
    for (const session of [first, last]) await isOpen(service, session)
  })

  it('checklist 41: are all listed where they begin at the same moment', async () => {
    const service = await serve(settings)
    await registered(service)
    const sessions = await Promise.all(Array.from({ length: 12 }, () => opened(service)))
    const ids = await idsIn(service, sessions[0] as Session)
    expect(new Set(ids).size).toBe(13)
    for (const session of sessions) expect(ids).toContain(idOf(session))
  })

  it('checklist 41: that began before the setting are listed from their next refresh on', async () => {
    const before = await serve()
    const old = await registered(before)
    const service = await serve({ ...settings, STATEFUL: true }, { after: before })
    await isOpen(service, old)
    expect(await listing(service, old)).toEqual([])
    const next = sessionIn(await refreshing(service, old.refresh))
    expect(await idsIn(service, next)).toEqual([idOf(old)])
  })

  it('checklist 41: show no more of a device than 200 printable characters', async () => {
    const service = await serve(settings)
    await registered(service)
    const agents = [
      ['a'.repeat(5000), 'a'.repeat(200)],
      ['a\tb\u0085c', 'abc'],
      ['<b>Fox</b> "1"', '<b>Fox</b> "1"'],
    ] as const
    for (const [sent, seen] of agents) {
      const session = await opened(service, { headers: { 'user-agent': sent } })
      const own = (await listing(service, session)).find(({ current }) => current)
      expect(own?.user_agent).toBe(seen)
    }
  })

  it('checklist 40: all end at once, those of others go on, and a later login is good', async () => {
    const service = await serve(settings)
    const [mine, other, theirs] = [
      await registered(service),
      await opened(service),
      await registered(service, bob),
    ]
    const reply = await service.send('POST', '/api/auth/logout/all', { token: mine.access })
    expect([reply.status, reply.text, reply.headers['cache-control']]).toEqual([204, '', 'no-store'])
    expect([cookieIn(reply, 'service_access_token'), cookieIn(reply, 'service_refresh_token')]).toEqual([
      '',
      '',
    ])
    for (const session of [mine, other]) await isOver(service, session)
    await isOpen(service, theirs)
    const fresh = await opened(service)
    await isOpen(service, fresh)
    expect(await idsIn(service, fresh)).toEqual([idOf(fresh)])
  })

  it('checklist 40: only for a caller, never for the cookies of another site, and not against the hook', async () => {
    const refusals: string[] = []
    const service = await serve({
      ...settings,
      ON_LOGOUT: () => {
        if (refusals.length > 0) throw new HttpError(409, 'Finish your work first.')
      },
    })
    const mine = await registered(service)
    const path = '/api/auth/logout/all'
    const cookies = { service_access_token: mine.access }
    const foreign = { cookies, headers: { origin: 'https://evil.example' } }
    for (const sent of [{}, { token: 'x' }, { token: mine.refresh }])
      expect((await service.send('POST', path, sent)).status).toBe(401)
    expect((await service.send('POST', path, foreign)).status).toBe(403)
    refusals.push('now')
    expect((await service.send('POST', path, { token: mine.access })).status).toBe(409)
    expect((await ending(service, mine, idOf(mine), { ...foreign, token: undefined as never })).status).toBe(
      403,
    )
    await isOpen(service, mine)
    refusals.pop()
    const own = { cookies, headers: { 'sec-fetch-site': 'same-origin' } }
    expect((await service.send('POST', path, own)).status).toBe(204)
    await isOver(service, mine)
  })

  it('do not exist without the settings', async () => {
    const service = await serve()
    const { access } = await registered(service)
    for (const [method, path] of [
      ['POST', 'logout/all'],
      ['GET', 'sessions'],
      ['DELETE', 'sessions/x'],
    ] as const)
      expect((await service.send(method, `/api/auth/${path}`, { token: access })).status).toBe(404)
    expect(Object.keys(service.rest.openapi().paths)).not.toContain('/auth/sessions')
  })
})

describe('settings of sessions', () => {
  it.each(['LOGOUT_ALL', 'SESSIONS', 'logoutAll', 'sessions'])('%s needs stateful mode', (name) =>
    expect(startFastify({ settings: { SERVICE_AUTH: { [name]: true } } })).rejects.toThrow(/STATEFUL: true/),
  )
})

it('sessions that users see are in the member that the envelope of lists names, and documented there', async () => {
  const service = await inTest(
    startFastify({
      envelope: { items: 'data', count: 'total' },
      settings: { SERVICE_AUTH: { ...settings, STATEFUL: true } },
    }),
  )
  const mine = await registered(service)
  const reply = await service.send('GET', '/api/auth/sessions', { token: mine.access })
  expect(reply.json).toEqual({ data: [expect.objectContaining({ id: idOf(mine) })] })
  const { success } = service.rest.operations.find(({ id }) => id === 'listSessions') ?? expect.unreachable()
  expect(success.schema?.schema['required']).toEqual(['data'])
  expect(Object.keys(Object(success.example))).toEqual(['data'])
})
