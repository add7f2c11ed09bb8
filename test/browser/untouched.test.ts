// @module-tag programs

import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { buildShop } from '../../examples/shop/app.ts'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest } from '../../src/entry/fastify.ts'
import type { Operation } from '../../src/index.ts'
import { browserFor } from './chromium.ts'
import { execute, openDocs } from './docs-page.ts'

const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** A SQLite database with tables and without records. */
const emptyDatabase = (migrations: string) => {
  const client = new Database(':memory:')
  client.pragma('foreign_keys = ON')
  const db = drizzle({ client })
  migrate(db, { migrationsFolder: pathOf(migrations) })
  return { db, close: () => void client.close() }
}

interface Application {
  readonly app: Pick<FastifyInstance, 'listen' | 'close'>
  readonly operations: readonly Operation[]
}

/** What `modelrest init` writes for SQLite. */
const scaffolded = {
  models: 'src/cli/templates/sqlite/src/models.ts',
  controller: 'src/cli/templates/common/src/controllers/demo-item.ts',
  migrations: 'src/cli/templates/sqlite/migrations',
}

/** Its types are those of a project. */
const load = (path: string): Promise<Record<string, never>> => import(pathOf(path))

const scaffold = async (auth: boolean): Promise<Application> => {
  const { db, close } = emptyDatabase(scaffolded.migrations)
  const [[name, controller] = expect.unreachable()] = Object.entries(await load(scaffolded.controller))
  const models = drizzleModels(db, await load(scaffolded.models))
  const app = Fastify()
  let operations: readonly Operation[] = []
  await app.register(
    async (api) => {
      const rest = new ModelRest<unknown>(api, {
        ...{ models, auth, controllers: [controller] },
        modelConfig: { [name.replace('Controller', '')]: { readOnly: ['slug'] } },
        settings: auth ? { SECRET_KEY: 'the secret of this test, which nobody else knows', DEBUG: true } : {},
      })
      await rest.init()
      operations = rest.operations
    },
    { prefix: '/api' },
  )
  app.addHook('onClose', close)
  return { app, operations }
}

const shop = async (): Promise<Application> => {
  const { app, rest } = await buildShop({ database: emptyDatabase('examples/shop/migrations/sqlite') })
  return { app, operations: rest.operations }
}

const context = browserFor('the tests of untouched examples on the documentation page')

const withPage = async (
  { app, operations }: Application,
  run: (page: Page, operations: readonly Operation[]) => Promise<void>,
): Promise<void> => {
  try {
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const { page } = await openDocs({ context: context(), origin }, '/docs')
    await run(
      page,
      operations.filter(({ tag }) => tag !== undefined),
    )
    await page.close()
  } finally {
    await context().clearCookies()
    await app.close()
  }
}

type Fill = NonNullable<Parameters<typeof execute>[2]>

/** Operation -> what has to be filled in, because a key is random. @param keys of the new records, by model */
type Fills = (keys: ReadonlyMap<string | undefined, string>) => Readonly<Record<string, Fill>>

/** A list below a record is there once the record is. */
const verbOf = ({ id, path }: Operation): string | undefined => {
  const verb = /^(list|get|create)/.exec(id)?.[1]
  if (!path.includes('{id}/')) return verb
  return verb === 'list' ? 'get' : undefined
}

/** Presses Execute on each operation of models: lists, gets what is not there, creates it, and gets it. */
const tryModels = async (
  page: Page,
  operations: readonly Operation[],
  fills: Fills = () => ({}),
): Promise<void> => {
  const keys = new Map<string | undefined, string>()
  const press = async (verb: 'list' | 'get' | 'create', expected: number): Promise<void> => {
    for (const operation of operations) {
      const { id, tag, model } = operation
      if (model === undefined || verbOf(operation) !== verb) continue
      const { status, url, location } = await execute(page, `${tag}-${id}`, fills(keys)[id])
      expect([id, status, url.search]).toEqual([id, expected, ''])
      if (location !== undefined) keys.set(model, location.split('/').at(-1) ?? '')
    }
  }
  await press('list', 200)
  await press('get', 404)
  await press('create', 201)
  await press('get', 200)
}

describe('untouched examples succeed on an empty database', () => {
  test('of a new project', async () =>
    withPage(await scaffold(false), (page, operations) => tryModels(page, operations)))

  test('of a new project with users', async () =>
    withPage(await scaffold(true), async (page, operations) => {
      const statuses = new Map<string, number>()
      for (const id of ['register', 'login', 'getMe', 'refresh'])
        statuses.set(id, (await execute(page, `Auth-${id}`)).status)
      expect(Object.fromEntries(statuses)).toEqual({ register: 201, login: 200, getMe: 200, refresh: 200 })
      await tryModels(page, operations)
      expect((await execute(page, 'Auth-logout')).status).toBe(204)
    }))

  test('of the shop, but for the random key of a customer', { timeout: 180_000 }, async () =>
    withPage(await shop(), (page, operations) =>
      tryModels(page, operations, (keys) => {
        const customer = keys.get('Customer')
        if (customer === undefined) return {}
        const fillKey: Fill = (operation) => operation.locator('input').first().fill(customer)
        return {
          createOrder: async (operation) => {
            const body = operation.locator('textarea')
            const example = JSON.parse(await body.inputValue())
            expect(example).toHaveProperty('customer_id')
            await body.fill(JSON.stringify({ ...example, customer_id: customer }))
          },
          getCustomer: fillKey,
          listOrdersOfCustomer: fillKey,
        }
      }),
    ),
  )
})
