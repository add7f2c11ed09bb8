import { sql } from 'drizzle-orm'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, expect, it, vi } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../examples/shop/db.ts'
import { tablesOf } from '../../examples/shop/tables.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql, startMysqlServer } from '../servers/test-mysql.ts'

/** Two first starts, of which the one that migrates is held up for longer than the limits of the database. */
const expectBothToStart = async (url: string, go: () => Promise<void>): Promise<void> => {
  const starts = [1, 2].map(() => openDatabase(url, 100, []))
  const started = Promise.allSettled(starts)
  try {
    await go()
  } finally {
    const opened = (await started).filter((one) => one.status === 'fulfilled').map(({ value }) => value)
    for (const one of opened) expect(await countOf(one)).toEqual([{ count: 100 }])
    for (const one of opened) await one.close()
  }
  await Promise.all(starts)
}

const countOf = async ({ db }: OpenDatabase): Promise<unknown> =>
  await db.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(tablesOf(db).products)

const within = { timeout: 30_000 }

onPostgres('a slow first start of the shop on PostgreSQL', () => {
  it('is not ended by the limits that requests have', async () => {
    const { url, drop } = await createDatabase('slow')
    afterAll(drop)
    // Both have no limits yet. In a transaction the statistics stay as they are.
    const [admin, watcher] = [new pg.Client(url), new pg.Client(url)]
    for (const client of [admin, watcher]) {
      await client.connect()
      afterAll(() => client.end())
    }
    const name = new URL(url).pathname.slice(1)
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      await admin.query(`alter database ${name} set ${limit} = '500ms'`)
    // The migration waits for who makes its schema.
    await admin.query('begin; create schema drizzle')
    await expectBothToStart(url, async () => {
      const waiting = `select count(*)::integer as count from pg_stat_activity
        where datname = '${name}' and wait_event_type = 'Lock' and clock_timestamp() - query_start > '1s'`
      const waitingNow = async () => (await watcher.query<{ count: number }>(waiting)).rows[0]?.count
      try {
        await vi.waitFor(async () => expect(await waitingNow()).toBe(2), { ...within, interval: 100 })
      } finally {
        await admin.query('rollback')
      }
    })
  })
})

/** In seconds on MariaDB, and in milliseconds on MySQL. */
const limitOf = { mariadb: 'max_statement_time = 1', mysql: 'max_execution_time = 1000' }

onEachMysql('a slow first start of the shop', (kind) => {
  it('is not ended by the limits that requests have', async () => {
    const server = await startMysqlServer(kind)
    afterAll(() => server.stop())
    const { url } = await createMysqlDatabase('slow', { kind, server: server.url })
    const admin = await mysql.createConnection(url)
    afterAll(() => admin.end())
    await admin.query(`set global wait_timeout = 1, global ${limitOf[kind]}`)
    // The migration waits for who has its table.
    await admin.query(
      'create table __drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    )
    await admin.query('lock tables __drizzle_migrations write')
    await expectBothToStart(url, async () => {
      const waiting = `select id from information_schema.processlist
        where db = database() and time > 2 and (state like 'Waiting for table%' or state like 'User lock%')`
      const waitingNow = async () => (await admin.query<mysql.RowDataPacket[]>(waiting))[0].length
      try {
        await vi.waitFor(async () => expect(await waitingNow()).toBe(2), { ...within, interval: 100 })
      } finally {
        await admin.query('unlock tables')
      }
    })
  })
})
