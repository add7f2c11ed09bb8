import { expect, it } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import { type AuthService, cookieIn, registered, type Session, sessionIn } from '../../stage/auth-service.ts'
import type { Sent } from '../../stage/requests.ts'
import { describeStateful, describeStateless, refreshing, statuses } from '../../stage/stateful.ts'

const logout = ({ send }: AuthService, sent?: Sent) => send('POST', '/api/auth/logout', sent)
const sameSite = { 'sec-fetch-site': 'same-origin' }

/** The ways of tokens into a logout, and which of the two die by it. */
const transports: Readonly<Record<string, (session: Session) => Sent & { readonly dead: string }>> = {
  'the header': ({ access }) => ({ token: access, dead: 'access' }),
  'a header in capitals': ({ access }) => ({
    headers: { authorization: `BEARER ${access}` },
    dead: 'access',
  }),
  'the body': ({ refresh }) => ({ body: { refresh }, dead: 'refresh' }),
  'the header and the body': ({ access, refresh }) => ({
    ...{ token: access, body: { refresh }, dead: 'access and refresh' },
  }),
  'the access cookie': ({ access }) => ({
    ...{ cookies: { service_access_token: access }, headers: sameSite, dead: 'access' },
  }),
  'the refresh cookie': ({ refresh }) => ({
    ...{ cookies: { service_refresh_token: refresh }, headers: sameSite, dead: 'refresh' },
  }),
  'both cookies': ({ access, refresh }) => ({
    cookies: { service_access_token: access, service_refresh_token: refresh },
    ...{ headers: sameSite, dead: 'access and refresh' },
  }),
  'the header and the refresh cookie': ({ access, refresh }) => ({
    ...{ token: access, cookies: { service_refresh_token: refresh }, headers: sameSite },
    dead: 'access and refresh',
  }),
}

describeStateful('logouts in stateful mode on Redis', (serve) => {
  it.each(Object.entries(transports))(
    'checklist 14: logout by %s revokes the tokens that came, again and again, and without events',
    async (_, sentOf) => {
      const service = await serve({ LOG_AUTH_EVENTS: false })
      const session = await registered(service)
      const { dead, ...sent } = sentOf(session)
      for (let count = 0; count < 3; count += 1) {
        const reply = await logout(service, sent)
        expect([reply.status, reply.text]).toEqual([204, ''])
        expect([cookieIn(reply, 'service_access_token'), cookieIn(reply, 'service_refresh_token')]).toEqual([
          '',
          '',
        ])
      }
      const access = dead.includes('access') ? 401 : 200
      expect(await statuses(service, session.access)).toEqual([access, access])
      const refresh = dead.includes('refresh') ? 401 : 200
      expect((await refreshing(service, session.refresh)).status).toBe(refresh)
      expect(service.log.filter(({ line }) => line.startsWith('auth.'))).toEqual([])
    },
  )

  it('checklist 14: logout without tokens, or with tokens of nobody, is done as well', async () => {
    const service = await serve()
    const { access, refresh } = await registered(service)
    const tampered = `${access.slice(0, -6)}AAAAAA`
    for (const sent of [{}, { body: {} }, { token: tampered }, { token: 'x' }, { body: { refresh: access } }])
      expect((await logout(service, sent)).status).toBe(204)
    expect(await statuses(service, access)).toEqual([200, 200])
    expect((await refreshing(service, refresh)).status).toBe(200)
  })

  it('checklist 14: logout with a refresh token that another tab has used meanwhile ends the session of both', async () => {
    const service = await serve()
    const { access, refresh } = await registered(service)
    const other = sessionIn(await refreshing(service, refresh))
    expect((await logout(service, { token: access, body: { refresh } })).status).toBe(204)
    expect(await statuses(service, access)).toEqual([401, 401])
    expect(await statuses(service, other.access)).toEqual([401, 401])
    expect((await refreshing(service, other.refresh)).status).toBe(401)
  })

  it('checklist 14: two logouts at the same moment revoke what came, and no other token of the session', async () => {
    const service = await serve()
    const { access, refresh } = await registered(service)
    const replies = await Promise.all(Array.from({ length: 10 }, () => logout(service, { token: access })))
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(204))
    expect((await refreshing(service, refresh)).status).toBe(200)
  })

  it('checklist 14: one session ends, and another one of the same user goes on', async () => {
    const service = await serve()
    const first = await registered(service)
    const body = { email: 'ada@example.com', password: 'correct horse battery' }
    const second = sessionIn(await service.send('POST', '/api/auth/login', { body }))
    await logout(service, { token: first.access, body: { refresh: first.refresh } })
    expect(await statuses(service, first.access)).toEqual([401, 401])
    expect(await statuses(service, second.access)).toEqual([200, 200])
    expect((await refreshing(service, second.refresh)).status).toBe(200)
  })

  it('checklist 30: a logout that its hook refuses revokes nothing and keeps the cookies', async () => {
    const ON_LOGOUT = (): void => {
      throw new HttpError(409, 'Finish your work first.')
    }
    const service = await serve({ ON_LOGOUT })
    const { access, refresh } = await registered(service)
    const reply = await logout(service, { token: access, body: { refresh } })
    expect([reply.status, reply.cookies]).toEqual([409, []])
    expect(await statuses(service, access)).toEqual([200, 200])
    expect((await refreshing(service, refresh)).status).toBe(200)
  })
})

describeStateless((serve) => {
  it('checklist 14: without state logout clears the cookies and revokes nothing', async () => {
    const service = await serve()
    const { access, refresh } = await registered(service)
    const reply = await logout(service, { token: access, body: { refresh } })
    expect([reply.status, cookieIn(reply, 'service_refresh_token')]).toEqual([204, ''])
    expect(await statuses(service, access)).toEqual([200, 200])
    expect((await refreshing(service, refresh)).status).toBe(200)
  })
})
