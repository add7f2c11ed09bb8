import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import type { ModelSource } from '../../src/index.ts'
import { startPostgres } from '../servers/postgres.ts'
import { onPostgres } from '../servers/test-database.ts'
import {
  createMysqlDatabase,
  type MysqlKind,
  nameOf,
  onEachMysql,
  startMysqlServer,
} from '../servers/test-mysql.ts'

interface Stage {
  readonly models: ModelSource
  /** Keeps everybody from the table. */
  block(): Promise<void>
  isWaitedFor(): Promise<boolean>
  /** Ends the server at once. */
  end(): Promise<void>
  close(): Promise<void>
}

const create = 'create table things (id integer primary key, name varchar(20) not null)'

const postgres = async (): Promise<Stage> => {
  const things = pgTable('things', { id: integer().primaryKey(), name: text().notNull() })
  const server = await startPostgres()
  const pool = new pg.Pool({ connectionString: server.url, max: 4 })
  // Its idle connections end with the server.
  pool.on('error', () => undefined)
  await pool.query(create)
  const blocker = new pg.Client(server.url)
  blocker.on('error', () => undefined)
  await blocker.connect()
  return {
    models: drizzleModels(drizzlePg(pool), { things }),
    block: async () => {
      await blocker.query('begin; lock table things in access exclusive mode')
    },
    isWaitedFor: async () =>
      (await blocker.query(`select 1 from pg_locks where not granted`)).rows.length > 0,
    end: async () => {
      // At once: an orderly end would let go of the lock first, and answer who waits for it.
      await server.kill('crash')
      await server.stop()
    },
    close: () => pool.end(),
  }
}

const mysqlOf = (kind: MysqlKind) => async (): Promise<Stage> => {
  const things = mysqlTable('things', { id: int().primaryKey(), name: varchar({ length: 20 }).notNull() })
  const server = await startMysqlServer(kind)
  const { url } = await createMysqlDatabase('away', { kind, server: server.url })
  const pool = mysql.createPool({ uri: url, connectionLimit: 4 })
  await pool.query(create)
  const blocker = await mysql.createConnection(url)
  blocker.on('error', () => undefined)
  return {
    models: drizzleModels(drizzleMysql(pool), { things }),
    block: async () => {
      await blocker.query('lock tables things write')
    },
    isWaitedFor: async () => {
      const waiting = `select 1 from information_schema.processlist where state like 'Waiting for table%'`
      const [rows] = await blocker.query<mysql.RowDataPacket[]>(waiting)
      return rows.length > 0
    },
    end: () => server.stop(),
    close: () => pool.end(),
  }
}

const isUnavailable = (database: string, driverWords: RegExp, open: () => Promise<Stage>): void => {
  describe(`a ${database} server that goes away`, () => {
    it('is a 503 for who waits for it and for who comes later, without a word of the driver', async () => {
      const { models, block, isWaitedFor, end, close } = await open()
      const app = fetchApp()
      await new ModelRest(app, { models }).init()
      const get = async (query: string) => {
        const reply = await app.fetch(new Request(`http://localhost/things?${query}`))
        return { status: reply.status, retry: reply.headers.get('retry-after'), text: await reply.text() }
      }
      expect(await get('')).toMatchObject({ status: 200 })

      await block()
      const waiting = get('name=x')
      while (!(await isWaitedFor()));
      await end()

      for (const reply of [await waiting, await get('name=y')]) {
        expect(reply.status, reply.text).toBe(503)
        expect(reply.retry).toMatch(/^\d+$/)
        expect(JSON.parse(reply.text)).toMatchObject({ status: 503, code: 'unavailable' })
        expect(reply.text).not.toMatch(/127\.0\.0\.1|ECONN|terminat|administrator/i)
        expect(reply.text).not.toMatch(driverWords)
      }
      await close()
    })
  })
}

onPostgres('a PostgreSQL server that goes away', () => {
  isUnavailable('PostgreSQL', /postgres/i, postgres)
})
onEachMysql('a server that goes away', (kind) => {
  isUnavailable(nameOf(kind), /maria|mysql|protocol|closed/i, mysqlOf(kind))
})
