// @module-tag programs

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseUrl, buildShop, type Shop } from '../../examples/shop/app.ts'
import { areRunning } from '../needed-program.ts'
import { openChromium } from './chromium.ts'
import { openDocs, tryOut } from './docs-page.ts'

const run = promisify(execFile)

let shop: Shop
let origin: string
let context: BrowserContext
const closes: (() => Promise<unknown>)[] = []

const hasChromium = areRunning('chromium', 'the tests of the documentation page in a browser')

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

test('a record is asked for with what is related to it', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs')
  const got = await tryOut(page, 'Order-getOrder', async (operation) => {
    await operation.locator('tr[data-param-name="id"] input').fill('7')
    await operation.locator('tr[data-param-name="include"] input').fill('customer(fields=name),items.product')
  })
  const { body } = await shop.app.inject(`${baseUrl}/orders/7?include=customer(fields=name),items.product`)
  expect(got).toEqual({ status: '200', body: JSON.parse(body) })
  expect(got.body).toHaveProperty('items.0.product.name')
  expect(complaints).toEqual([])
})

test('an error takes one line with its codes, until its example and schema are asked for', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs#/Product/createProduct')
  const operation = page.locator('#operations-Product-createProduct')
  const error = operation.locator('.response[data-code="400"]')
  await error.first().waitFor()
  expect(await error.first().textContent()).toContain('malformed_json')
  expect(await operation.textContent()).not.toContain('urn:modelrest:problem')
  const { height } = (await error.first().boundingBox()) ?? expect.unreachable()
  expect(height).toBeLessThan(80)
  await error.first().getByRole('button').click()
  const details = operation.locator('.error-details')
  expect(await details.textContent()).toContain('urn:modelrest:problem:malformed_json')
  // Only those of its own: lists share the response of this status.
  const names = await details.locator('.response-control-examples option').allTextContents()
  expect(names).toEqual(['malformed_json', 'unsupported_header', 'unknown_parameter'])
  await details.getByRole('tab', { name: 'Schema' }).click()
  await details.getByText('instance').waitFor()
  await error.first().getByRole('button').click()
  await details.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('an operation with a body fits in two screens', async () => {
  const { page } = await openDocs({ context, origin }, '/docs#/Product/createProduct')
  const operation = page.locator('#operations-Product-createProduct')
  await operation.locator('button.execute').waitFor()
  const { height } = (await operation.boundingBox()) ?? expect.unreachable()
  expect(height).toBeLessThan(2000)
})

test('an open list operation fits on a screen, and there is nothing to choose where there is one choice', async () => {
  const { page } = await openDocs({ context, origin }, '/docs#/Product/listProducts')
  const operation = page.locator('#operations-Product-listProducts')
  await operation.locator('button.execute').waitFor()
  const { height } = (await operation.boundingBox()) ?? expect.unreachable()
  expect(height).toBeLessThan(1000)
  expect(await page.locator('.servers').count()).toBe(0)
  expect(await operation.locator('.response-control-media-type').first().isVisible()).toBe(false)
})

test('the page is light or dark, as the reader prefers, and fits on a phone', async () => {
  const { page } = await openDocs({ context, origin }, '/docs#/Product/listProducts')
  const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).not.toBe(light)
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
})

test('the page shows code that sends the request again', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs')
  const sent = { name: 'The lamp\'s "shade" $(exit 9)', price: '9.90', in_stock: false }
  await tryOut(page, 'Product-createProduct', (operation) =>
    operation.locator('textarea').fill(JSON.stringify(sent)),
  )
  const shown = page.locator('#operations-Product-createProduct .request-snippets')
  const code = async (language: string): Promise<string> => {
    await shown.getByText(language, { exact: true }).click()
    return (await shown.locator('.curl-command code, .curl-command pre').first().textContent()) ?? ''
  }
  const languages = await shown.locator('.curl-command .btn h4').allTextContents()
  expect(languages).toEqual(['curl', 'fetch', 'Python'])
  const count = async () =>
    (await shop.app.inject(`${baseUrl}/products/?q=name=shade`)).json<{ count: number }>().count
  const before = await count()
  await run('sh', ['-c', await code('curl')])
  await run(process.execPath, ['--input-type=module', '-e', await code('fetch')])
  expect(await code('Python')).toContain(JSON.stringify(JSON.stringify(sent)))
  expect(complaints).toEqual([])
  expect(await count()).toBe(before + 2)
})

test('the defaults of a list are placeholders', async () => {
  const { page } = await openDocs({ context, origin }, '/docs#/Product/listProducts')
  const input = (name: string) =>
    page.locator(`#operations-Product-listProducts tr[data-param-name="${name}"] input`)
  await input('q').waitFor()
  for (const [name, placeholder] of [
    ['q', 'in_stock=true'],
    ['limit', '100'],
    ['offset', '0'],
  ] as const)
    expect([await input(name).getAttribute('placeholder'), await input(name).inputValue()]).toEqual([
      placeholder,
      '',
    ])
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
