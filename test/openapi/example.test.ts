import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'
import type { Operation } from '../../src/operation/operation.ts'
import { lint } from './lint.ts'

const migrationsFolder = fileURLToPath(new URL('../../examples/shop/migrations/sqlite', import.meta.url))

let shop: Shop

beforeEach(async () => {
  const client = new Database(':memory:')
  client.pragma('foreign_keys = ON')
  const db = drizzle({ client })
  migrate(db, { migrationsFolder })
  shop = await buildShop({ database: { db, close: () => void client.close() } })
})

afterEach(() => shop.app.close())

test('the document of the example is clean, and all examples in it fit their schemas', async () => {
  const reply = await shop.app.inject('/api/openapi.json')
  const document = reply.json()
  expect(document).toEqual(JSON.parse(JSON.stringify(shop.rest.openapi())))
  expect(Object.keys(document.paths)).toContain('/products/{id}')
  expect(await lint(document, true)).toEqual([])
})

/** Sends what the document shows. @param keys model -> the key of its record, if that is random */
const send = async (
  { method, path, tag, parameters, body }: Operation,
  keys: ReadonlyMap<string, string>,
) => {
  const known = tag === undefined ? undefined : keys.get(tag)
  const key = known ?? String(parameters.find(({ name }) => name === 'id')?.example)
  const example = Object(body?.example)
  const customer = keys.get('Customer')
  return shop.app.inject({
    method,
    url: `/api${path.replace('{id}', key)}`,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: 'customer_id' in example ? { ...example, customer_id: customer } : example,
    }),
  })
}

test('every example succeeds on an empty database, but for the random key of a customer', async () => {
  const keys = new Map<string, string>()
  const found: string[] = []
  const verbs = ['create', 'list', 'get', 'update', 'replace']
  const isBelow = ({ path }: Operation): boolean => path.includes('{id}/')
  // Records below others come last, because they refer to several.
  const operations = shop.rest.operations.toSorted((a, b) => Number(isBelow(a)) - Number(isBelow(b)))
  for (const verb of verbs)
    for (const operation of operations) {
      if (operation.model === undefined || operation.tag === undefined || !operation.id.startsWith(verb))
        continue
      const { statusCode, headers } = await send(operation, keys)
      const created = isBelow(operation) && operation.id !== 'createOrdersOfCustomer' ? [201, 409] : [201]
      expect(verb === 'create' ? created : [200], operation.id).toContain(statusCode)
      found.push(operation.id)
      if (operation.id === 'createCustomer')
        keys.set('Customer', String(headers['location']).split('/').at(-1) ?? '')
    }
  expect(found.filter((id) => !id.includes('Of'))).toHaveLength(6 * verbs.length)
  expect(found.filter((id) => id.includes('Of'))).toHaveLength(10)
})

test('a key whose comma a client has encoded is the same key', async () => {
  for (const id of ['createProduct', 'createCategory', 'createProductCategory']) {
    const operation = shop.rest.operations.find((each) => each.id === id) ?? expect.unreachable()
    expect((await send(operation, new Map())).statusCode).toBe(201)
  }
  const statusOf = async (key: string) => (await shop.app.inject(`/api/product-categories/${key}`)).statusCode
  expect([await statusOf('1,1'), await statusOf('1%2C1'), await statusOf('1%2c1')]).toEqual([200, 200, 200])
  expect([await statusOf('1%2C1,1'), await statusOf('1%2C1%2C1'), await statusOf('1')]).toEqual([
    404, 404, 404,
  ])
})
