import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill, migrationsFolder } from '../../examples/shop/databases/pg.ts'
import type { OpenDatabase } from '../../examples/shop/db.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMariaDb, onMariaDb } from '../servers/test-mariadb.ts'
import { scenarioOn } from './stage.ts'

let onSqlite: readonly string[]

beforeAll(async () => {
  onSqlite = await scenarioOn({ database: ':memory:' })
}, 120_000)

test('the scenario is about everything, and nothing in it is unexpected', () => {
  const statuses = onSqlite.map((line) => Number(/ (\d{3})$/m.exec(line)?.[1]))
  expect(statuses.length).toBeGreaterThan(150)
  expect(new Set(statuses)).toEqual(
    new Set([200, 201, 204, 206, 400, 401, 403, 404, 405, 406, 409, 415, 422]),
  )
})

test('PGlite answers as SQLite does', async () => {
  const client = new PGlite()
  const db = drizzle({ client })
  // It has one connection, and nobody to wait for.
  await migrate(db, { migrationsFolder })
  await db.transaction((inside) => fill(inside, 100))
  const database = { db: db as object as OpenDatabase['db'], close: () => client.close() }
  expect(await scenarioOn({ database })).toEqual(onSqlite)
}, 120_000)

onPostgres('the scenario on PostgreSQL', () => {
  test('PostgreSQL answers as SQLite does', async () => {
    const { url, drop } = await createDatabase('scenario')
    afterAll(drop)
    expect(await scenarioOn({ database: url })).toEqual(onSqlite)
  }, 120_000)
})

onMariaDb('the scenario on MariaDB', () => {
  test('MariaDB answers as SQLite does', async () => {
    const { url, drop } = await createMariaDb('scenario')
    afterAll(drop)
    expect(await scenarioOn({ database: url })).toEqual(onSqlite)
  }, 120_000)
})
