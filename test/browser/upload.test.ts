// @module-tag programs

import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { baseUrl, buildShop, type Shop } from '../../examples/shop/app.ts'
import { addDemoUser, demoUser } from '../../examples/shop/demo-user.ts'
import { browserFor } from './chromium.ts'
import { openDocs, tryOut } from './docs-page.ts'

let shop: Shop
let origin: string

const context = browserFor('the tests of uploads on the documentation page')

afterEach(async () => {
  for (const page of context().pages()) await page.goto('about:blank')
  await context().clearCookies()
  await shop.app.close()
})

const start = async (secret?: string): Promise<void> => {
  shop = await buildShop({ database: ':memory:', products: 100, ...(secret !== undefined && { secret }) })
  if (secret !== undefined) await addDemoUser(shop.db)
  origin = await shop.app.listen({ host: '127.0.0.1', port: 0 })
}

/** A picture of 8 x 8 blue points. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAEklEQVR42mNgYPj/Hz8eGQoAcXh/gRCGQ+EAAAAASUVORK5CYII=',
  'base64',
)

/** The row of the form for one of its parts. */
const rowOf = (operation: Locator, name: string): Locator =>
  operation.locator(`[data-property-name="${name}"]`)

const chooseImage = async (page: Page, operation: Locator, buffer: Buffer): Promise<void> => {
  const opened = page.waitForEvent('filechooser')
  await rowOf(operation, 'image').locator('input[type=file]').click()
  await (await opened).setFiles({ name: 'Blue & <small>.png', mimeType: 'image/png', buffer })
}

const uploadCategory = (page: Page, name: string, image = picture): ReturnType<typeof tryOut> =>
  tryOut(page, 'Category-createCategory', async (operation) => {
    await rowOf(operation, 'name').locator('input').fill(name)
    await chooseImage(page, operation, image)
  })

/** How large the picture at a URL is in an `<img>` of the page. */
const shownSize = async (page: Page, url: unknown): Promise<unknown> =>
  page.evaluate(`(async () => {
    const image = document.createElement('img')
    image.src = ${JSON.stringify(url)}
    document.body.prepend(image)
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  })()`)

const fetched = async (url: string) => {
  const reply = await fetch(new URL(url, origin))
  const bytes = Buffer.from(await reply.arrayBuffer())
  return { status: reply.status, type: reply.headers.get('content-type'), bytes }
}

const isPicture = { status: 200, type: 'image/png', bytes: picture }

test('an image is uploaded from the page, and the URL of the reply shows it', async () => {
  await start()
  const { page, complaints } = await openDocs({ context: context(), origin }, '/docs')
  const { status, body } = await uploadCategory(page, 'Blue things')
  expect([status, body['name']]).toEqual(['201', 'Blue things'])
  const url = String(body['image'])
  expect(url).toMatch(new RegExp(`^${baseUrl}/media/categories/${body['id']}/image/[a-z2-7]{26}\\.png$`))
  expect(await fetched(url)).toEqual(isPicture)
  expect(await shownSize(page, url)).toEqual([8, 8])
  expect(complaints).toEqual([])
})

test('what is no image is refused by its content, and the page says why', async () => {
  await start()
  const { page } = await openDocs({ context: context(), origin }, '/docs')
  const script = Buffer.from('<script>alert(1)</script>')
  const { status, body } = await uploadCategory(page, 'Scripts', script)
  expect(status).toBe('422')
  expect(body).toMatchObject({ errors: [{ pointer: '/image', code: 'invalid_format' }] })
})

test('with authentication whoever is logged in uploads one, and its signed URL shows it to anybody', async () => {
  await start('the secret of this test, which nobody else knows')
  const { page, complaints } = await openDocs({ context: context(), origin }, '/docs')
  await tryOut(page, 'Auth-login', (operation) =>
    operation.locator('textarea').fill(JSON.stringify(demoUser)),
  )
  const { status, body } = await uploadCategory(page, 'Blue things')
  expect(status).toBe('201')
  const url = String(body['image'])
  expect(url).toMatch(/\.png\?expires=\d+&signature=[\w-]+$/)
  await context().clearCookies()
  expect(await shownSize(page, url)).toEqual([8, 8])
  expect(await fetched(url)).toEqual(isPicture)
  expect(await fetched(url.replace(/\?.*/, ''))).toMatchObject({ status: 401 })
  expect(complaints).toEqual([])
})
