// @module-tag programs

import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest } from '../../src/entry/fastify.ts'
import { browserFor } from './chromium.ts'
import { openDocs } from './docs-page.ts'

const notes = sqliteTable('notes', { id: integer().primaryKey(), body: text() })
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><rect width="160" height="40" fill="#0b6e4f"/></svg>'

const serve = async (logo: string) => {
  const database = new Database(':memory:')
  database.exec('create table notes (id integer primary key, body text)')
  const models = drizzleModels(drizzle({ client: database }), { notes })
  const app = Fastify()
  app.get('/logo.svg', (_request, reply) => reply.type('image/svg+xml').send(picture))
  await app.register(
    async (api) => {
      const openapi = { title: 'Notes & "more"', logo, color: '#0b6e4f' }
      const modelConfig = {
        Note: { description: 'What we <b>write</b> down.', fieldDescriptions: { body: 'In *words*.' } },
      }
      await new ModelRest<unknown>(api, { models, controllers: [], openapi, modelConfig }).init()
    },
    { prefix: '/api' },
  )
  return app
}

const context = browserFor('the tests of a logo and a colour on the documentation page')

test.each([
  ['a path', '/logo.svg'],
  ['data', `data:image/svg+xml,${encodeURIComponent(picture)}`],
])('a logo of %s and a colour are shown within the policy of the page', async (_, logo) => {
  const app = await serve(logo)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const { page, complaints } = await openDocs({ context: context(), origin }, '/docs#/Note/createNote')
  expect(await page.title()).toBe('Notes & "more"')
  const image = page.getByAltText('Notes & "more"')
  await expect
    .poll(() => page.evaluate("document.querySelector('.page-logo img').naturalWidth"))
    .toBeGreaterThan(0)
  expect((await image.boundingBox())?.height).toBe(56)
  const button = page.locator('button.execute')
  await button.waitFor()
  const style = await page.evaluate(`(() => {
    const { backgroundColor, color } = getComputedStyle(document.querySelector('button.execute'))
    return [backgroundColor, color]
  })()`)
  expect(style).toEqual(['rgb(11, 110, 79)', 'rgb(255, 255, 255)'])
  expect(await page.locator('.opblock-tag').first().textContent()).toContain('What we write down.')
  expect(complaints).toEqual([])
  if (process.env['SHOT'] !== undefined) await page.screenshot({ path: process.env['SHOT'] })
  await page.close()
  await app.close()
})
