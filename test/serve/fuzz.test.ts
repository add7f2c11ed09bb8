import fc from 'fast-check'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createMysql, createPg } from '../contract/library.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../servers/test-mysql.ts'
import { createSqlite } from '../source/sql/library-tables.ts'
import { type Document, requestsTo } from './random-requests.ts'
import { json, type Serving, serving, sqliteFile, TOKEN } from './stage.ts'

/** FUZZ_RUNS sends another number of requests to each database. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000)
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_101)
const TIMEOUT = 600_000

const headers = { ...json, authorization: `Bearer ${TOKEN}` }

const fuzz = async ({ get, send }: Serving): Promise<void> => {
  const document = (await get('/openapi.json')).json as Document
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(requestsTo(document), async ({ method, target, body }) => {
      const { status, text } = await send(target, { method, headers, ...(body !== undefined && { body }) })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      expect(status, `${method} ${target} ${body}: ${text.slice(0, 500)}`).toBeLessThan(500)
    }),
    { numRuns: RUNS, seed, endOnFailure: true },
  )
  const succeeded = [200, 201, 204].reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0)
  expect(succeeded).toBeGreaterThan(0.2 * RUNS)
  expect((await get('/authors/')).status).toBe(200)
}

const writing = { writes: true, token: { value: TOKEN, for: 'writes' } } as const

describe(`random requests, seed ${seed}`, () => {
  test(
    'to SQLite never fail',
    async () => fuzz(await serving({ database: sqliteFile(...createSqlite), ...writing })),
    TIMEOUT,
  )

  onPostgres('random requests to PostgreSQL', () =>
    test(
      'to PostgreSQL never fail',
      async () => {
        const { url } = await createDatabase('fuzz')
        const client = new pg.Client(url)
        await client.connect()
        for (const statement of createPg) await client.query(statement)
        await client.end()
        await fuzz(await serving({ database: url, ...writing }))
      },
      TIMEOUT,
    ),
  )

  onEachMysql('random requests to', (kind) =>
    test(
      'never fail',
      async () => {
        const { url } = await createMysqlDatabase('fuzz', { kind })
        const connection = await createConnection(url)
        for (const statement of createMysql) await connection.query(statement)
        await connection.end()
        await fuzz(await serving({ database: url, ...writing }))
      },
      TIMEOUT,
    ),
  )
})
