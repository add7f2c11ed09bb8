import { expect, test } from 'vitest'
import { application, password } from './application.ts'
import { mailbox } from './mailbox.ts'

const post = mailbox()
const app = application('server.ts', { env: () => ({ SMTP_URL: post.url() }) })

const chosen = 'a chair for every desk'
const ask = (what: 'password/reset' | 'email/verify', email: string) =>
  app().send('POST', `/auth/${what}`, { email })
const login = async (email: string, text: string) =>
  (await app().send('POST', '/auth/login', { email, password: text })).status
const isVerified = (email: string): unknown =>
  app().database.prepare('select email_verified from users where email = ?').pluck().get(email)

test('a user sets a new password with the token of a mail, once', async () => {
  await app().userWith('ada@example.com')
  const { to, token, text } = await post.next(() => ask('password/reset', 'ADA@example.com'))
  expect(to).toEqual(['ada@example.com'])
  expect(text).toContain(`${app().origin}/reset#token=${token}`)
  const confirm = (given: string, again = chosen) =>
    app().send('POST', '/auth/password/reset/confirm', { token: given, password: again })
  expect((await confirm(token.slice(1))).status).toBe(422)
  expect((await confirm(token, 'password')).status).toBe(422)
  const notice = await post.next(async () => {
    const answers = await Promise.all([confirm(token), confirm(token)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 422])
  })
  expect([notice.to, notice.token]).toEqual([['ada@example.com'], ''])
  expect((await confirm(token, 'a third long password')).status).toBe(422)
  expect([await login('ada@example.com', password), await login('ada@example.com', chosen)]).toEqual([
    401, 200,
  ])
})

test('a user verifies an address with the token of a mail, and another user does not', async () => {
  for (const email of ['grace@example.com', 'eve@example.com']) {
    await app().userWith(email)
    app().database.prepare('update users set email_verified = 0 where email = ?').run(email)
  }
  const { to, token } = await post.next(() => ask('email/verify', 'grace@example.com'))
  expect(to).toEqual(['grace@example.com'])
  const confirm = () => app().send('POST', '/auth/email/verify/confirm', { token })
  const asReset = await app().send('POST', '/auth/password/reset/confirm', { token, password: chosen })
  expect([asReset.status, asReset.json['code']]).toEqual([422, 'invalid_body'])
  expect((await confirm()).status).toBe(204)
  expect([isVerified('grace@example.com'), isVerified('eve@example.com')]).toEqual([1, 0])
})

test('a mail goes to the stored address, whatever the request and its host header say', async () => {
  await app().userWith('linus@example.com')
  const before = post.mails.length
  const wrong = [
    'linus@example.com, mallory@example.com',
    'mallory@example.com',
    'linus@example.com\r\nBcc: mallory@example.com',
  ]
  for (const email of wrong) expect([202, 422]).toContain((await ask('password/reset', email)).status)
  const headers = { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' }
  const { to, text } = await post.next(() =>
    app().send('POST', '/auth/password/reset', { email: 'linus@example.com' }, headers),
  )
  expect(to).toEqual(['linus@example.com'])
  expect(text).not.toContain('evil.example')
  expect(post.mails.length - before).toBe(1)
})
