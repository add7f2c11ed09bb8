// @module-tag programs

import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { areRunning } from '../../needed-program.ts'
import { application, cookiesOf, password, type Reply } from './application.ts'
import { client, type Provider, startProvider } from './provider.ts'

const hasOpenssl = areRunning('openssl', 'the tests of single sign-on')
let provider: Provider

const authorities = getCACertificates('default')
beforeAll(async () => {
  if (!hasOpenssl) return
  provider = await startProvider()
  setDefaultCACertificates([...authorities, readFileSync(provider.certificate, 'utf8')])
  // The application reads them at the first login.
  Object.assign(process.env, { OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret })
})
afterAll(() => {
  setDefaultCACertificates(authorities)
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']) Reflect.deleteProperty(process.env, name)
  return provider?.close()
})

const app = application('server.ts', { env: () => (hasOpenssl ? { OIDC_ISSUER: provider.issuer } : {}) })

beforeEach(() => {
  provider.lie = {}
  provider.isLenient = false
})

/** Follows a redirect to the provider, as a browser does, and returns where it leads. */
const visit = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ ca: readFileSync(provider.certificate) })
    get(url, { agent }, ({ headers }) => {
      agent.destroy()
      resolve(headers.location ?? '')
    }).on('error', reject)
  })

interface Begun {
  /** Of the callback, with its query. */
  readonly path: string
  readonly cookie: string
}

/** A login at the provider, up to the callback. */
const begin = async (): Promise<Begun> => {
  const begun = await app().send('GET', '/oidc/login')
  expect(begun.status).toBe(303)
  const back = new URL(await visit(begun.headers.get('location') ?? ''))
  return { path: back.pathname + back.search, cookie: cookiesOf(begun) }
}

const finish = ({ path, cookie }: Begun): Promise<Reply> => app().send('GET', path, undefined, { cookie })

const me = async (reply: Reply) =>
  (await app().send('GET', '/auth/me', undefined, { cookie: cookiesOf(reply) })).json

const users = (): unknown => app().database.prepare('select count(*) from users').pluck().get()

test('a user logs in at the provider, and is the same user at the next login', async () => {
  provider.user = { sub: 'ada', email: 'Ada@Example.com', email_verified: true }
  const first = await finish(await begin())
  expect([first.status, first.headers.get('location')]).toEqual([303, '/'])
  expect(await me(first)).toMatchObject({ email: 'ada@example.com', email_verified: true, role: 'member' })
  // The address may change at the provider: the identity stays.
  provider.user = { sub: 'ada', email: 'ada@elsewhere.example', email_verified: true }
  const again = await finish(await begin())
  expect((await me(again))['id']).toBe((await me(first))['id'])
})

test('the cookie of a login is of this host, hidden from scripts and sent on the way back', async () => {
  const { headers } = await app().send('GET', '/oidc/login')
  const [cookie = ''] = headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-oidc=[\w-]{43};/)
  for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=600'])
    expect(cookie).toContain(part)
  const asked = new URL(headers.get('location') ?? '').searchParams
  expect([asked.get('code_challenge_method'), asked.get('scope')]).toEqual(['S256', 'openid email'])
  expect(asked.get('nonce')).not.toBe(asked.get('state'))
})

test('checklist 44: a callback works once, even for two requests at the same time', async () => {
  provider.user = { sub: 'once', email: 'once@example.com', email_verified: true }
  provider.isLenient = true
  const begun = await begin()
  const answers = await Promise.all([finish(begun), finish(begun)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400])
  expect((await finish(begun)).status).toBe(400)
})

test('checklist 44: the callback of an attacker does not sign a victim in, nor the other way round', async () => {
  provider.user = { sub: 'eve', email: 'eve@example.com', email_verified: true }
  const attacker = await begin()
  const victim = await begin()
  expect((await finish({ path: attacker.path, cookie: '' })).status).toBe(400)
  const refused = await finish({ path: attacker.path, cookie: victim.cookie })
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []])
})

test('a login that takes too long has to start again', async () => {
  const begun = await begin()
  app().database.exec('update one_time_tokens set expires_at = 1')
  expect((await finish(begun)).status).toBe(400)
})

test('checklist 44: what is not from the provider, or not for this client and login, is refused', async () => {
  provider.user = { sub: 'mallory', email: 'mallory@example.com', email_verified: true }
  const before = users()
  for (const lie of [
    { nonce: 'another' },
    { aud: 'another' },
    { iss: 'https://evil.example' },
    { nonce: undefined },
  ]) {
    provider.lie = lie
    const refused = await finish(await begin())
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []])
  }
  provider.lie = {}
  for (const change of [/code=[^&]+/, /state=[^&]+/, /iss=[^&]+/]) {
    const { path, cookie } = await begin()
    expect(
      (await finish({ path: path.replace(change, (old) => `${old.split('=')[0]}=wrong`), cookie })).status,
    ).toBe(400)
  }
  expect(users()).toBe(before)
})

test('checklist 44: an address that the provider has not verified, or that has an account, opens no session', async () => {
  provider.user = { sub: 'new', email: 'new@example.com' }
  for (const email_verified of [false, 'true', undefined]) {
    provider.user = { sub: 'new', email: 'new@example.com', email_verified }
    expect((await finish(await begin())).status).toBe(403)
  }
  await app().userWith('victim@example.com')
  provider.user = { sub: 'thief', email: 'VICTIM@example.com', email_verified: true }
  const refused = await finish(await begin())
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([409, []])
  expect((await app().send('POST', '/auth/login', { email: 'victim@example.com', password })).status).toBe(
    200,
  )
})

test('a disabled user gets no session', async () => {
  provider.user = { sub: 'leaver', email: 'leaver@example.com', email_verified: true }
  await finish(await begin())
  app().database.exec("update users set is_active = 0 where email = 'leaver@example.com'")
  const refused = await finish(await begin())
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []])
})

test('a user without a password proves who they are by a new login', async () => {
  provider.user = { sub: 'fresh', email: 'fresh@example.com', email_verified: true }
  const signedIn = await finish(await begin())
  const headers = { cookie: cookiesOf(signedIn), origin: app().origin }
  const ask = () => app().send('POST', '/passkeys/options', { password: '' }, headers)
  expect((await ask()).status).toBe(200)
  const foreign = { ...headers, origin: 'https://evil.example' }
  expect((await app().send('POST', '/passkeys/options', { password: '' }, foreign)).status).toBe(403)
  const headersOfLogin = await app().userWith('older@example.com')
  app().database.exec("update users set password = null where email = 'older@example.com'")
  const unproven = await app().send('POST', '/passkeys/options', { password: '' }, headersOfLogin)
  expect(unproven.status).toBe(403)
})

test('one address begins a limited number of logins, and those that expired are not kept', async () => {
  app().database.exec('update one_time_tokens set expires_at = 1')
  await begin()
  expect(
    app().database.prepare('select count(*) from one_time_tokens where expires_at = 1').pluck().get(),
  ).toBe(0)
  const statuses: number[] = []
  for (let n = 0; n < 51; n += 1) statuses.push((await app().send('GET', '/oidc/login')).status)
  expect(new Set(statuses)).toEqual(new Set([303, 429]))
  const kept = app()
    .database.prepare("select count(*) from one_time_tokens where purpose = 'oidc'")
    .pluck()
    .get()
  expect(kept).toBeLessThanOrEqual(50)
})
