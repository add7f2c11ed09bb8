import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { startPostgres } from '../servers/postgres.ts'
import { onPostgres } from '../servers/test-database.ts'

const things = pgTable('things', { id: integer().primaryKey(), name: text().notNull() })

onPostgres('a PostgreSQL server that goes away', () => {
  it('is a 503 for who waits for it and for who comes later, without a word of the driver', async () => {
    const server = await startPostgres()
    const pool = new pg.Pool({ connectionString: server.url, max: 4 })
    // Its idle connections end with the server.
    pool.on('error', () => undefined)
    await pool.query('create table things (id integer primary key, name text not null)')
    const app = fetchApp()
    await new ModelRest(app, { models: drizzleModels(drizzle(pool), { things }) }).init()
    const get = async (query: string) => {
      const reply = await app.fetch(new Request(`http://localhost/things?${query}`))
      return { status: reply.status, retry: reply.headers.get('retry-after'), text: await reply.text() }
    }
    expect(await get('')).toMatchObject({ status: 200 })

    const blocker = new pg.Client(server.url)
    blocker.on('error', () => undefined)
    await blocker.connect()
    await blocker.query('begin; lock table things in access exclusive mode')
    const waiting = get('name=x')
    const isWaiting = async (): Promise<boolean> => {
      const { rows } = await blocker.query(`select 1 from pg_locks where not granted`)
      return rows.length > 0
    }
    while (!(await isWaiting()));
    // At once: an orderly end would let go of the lock first, and answer who waits for it.
    process.kill(server.pid, 'SIGQUIT')
    await server.stop()

    for (const reply of [await waiting, await get('name=y')]) {
      expect(reply.status, reply.text).toBe(503)
      expect(reply.retry).toMatch(/^\d+$/)
      expect(JSON.parse(reply.text)).toMatchObject({ status: 503, code: 'unavailable' })
      expect(reply.text).not.toMatch(/127\.0\.0\.1|ECONN|terminat|administrator|postgres/i)
    }
    await pool.end()
  })
})
