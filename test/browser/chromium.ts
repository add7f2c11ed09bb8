import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { areRunning } from '../needed-program.ts'

const executablePath = '/usr/bin/chromium'

/** A browser with a new profile, that can reach this machine alone. */
export const openChromium = async (): Promise<{ context: BrowserContext; close: () => Promise<void> }> => {
  const profile = mkdtempSync(join(tmpdir(), 'modelrest-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: 1200, height: 1000 },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const close = async () => {
    await context.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  return { context, close }
}

/** Opens a browser for all tests of a file, and closes it after them. Without Chromium they are skipped, and say so. */
export const browserFor = (tests: string): (() => BrowserContext) => {
  const hasChromium = areRunning('chromium', tests)
  let browser: Awaited<ReturnType<typeof openChromium>> | undefined
  beforeAll(async () => {
    if (hasChromium) browser = await openChromium()
  })
  afterAll(() => browser?.close())
  return () => {
    if (browser === undefined) throw new Error('The browser is not open.')
    return browser.context
  }
}
