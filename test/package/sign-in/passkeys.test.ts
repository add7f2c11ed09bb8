// @module-tag programs

import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserFor } from '../../browser/chromium.ts'
import { application, password, type Reply } from './application.ts'

const app = application('server.ts')
const browser = browserFor('the tests of passkeys')

/** A page of the application's origin with the script of the documentation, and a device that unlocks itself. */
interface Visitor {
  readonly page: Page
  readonly device: CDPSession
  readonly authenticatorId: string
}

const open: Visitor[] = []

const visitorAt = async (origin: string): Promise<Visitor> => {
  const page = await browser().newPage()
  const script = app().project.files['browser.js']
  await page.route('**/sign-in', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<script type="module">${script}; Object.assign(window, { addPasskey, signInWithPasskey })</script>`,
    }),
  )
  await page.goto(`${origin}/sign-in`)
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  const visitor = { page, device, authenticatorId }
  open.push(visitor)
  return visitor
}

/** Calls a function of the script, and returns the bodies that it sent. */
const call = async (page: Page, code: string): Promise<{ result: unknown; sent: object[] }> => {
  const sent: object[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.postDataJSON())
  })
  const result = await page.evaluate(code).catch((error: unknown) => String(error))
  return { result, sent }
}

/** Signs in by password in this browser, as `email`. */
const enter = async ({ page }: Visitor, email: string): Promise<void> => {
  await page.context().clearCookies()
  const status = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/auth/login', { method: 'POST', headers, body })).status
  }, JSON.stringify({ email, password }))
  expect(status).toBe(200)
}

const me = (page: Page): Promise<unknown> =>
  page.evaluate("fetch('/auth/me').then((response) => response.json())")

const add = `addPasskey('${password}')`
const signIn = 'signInWithPasskey()'

let ada: Visitor
let headers: Record<string, string>
let other: Record<string, string>

beforeAll(async () => {
  headers = await app().userWith('ada@example.com')
  other = await app().userWith('eve@example.com')
})

afterAll(async () => {
  for (const { page } of open) await page.close()
})

const answer = ({ status, json }: Reply) => [status, Object.keys(json)]

test('a user adds a passkey and signs in with it, without a password', async () => {
  ada = await visitorAt(app().origin)
  await enter(ada, 'ada@example.com')
  expect((await call(ada.page, add)).result).toEqual({ id: expect.any(String) })
  await ada.page.context().clearCookies()
  const { result } = await call(ada.page, signIn)
  expect(result).toEqual({ access: expect.any(String), refresh: expect.any(String) })
  expect(await me(ada.page)).toMatchObject({ email: 'ada@example.com' })
})

test('checklist 46: what the browser sent signs in once, and a changed response not at all', async () => {
  const { sent } = await call(ada.page, signIn)
  const [, used = {}] = sent
  // Some devices do not count: then only the challenge tells that a response was used.
  app().database.exec('update passkeys set counter = 0')
  expect((await app().send('POST', '/passkeys/login', used)).status).toBe(401)

  // Takes the response from the page instead of sending it.
  await ada.page.route('**/passkeys/login', (route) => route.abort())
  const taken = async () => {
    const [, body] = (await call(ada.page, signIn)).sent
    return body as {
      id: string
      response: { signature: string; authenticatorData: string; clientDataJSON: string }
    }
  }
  const first = await taken()
  const { response } = first
  const flipped = (text: string) => `${text.slice(0, 40)}${text[40] === 'A' ? 'B' : 'A'}${text.slice(41)}`
  const wrong = [
    { ...first, response: { ...response, signature: flipped(response.signature) } },
    { ...(await taken()), id: 'AAAA', rawId: 'AAAA' },
    { ...(await taken()), response: { ...response, signature: (await taken()).response.signature } },
    { id: first.id, rawId: first.id, type: 'public-key', response: {} },
  ]
  for (const body of wrong) expect((await app().send('POST', '/passkeys/login', body)).status).toBe(401)

  const late = await taken()
  app().database.exec("update one_time_tokens set expires_at = 1 where purpose = 'passkey login'")
  expect((await app().send('POST', '/passkeys/login', late)).status).toBe(401)
  const good = await taken()
  const twice = await Promise.all([good, good].map((body) => app().send('POST', '/passkeys/login', body)))
  expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 401])
  await ada.page.unroute('**/passkeys/login')
})

test('checklist 46: a copy of a device, whose counter is behind, is refused', async () => {
  app().database.exec('update passkeys set counter = counter + 100')
  expect((await call(ada.page, signIn)).result).toContain('This passkey was not accepted.')
  app().database.exec('update passkeys set counter = 0')
  expect((await call(ada.page, signIn)).result).toMatchObject({ access: expect.any(String) })
})

test('checklist 46: a passkey of one user is not added to the account of another', async () => {
  const eve = await visitorAt(app().origin)
  await enter(eve, 'ada@example.com')
  await eve.page.route('**/passkeys', (route) => route.abort())
  const [, made = {}] = (await call(eve.page, add)).sent
  expect((await app().send('POST', '/passkeys', made)).status).toBe(401)
  // The challenge was issued for Ada. The attempt of the other user does not use it up.
  expect((await app().send('POST', '/passkeys', made, other)).status).toBe(422)
  expect(answer(await app().send('POST', '/passkeys', made, headers))).toEqual([201, ['id']])
  expect((await app().send('POST', '/passkeys', made, headers)).status).toBe(422)
})

test('a stolen access token adds no passkey, and removes none of another user', async () => {
  const begin = (given: string, who?: Record<string, string>) =>
    app().send('POST', '/passkeys/options', { password: given }, who)
  expect((await begin(password)).status).toBe(401)
  expect((await begin('a guess', headers)).status).toBe(403)
  const id = String(app().database.prepare('select id from passkeys').pluck().get())
  expect((await app().send('DELETE', `/passkeys/${id}`, undefined, other)).status).toBe(404)
  app().database.exec("update users set email_verified = 0 where email = 'eve@example.com'")
  expect((await begin(password, other)).status).toBe(403)
})

test('checklist 46: a device that does not verify its user is refused', async () => {
  const visitor = await visitorAt(app().origin)
  const { device, authenticatorId } = visitor
  await enter(visitor, 'ada@example.com')
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  expect((await call(visitor.page, add)).result).toContain('NotAllowedError')
})

test('checklist 46: a page of another origin gets no session, even on the same machine', async () => {
  const { page } = await visitorAt(app().origin.replace('localhost', '127.0.0.1'))
  expect((await call(page, signIn)).result).toContain('SecurityError')
})

test('a disabled user does not sign in, and a removed passkey neither', async () => {
  app().database.exec("update users set is_active = 0 where email = 'ada@example.com'")
  expect((await call(ada.page, signIn)).result).toBeTypeOf('string')
  app().database.exec("update users set is_active = 1 where email = 'ada@example.com'")
  await enter(ada, 'ada@example.com')
  const ids = app().database.prepare('select id from passkeys').pluck().all()
  for (const id of ids)
    expect((await app().send('DELETE', `/passkeys/${id}`, undefined, headers)).status).toBe(204)
  expect((await call(ada.page, signIn)).result).toContain('This passkey was not accepted.')
})
