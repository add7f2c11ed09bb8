import { describe, expect, it } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import {
  type AuthService,
  ada,
  cookieIn,
  describeServices,
  loggedIn,
  registered,
  sessionIn,
  startFastify,
} from '../../stage/auth-service.ts'
import { listening } from '../../stage/listening.ts'
import type { Answer, Sent } from '../../stage/requests.ts'
import { claimsOf, refreshing, statuses } from '../../stage/stateful.ts'

const next = 'a lamp for every desk'
const own = { 'sec-fetch-site': 'same-origin' }
const bodyOf = (old_password: unknown = ada.password, new_password: unknown = next) => ({
  ...{ old_password, new_password },
})

const changing = ({ send }: AuthService, sent: Sent): Promise<Answer> =>
  send('POST', '/api/auth/password/change', { body: bodyOf(), ...sent })

/** The places of the mistakes in a body. */
const mistakes = ({ status, json }: Answer): readonly unknown[] => [
  status,
  ...((json['errors'] ?? []) as readonly { pointer: string; code: string }[]).flatMap(({ pointer, code }) => [
    pointer,
    code,
  ]),
]

const cookiesOf = (reply: Answer) => ({
  service_access_token: cookieIn(reply, 'service_access_token') ?? '',
  service_refresh_token: cookieIn(reply, 'service_refresh_token') ?? '',
})

const modes = [
  { STATEFUL: false, over: 200 },
  { STATEFUL: true, over: 401 },
] as const

describe.each(modes)('a change of the password, stateful: $STATEFUL', ({ STATEFUL, over }) => {
  describeServices('', (plain) => {
    const serve = listening(plain)
    const begin = async (more: object = {}) => {
      const service = await serve({ STATEFUL, PASSWORD_CHANGE: true, ...more })
      return { service, session: await registered(service) }
    }

    it('checklist 38: ends every other session and goes on with a new pair', async () => {
      const { service, session } = await begin()
      const another = sessionIn(await loggedIn(service))
      const bob = await registered(service, { ...ada, email: 'bob@example.com', username: 'bob' })
      const reply = await changing(service, { token: session.access })
      expect([reply.status, Object.keys(reply.json)]).toEqual([200, ['access', 'refresh']])
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(cookiesOf(reply)).toEqual({
        service_access_token: reply.json['access'],
        service_refresh_token: reply.json['refresh'],
      })
      for (const { access, refresh } of [session, another]) {
        expect(await statuses(service, access)).toEqual([over, over])
        expect((await refreshing(service, refresh)).status).toBe(401)
      }
      const { access, refresh } = sessionIn(reply)
      expect(await statuses(service, access)).toEqual([200, 200])
      expect((await refreshing(service, refresh)).status).toBe(200)
      expect(await statuses(service, bob.access)).toEqual([200, 200])
      expect((await loggedIn(service)).status).toBe(401)
      expect((await loggedIn(service, { login: 'ada', password: next })).status).toBe(200)
    })

    it('checklist 38: by cookie, the refresh token is only in the cookie, and other sites change nothing', async () => {
      const { service } = await begin()
      const cookies = cookiesOf(await loggedIn(service))
      expect((await changing(service, { cookies })).status).toBe(403)
      const reply = await changing(service, { cookies, headers: own })
      expect([reply.status, Object.keys(reply.json)]).toEqual([200, ['access']])
      const fresh = cookiesOf(reply)
      expect((await service.send('GET', '/api/auth/me', { cookies: fresh })).status).toBe(200)
      const sent = { cookies: fresh, headers: own }
      expect((await service.send('POST', '/api/auth/refresh', sent)).status).toBe(200)
      expect((await service.send('POST', '/api/auth/refresh', { cookies, headers: own })).status).toBe(401)
    })

    it('needs a caller, whatever the body is', async () => {
      const { service, session } = await begin()
      for (const body of [bodyOf(), 'not JSON', {}])
        expect((await changing(service, { body })).status).toBe(401)
      expect((await changing(service, { token: session.refresh })).status).toBe(401)
      expect((await changing(service, { body: bodyOf(), token: 'x' })).status).toBe(401)
    })

    it('checklist 38: refuses a wrong old password, and after too many also the right one', async () => {
      const { service, session } = await begin({ LOGIN_MAX_FAILURES: 2 })
      const bob = await registered(service, { ...ada, email: 'bob@example.com', username: 'bob' })
      const token = session.access
      service.heard()
      for (let count = 0; count < 2; count += 1) {
        const reply = await changing(service, { token, body: bodyOf('the wrong password') })
        expect(mistakes(reply)).toEqual([422, '/old_password', 'invalid'])
      }
      const reply = await changing(service, { token })
      expect([reply.status, reply.json['code']]).toEqual([429, 'too_many_requests'])
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      const refused = ['warn', 'auth.password_change_refused', '1', '127.0.0.1']
      expect(service.heard()).toEqual([refused, refused, refused])
      // Neither another user nor a login is held to it.
      expect((await changing(service, { token: bob.access })).status).toBe(200)
      expect((await loggedIn(service)).status).toBe(200)
    })

    it('is not held to failed logins with an identifier that is the key', async () => {
      const { service, session } = await begin({ LOGIN_MAX_FAILURES: 1 })
      expect((await loggedIn(service, { login: '1', password: 'wrong' })).status).toBe(401)
      expect((await loggedIn(service, { login: '1', password: 'wrong' })).status).toBe(429)
      expect((await changing(service, { token: session.access })).status).toBe(200)
    })

    it('counts for the address of the client too', async () => {
      const { service, session } = await begin({ LOGIN_MAX_FAILURES_PER_ADDRESS: 1 })
      const body = bodyOf('the wrong password')
      expect((await changing(service, { token: session.access, body })).status).toBe(422)
      expect((await changing(service, { token: session.access })).status).toBe(429)
      expect((await changing(service, { token: session.access, address: '203.0.113.8' })).status).toBe(200)
    })

    it('counts changes of the user like wrong old passwords, and not those of the address', async () => {
      const { service, session } = await begin({ LOGIN_MAX_FAILURES: 3, LOGIN_MAX_FAILURES_PER_ADDRESS: 3 })
      const wrong = { body: bodyOf('the wrong password') }
      expect((await changing(service, { token: session.access, ...wrong })).status).toBe(422)
      const { access: token } = sessionIn(await changing(service, { token: session.access }))
      for (const status of [422, 429])
        expect((await changing(service, { token, ...wrong })).status).toBe(status)
      expect((await loggedIn(service, { login: 'ada', password: next })).status).toBe(200)
    })

    it.each([
      ['short', 'x7#pq', '/new_password', 'too_short'],
      ['empty', '', '/new_password', 'too_short'],
      ['common', 'Princess12!', '/new_password', 'invalid'],
      ['similar to a field', 'LadyLovelace', '/new_password', 'invalid'],
      ['the old one', ada.password, '/new_password', 'invalid'],
      ['the old one in another form', ada.password.replace('c', '\uff43'), '/new_password', 'invalid'],
      ['longer than 1024 bytes', 'ä'.repeat(513), '/new_password', 'too_long'],
      ['malformed', 'a lamp for \ud800', '/new_password', 'invalid'],
      ['absent', undefined, '/new_password', 'required'],
      ['a number', 12345678, '/new_password', 'wrong_type'],
    ])('refuses a new password that is %s, without a count', async (_what, password, ...mistake) => {
      const { service, session } = await begin({ LOGIN_MAX_FAILURES: 1 })
      const token = session.access
      for (let count = 0; count < 2; count += 1) {
        const body = { ...bodyOf(), new_password: password }
        expect(mistakes(await changing(service, { token, body }))).toEqual([422, ...mistake])
      }
      expect((await loggedIn(service)).status).toBe(200)
      expect((await changing(service, { token })).status).toBe(200)
    })

    it('says nothing of hidden fields', async () => {
      const service = await serve(
        { STATEFUL, PASSWORD_CHANGE: true },
        { modelConfig: { User: { hidden: ['name'] } } },
      )
      const { name, ...body } = ada
      const { access: token } = await registered(service, body)
      await service.execute(`update users set name = '${name}'`)
      const reply = await changing(service, { token, body: bodyOf(undefined, 'LadyLovelace') })
      expect([reply.status, reply.text.includes('name')]).toEqual([200, false])
    })

    it('refuses other bodies', async () => {
      const { service, session } = await begin()
      const token = session.access
      expect((await changing(service, { token, body: 'x' })).status).toBe(400)
      expect(mistakes(await changing(service, { token, body: [] }))).toEqual([422, '', 'wrong_type'])
      const more = { ...bodyOf(), id: 2 }
      expect(mistakes(await changing(service, { token, body: more }))).toEqual([422, '/id', 'unknown_key'])
      const impossible = bodyOf('x'.repeat(1025))
      expect(mistakes(await changing(service, { token, body: impossible }))[1]).toBe('/old_password')
    })

    it('cannot give a first password: there is no old one', async () => {
      const { service } = await begin()
      await service.execute("update users set password = ''")
      const { access: token } = await service.rest.issueTokens(1)
      expect(mistakes(await changing(service, { token }))).toEqual([422, '/old_password', 'invalid'])
      expect(await service.rows('select password from users')).toEqual([{ password: '' }])
    })

    it('is done once of many at the same time', async () => {
      const { service, session } = await begin()
      const given = [1, 2, 3, 4, 5].map((count) => `${next} number ${count}`)
      const replies = await Promise.all(
        given.map((password) =>
          changing(service, { token: session.access, body: bodyOf(undefined, password) }),
        ),
      )
      const found = replies.map(({ status }) => status).toSorted()
      expect(found).toEqual([200, ...Array.from({ length: 4 }, () => (STATEFUL ? 401 : 422))])
      const winner = given[replies.findIndex(({ status }) => status === 200)]
      expect((await loggedIn(service, { login: 'ada', password: winner })).status).toBe(200)
    })

    it('tells ON_PASSWORD_CHANGE once, whose error is only logged', async () => {
      const told: (readonly unknown[])[] = []
      let failure: Error | undefined
      const { service, session } = await begin({
        ON_PASSWORD_CHANGE: async (...given: readonly unknown[]) => {
          told.push(given)
          if (failure !== undefined) throw failure
        },
      })
      let token = session.access
      const wrong = { token, body: bodyOf('the wrong password') }
      expect((await changing(service, wrong)).status).toBe(422)
      expect(told).toEqual([])
      token = sessionIn(await changing(service, { token })).access
      expect(told).toEqual([[expect.objectContaining({ id: 1, email: ada.email }), expect.any(Object)]])
      expect(told[0]?.[0]).not.toHaveProperty('password')
      let old: string = next
      for (failure of [new Error('the mail server is away'), new HttpError(403, 'the mail server is away')]) {
        const reply = await changing(service, { token, body: bodyOf(old, `${old}s`) })
        expect([reply.status, reply.text.includes('mail')]).toEqual([200, false])
        expect(service.written()).toContain('ON_PASSWORD_CHANGE')
        token = sessionIn(reply).access
        old = `${old}s`
      }
      expect(told).toHaveLength(3)
    })

    it('keeps the claims that issueTokens gave the session', async () => {
      const { service } = await begin({ CLAIMS: () => ({ role: 'member' }) })
      const { access: token } = await service.rest.issueTokens(1, { claims: { tenant: 5 } })
      const pair = sessionIn(await changing(service, { token }))
      const { access } = sessionIn(await refreshing(service, pair.refresh))
      for (const one of [pair.access, access])
        expect(claimsOf(one)).toMatchObject({ role: 'member', tenant: 5 })
    })

    it('changes nothing where CLAIMS refuses', async () => {
      let refuses = false
      const { service, session } = await begin({
        CLAIMS: () => {
          if (refuses) throw new HttpError(403, 'Not today.')
        },
      })
      refuses = true
      expect((await changing(service, { token: session.access })).status).toBe(403)
      refuses = false
      expect((await loggedIn(service)).status).toBe(200)
    })

    it('logs what it did, and no password', async () => {
      const { service, session } = await begin()
      service.heard()
      await changing(service, { token: session.access })
      expect(service.heard()).toEqual([['info', 'auth.password_change', '1', '127.0.0.1']])
      for (const secret of [next, ada.password]) expect(service.written()).not.toContain(secret)
    })
  })
})

describe.each([{ STATEFUL: false }, { STATEFUL: true }])(
  'a change of the password without isAsync, %o',
  (mode) => {
    it('ends every other session', async () => {
      const serviceAuth = { ...mode, PASSWORD_CHANGE: true, CLAIMS: async () => ({ tenant: 5 }) }
      const service = await startFastify({ isAsync: false, settings: { SERVICE_AUTH: serviceAuth } })
      try {
        const { access: token, refresh } = await registered(service)
        const reply = await changing(service, { token })
        expect(reply.status).toBe(200)
        expect(await statuses(service, sessionIn(reply).access)).toEqual([200, 200])
        expect((await refreshing(service, refresh)).status).toBe(401)
      } finally {
        await service.stop()
      }
    })
  },
)

describeServices('the route of a password change', (serve) => {
  it('exists only with its setting, in either spelling', async () => {
    const without = await serve()
    const { access: token } = await registered(without)
    expect((await changing(without, { token })).status).toBe(404)
    expect(JSON.stringify(without.rest.openapi())).not.toContain('password/change')
    const { rest } = await serve({ passwordChange: true })
    const { post } = rest.openapi().paths?.['/auth/password/change'] ?? {}
    expect(Object.keys(post?.responses ?? {}).toSorted()).toEqual(
      ['200', '400', '401', '403', '406', '408', '413', '415', '422', '429', '500', '503'].toSorted(),
    )
    expect(post?.security).toEqual([{ bearer: [] }, { cookie: [] }])
  })
})
