import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { ModelRest } from '../../src/entry/fastify.ts'
import { openSqlite } from '../stage/databases.ts'

const orders = sqliteTable('orders', { id: integer().primaryKey() })

const errorOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

test('a document that cannot be generated is not attempted again with each request', async () => {
  const { models, close } = openSqlite({ orders }, 'create table orders (id integer primary key)')
  const app = Fastify()
  const rest = new ModelRest(app, { models })
  let attempts = 0
  const schema = {
    get summary(): string {
      attempts += 1
      throw new Error('secret')
    },
  }
  app.get('/hello', { schema: schema as object }, () => 'hello')
  await rest.init()
  const error = errorOf(() => rest.openapi())
  expect(error).toMatchObject({ message: 'secret' })
  for (const url of ['/openapi.json', '/docs', '/openapi.json']) {
    const response = await app.inject({ url })
    expect([response.statusCode, response.json()]).toEqual([
      500,
      expect.objectContaining({ code: 'internal_error' }),
    ])
    expect(response.body).not.toContain('secret')
  }
  expect(errorOf(() => rest.openapi())).toBe(error)
  expect(attempts).toBe(1)
  await app.close()
  await close()
})
