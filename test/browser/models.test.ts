// @module-tag programs

import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { type AnySQLiteColumn, integer, type SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest, type ModelRestOptions } from '../../src/entry/fastify.ts'
import { browserFor } from './chromium.ts'
import { openDocs } from './docs-page.ts'

const customers = sqliteTable('customers', { id: integer().primaryKey(), name: text() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  customer_id: integer().references(() => customers.id),
  replaces_id: integer().references((): AnySQLiteColumn => orders.id),
})
const items = sqliteTable('items', {
  id: integer().primaryKey(),
  order_id: integer().references(() => orders.id),
  customer_id: integer().references(() => customers.id),
})
const notes = sqliteTable('notes', { id: integer().primaryKey(), body: text() })

const ddl = `
  create table customers (id integer primary key, name text);
  create table orders (id integer primary key, customer_id integer references customers, replaces_id integer references orders);
  create table items (id integer primary key, order_id integer references orders, customer_id integer references customers);
  create table notes (id integer primary key, body text);`

const context = browserFor('the tests of the picture of the models')

const withPage = async (
  tables: Readonly<Record<string, SQLiteTable>>,
  statements: string,
  run: (page: Page, complaints: readonly string[]) => Promise<void>,
  options: Pick<ModelRestOptions, 'modelConfig'> = {},
): Promise<void> => {
  const client = new Database(':memory:')
  client.exec(statements)
  const app = Fastify()
  const models = drizzleModels(drizzle({ client }), tables)
  await new ModelRest(app, { models, ...options } as ModelRestOptions).init()
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  // Groups of many operations are folded, unless the address names one.
  const { page, complaints } = await openDocs({ context: context(), origin }, '/docs#/Hub', '')
  await page.locator('.models summary').click()
  await page.locator('.models-box').first().waitFor()
  await run(page, complaints)
  await page.close()
  await app.close()
}

const boxes = (page: Page) => page.locator('.models-name').allTextContents()

test('a picture shows the models and their references, and leads to the operations of each', async () => {
  await withPage({ customers, orders, items, notes }, ddl, async (page, complaints) => {
    expect((await boxes(page)).toSorted()).toEqual(['Customer', 'Item', 'Note', 'Order'])
    const lines = (await page.locator('.models-line title').allTextContents()).toSorted()
    expect(lines).toHaveLength(4)
    for (const [from, to] of [
      ['Item', 'Customer'],
      ['Item', 'Order'],
      ['Order', 'Customer'],
      ['Order', 'Order'],
    ])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${from} .*${to}$`)))
    await page.locator('.models select').selectOption('Customer')
    await expect.poll(async () => (await boxes(page)).toSorted()).toEqual(['Customer', 'Item', 'Order'])
    const operation = page.locator('#operations-Order-listOrders')
    await page.locator('#operations-tag-Order').click()
    await operation.waitFor({ state: 'detached' })
    await page.locator('.models-box', { hasText: 'Order' }).click()
    await operation.waitFor()
    const top = () => operation.evaluate((node) => node.getBoundingClientRect().top)
    await expect.poll(top).toBeLessThan(1000)
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(complaints).toEqual([])
  })
})

test('a model without operations has no box, and no line leads to it', async () => {
  const modelConfig = { Customer: { operations: ['related'] as const } }
  await withPage(
    { customers, orders, items, notes },
    ddl,
    async (page, complaints) => {
      expect((await boxes(page)).toSorted()).toEqual(['Item', 'Note', 'Order'])
      expect(await page.locator('.models-line').count()).toBe(2)
      expect(complaints).toEqual([])
    },
    { modelConfig },
  )
})

test('of many models, it shows one and its neighbors', async () => {
  const hub = sqliteTable('hubs', { id: integer().primaryKey() })
  const names = Array.from({ length: 45 }, (_, at) => `kind${String.fromCharCode(97 + (at % 26))}${at}s`)
  const spokes = names.map((name, at) =>
    sqliteTable(name, {
      id: integer().primaryKey(),
      ...(at < 3 && { hub_id: integer().references(() => hub.id) }),
    }),
  )
  const tables = Object.fromEntries([['hubs', hub], ...spokes.map((table, at) => [names[at], table])])
  const statements = names.map((name) => `create table ${name} (id integer primary key, hub_id integer);`)
  await withPage(
    tables,
    `create table hubs (id integer primary key);${statements.join('')}`,
    async (page) => {
      expect(await boxes(page)).toHaveLength(4)
      expect(await page.locator('.models-chosen .models-name').textContent()).toBe('Hub')
      expect(await page.locator('.models option').count()).toBe(46)
    },
  )
})
