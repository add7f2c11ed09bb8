import { URI } from 'otpauth'
import { expect, test } from 'vitest'
import { application, password } from './application.ts'
import { mailbox } from './mailbox.ts'

const post = mailbox()
const app = application('server.ts', { env: () => ({ SMTP_URL: post.url() }) })

const ask = (email: string) => app().send('POST', '/links', { email })
const redeem = (token: string, headers = {}) => app().send('POST', '/links/redeem', { token }, headers)
const linkFor = async (email: string): Promise<string> => {
  const { to, token } = await post.next(() => ask(email))
  expect(to).toEqual([email])
  return token
}

test('checklist 47: a link signs its user in, once, even for two requests at the same time', async () => {
  await app().userWith('ada@example.com')
  const token = await linkFor('ada@example.com')
  const answers = await Promise.all([redeem(token), redeem(token)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  const access = answers.map(({ json }) => json['access']).find((token) => token !== undefined)
  const me = await app().send('GET', '/auth/me', undefined, { authorization: `Bearer ${access}` })
  expect(me.json['email']).toBe('ada@example.com')
  expect((await redeem(token)).status).toBe(422)
})

test('checklist 47: the response is the same for every address, and only known and verified ones get mail', async () => {
  await app().userWith('known@example.com')
  for (const [email, column] of [
    ['disabled', 'is_active'],
    ['unverified', 'email_verified'],
  ] as const) {
    await app().userWith(`${email}@example.com`)
    app().database.exec(`update users set ${column} = 0 where email = '${email}@example.com'`)
  }
  const before = post.mails.length
  const answers = []
  for (const name of ['unknown', 'disabled', 'unverified', 'a@b, known'])
    answers.push(await ask(`${name}@example.com`))
  const { token } = await post.next(async () => answers.push(await ask(' KNOWN@example.com ')))
  expect(token).not.toBe('')
  const shown = answers.map(({ status, text, headers }) => [status, text, headers.get('content-type')])
  expect(new Set(shown.map((one) => JSON.stringify(one)))).toEqual(new Set(['[202,"",null]']))
  expect(post.mails.length - before).toBe(1)
})

test('checklist 47: a user gets one mail a minute, however often someone asks', async () => {
  await app().userWith('often@example.com')
  await app().userWith('after@example.com')
  const before = post.mails.length
  await post.next(async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('often@example.com')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  })
  await linkFor('after@example.com')
  expect(post.mails.slice(before).map(({ to }) => to[0])).toEqual(['often@example.com', 'after@example.com'])
})

test('a link ends after its time, and when the address changes', async () => {
  await app().userWith('grace@example.com')
  const late = await linkFor('grace@example.com')
  app().database.exec('update one_time_tokens set expires_at = 1')
  expect((await redeem(late)).status).toBe(422)
  await app().userWith('moved@example.com')
  const moved = await linkFor('moved@example.com')
  app().database.exec("update users set email = 'elsewhere@example.com' where email = 'moved@example.com'")
  expect((await redeem(moved)).status).toBe(422)
})

test('a link of a disabled user, a cut one and another purpose are refused', async () => {
  await app().userWith('leaver@example.com')
  const token = await linkFor('leaver@example.com')
  for (const wrong of ['', token.slice(1), `${token}A`]) expect((await redeem(wrong)).status).toBe(422)
  const reset = await post.next(() =>
    app().send('POST', '/auth/password/reset', { email: 'leaver@example.com' }),
  )
  expect((await redeem(reset.token)).status).toBe(422)
  const confirmed = await app().send('POST', '/auth/password/reset/confirm', {
    token,
    password: 'a new long password',
  })
  expect(confirmed.status).toBe(422)
  app().database.exec("update users set is_active = 0 where email = 'leaver@example.com'")
  expect((await redeem(token)).status).toBe(401)
})

test('a form of another site does not redeem a link', async () => {
  await app().userWith('form@example.com')
  const token = await linkFor('form@example.com')
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const headers = { 'content-type': type, origin: 'https://evil.example' }
    const { status } = await app().send('POST', '/links/redeem', { token }, headers)
    expect([415, 422]).toContain(status)
  }
  expect((await redeem(token)).status).toBe(200)
})

test('a link does not replace the code of an authenticator app', async () => {
  const headers = await app().userWith('careful@example.com')
  const uri = String((await app().send('POST', '/totp', { password }, headers)).json['uri'])
  const codeOf = (later: number) => URI.parse(uri).generate({ timestamp: Date.now() + later * 30_000 })
  await app().send('POST', '/totp/confirm', { code: codeOf(0) }, headers)
  const token = await linkFor('careful@example.com')
  const refused = await redeem(token)
  expect([refused.status, refused.json['code']]).toEqual([401, 'totp_required'])
  expect((await redeem(token, { 'one-time-code': 'abcdef' })).status).toBe(401)
  expect((await redeem(token, { 'one-time-code': codeOf(1) })).status).toBe(200)
})

test('one address sends a limited number of requests', async () => {
  const statuses = new Set<number>()
  for (let n = 0; n < 51; n += 1) statuses.add((await redeem(`token ${n}`)).status)
  expect(statuses).toEqual(new Set([422, 429]))
})
