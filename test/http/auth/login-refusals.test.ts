import { describe, expect, it } from 'vitest'
import { naming } from '../../naming.ts'
import {
  type AuthService,
  ada,
  describeServices,
  loggedIn,
  registered,
  type ServiceOptions,
  startFastify,
  startFetch,
} from '../../stage/auth-service.ts'
import type { Answer, Sent } from '../../stage/requests.ts'

const { email, username, password } = ada

/** All that a client sees of a reply, but for what says when and which. */
const seen = ({ status, headers, text, cookies }: Answer) => {
  const { date: _date, 'content-length': _length, ...rest } = headers
  return { status, headers: rest, text, cookies }
}

const refused = (service: AuthService, body: unknown, sent?: Sent) =>
  loggedIn(service, body, sent).then(({ status }) => status)

describeServices('a login', (serve) => {
  it('checklist 18: is refused in the same words, whatever was wrong', async () => {
    const service = await serve()
    await registered(service)
    await registered(service, { ...ada, email: 'bob@example.com', username: 'bob' })
    await service.execute("update users set is_active = (1 = 0) where username = 'bob'")
    const bodies = [
      { email, password: 'wrong' },
      { email: 'nobody@example.com', password },
      { email: 'bob@example.com', password },
      { email: 'bob@example.com', password: 'wrong' },
      { username, password: 'wrong' },
      { username: 'nobody', password },
      { login: 'bob', password },
      { login: 'nobody', password },
      // Neither what cannot be stored nor what cannot be hashed is told from the rest.
      { email: 'a\u0000b', password },
      { email: '\ud800', password },
      { email: ' ', password },
      { email, password: `${password}\u0000` },
      { email, password: '\ud800' },
      { email, password: 'ü'.repeat(513) },
      { email: 'nobody@example.com', password: 'a'.repeat(1025) },
      { email: "' or 1=1 --", password },
      { email: '%', password },
      { login: '_da', password },
    ]
    const [first, ...others] = await Promise.all(bodies.map((body) => loggedIn(service, body)))
    expect(first?.json).toMatchObject({ status: 401, code: 'unauthenticated' })
    expect(first?.headers['www-authenticate']).toBe('Bearer')
    for (const [index, other] of others.entries()) {
      expect([bodies[index + 1], seen(other)]).toEqual([bodies[index + 1], first && seen(first)])
    }
  })

  it('checklist 18: is refused so for users without a password, or with none of ours', async () => {
    const service = await serve()
    await registered(service)
    for (const stored of ['', password, 'x', '$2b$10$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=1']) {
      await service.execute(`update users set password = '${stored}'`)
      for (const tried of [password, stored || 'x']) {
        const reply = await loggedIn(service, { email, password: tried })
        expect([stored, reply.status, reply.json['code']]).toEqual([stored, 401, 'unauthenticated'])
      }
    }
  })

  it('checklist 20: finds users in whatever form they are written', async () => {
    const service = await serve()
    const user = { ...ada, email: ' Ada.Ångström@Example.COM ', username: 'Ⅷ' }
    const session = await registered(service, user)
    expect(session.user).toMatchObject({ email: 'ada.ångström@example.com', username: 'viii' })
    for (const body of [
      { email: 'ADA.ÅNGSTRÖM@EXAMPLE.COM' },
      { email: '\tada.a\u030angstro\u0308m@example.com\n' },
      { email: 'ａｄａ.ångström@example.com' },
      { login: 'Ada.\u212bngström@example.com' },
      { username: 'VIII' },
      { login: 'ⅷ' },
    ])
      expect([body, (await loggedIn(service, { ...body, password })).status]).toEqual([body, 200])
    // A password is none: its case and its spaces count.
    for (const other of [password.toUpperCase(), ` ${password}`, `${password} `])
      expect(await refused(service, { username: 'viii', password: other })).toBe(401)
  })

  it('checklist 20: knows a user name with an @ from the address of another', async () => {
    const service = await serve()
    await registered(service, { ...ada, username: 'bob@example.com' })
    const taken = { ...ada, email: 'bob@example.com', username: 'bob' }
    const reply = await service.send('POST', '/api/auth/register', { body: taken })
    expect(reply.json).toMatchObject({ status: 409, errors: [{ pointer: '/email', code: 'taken' }] })
    for (const body of [{ username: 'bob@example.com' }, { login: 'BOB@example.com' }])
      expect((await loggedIn(service, { ...body, password })).json['user']).toMatchObject({ email })
    expect(await refused(service, { email: 'bob@example.com', password })).toBe(401)

    // What the host's own code has stored may mean two users. Then it means nobody, and each name still means one.
    await service.execute("update users set username = 'ada'")
    await registered(service, { ...ada, email: 'bob@example.com', username: 'bob' })
    await service.execute("update users set username = 'bob@example.com' where username = 'ada'")
    expect(await refused(service, { login: 'bob@example.com', password })).toBe(401)
    const byName = await loggedIn(service, { username: 'bob@example.com', password })
    expect(byName.json['user']).toMatchObject({ email })
    const byAddress = await loggedIn(service, { email: 'bob@example.com', password })
    expect(byAddress.json['user']).toMatchObject({ username: 'bob' })
  })

  it('checklist 20: of many registrations at the same moment one is a 201, all others a 409', async () => {
    const service = await serve({ VALIDATE_PASSWORD: false })
    const forms = ['new@example.com', 'NEW@example.com', ' new@example.com ', 'ｎｅｗ@example.com']
    const replies = await Promise.all(
      [...forms, ...forms].map((form) =>
        service.send('POST', '/api/auth/register', { body: { email: form, password: 'x' } }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)])
    for (const { status, json } of replies) {
      if (status === 409) expect(json['errors']).toMatchObject([{ pointer: '/email', code: 'taken' }])
    }
    expect(await service.rows('select email from users')).toEqual([{ email: 'new@example.com' }])
  })

  it('checklist 21: failed logins of an account are bounded, from wherever they come and in whichever form', async () => {
    const service = await serve({ LOGIN_MAX_FAILURES: 4, LOGIN_FAILURE_WINDOW: 60 })
    await registered(service)
    const tries = [{ email }, { email: ` ${email}` }, { login: email.toUpperCase() }, { login: email }]
    for (const [index, body] of tries.entries()) {
      const address = `203.0.113.${index}`
      expect(await refused(service, { ...body, password: 'wrong' }, { address })).toBe(401)
    }
    const reply = await loggedIn(service)
    expect(reply.json).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(50)
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60)
    // Others do not notice, and an unknown account is bounded in the same way.
    await registered(service, { ...ada, email: 'bob@example.com', username: 'bob' })
    expect(await refused(service, { username: 'bob', password })).toBe(200)
    const unknown = { email: 'Nobody@example.com', password }
    for (const form of ['nobody@example.com', ' NOBODY@example.com', 'ｎobody@example.com'])
      expect(await refused(service, { ...unknown, email: form })).toBe(401)
    expect(await refused(service, unknown)).toBe(401)
    const bounded = await loggedIn(service, unknown)
    expect(bounded.json).toMatchObject({
      ...{ status: 429, code: 'too_many_requests' },
      detail: expect.stringMatching(naming(bounded.headers['retry-after'] ?? '')),
    })
  })

  it('checklist 18: nobody learns by the number of tries which identifiers are of the same user', async () => {
    const service = await serve({ LOGIN_MAX_FAILURES: 2 })
    await registered(service)
    for (let count = 0; count < 2; count += 1)
      expect(await refused(service, { username, password: 'wrong' })).toBe(401)
    expect(await refused(service, { username, password })).toBe(429)
    expect(await refused(service, { email, password: 'wrong' })).toBe(401)
    expect(await refused(service, { email: 'bob@example.com', password: 'wrong' })).toBe(401)
  })

  it('checklist 20: a user of before, stored in another form, is not kept out by another who has theirs', async () => {
    const service = await serve()
    await registered(service)
    await service.execute(`update users set email = 'Ada@Example.com', username = null`)
    await registered(service, { email, password: 'another good sentence' })
    expect(await refused(service, { email: 'Ada@Example.com', password })).toBe(200)
    expect(await refused(service, { email, password: 'another good sentence' })).toBe(200)
    expect(await refused(service, { email: 'ADA@example.com', password })).toBe(401)
  })

  it('checklist 21: a limit of 0 is none', async () => {
    const service = await serve({ LOGIN_MAX_FAILURES: 0, LOGIN_MAX_FAILURES_PER_ADDRESS: 0 })
    for (let count = 0; count < 12; count += 1)
      expect(await refused(service, { email: 'nobody@example.com', password: 'x' })).toBe(401)
  })

  it('checklist 21: a success begins the count anew', async () => {
    const service = await serve({ LOGIN_MAX_FAILURES: 2 })
    await registered(service)
    for (let count = 0; count < 3; count += 1) {
      expect(await refused(service, { email, password: 'wrong' })).toBe(401)
      expect(await refused(service, { email, password })).toBe(200)
    }
  })

  it('checklist 21: failed logins from one address are bounded, at whichever accounts', async () => {
    const service = await serve({ LOGIN_MAX_FAILURES_PER_ADDRESS: 5 })
    await registered(service)
    const address = '203.0.113.9'
    const tries = Array.from({ length: 8 }, (_, index) => ({
      email: `nobody-${index}@example.com`,
      password,
    }))
    const statuses = await Promise.all(tries.map((body) => refused(service, body, { address })))
    expect(statuses.toSorted()).toEqual([...Array(5).fill(401), ...Array(3).fill(429)])
    expect(await refused(service, { email, password }, { address })).toBe(429)
    expect(await refused(service, { email, password }, { address: '203.0.113.10' })).toBe(200)
    // What a client says of its address changes nothing.
    const headers = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' }
    expect(await refused(service, { email, password }, { address, headers })).toBe(429)
  })
})

describe('behind a proxy', () => {
  const serve = async (options: ServiceOptions): Promise<AuthService> =>
    startFastify({ ...options, settings: { SERVICE_AUTH: { LOGIN_MAX_FAILURES_PER_ADDRESS: 2 } } })
  const from = (address: string): Sent => ({ headers: { 'x-forwarded-for': address } })
  const body = { email: 'nobody@example.com', password }

  it('checklist 21: Fastify believes X-Forwarded-For with trustProxy', async () => {
    const service = await serve({ trustProxy: true })
    for (const status of [401, 401, 429])
      expect(await refused(service, body, from('203.0.113.1'))).toBe(status)
    expect(await refused(service, body, from('203.0.113.2'))).toBe(401)
    await service.stop()
  })

  it('checklist 21: Fastify does not believe it without', async () => {
    const service = await serve({})
    for (const [index, status] of [401, 401, 429].entries())
      expect(await refused(service, body, from(`203.0.113.${index}`))).toBe(status)
    await service.stop()
  })

  it('checklist 21: requests without a known address share one limit', async () => {
    const settings = { SERVICE_AUTH: { LOGIN_MAX_FAILURES_PER_ADDRESS: 2 } }
    const service = await startFetch({ settings })
    for (const [index, status] of [401, 401, 429].entries())
      expect(
        await refused(service, { ...body, email: `nobody-${index}@example.com` }, { address: null }),
      ).toBe(status)
    expect(await refused(service, body)).toBe(401)
    await service.stop()
  })

  it('checklist 21: fetchApp believes clientAddress alone', async () => {
    const settings = { SERVICE_AUTH: { LOGIN_MAX_FAILURES_PER_ADDRESS: 2 } }
    const service = await startFetch({ settings })
    for (const [index, status] of [401, 401, 429].entries())
      expect(await refused(service, body, from(`203.0.113.${index}`))).toBe(status)
    expect(await refused(service, body, { address: '203.0.113.7' })).toBe(401)
    await service.stop()
  })
})
