import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { baseUrl, buildShop } from '../examples/shop/app.ts'

// Takes the picture in README.md from the running example: node scripts/pictures.ts

const folder = 'docs/pictures'
const mostBytes = 200_000

const profile = mkdtempSync(join(tmpdir(), 'modelrest-pictures-'))
const shop = await buildShop({ database: ':memory:' })
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  viewport: { width: 1100, height: 900 },
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const origin = await shop.app.listen({ port: Number(process.env['PORT'] ?? 3000) })
  const page = await context.newPage()
  await page.goto(`${origin.replace('[::1]', 'localhost').replace('127.0.0.1', 'localhost')}${baseUrl}/docs`)
  mkdirSync(folder, { recursive: true })
  await page.locator('.opblock').first().waitFor()
  const models = page.locator('details.models')
  await models.locator('summary').click()
  await models.locator('svg').waitFor()
  await models.evaluate((element) => element.scrollIntoView())
  await page.screenshot({ path: `${folder}/docs.png` })
} finally {
  await context.close()
  await shop.app.close()
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
}
for (const name of readdirSync(folder)) {
  const { size } = statSync(join(folder, name))
  if (size > mostBytes) throw new Error(`${name} has ${size} bytes, more than ${mostBytes}.`)
  console.log(`${name}: ${size} bytes`)
}
