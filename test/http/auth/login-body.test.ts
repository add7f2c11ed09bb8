import { expect, it } from 'vitest'
import { naming } from '../../naming.ts'
import { ada, describeServices, loggedIn, registered } from '../../stage/auth-service.ts'

const { email, username, password } = ada

/** Bodies that are no login, and the place that is wrong. */
const wrong: readonly (readonly [body: unknown, pointer: string, code: string])[] = [
  [{ password }, '/email', 'required'],
  [{}, '/password', 'required'],
  [{ email, username, password }, '/username', 'invalid'],
  [{ email, login: email, password }, '/login', 'invalid'],
  [{ email }, '/password', 'required'],
  [{ email, password, remember: true }, '/remember', 'unknown_key'],
  [{ name: 'Ada Lovelace', password }, '/name', 'unknown_key'],
  [{ id: 1, password }, '/id', 'unknown_key'],
  [`{"email":"${email}","password":"${password}","__proto__":{"a":1}}`, '/__proto__', 'unknown_key'],
  [{ email, password: 7 }, '/password', 'wrong_type'],
  [{ email, password: null }, '/password', 'not_nullable'],
  [{ email, password: [password] }, '/password', 'wrong_type'],
  [{ email, password: { $ne: '' } }, '/password', 'wrong_type'],
  [{ email, password: '' }, '/password', 'too_short'],
  [{ email: { $ne: '' }, password }, '/email', 'wrong_type'],
  [{ email: [email], password }, '/email', 'wrong_type'],
  [{ email: 7, password }, '/email', 'wrong_type'],
  [{ email: null, password }, '/email', 'not_nullable'],
  [{ email: '', password }, '/email', 'too_short'],
  [{ email: 'a'.repeat(321), password }, '/email', 'too_long'],
  [[{ email, password }], '', 'wrong_type'],
  ['"text"', '', 'wrong_type'],
  ['null', '', 'wrong_type'],
]

describeServices('bodies of a login', (serve) => {
  it('are 422 where they are none, and the place is named', async () => {
    const service = await serve({ LOGIN_MAX_FAILURES: 3 })
    await registered(service)
    for (const [body, pointer, code] of wrong) {
      const { status, json } = await loggedIn(service, body)
      expect([body, status, json['code']]).toEqual([body, 422, 'invalid_body'])
      expect(json['errors']).toEqual([{ pointer, code, detail: expect.any(String) }])
    }
    // None of them counts as a failure.
    expect((await loggedIn(service)).status).toBe(200)
  })

  it('name what is allowed, and repeat no value', async () => {
    const service = await serve()
    const none = await loggedIn(service, { password })
    expect(none.json['detail']).toMatch(naming('email', 'username', 'login'))
    const unknown = await loggedIn(service, { e_mail: 'secret of mine', password })
    expect(unknown.json['detail']).toMatch(naming('e_mail', 'email'))
    expect(unknown.json['errors']).toMatchObject([{ pointer: '/e_mail', code: 'unknown_key' }])
    expect(unknown.text).not.toMatch(/secret of mine|correct horse/)
  })

  it('are JSON, and not too large', async () => {
    const service = await serve({}, { settings: { JSON_BODY_LIMIT: 500 } })
    expect((await loggedIn(service, '{"email":')).json).toMatchObject({ status: 400, code: 'malformed_json' })
    expect((await loggedIn(service, '')).json).toMatchObject({ status: 400, code: 'malformed_json' })
    expect((await service.send('POST', '/api/auth/login')).json).toMatchObject({ status: 400 })
    const large = await loggedIn(service, { email, password: 'a'.repeat(600) })
    expect(large.json).toMatchObject({ status: 413, code: 'body_too_large' })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = await service.send('POST', '/api/auth/login', { body: 'email=a&password=b', headers })
    expect(form.json).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    const asked = await service.send('POST', '/api/auth/login?next=/', { body: { email, password } })
    expect(asked.json).toMatchObject({ status: 400, code: 'unknown_parameter' })
  })

  it('take email, username, and login for any of them, where LOGIN_FIELDS is not given', async () => {
    const service = await serve()
    await registered(service)
    for (const body of [{ email }, { username }, { login: email }, { login: username }])
      expect((await loggedIn(service, { ...body, password })).status).toBe(200)
    for (const body of [{ email: username }, { username: email }, { login: ada.name }])
      expect((await loggedIn(service, { ...body, password })).status).toBe(401)
  })

  it.each([
    [['email'], { email }, ['username', 'login']],
    [['username'], { username }, ['email', 'login']],
    [['username', 'email'], { email }, ['login']],
    // What the specification names, of a user who has no column `login`.
    [['email', 'username', 'login'], { login: username }, ['name']],
    [['email', 'login'], { login: email }, ['username']],
    [['login'], { login: username }, ['email', 'username']],
    [['name', 'email'], { name: ada.name }, ['username']],
  ] as const)('take what LOGIN_FIELDS %j names, and nothing else', async (fields, good, others) => {
    const service = await serve({
      ...{ LOGIN_FIELDS: [...fields], REGISTER_FIELDS: ['email', 'username', 'name'] },
    })
    await registered(service)
    expect((await loggedIn(service, { ...good, password })).status).toBe(200)
    for (const other of others) {
      const refused = await loggedIn(service, { [other]: 'x', password })
      expect(refused.json).toMatchObject({
        ...{ status: 422, errors: [{ pointer: `/${other}`, code: 'unknown_key' }] },
      })
    }
  })

  it('whose login means what LOGIN_FIELDS names beside it alone', async () => {
    const service = await serve({
      ...{ LOGIN_FIELDS: ['email', 'login'], REGISTER_FIELDS: ['email', 'username', 'name'] },
    })
    await registered(service)
    expect((await loggedIn(service, { login: username, password })).status).toBe(401)
  })
})
