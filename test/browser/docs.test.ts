import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { baseUrl, buildShop, type Shop } from '../../examples/shop/app.ts'
import { isThere } from '../needed-program.ts'
import { openChromium } from './chromium.ts'
import { openDocs, tryOut } from './docs-page.ts'

let shop: Shop
let origin: string
let context: BrowserContext
const closes: (() => Promise<unknown>)[] = []

const hasChromium = isThere('chromium', 'the tests of the documentation page in a browser')

beforeEach(({ skip }) => skip(!hasChromium, 'Chromium is missing.'))

beforeAll(async () => {
  if (!hasChromium) return
  shop = await buildShop({ database: ':memory:', products: 100 })
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

test.each(['/docs', '/docs/'])('%s shows every operation, and nothing leaves the machine', async (path) => {
  const { page, complaints } = await openDocs({ context, origin }, path)
  const documented = shop.rest.operations.filter(({ tag }) => tag !== undefined)
  expect(documented.length).toBeGreaterThan(0)
  for (const { id, tag } of documented) await page.locator(`#operations-${tag}-${id}`).waitFor()
  expect(await page.locator('.opblock').count()).toBe(documented.length)
  expect(await page.title()).toBe('Shop')
  expect(complaints).toEqual([])
})

test('a request is sent from the page, and its reply is read there', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs')
  const got = await tryOut(page, 'Product-getProduct', (operation) =>
    operation.locator('input').first().fill('7'),
  )
  const { body } = await shop.app.inject(`${baseUrl}/products/7`)
  expect(got).toEqual({ status: '200', body: JSON.parse(body) })
  expect(page.url()).toContain('#/Product/getProduct')
  expect(complaints).toEqual([])
})

test('a list is asked for the fields that are chosen on the page', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs')
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).search))
  const whole = await tryOut(page, 'Product-listProducts', async () => undefined)
  expect(whole).toMatchObject({ status: '200', body: { items: expect.any(Array) } })
  const operation = page.locator('#operations-Product-listProducts')
  const chosen = operation.locator('tr[data-param-name="fields"] select')
  expect(await chosen.locator('option').allTextContents()).toEqual(['--', 'id', 'name', 'price', 'in_stock'])
  await chosen.selectOption(['price', 'name'])
  await operation.locator('button.execute').click()
  await operation.locator('.request-url', { hasText: 'fields=' }).waitFor()
  await expect.poll(() => sent.at(-1)).toMatch(/[?&]fields=name(,|%2C)price(&|$)/)
  const text = operation.locator('.live-responses-table .highlight-code code').first()
  await expect
    .poll(async () => Object.keys(JSON.parse((await text.textContent()) ?? '').items[0]))
    .toEqual(['id', 'name', 'price'])
  expect(complaints).toEqual([])
})

test('an error is explained with an example and its schema', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs#/Product/getProduct')
  const error = page.locator('#operations-Product-getProduct .response[data-code="404"]')
  expect(await error.textContent()).toContain('urn:modelrest:problem:not_found')
  await error.getByRole('tab', { name: 'Schema' }).click()
  await error.getByText('instance').waitFor()
  expect(complaints).toEqual([])
})

test('a record is created from the page', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs/')
  const sent = { name: 'Sent from the page', price: '9.90', in_stock: false }
  const created = await tryOut(page, 'Product-createProduct', (operation) =>
    operation.locator('textarea').fill(JSON.stringify(sent)),
  )
  expect(created).toEqual({ status: '201', body: { id: created.body['id'], ...sent } })
  const { body } = await shop.app.inject(`${baseUrl}/products/${created.body['id']}`)
  expect(JSON.parse(body)).toEqual(created.body)
  expect(complaints).toEqual([])
})
