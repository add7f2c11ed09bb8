// @module-tag programs

import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { areRunning } from '../needed-program.ts'
import { onFastify } from '../stage/apps.ts'
import { counted, text } from '../stage/columns.ts'
import { openSqlite } from '../stage/databases.ts'
import { declare } from '../stage/declared.ts'
import { openChromium } from './chromium.ts'
import { tryOut } from './docs-page.ts'

const TOKEN = 'the-token-of-this-test'

let origin: string
let context: BrowserContext
const closes: (() => Promise<unknown>)[] = []

const hasChromium = areRunning('chromium', 'the tests of a documentation page that asks for a token')

beforeAll(async () => {
  if (!hasChromium) return
  const { tables, ddl } = declare({ notes: { id: counted, text: text() } }).sqlite
  const { models, close } = openSqlite(tables, ddl)
  const authenticate = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
    headers['authorization'] === `Bearer ${TOKEN}` ? { id: 1, claims: {} } : null
  const options = {
    models,
    auth: { authenticate } as never,
    openapi: { title: 'Notes', public: 'page' } as const,
  }
  const app = await onFastify(options, { listening: true })
  origin = `http://127.0.0.1:${app.port}/api`
  const browser = await openChromium()
  context = browser.context
  closes.push(browser.close, app.stop, close)
})

afterAll(async () => {
  for (const close of closes) await close()
})

test('the page asks for a token, loads the document and sends requests with it, and forgets it', async () => {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(`${origin}/docs`)
  const form = page.locator('form.token')
  await form.locator('input').fill('another')
  await form.locator('button').click()
  await form.getByRole('status').filter({ hasText: /./ }).waitFor()
  expect(await page.locator('.opblock').count()).toBe(0)
  await form.locator('input').fill(TOKEN)
  await form.locator('button').click()
  await page.locator('.opblock').first().waitFor()
  expect(await tryOut(page, 'Note-createNote')).toMatchObject({ status: '201' })
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored + JSON.stringify(await context.cookies())).not.toContain(TOKEN)
  await page.reload()
  await form.locator('input').waitFor()
  expect(complaints).toEqual([])
})

test('only the page is public, and says nothing of the models', async () => {
  const ask = (path: string) => fetch(`${origin}${path}`)
  expect((await ask('/openapi.json')).status).toBe(401)
  const reply = await ask('/docs')
  const html = await reply.text()
  expect([reply.status, html.includes('Notes')]).toEqual([200, true])
  expect(html).not.toContain('/notes/')
})
