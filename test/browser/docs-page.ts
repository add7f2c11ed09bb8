import type { BrowserContext, Locator, Page } from 'playwright-core'
import { baseUrl } from '../../examples/shop/app.ts'

/** A reply as the page shows it. */
export type Reply = Readonly<Record<string, unknown>>

/** The page, and what went wrong in it: refused by its policy, failed to load, thrown, sent elsewhere. */
export const openDocs = async (
  { context, origin }: { readonly context: BrowserContext; readonly origin: string },
  path: string,
  base: string = baseUrl,
): Promise<{ page: Page; complaints: string[] }> => {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`))
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol !== 'data:' && hostname !== '127.0.0.1') complaints.push(`${request.url()} left the machine`)
  })
  await page.goto(`${origin}${base}${path}`)
  await page.locator('.opblock').first().waitFor()
  return { page, complaints }
}

/** Opens an operation, sends its request and gives the reply as the page shows it. @param id as `Product-listProducts` */
export const tryOut = async (
  page: Page,
  id: string,
  fill: (operation: Locator) => Promise<void> = async () => undefined,
): Promise<{ status: string | undefined; body: Reply }> => {
  const operation = page.locator(`#operations-${id}`)
  await operation.locator('.opblock-summary-control').click()
  await fill(operation)
  await operation.locator('button.execute').click()
  const reply = operation.locator('.live-responses-table')
  return {
    status: (await reply.locator('.response-col_status').last().textContent())?.trim(),
    body: JSON.parse(
      (await reply.locator('.highlight-code code, .highlight-code pre').first().textContent()) ?? '',
    ) as Reply,
  }
}

/** A reply as it came. */
interface Sent {
  readonly status: number
  readonly url: URL
  readonly location: string | undefined
}

/**
 * Opens an operation, sends its request as the page shows it, and closes it again.
 * @param id as `Product-listProducts`
 * @param fill what is changed before
 */
export const execute = async (
  page: Page,
  id: string,
  fill: (operation: Locator) => Promise<void> = async () => undefined,
): Promise<Sent> => {
  const operation = page.locator(`#operations-${id}`)
  await operation.locator('.opblock-summary-control').click()
  await fill(operation)
  const answered = page.waitForResponse((response) => response.request().resourceType() === 'fetch')
  await operation.locator('button.execute').click()
  const response = await answered
  await operation.locator('.live-responses-table').waitFor()
  await operation.locator('.opblock-summary-control').click()
  return {
    status: response.status(),
    url: new URL(response.url()),
    location: response.headers()['location'],
  }
}
