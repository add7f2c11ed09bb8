import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as overMysql } from 'drizzle-orm/mysql2'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { controllerFor, fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import type { ModelSource } from '../../src/index.ts'

/** A balancer that has nobody to send connections to: it takes them, and closes them. */
let balancer: Server
let port: number

beforeAll(async () => {
  balancer = createServer((socket) => socket.resume().end())
  await once(balancer.listen(0, '127.0.0.1'), 'listening')
  port = (balancer.address() as AddressInfo).port
})
afterAll(() => once(balancer.close(), 'close'))

const account = { user: 'shop', password: 'x', database: 'shop' }

const drivers: readonly (readonly [string, () => ModelSource])[] = [
  [
    'node-postgres',
    () => {
      const things = pgTable('things', { id: integer().primaryKey(), name: text().notNull() })
      const pool = new pg.Pool({ host: '127.0.0.1', port, ...account })
      return drizzleModels(overPg(pool), { things })
    },
  ],
  [
    'mysql2',
    () => {
      const things = mysqlTable('things', { id: int().primaryKey(), name: varchar({ length: 20 }).notNull() })
      const pool = mysql.createPool({ host: '127.0.0.1', port, ...account })
      return drizzleModels(overMysql(pool), { things })
    },
  ],
]

it.each(drivers)(
  '%s: a database behind a balancer that has none is away, and nothing was done',
  async (_driver, open) => {
    for (const hooks of [{}, { afterCreate: () => undefined, afterUpdate: () => undefined }]) {
      const app = fetchApp()
      const controllers = [controllerFor('Thing', hooks as never)]
      await new ModelRest(app, { models: open(), controllers }).init()
      for (const [method, path, body] of [
        ['POST', '/things/', { id: 1, name: 'first' }],
        ['PATCH', '/things/1', { name: 'other' }],
        ['DELETE', '/things/1', undefined],
        ['GET', '/things/1', undefined],
      ] as const) {
        const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        const reply = await app.fetch(new Request(`http://localhost${path}`, { method, ...json }))
        const told = (await reply.json()) as { code: unknown }
        expect([method, reply.status, told.code]).toEqual([method, 503, 'unavailable'])
      }
    }
  },
)
