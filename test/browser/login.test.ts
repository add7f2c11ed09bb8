import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'
import { addDemoUser, demoUser } from '../../examples/shop/demo-user.ts'
import { isThere } from '../needed-program.ts'
import { openChromium } from './chromium.ts'
import { openDocs, tryOut } from './docs-page.ts'

let shop: Shop
let origin: string
let context: BrowserContext
const closes: (() => Promise<unknown>)[] = []

const hasChromium = isThere('chromium', 'the tests of logging in on the documentation page')

beforeEach(async ({ skip }) => {
  skip(!hasChromium, 'Chromium is missing.')
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
  const login = await tryOut(page, 'Auth-login', (operation) =>
    operation.locator('textarea').fill(credentials),
  )
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
  expect(complaints).toEqual([])
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
  const me = await tryOut(page, 'Auth-getMe')
  expect(me).toMatchObject({ status: '200', body: { email: demoUser.email } })
  expect(complaints.filter((complaint) => !isRefusal(complaint))).toEqual([])
})
