import { drizzle } from 'drizzle-orm/node-postgres'
import { withReplicas } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'
import { openDatabase, type ShopDatabase } from '../../examples/shop/db.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { type PostgresReplica, startReplica } from '../servers/postgres-replica.ts'
import { onPostgres } from '../servers/test-database.ts'
import { scenarioOn } from './stage.ts'

onPostgres('a streaming replica of PostgreSQL', () => {
  let server: PostgresServer
  let replica: PostgresReplica
  /** The primary and the replica, each by itself. */
  let primary: pg.Pool
  let behind: pg.Pool
  const onReplica: string[] = []

  beforeAll(async () => {
    // As soon as it is told of a replica, it waits until that shows what was committed.
    server = await startPostgres({ settings: { synchronous_commit: 'remote_apply' } })
    // Migrated and filled before there is a replica.
    await (await openDatabase(server.url, 100, [])).close()
    replica = await startReplica(server.url)
    const quiet = (url: string) => new pg.Pool({ connectionString: url }).on('error', () => undefined)
    primary = quiet(server.url)
    behind = quiet(replica.url)
  }, 120_000)
  afterAll(async () => {
    await primary?.end()
    await behind?.end()
    await replica?.stop()
    await server?.stop()
  })

  /** The database with its replica, which says what it is asked. */
  const opened = () => {
    const logger = { logQuery: (text: string) => void onReplica.push(text) }
    const db = withReplicas(drizzle({ client: primary }), [drizzle({ client: behind, logger })])
    return { db: db as object as ShopDatabase, close: () => undefined }
  }

  it('answers as SQLite does where lists come from it', async () => {
    await primary.query(`alter system set synchronous_standby_names = '*'`)
    await primary.query('select pg_reload_conf()')
    await until(primary, '(select sync_state from pg_stat_replication)', 'sync')
    try {
      expect(await scenarioOn({ database: opened(), replicaLag: 0 })).toEqual(
        await scenarioOn({ database: ':memory:' }),
      )
    } finally {
      await primary.query('alter system reset all')
      await primary.query('select pg_reload_conf()')
    }
    const verbs = new Set(onReplica.map((text) => /^\w+/.exec(text)?.[0]))
    expect([onReplica.length > 60, verbs]).toEqual([true, new Set(['select', 'with'])])
    // Who logs in is looked up where it is true.
    expect(onReplica.filter((text) => text.includes('"users"'))).toEqual([])
  }, 120_000)

  describe('that lags behind', () => {
    let shop: Shop

    beforeAll(async () => {
      await until(primary, `current_setting('synchronous_standby_names')`, '')
      await behind.query('select pg_wal_replay_pause()')
      await until(behind, 'pg_get_wal_replay_pause_state()', 'paused')
    })
    afterAll(() => shop?.app.close())

    const start = async (replicaLag: number): Promise<void> => {
      shop = await buildShop({ database: opened(), replicaLag })
    }
    const send = async (method: 'GET' | 'POST', path: string, body?: object) => {
      const reply = await shop.app.inject({ method, url: `/api/${path}`, ...(body && { body }) })
      return { status: reply.statusCode, json: reply.json() as Record<string, unknown> }
    }
    const names = async (): Promise<string[]> => {
      const { json } = await send('GET', 'products/?q=id>100')
      return (json['items'] as { name: string }[]).map(({ name }) => name)
    }

    it('is read by lists of a process that has not written, and by nothing else', async () => {
      await start(0)
      const { rows } = await primary.query(
        `insert into products (name, price) values ('Of another process', 1) returning id`,
      )
      expect(await names()).toEqual([])
      expect((await send('GET', 'products/?count=exact&limit=0')).json['count']).toBe(100)
      // By its id it is there, and others can refer to it.
      const [{ id } = { id: 0 }] = rows as { id: number }[]
      expect((await send('GET', `products/${id}`)).json['name']).toBe('Of another process')
      const item = { product_id: id, category_id: 1 }
      expect((await send('POST', 'product-categories/', item)).status).toBe(201)
      await shop.app.close()
    })

    it('is not read by a process that has just started, or just written', async () => {
      await start(3600)
      expect(await names()).toEqual(['Of another process'])
      await shop.app.close()
      await start(1)
      await expect.poll(names, { timeout: 20_000 }).toEqual([])
      expect((await send('POST', 'products/', { name: 'Mine', price: 2 })).status).toBe(201)
      expect(await names()).toEqual(['Of another process', 'Mine'])
      // In a transaction, too: this model has an after-hook.
      await expect.poll(names, { timeout: 20_000 }).toEqual([])
      const order = await send('GET', 'orders/?q=status==pending&limit=1&fields=id')
      const [{ id } = { id: 0 }] = order.json['items'] as { id: number }[]
      await primary.query('delete from order_items where order_id = $1', [id])
      const item = { order_id: id, product_id: 1, unit_price: 1 }
      expect((await send('POST', 'order-items/', item)).status).toBe(201)
      expect((await send('GET', `order-items/?q=order_id=${id}`)).json['count']).toBe(1)
      await shop.app.close()
    }, 60_000)

    it('is not missed once it is gone', async () => {
      await start(0)
      expect(await names()).toEqual([])
      await replica.stop()
      expect(await names()).toEqual(['Of another process', 'Mine'])
    })
  })
})

/** Waits until a server says so of itself. */
const until = (server: pg.Pool, expression: string, value: string): Promise<void> =>
  vi.waitFor(
    async () => expect((await server.query(`select ${expression} as v`)).rows).toEqual([{ v: value }]),
    { timeout: 20_000 },
  )
