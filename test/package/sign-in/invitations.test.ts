import { beforeAll, expect, test } from 'vitest'
import { application, cookiesOf, password } from './application.ts'
import { mailbox } from './mailbox.ts'

const post = mailbox()
const app = application('server.ts', { env: () => ({ SMTP_URL: post.url() }) })

let admin: Record<string, string>
let member: Record<string, string>
beforeAll(async () => {
  admin = await app().userWith('admin@example.com', { role: 'admin' })
  member = await app().userWith('member@example.com')
})

const invited = async (email: string): Promise<string> => {
  const { to, token } = await post.next(() => app().send('POST', '/invitations', { email }, admin))
  expect(to).toEqual([email])
  return token
}

const accept = (token: string, chosen = password) =>
  app().send('POST', '/invitations/accept', { token, password: chosen })

test('an invited user chooses a password and is signed in, by token and by cookie', async () => {
  const accepted = await accept(await invited('ada@example.com'))
  expect(accepted.status).toBe(200)
  expect(accepted.headers.get('cache-control')).toBe('no-store')
  const byToken = await app().send('GET', '/auth/me', undefined, {
    authorization: `Bearer ${accepted.json['access']}`,
  })
  expect(byToken.json).toMatchObject({ email: 'ada@example.com', email_verified: true, role: 'member' })
  const byCookie = await app().send('GET', '/auth/me', undefined, { cookie: cookiesOf(accepted) })
  expect(byCookie.json['id']).toBe(byToken.json['id'])
  const login = await app().send('POST', '/auth/login', { email: 'ada@example.com', password })
  expect(login.status).toBe(200)
})

test('only invited users get an account', async () => {
  const user = { email: 'eve@example.com', password }
  expect((await app().send('POST', '/auth/register', user)).status).toBe(404)
  expect((await app().send('POST', '/invitations', { email: user.email })).status).toBe(401)
  expect((await app().send('POST', '/invitations', { email: user.email }, member)).status).toBe(403)
})

test('checklist 47: an invitation works once, even for two requests at the same time', async () => {
  const token = await invited('once@example.com')
  const answers = await Promise.all([accept(token), accept(token)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  expect((await accept(token)).status).toBe(422)
})

test('checklist 47: an invitation ends after its time', async () => {
  const token = await invited('late@example.com')
  app().database.exec(`update one_time_tokens set expires_at = ${Date.now() - 1}`)
  expect((await accept(token)).status).toBe(422)
})

test('a new invitation ends the earlier one of the address, in any case', async () => {
  const first = await invited('twice@example.com')
  const { token } = await post.next(() =>
    app().send('POST', '/invitations', { email: 'Twice@Example.com' }, admin),
  )
  expect((await accept(first)).status).toBe(422)
  expect((await accept(token)).status).toBe(200)
})

test('a refused password does not use the invitation up', async () => {
  const token = await invited('weak@example.com')
  expect((await accept(token, 'password')).status).toBe(422)
  expect((await accept(token, 'weak@example.com')).status).toBe(422)
  expect((await accept(token)).status).toBe(200)
})

test('a token that is cut, of another purpose or a hash from the database is refused', async () => {
  const token = await invited('cut@example.com')
  const { hash } = app()
    .database.prepare("select hash from one_time_tokens where subject = 'cut@example.com'")
    .get() as {
    hash: string
  }
  const { token: link } = await post.next(() => app().send('POST', '/links', { email: 'member@example.com' }))
  for (const wrong of [token.slice(1), `${token}A`, '', hash, link])
    expect((await accept(wrong)).status).toBe(422)
  expect(JSON.stringify(app().database.prepare('select * from one_time_tokens').all())).not.toContain(token)
})

test('an invitation cannot take over an account, nor go to several addresses', async () => {
  const { status } = await app().send('POST', '/invitations', { email: 'MEMBER@example.com' }, admin)
  expect(status).toBe(409)
  const token = await invited('soon@example.com')
  await app().userWith('soon@example.com')
  expect((await accept(token, 'another lamp for every desk')).status).toBe(422)
  const login = await app().send('POST', '/auth/login', { email: 'soon@example.com', password })
  expect(login.status).toBe(200)
  for (const email of ['a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', 'none'])
    expect((await app().send('POST', '/invitations', { email }, admin)).status).toBe(422)
})
