// @module-tag programs

import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationsFolder, prepare } from '../../examples/shop/databases/pg.ts'
import type { OpenDatabase } from '../../examples/shop/db.ts'
import { areRunning } from '../needed-program.ts'
import { type PgBouncer, startPgBouncer } from '../servers/pgbouncer.ts'
import { createDatabase } from '../servers/test-database.ts'
import { scenarioOn } from './stage.ts'

const isComplete = areRunning(['postgres', 'pgbouncer'], 'the scenario through PgBouncer')

let onSqlite: readonly string[]
let bouncers: readonly PgBouncer[] = []

beforeAll(async () => {
  if (!isComplete) return
  onSqlite = await scenarioOn({ database: ':memory:' })
  const databases = await Promise.all([createDatabase('pooled'), createDatabase('pooled')])
  afterAll(async () => {
    await Promise.all(bouncers.map(({ stop }) => stop()))
    await Promise.all(databases.map(({ drop }) => drop()))
  })
  bouncers = await Promise.all(databases.map(({ url }) => startPgBouncer(url)))
}, 120_000)

test('node-postgres through PgBouncer in transaction mode answers as SQLite does', async () => {
  const [{ url = '' } = {}] = bouncers
  expect(await scenarioOn({ database: url })).toEqual(onSqlite)
}, 120_000)

test('postgres.js without prepared statements does so too', async () => {
  const [, { url = '' } = {}] = bouncers
  const client = postgres(url, { prepare: false, onnotice: () => undefined })
  const db = drizzle({ client })
  await prepare(db, 100, () => migrate(db, { migrationsFolder }))
  const database = { db: db as object as OpenDatabase['db'], close: () => client.end() }
  expect(await scenarioOn({ database })).toEqual(onSqlite)
}, 120_000)
