import { expect, it } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import { ada, describeServices, loggedIn, registered } from '../../stage/auth-service.ts'

const { email, username, password } = ada

describeServices('registrations', (serve) => {
  const users = ({ rows }: { rows: (query: string) => Promise<readonly object[]> }) =>
    rows('select email from users order by id')

  it.each([
    [{ email }, [['/password', 'required']]],
    [{ password }, [['/email', 'required']]],
    [
      {},
      [
        ['/email', 'required'],
        ['/password', 'required'],
      ],
    ],
    [{ email: null, password }, [['/email', 'not_nullable']]],
    [{ email: '', password }, [['/email', 'too_short']]],
    [{ email: ' \u3000 ', password }, [['/email', 'too_short']]],
    [{ email: 7, password }, [['/email', 'wrong_type']]],
    [{ email, password: 7 }, [['/password', 'wrong_type']]],
    [{ email, password: null }, [['/password', 'not_nullable']]],
    [{ email, password: '' }, [['/password', 'too_short']]],
    [{ email, password: 'ü'.repeat(513) }, [['/password', 'too_long']]],
    [{ email, password: 'a'.repeat(1025) }, [['/password', 'too_long']]],
    [{ email, password: `correct horse \ud800` }, [['/password', 'invalid']]],
    [{ email, password: 'x9#Lm' }, [['/password', 'too_short']]],
    [{ email, password: 'password123' }, [['/password', 'invalid']]],
    [{ email, password: email }, [['/password', 'invalid']]],
    [{ email: 'a'.repeat(400), password }, [['/email', 'too_long']]],
    ...[
      'ada',
      '@example.com',
      'ada@',
      'ada@example.com, eve@evil.test',
      'a da@example.com',
      'ada@eve\uFF20evil',
    ].map((wrong) => [{ email: wrong, password }, [['/email', 'invalid_format']]] as const),
    [{ email, password, nickname: 'ada' }, [['/nickname', 'unknown_key']]],
    [{ email, password, id: 7 }, [['/id', 'unknown_key']]],
    [{ email, password, created_at: '2026-01-01T00:00:00Z' }, [['/created_at', 'unknown_key']]],
    [{ email, password, is_active: true }, [['/is_active', 'unknown_key']]],
    [{ email, password, password_hash: 'x' }, [['/password_hash', 'unknown_key']]],
    [[], [['', 'wrong_type']]],
  ] as const)('%j is a 422 that names the place', async (body, places) => {
    const service = await serve()
    const { status, json, text } = await service.send('POST', '/api/auth/register', { body })
    expect([status, json['code']]).toEqual([422, 'invalid_body'])
    const errors = json['errors'] as readonly { pointer: string; code: string }[]
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual(places)
    expect(text).not.toContain(password)
    expect(await users(service)).toEqual([])
  })

  it.each([' Ada@Example.com ', 'ada\uFF20example.com', 'josé@exämple.de', 'ada+lamps@localhost'])(
    'take the address %j',
    async (address) => {
      const { send } = await serve()
      const body = { email: address, password }
      expect((await send('POST', '/api/auth/register', { body })).status).toBe(201)
    },
  )

  it('of several complaints about a password each is told', async () => {
    const { send } = await serve()
    const { json } = await send('POST', '/api/auth/register', { body: { email, password: '123456' } })
    const errors = json['errors'] as readonly { pointer: string; detail: string }[]
    expect(errors.length).toBeGreaterThan(1)
    for (const { pointer } of errors) expect(pointer).toBe('/password')
  })

  it('take any password of 1 to 1024 bytes where VALIDATE_PASSWORD is off', async () => {
    const service = await serve({ VALIDATE_PASSWORD: false })
    for (const [index, given] of ['1', ' ', 'ü'.repeat(512), 'pass\u0000word', '🦄'].entries()) {
      const user = { email: `user-${index}@example.com`, password: given }
      await registered(service, user)
      expect((await loggedIn(service, user)).status).toBe(200)
      expect((await loggedIn(service, { ...user, password: `${given.slice(0, -1)}x` })).status).toBe(401)
    }
    for (const given of ['', 'a'.repeat(1025)]) {
      const body = { email, password: given }
      expect((await service.send('POST', '/api/auth/register', { body })).status).toBe(422)
    }
  })

  it('of what is taken are a 409 that names the field, whatever its form', async () => {
    const service = await serve()
    await registered(service)
    const other = { email: 'bob@example.com', username: 'bob', password }
    for (const [body, fields] of [
      [{ ...other, email }, ['/email']],
      [{ ...other, email: ' ADA@EXAMPLE.COM' }, ['/email']],
      [{ ...other, username: 'ＡＤＡ' }, ['/username']],
      [ada, ['/email', '/username']],
      [{ ...other, username: email.toUpperCase() }, ['/username']],
    ] as const) {
      const { json, text } = await service.send('POST', '/api/auth/register', { body })
      expect(json).toMatchObject({ status: 409, code: 'unique_conflict' })
      const errors = json['errors'] as readonly { pointer: string; code: string }[]
      expect(errors.map(({ pointer }) => pointer)).toEqual(fields)
      for (const { code } of errors) expect(code).toBe('taken')
      expect(text).not.toMatch(/ada@|unique constraint|users/i)
    }
    expect(await users(service)).toEqual([{ email }])
  })

  it('say where the new user is found, with and without a slash', async () => {
    const { send } = await serve()
    for (const [index, path] of ['/api/auth/register', '/api/auth/register/'].entries()) {
      const body = { ...ada, email: `user-${index}@example.com`, username: `user-${index}` }
      const reply = await send('POST', path, { body })
      expect([reply.status, reply.headers['location']]).toEqual([201, '/api/auth/me'])
      const found = await send('GET', String(reply.headers['location']), {
        token: String(reply.json['access']),
      })
      expect(found.json).toEqual(reply.json['user'])
    }
  })

  it('checklist 30: can be closed by ON_REGISTER, which leaves no row', async () => {
    const ON_REGISTER = (user: Readonly<Record<string, unknown>>): void => {
      if (user['email'] !== email) throw new HttpError(403, 'Ask us for an invitation.')
    }
    const service = await serve({ ON_REGISTER })
    const body = { email: 'bob@example.com', username, password }
    const refused = await service.send('POST', '/api/auth/register', { body })
    expect(refused.json).toMatchObject({ status: 403, detail: 'Ask us for an invitation.' })
    expect(await users(service)).toEqual([])
    // The user name is free again.
    await registered(service)
    expect(await users(service)).toEqual([{ email }])
  })
})
