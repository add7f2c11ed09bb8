import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill, migrationsFolder } from '../../examples/shop/databases/pg.ts'
import type { OpenDatabase } from '../../examples/shop/db.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, nameOf, onEachMysql } from '../servers/test-mysql.ts'
import { startPglite } from '../stage/pglite.ts'
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
  const client = await startPglite()
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

/** MySQL keeps the members of an object in an order of its own. */
const inOrder = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.replaceAll(/(?<="address":)\{[^}]*\}/g, sorted))

const sorted = (object: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(object)).toSorted()))

onEachMysql('the scenario', (kind) => {
  test(`${nameOf(kind)} answers as SQLite does`, async () => {
    const { url, drop } = await createMysqlDatabase('scenario', { kind })
    afterAll(drop)
    expect(inOrder(await scenarioOn({ database: url }))).toEqual(inOrder(onSqlite))
  }, 120_000)
})
