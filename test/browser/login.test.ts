// @module-tag programs

import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'
import { addDemoUser, demoUser } from '../../examples/shop/demo-user.ts'
import { usersTable } from '../../src/entry/drizzle-sqlite.ts'
import { areRunning } from '../needed-program.ts'
import { onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { openChromium } from './chromium.ts'
import { openDocs, tryOut } from './docs-page.ts'

let shop: Shop
let origin: string
let context: BrowserContext
const closes: (() => Promise<unknown>)[] = []

const hasChromium = areRunning('chromium', 'the tests of logging in on the documentation page')

beforeEach(async () => {
  await context.clearCookies()
})

beforeAll(async () => {
  if (!hasChromium) return
  const secret = 'the secret of this test, which nobody else knows'
  shop = await buildShop({ database: ':memory:', products: 100, secret })
  await addDemoUser(shop.db)
  closes.push(() => shop.app.close())
  origin = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  const browser = await openChromium()
  // First of all: the server waits for the connections that the browser keeps.
  closes.unshift(browser.close)
  context = browser.context
})

afterAll(async () => {
  for (const close of closes) await close()
})

const credentials = JSON.stringify({ email: demoUser.email, password: demoUser.password })

/** The browser says so of each reply with an error. */
const isRefusal = (complaint: string): boolean => complaint.includes('status of 401')

test('protected routes refuse whoever has not logged in, and are marked by a lock', async () => {
  const { page } = await openDocs({ context, origin }, '/docs')
  const refused = await tryOut(page, 'Product-listProducts')
  expect(refused).toMatchObject({ status: '401', body: { code: 'unauthenticated' } })
  expect(await page.locator('#operations-Product-listProducts .authorization__btn').count()).toBe(1)
  expect(await page.locator('#operations-Auth-login .authorization__btn').count()).toBe(0)
})

test('one logs in on the page and calls protected routes: the browser keeps the cookies', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs')
  const session = page.locator('#session')
  await session.getByText('You are not logged in.').waitFor()
  const login = await tryOut(page, 'Auth-login', (operation) =>
    operation.locator('textarea').fill(credentials),
  )
  await session.getByText(demoUser.email).waitFor()
  expect(login).toMatchObject({ status: '200', body: { user: { email: demoUser.email } } })
  const kept = await context.cookies()
  expect(kept.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
    ['service_access_token', true, 'Lax'],
    ['service_refresh_token', true, 'Lax'],
  ])

  const list = await tryOut(page, 'Product-listProducts')
  expect(list).toMatchObject({ status: '200', body: { count: expect.any(Number) } })
  const created = await tryOut(page, 'Product-createProduct', (operation) =>
    operation.locator('textarea').fill('{ "name": "Written by whoever logged in", "price": "9.90" }'),
  )
  expect(created.status).toBe('201')

  const logout = page.locator('#operations-Auth-logout')
  await logout.locator('.opblock-summary-control').click()
  await logout.locator('button.execute').click()
  await logout.locator('.live-responses-table .response-col_status', { hasText: '204' }).waitFor()
  expect(await context.cookies()).toEqual([])
  await session.getByText('You are not logged in.').waitFor()
  expect(complaints).toEqual([])
})

test('the code of a protected route needs a token, also if the page has a cookie', async () => {
  const { page } = await openDocs({ context, origin }, '/docs')
  await tryOut(page, 'Auth-login', (operation) => operation.locator('textarea').fill(credentials))
  await tryOut(page, 'Product-listProducts')
  const code = page.locator('#operations-Product-listProducts .curl-command code').first()
  expect(await code.textContent()).toContain('-H "Authorization: Bearer $TOKEN"')
  expect(await page.locator('#operations-Auth-login .curl-command code').first().textContent()).not.toContain(
    'TOKEN',
  )
})

test('one gives the page a token, and it goes with every request', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs')
  const login = await shop.app.inject({
    ...{ method: 'POST', url: '/api/auth/login', body: credentials },
    headers: { 'content-type': 'application/json' },
  })
  const { access } = login.json<{ access: string }>()
  await page.locator('.auth-wrapper .authorize').click()
  const bearer = page.locator('.auth-container', { hasText: 'bearer' })
  await bearer.locator('input').fill(access)
  await bearer.locator('button.authorize').click()
  await page.locator('.close-modal').click()
  await page.locator('#session').getByText(demoUser.email).waitFor()
  const me = await tryOut(page, 'Auth-getMe')
  expect(me).toMatchObject({ status: '200', body: { email: demoUser.email } })
  expect(complaints.filter((complaint) => !isRefusal(complaint))).toEqual([])
})

test('the page of an API at the root of its host says who is logged in', async () => {
  const { models, close } = openSqlite(
    { users: usersTable },
    `create table users (id integer primary key autoincrement, email text not null unique, username text unique, name text,
       password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()))`,
  )
  const app = await onFastify(
    { models, controllers: [], auth: true, settings: { SECRET_KEY: 'x'.repeat(40), DEBUG: true } } as never,
    { base: '', listening: true },
  )
  try {
    const { page, complaints } = await openDocs(
      { context, origin: `http://127.0.0.1:${app.port}` },
      '/docs',
      '',
    )
    const email = 'root@example.com'
    await tryOut(page, 'Auth-register', (operation) =>
      operation.locator('textarea').fill(JSON.stringify({ email, password: 'a good long one' })),
    )
    await page.locator('#session').getByText(email).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  } finally {
    await app.stop()
    await close()
  }
})
