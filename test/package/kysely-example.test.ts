import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { serving } from '../readme/server.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { type Folder, program } from './folders.ts'
import { installed, packagesOf } from './installed.ts'
import { asking } from './orm-example.ts'
import { succeed } from './shell.ts'

const texts = Object.fromEntries(
  globSync('examples/kysely/*.{ts,json}').map((path) => [basename(path), readFileSync(path, 'utf8')]),
)

let folder: Folder
beforeAll(() => {
  folder = installed(packagesOf(texts['package.json']), texts)
})
afterAll(() => folder?.remove())

test('the source has at most 400 lines', () => {
  expect(texts['source.ts']?.trimEnd().split('\n').length).toBeLessThanOrEqual(400)
})

/** A test of the suite for each database. */
const TESTS = 200

const passed = (output: string): number => {
  expect(output).toMatch(/^# fail 0$/m)
  return Number(/^# pass (\d+)$/m.exec(output)?.[1])
}

const testing = `${program('node')} --test --test-reporter=tap`

test('passes the suite of the packed package on SQLite', async () => {
  const output = await succeed(`TZ=America/St_Johns ${testing}`, folder.path)
  expect(passed(output)).toBeGreaterThan(TESTS)
})

onPostgres('the suite of the packed package', () =>
  test('passes the suite of the packed package on PostgreSQL', async () => {
    const { url, drop } = await createDatabase('kysely')
    const output = await succeed(`DATABASE_URL=${url} ${testing}`, folder.path)
    await drop()
    expect(passed(output)).toBeGreaterThan(2 * TESTS)
  }),
)

test('serves its tables', async () => {
  const server = await serving(`${program('node')} server.ts`, folder.path, '/api/docs', {
    DATABASE: 'test.db',
  })
  onTestFinished(server.stop)
  const ask = asking(`${server.origin}/api`)
  expect(await ask('POST', '/customers/', { name: 'Ann' })).toMatchObject({ status: 201, json: { id: 1 } })
  const order = { customer_id: 1, total: '12.50', ordered_on: '2026-01-31' }
  expect(await ask('POST', '/orders/', order)).toMatchObject({ status: 201, json: { id: 1, ...order } })
  expect(await ask('POST', '/orders/', { ...order, customer_id: 2 })).toMatchObject({ status: 422 })
  expect((await ask('GET', '/customers/1?include=orders')).json).toMatchObject({ orders: [order] })
  expect((await ask('GET', '/orders/?q=customer.name==Ann')).json).toMatchObject({ count: 1 })
})
