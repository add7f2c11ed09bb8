import { sql } from 'drizzle-orm'
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import { pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { controllerFor, fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import type { ModelSource, Settings } from '../../src/index.ts'
import { type Cutting, cuttingBefore } from '../servers/cutting.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../servers/test-mysql.ts'
import { openAsDocumented } from './documented-database.ts'
import { createThings } from './postgres-things.ts'

const pgThings = pgTable('things', { id: serial().primaryKey(), name: text().notNull() })
const mysqlThings = mysqlTable('things', {
  id: int().primaryKey().autoincrement(),
  name: varchar({ length: 20 }).notNull(),
})

/** What is closed behind a test, the last one first. */
const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

const wayTo = async ({ url, drop }: { url: string; drop(): Promise<void> }): Promise<Cutting> => {
  const way = await cuttingBefore(url)
  opened.push(drop, () => way.close())
  return way
}

const serve = async (models: ModelSource, beforeCommit: (db: never) => unknown, settings: Settings = {}) => {
  const app = fetchApp()
  const hooks = {
    afterUpdate: (_request: unknown, _record: unknown, { db }: { db: never }) => beforeCommit(db),
  }
  const controllers = [controllerFor('Thing', hooks as never)]
  await new ModelRest(app, { models, controllers, health: { timeout: 500 }, settings }).init()
  return async (method: 'GET' | 'PATCH' | 'POST', path: string) => {
    const body =
      method === 'GET' ? {} : { body: '{"name":"x"}', headers: { 'content-type': 'application/json' } }
    const reply = await app.fetch(new Request(`http://localhost/${path}`, { method, ...body }))
    const { code } = (await reply.json()) as { code?: string }
    return { status: reply.status, code }
  }
}

/** A service with all of its connections open, that hear of nobody any more. */
const isServedAgain = async (way: Cutting, models: ModelSource): Promise<void> => {
  const send = await serve(models, () => undefined)
  const lists = () => Array.from({ length: 10 }, (_, at) => send('GET', `things/?count=exact&offset=${at}`))
  for (const { status } of await Promise.all(lists())) expect(status).toBe(200)
  way.silence()
  const writes = [send('PATCH', 'things/1'), send('POST', 'things/'), send('PATCH', 'things/1')]
  for (const { status, code } of await Promise.all([...lists(), ...writes])) {
    if (status >= 400) expect([status, code]).toEqual([503, expect.stringMatching(/^(unavailable|outcome_)/)])
  }
  await expect.poll(async () => (await send('GET', 'health/ready')).status, { timeout: 30_000 }).toBe(200)
  for (const { status } of await Promise.all(lists())) expect(status).toBe(200)
  expect(await send('PATCH', 'things/1')).toMatchObject({ status: 200 })
}

onPostgres('a network to PostgreSQL that falls silent', () => {
  it('is outlived by what the documentation says in pg.ts', async () => {
    const database = await createDatabase('silent')
    const admin = new pg.Client(database.url)
    await admin.connect()
    await admin.query(`${createThings}; insert into things (name) values ('first')`)
    await admin.end()
    const way = await wayTo(database)
    const { db, close } = await openAsDocumented('pg.ts', way.url)
    opened.push(close)
    await isServedAgain(way, drizzleModels(db, { things: pgThings }))
  })
})

onEachMysql('a network that falls silent', (kind) => {
  const begin = async (): Promise<Cutting> => {
    const database = await createMysqlDatabase('silent', { kind })
    const admin = createPool(database.url)
    await admin.query('create table things (id int primary key auto_increment, name varchar(20) not null)')
    await admin.query(`insert into things (name) values ('first')`)
    await admin.end()
    return await wayTo(database)
  }

  it('is outlived by what the documentation says in mysql.ts', async () => {
    const way = await begin()
    const { db, close } = await openAsDocumented('mysql.ts', way.url)
    opened.push(close)
    await isServedAgain(way, drizzleModels(db, { things: mysqlThings }))
  })

  it('holds no connection behind TRANSACTION_TIMEOUT, whatever the pool says', async () => {
    const way = await begin()
    const pool = createPool({ uri: way.url, connectionLimit: 1 })
    opened.push(() => pool.end())
    const models = drizzleModels(drizzle(pool), { things: mysqlThings })
    const statement = sql`select 1 as hooked`
    const inHook = (db: never): unknown => (db as ReturnType<typeof drizzle>).execute(statement)
    const send = await serve(models, inHook, { TRANSACTION_TIMEOUT: 1 })
    way.plan({ at: (sent) => sent.includes('as hooked'), lost: 'both, in silence' })
    expect(await send('PATCH', 'things/1')).toMatchObject({ status: 500 })
    expect(await send('GET', 'things/1')).toMatchObject({ status: 200 })
  })
})
