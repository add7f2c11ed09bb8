// @module-tag programs

import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { action, controllerFor, ModelRest } from '../../src/entry/fastify.ts'
import { browserFor } from './chromium.ts'
import { openDocs, tryOut } from './docs-page.ts'

const notes = sqliteTable('notes', { id: integer().primaryKey(), body: text() })

const context = browserFor('the tests of actions on the documentation page')

test('actions are sent from the page, with and without a body', async () => {
  const database = new Database(':memory:')
  database.exec(
    "create table notes (id integer primary key, body text); insert into notes (body) values ('one')",
  )
  const models = drizzleModels(drizzle({ client: database }), { notes })
  const NoteController = controllerFor('Note', {
    actions: {
      append: action({
        on: 'record',
        input: z.object({ body: z.string() }),
        run: (_request, note, { body }) => ({ body: `${note['body']} ${body}` }),
      }),
      clear: action({ on: 'record', run: () => ({ body: null }) }),
    },
  })
  const app = Fastify()
  await app.register(
    async (api) => {
      await new ModelRest<unknown>(api, { models, controllers: [NoteController] }).init()
    },
    { prefix: '/api' },
  )
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const { page, complaints } = await openDocs({ context: context(), origin }, '/docs')
  const appended = await tryOut(page, 'Note-appendNote', async (operation) => {
    await operation.locator('input').first().fill('1')
    await operation.locator('textarea').first().fill('{ "body": "two" }')
  })
  expect(appended).toEqual({ status: '200', body: { id: 1, body: 'one two' } })
  const cleared = await tryOut(page, 'Note-clearNote', async (operation) => {
    expect(await operation.locator('textarea').count()).toBe(0)
    await operation.locator('input').first().fill('1')
  })
  expect(cleared).toEqual({ status: '200', body: { id: 1, body: null } })
  expect(complaints).toEqual([])
  await page.close()
  await app.close()
})
