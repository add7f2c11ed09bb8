import { once } from 'node:events'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { ormExample } from './orm-example.ts'
import { pinned } from './pinned.ts'
import { shell, succeed } from './shell.ts'

const helper = '@prisma/generator-helper'

// Its engine only writes migrations, and would be downloaded.
const offline = { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' }
const generate = 'npx prisma generate'

const manifest = {
  ...{ private: true, type: 'module' },
  // The version before downloads its binary.
  overrides: { 'better-sqlite3': pinned('better-sqlite3').replace(/^.*@/, '') },
}
const example = ormExample('prisma', (path) => succeed(generate, path, offline), {
  'package.json': JSON.stringify(manifest),
})

test.each(['docs/from-prisma.md', 'docs/sources.md'])(
  '%s installs a version of it that package.json allows',
  (page) => {
    const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly peerDependencies: Readonly<Record<string, string>>
    }
    const [major] = /\d+/.exec(peerDependencies[helper] ?? '') ?? []
    expect(readFileSync(page, 'utf8')).toContain(`npm i -D ${helper}@${major}\n`)
  },
)

test('generating without the package of the generator says which to install', async () => {
  const { path } = example()
  const [installed, away] = [join(path, 'node_modules', helper), join(path, 'generator-helper')]
  renameSync(installed, away)
  const { code, output } = await shell(generate, path, offline)
  renameSync(away, installed)
  expect(code).toBe(1)
  expect(output).toContain(`npm install --save-dev ${helper}@7`)
  expect(output).not.toContain('node:internal')
})

test('compiles', async () => {
  await succeed('npx tsc -p .', example().path)
})

test('serves the models of its schema, with its hooks', async () => {
  const { path, start } = example()
  const database = new DatabaseSync(join(path, 'shop.db'))
  database.exec(readFileSync(join(path, 'prisma/migrations/0_init/migration.sql'), 'utf8'))
  database.close()
  const { child, ask } = await start('server.ts')
  const customer = { name: 'Ada', email: 'ada@example.com' }
  expect(await ask('POST', '/customers/', customer)).toMatchObject({
    status: 201,
    json: { id: 1, ...customer },
  })
  expect(await ask('POST', '/customers/', customer)).toMatchObject({
    ...{ status: 409, json: { code: 'unique_conflict' } },
  })
  const order = await ask('POST', '/orders/', { number: 'A-1', customerId: 1 })
  expect(order).toMatchObject({ status: 201, json: { id: 1, status: 'open' } })
  // Written by a hook, with Prisma, in the transaction of the order.
  expect((await ask('GET', '/audits/')).json.items).toMatchObject([{ text: 'Order A-1 was placed.' }])
  await ask('POST', '/lines/', { orderId: 1, product: 'Lamp' })
  const found = await ask('GET', '/orders/?q=customer.name=ada&include=customer,lines')
  expect(found.json.items).toMatchObject([
    { number: 'A-1', customer: { name: 'Ada' }, lines: [{ product: 'Lamp', quantity: 1 }] },
  ])
  expect((await ask('PATCH', '/orders/1', { status: 'paid' })).status).toBe(200)
  expect((await ask('PATCH', '/orders/1', { status: 'open' })).status).toBe(409)
  expect((await ask('POST', '/audits/', { text: 'x' })).status).toBe(405)
  const document = (await ask('GET', '/openapi.json')).json
  expect(JSON.stringify(document)).toContain('"enum":["open","paid"]')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
