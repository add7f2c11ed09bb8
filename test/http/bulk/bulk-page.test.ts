import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { testApi } from '../../../src/testing/index.ts'

const page = readFileSync('docs/bulk.md', 'utf8')
const exchanges = [...page.matchAll(/```text\n(POST|PATCH|DELETE) (\S+)(?: ([^\n]+))?\n\n(.+?)```/gs)]

test('docs/bulk.md shows the responses of its requests', async () => {
  const client = new Database(':memory:')
  client.exec('create table products (id integer primary key, name text not null, price integer not null)')
  const products = sqliteTable('products', {
    id: integer().primaryKey(),
    name: text().notNull(),
    price: integer().notNull(),
  })
  const api = await testApi<unknown>({
    models: drizzleModels(drizzle({ client }), { products }),
    modelConfig: { Product: { bulk: true } } as never,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  expect(exchanges).toHaveLength(6)
  for (const [, method = '', path = '', body, shown = ''] of exchanges) {
    const send = { POST: api.post, PATCH: api.patch, DELETE: api.delete }[method] ?? expect.unreachable()
    const { json } = await send(path, body === undefined ? undefined : JSON.parse(body))
    expect([path, json]).toEqual([path, JSON.parse(shown)])
  }
  await api.close()
  client.close()
})
