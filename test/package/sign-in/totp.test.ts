import { randomBytes } from 'node:crypto'
import { URI } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { type Application, application, password } from './application.ts'

const app = application('server.ts')

interface User {
  readonly email: string
  readonly headers: Record<string, string>
  /** The code of the period that begins so many periods after the present one. */
  readonly code: (later?: number) => string
  readonly recovery: readonly string[]
}

let user: User
beforeEach(async () => {
  user = await userWithApp()
})

const codeOf = (uri: string, later = 0): string =>
  URI.parse(uri).generate({ timestamp: Date.now() + later * 30_000 })

/** A user who has confirmed an authenticator app. No code has been used. */
const userWithApp = async (): Promise<User> => {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  const headers = await app().userWith(email)
  const uri = String((await app().send('POST', '/totp', { password }, headers)).json['uri'])
  const { status, text } = await app().send('POST', '/totp/confirm', { code: codeOf(uri) }, headers)
  expect(status).toBe(200)
  app().database.exec('update totps set last_step = 0')
  return { email, headers, code: (later) => codeOf(uri, later), recovery: JSON.parse(text).recovery }
}

const login = ({ email }: User, code?: string, text = password) =>
  app().send(
    'POST',
    '/auth/login',
    { email, password: text },
    code === undefined ? {} : { 'one-time-code': code },
  )

const answer = ({ status, json }: Awaited<ReturnType<Application['send']>>) => [status, json['code']]

test('a login needs the password and a code', async () => {
  expect(answer(await login(user))).toEqual([401, 'totp_required'])
  expect(answer(await login(user, 'abcdef'))).toEqual([401, 'totp_refused'])
  expect(answer(await login(user, ''))).toEqual([401, 'totp_refused'])
  const { status, json } = await login(user, user.code())
  expect([status, Object.keys(json)]).toEqual([200, ['access', 'refresh', 'user']])
})

test('with a wrong password, the response does not tell that there is an authenticator app', async () => {
  expect(answer(await login(user, undefined, 'another lamp'))).toEqual([401, 'unauthenticated'])
  expect(answer(await login(user, user.code(), 'another lamp'))).toEqual([401, 'unauthenticated'])
  expect((await login(user, user.code())).status).toBe(200)
})

test('checklist 45: a code works once, even for two logins at the same time, and ends the earlier ones', async () => {
  const code = user.code()
  const logins = await Promise.all([login(user, code), login(user, code)])
  expect(logins.map(({ status }) => status).toSorted()).toEqual([200, 401])
  expect(answer(await login(user, code))).toEqual([401, 'totp_refused'])
  expect((await login(user, user.code(1))).status).toBe(200)
  expect(answer(await login(user, code))).toEqual([401, 'totp_refused'])
})

test('a code of another user, or of another time, is refused', async () => {
  const other = await userWithApp()
  for (const code of [other.code(), user.code(-4), user.code(4)])
    expect(answer(await login(user, code))).toEqual([401, 'totp_refused'])
  expect((await login(other, other.code())).status).toBe(200)
})

test('checklist 45: after five wrong codes, the correct one is refused too, and other users still log in', async () => {
  const other = await userWithApp()
  const guesses = Array.from({ length: 6 }, () => login(user, 'abcdef'))
  expect((await Promise.all(guesses)).map(({ status }) => status).toSorted()).toEqual([
    401, 401, 401, 401, 401, 429,
  ])
  const refused = await login(user, user.code())
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await login(other, other.code())).status).toBe(200)
})

test('a recovery code replaces a code, once, for its user', async () => {
  const other = await userWithApp()
  const [recovery = ''] = user.recovery
  expect(user.recovery).toHaveLength(10)
  expect(answer(await login(other, recovery))).toEqual([401, 'totp_refused'])
  expect((await login(user, recovery)).status).toBe(200)
  expect(answer(await login(user, recovery))).toEqual([401, 'totp_refused'])
})

test('checklist 45: a stolen access token neither adds nor removes an authenticator app', async () => {
  const headers = await app().userWith(`thief-${user.email}`)
  expect((await app().send('POST', '/totp', { password: 'a guess' }, headers)).status).toBe(403)
  expect((await app().send('POST', '/totp', { password })).status).toBe(401)
  expect((await app().send('POST', '/totp', { password }, user.headers)).status).toBe(409)
  const remove = (given: string, code?: string) =>
    app().send(
      'POST',
      '/totp/remove',
      { password: given },
      {
        ...user.headers,
        ...(code !== undefined && { 'one-time-code': code }),
      },
    )
  expect((await remove('a guess', user.code())).status).toBe(403)
  expect(answer(await remove(password))).toEqual([401, 'totp_required'])
  expect((await remove(password, user.code())).status).toBe(204)
  expect((await login(user)).status).toBe(200)
})

test('guesses of the password by a stolen access token end after ten', async () => {
  const headers = await app().userWith(`guess-${user.email}`)
  const statuses: number[] = []
  for (let guess = 0; guess < 11; guess += 1)
    statuses.push((await app().send('POST', '/totp', { password: `guess ${guess}` }, headers)).status)
  expect(statuses).toEqual([...Array(10).fill(403), 429])
  expect((await app().send('POST', '/totp', { password }, headers)).status).toBe(429)
})

test('an app that is not confirmed is not asked for, and its code confirms nothing twice', async () => {
  const email = `new-${user.email}`
  const headers = await app().userWith(email)
  const uri = String((await app().send('POST', '/totp', { password }, headers)).json['uri'])
  expect((await app().send('POST', '/auth/login', { email, password })).status).toBe(200)
  expect((await app().send('POST', '/totp/confirm', { code: 'abcdef' }, headers)).status).toBe(422)
  expect((await app().send('POST', '/totp/confirm', { code: user.code() }, headers)).status).toBe(422)
  const code = codeOf(uri)
  expect((await app().send('POST', '/totp/confirm', { code }, headers)).status).toBe(200)
  expect((await app().send('POST', '/totp/confirm', { code }, headers)).status).toBe(422)
  const replayed = await app().send('POST', '/auth/login', { email, password }, { 'one-time-code': code })
  expect(answer(replayed)).toEqual([401, 'totp_refused'])
})
