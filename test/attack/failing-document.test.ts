import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { StartError } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'

// Both columns have a schema named OrderItemStatusEnum.
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  item_status: text({ enum: ['packed', 'sent'] }),
})
const orderItems = sqliteTable('order_items', {
  id: integer().primaryKey(),
  status: text({ enum: ['new', 'paid'] }),
})

const ddl = `create table orders (id integer primary key, item_status text);
  create table order_items (id integer primary key, status text)`

const errorOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

test('a document that cannot be generated is not attempted again with each request', async () => {
  const { send, rest } = await serveModels(openSqlite({ orders, orderItems }, ddl))
  const error = errorOf(() => rest.openapi())
  expect(error).toBeInstanceOf(StartError)
  expect(String(error)).toMatch(naming('OrderItemStatusEnum'))
  for (const path of ['/openapi.json', '/docs', '/openapi.json'])
    expect(await send('GET', path)).toEqual([500, expect.objectContaining({ code: 'internal_error' })])
  expect(errorOf(() => rest.openapi())).toBe(error)
})
