import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'

/** Enough for a count to take its time. */
const ROWS = 20_000
const READERS = 32
const ROUNDS = 25

const rows = pgTable('rows', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
})

const open = async () => {
  const { url } = await createDatabase('counts')
  const pool = new pg.Pool({ connectionString: url })
  await pool.query(
    'create table rows (id integer primary key generated always as identity, name text not null)',
  )
  await pool.query(`insert into rows (name) select 'old' from generate_series(1, ${ROWS})`)
  const counted: string[] = []
  const logger = {
    logQuery: (query: string) => {
      if (query.startsWith('select count')) counted.push(query)
    },
  }
  const app = fetchApp()
  await new ModelRest(app, { models: drizzleModels(drizzle(pool, { logger }), { rows }) }).init()
  const count = async (query: string): Promise<number> => {
    const reply = await app.fetch(new Request(`http://localhost/rows?${query}`))
    expect(reply.status).toBe(200)
    return ((await reply.json()) as { count: number }).count
  }
  return { url, count, counted, close: () => pool.end() }
}

onPostgres('counts while another process writes', () => {
  it.each([
    ['all', 'limit=1', ROWS],
    ['filtered', 'limit=1&name==new', 0],
    ['alone', 'limit=0', ROWS],
  ])('include every write that it acknowledged before: %s', async (_, query, before) => {
    const { url, count, counted, close } = await open()
    const writer = fork(fileURLToPath(new URL('counts-writer.ts', import.meta.url)), [url])
    let written = 0
    writer.on('message', () => {
      written += 1
    })
    await once(writer, 'message')
    const missing: number[] = []
    const read = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const acknowledged = before + written
        const counted = await count(query)
        if (counted < acknowledged) missing.push(acknowledged - counted)
      }
    }
    await Promise.all(Array.from({ length: READERS }, read)).finally(async () => {
      writer.disconnect()
      await once(writer, 'exit')
      await close()
    })
    expect(missing).toEqual([])
    expect(written).toBeGreaterThan(ROUNDS)
    // They did share: nobody had a statement of their own.
    expect(counted.length).toBeLessThan((READERS * ROUNDS) / 4)
  })
})
