import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as overMysql } from 'drizzle-orm/mysql2'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js'
import mysql from 'mysql2/promise'
import pg from 'pg'
import postgres from 'postgres'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import type { ModelSource } from '../../src/index.ts'
import { naming } from '../naming.ts'

/** Nothing listens there. */
let port: number

beforeAll(async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
  await once(server.close(), 'close')
})
afterEach(() => {
  vi.restoreAllMocks()
})

const password = 'between-you-and-me'
const things = pgTable('things', { id: integer().primaryKey(), name: text().notNull() })
const mysqlThings = mysqlTable('things', { id: int().primaryKey(), name: varchar({ length: 20 }).notNull() })
const account = { host: '127.0.0.1', user: 'shop', password, database: 'shop' }

const drivers: readonly (readonly [string, () => ModelSource])[] = [
  ['node-postgres', () => drizzleModels(overPg(new pg.Pool({ ...account, port })), { things })],
  [
    'node-postgres on several addresses',
    () => {
      const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}:${port}`)
      const pool = new pg.Pool(account)
      const all = new AggregateError([refused('::1'), refused('127.0.0.1')])
      const connect = () => Promise.reject(Object.assign(all, { code: 'ECONNREFUSED' }))
      return drizzleModels(overPg(Object.assign(pool, { connect })), { things })
    },
  ],
  ['mysql2', () => drizzleModels(overMysql(mysql.createPool({ ...account, port })), { things: mysqlThings })],
  ['postgres.js', () => drizzleModels(overPostgresJs(postgres({ ...account, port })), { things })],
]

it.each(drivers)('%s: the log says where and why, and responses do not', async (_driver, open) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const logged = (): string => write.mock.calls.map(([line]) => String(line)).join('')
  const where = naming('ECONNREFUSED', `127.0.0.1:${port}`)
  const app = fetchApp()
  await new ModelRest(app, { models: open(), health: true }).init()
  expect(logged()).toMatch(where)
  for (const path of ['/health/ready', '/things/']) {
    write.mockClear()
    const response = await app.fetch(new Request(`http://localhost${path}`))
    expect(response.status).toBe(503)
    expect(await response.text()).not.toMatch(/ECONN|127\.0\.0\.1|shop/)
    expect(logged()).toMatch(where)
    expect(logged()).not.toMatch(/unavailable: $/m)
    expect(logged()).not.toContain(password)
  }
})
