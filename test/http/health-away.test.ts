import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import Fastify from 'fastify'
import pg from 'pg'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisCache } from '../../src/cache/redis.ts'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import { defineSettings, type HealthOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { onPostgres } from '../servers/test-database.ts'
import { onRedis } from '../servers/test-redis.ts'

const users = pgTable('users', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  email: text().notNull().unique(),
  password: text().notNull(),
})

interface Probe {
  readonly status: number
  readonly retry: string | null
  readonly text: string
}

interface Served {
  get(path: string): Promise<Probe>
  stop(): Promise<void>
}

const probeOf = async (reply: Response): Promise<Probe> => ({
  status: reply.status,
  retry: reply.headers.get('retry-after'),
  text: await reply.text(),
})

const TIME = 60_000

onPostgres('health without its database or cache', () =>
  onRedis('health without its database or cache', () => {
    let postgres: PostgresServer
    let redis: RedisServer
    let pool: pg.Pool
    const folder = mkdtempSync(join(tmpdir(), 'modelrest-health-'))
    const client = createClient({ socket: { path: join(folder, 'redis.sock'), reconnectStrategy: 50 } })
    const options = (health: HealthOptions) => ({
      models: drizzleModels(drizzle(pool), { users }),
      auth: true as const,
      health,
      settings: defineSettings({
        SECRET_KEY: 'x'.repeat(32),
        SERVICE_AUTH: { STATEFUL: true },
        CACHE: redisCache(client, { timeout: 200 }),
      }),
    })

    const starts: Readonly<Record<string, (health: HealthOptions) => Promise<Served>>> = {
      fastify: async (health) => {
        const app = Fastify()
        await app.register(async (api) => new FastifyModelRest(api, options(health)).init(), {
          prefix: '/api',
        })
        const origin = await app.listen({ port: 0, host: '127.0.0.1' })
        return { get: async (path) => probeOf(await fetch(`${origin}/api${path}`)), stop: () => app.close() }
      },
      fetch: async (health) => {
        const app = fetchApp({ base: '/api' })
        await new FetchModelRest(app, options(health)).init()
        const get = async (path: string) =>
          probeOf(await app.fetch(new Request(`http://localhost/api${path}`)))
        return { get, stop: async () => undefined }
      },
    }

    beforeAll(async () => {
      postgres = await startPostgres()
      redis = await startRedis({ folder })
      client.on('error', () => undefined)
      await client.connect()
      pool = new pg.Pool({ connectionString: postgres.url, max: 4 })
      // Its idle connections end with the server.
      pool.on('error', () => undefined)
      // The table must outlive the server, which is killed right after.
      await pool.query(
        'set synchronous_commit = on; create table users (id integer primary key generated always as identity, email text not null unique, password text not null)',
      )
    }, TIME)
    afterAll(async () => {
      client.destroy()
      await pool.end()
      await Promise.all([postgres.stop(), redis.stop()])
      rmSync(folder, { recursive: true, force: true })
    }, TIME)

    describe.each(Object.entries(starts))('on %s', (_, start) => {
      const untilReady = ({ get }: Served) =>
        expect.poll(async () => (await get('/health/ready')).status, { timeout: TIME }).toBe(200)

      const expectRefused = ({ status, retry, text }: Probe, checks: Record<string, string>): void => {
        const failed = Object.keys(checks).filter((name) => checks[name] !== 'ok')
        const detail = expect.stringMatching(naming(...failed))
        expect([status, retry]).toEqual([503, '5'])
        expect(JSON.parse(text)).toMatchObject({ code: 'unavailable', detail, ready: false, checks })
        expect(text).not.toMatch(/127\.0\.0\.1|ECONN|terminat|postgres|redis|sock|refuse/i)
      }

      it(
        'is ready again when PostgreSQL is back, and lives all the time',
        async () => {
          const served = await start({ timeout: 5000 })
          await untilReady(served)
          await postgres.kill()
          const ready = await served.get('/health/ready')
          expectRefused(ready, { database: 'failed', cache: 'ok' })
          expect(await served.get('/health/live')).toMatchObject({ status: 200 })
          await postgres.start()
          await untilReady(served)
          await served.stop()
        },
        TIME,
      )

      it(
        'is not ready while Redis is dead',
        async () => {
          const served = await start({ timeout: 5000 })
          await untilReady(served)
          await redis.stop()
          const ready = await served.get('/health/ready')
          expectRefused(ready, { database: 'ok', cache: 'failed' })
          redis = await startRedis({ folder })
          await untilReady(served)
          await served.stop()
        },
        TIME,
      )

      it(
        'waits for a database that hangs just as long as it is told, with two questions at most',
        async () => {
          const served = await start({ timeout: 100 })
          await untilReady(served)
          const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
          const pids = [postgres.pid, ...rows.map(({ pid }) => pid)]
          for (const pid of pids) process.kill(pid, 'SIGSTOP')
          try {
            for (let times = 0; times < 6; times += 1)
              expectRefused(await served.get('/health/ready'), {
                database: 'timeout',
                cache: 'ok',
              })
            expect(pool.totalCount).toBeLessThanOrEqual(2)
          } finally {
            for (const pid of pids) process.kill(pid, 'SIGCONT')
          }
          await untilReady(served)
          await served.stop()
        },
        TIME,
      )
    })
  }),
)
