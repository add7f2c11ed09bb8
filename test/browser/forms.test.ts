// @module-tag programs

import Fastify from 'fastify'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelRest } from '../../src/entry/fastify.ts'
import { sqliteWorld, type World } from '../http/files/writing-stage.ts'
import { areRunning } from '../needed-program.ts'
import { memoryStorage } from '../upload/memory-storage.ts'
import { samples } from '../upload/samples.ts'
import { openChromium } from './chromium.ts'
import { openDocs, tryOut } from './docs-page.ts'

let world: World
let origin: string
let context: BrowserContext
const closes: (() => Promise<unknown>)[] = []

const hasChromium = areRunning('chromium', 'the tests of forms in a browser')

beforeAll(async () => {
  if (!hasChromium) return
  world = await sqliteWorld()
  const app = Fastify()
  await app.register(
    async (api) =>
      new ModelRest(api, { models: world.models, controllers: [], storage: memoryStorage() } as never).init(),
    { prefix: '/api' },
  )
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const browser = await openChromium()
  closes.push(
    browser.close,
    () => app.close(),
    () => world.close(),
  )
  context = browser.context
})

afterAll(async () => {
  for (const close of closes) await close()
})

test('files are chosen on the page and sent as a form, whose other parts begin with values that fit', async () => {
  const { page, complaints } = await openDocs({ context, origin }, '/docs')
  const made = await tryOut(page, 'Document-createDocument', async (operation) => {
    const field = (name: string) => operation.locator(`tr.parameters[data-property-name="${name}"]`)
    await operation.locator('input[type=file]').nth(1).waitFor()
    expect(await operation.locator('input[type=file]').count()).toBe(2)
    await field('title').locator('input[type=text]').fill('From the page')
    expect(await field('pages').locator('input[type=text]').inputValue()).toBe('1')
    await field('pages').locator('input[type=text]').fill('12')
    await field('cover')
      .locator('input[type=file]')
      .setInputFiles({
        ...{ name: 'cover.png', mimeType: 'image/png' },
        buffer: Buffer.from(samples.png),
      })
    await field('content')
      .locator('input[type=file]')
      .setInputFiles({
        ...{ name: 'a.pdf', mimeType: 'application/pdf' },
        buffer: Buffer.from(samples.pdf),
      })
  })
  expect(made.body['errors']).toBe(undefined)
  expect(made).toMatchObject({
    status: '201',
    body: { title: 'From the page', pages: 12, cover: expect.stringMatching(/^\/api\/media\/.*\.png$/) },
  })
  expect(complaints).toEqual([])
})
