import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { samples } from '../openapi/samples.ts'
import { openChromium } from './chromium.ts'
import { serveSamples } from './serve-samples.ts'

let context: BrowserContext
let url: string
const closes: (() => unknown)[] = []

beforeAll(async () => {
  const server = await serveSamples()
  closes.push(server.close)
  url = server.url
  const browser = await openChromium()
  closes.push(browser.close)
  context = browser.context
})

afterAll(async () => {
  for (const close of closes.toReversed()) await close()
})

/** The page, and what went wrong in it: refused by its policy, failed to load, thrown, sent elsewhere. */
const openDocs = async (path: string): Promise<{ page: Page; complaints: string[] }> => {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`))
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol !== 'data:' && hostname !== '127.0.0.1') complaints.push(`${request.url()} left the machine`)
  })
  await page.goto(url + path)
  await page.locator('.opblock').first().waitFor()
  return { page, complaints }
}

/** Opens an operation, sends its request and gives status and body of the reply as the page shows them. */
const tryOut = async (
  page: Page,
  id: string,
  fill: (operation: ReturnType<Page['locator']>) => Promise<void>,
) => {
  const operation = page.locator(`#operations-Product-${id}`)
  await operation.locator('.opblock-summary-control').click()
  await fill(operation)
  await operation.locator('button.execute').click()
  const reply = operation.locator('.live-responses-table')
  return {
    status: (await reply.locator('.response-col_status').last().textContent())?.trim(),
    body: (await reply.locator('.highlight-code code, .highlight-code pre').first().textContent())?.trim(),
  }
}

test.each(['/docs', '/docs/'])('%s shows every operation, and nothing leaves the machine', async (path) => {
  const { page, complaints } = await openDocs(path)
  for (const { id, tag } of samples) await page.locator(`#operations-${tag}-${id}`).waitFor()
  await page.locator('#operations-other-getHello').waitFor()
  expect(await page.locator('.opblock').count()).toBe(samples.length + 1)
  expect(await page.title()).toBe('Shop')
  expect(complaints).toEqual([])
})

test('a request is sent from the page, and its reply is read there', async () => {
  const { page, complaints } = await openDocs('/docs')
  const got = await tryOut(page, 'getProduct', (operation) => operation.locator('input').first().fill('1'))
  expect(got.status).toBe('200')
  expect(JSON.parse(got.body ?? '')).toEqual({ id: 1, name: 'Lamp', price: '9.90', in_stock: true })
  expect(page.url()).toContain('#/Product/getProduct')
  const documented = page.locator('#operations-Product-getProduct .response[data-code="404"]')
  expect(await documented.textContent()).toContain('urn:modelrest:problem:not_found')
  await documented.getByRole('tab', { name: 'Schema' }).click()
  expect(await documented.textContent()).toMatch(/Problem.*request_id/s)
  expect(complaints).toEqual([])
})

test('a body is sent from the page', async () => {
  const { page, complaints } = await openDocs('/docs/')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  const created = await tryOut(page, 'createProduct', (operation) =>
    operation.locator('textarea').fill('{ "name": "Lamp", "price": "9.90" }'),
  )
  expect((await sent).postDataJSON()).toEqual({ name: 'Lamp', price: '9.90' })
  expect(created.status).toBe('201')
  expect(complaints).toEqual([])
})
