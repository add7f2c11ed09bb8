import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp } from '../../src/entry/fetch.ts'
import { controllerFor, ModelRest } from '../../src/index.ts'
import { type RecordStore, SourceError } from '../../src/source/source.ts'

const orders = sqliteTable('orders', { id: integer().primaryKey() })
const items = sqliteTable(
  'items',
  {
    id: integer().primaryKey(),
    order_id: integer()
      .notNull()
      .references(() => orders.id),
    body: text().notNull(),
  },
  (table) => [index('item_order').on(table.order_id)],
)

/** 1,000 orders with ten large texts each, and the rows and bytes that statements return. */
const open = async (
  settings: object = {},
  wrapped?: (store: RecordStore) => RecordStore,
  controllers: readonly object[] = [],
) => {
  const client = new Database(':memory:')
  client.exec(`
    create table orders (id integer primary key);
    create table items (id integer primary key, order_id integer not null references orders (id), body text not null);
    create index item_order on items (order_id);
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 1000) insert into orders select n from n;
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 10000)
      insert into items select n, 1 + n % 1000, substr(hex(zeroblob(5000)), 1, 10000) from n;
  `)
  const read = { bytes: 0, statements: 0 }
  const counted = new Proxy(client, {
    get: (target, name) => {
      const member = Reflect.get(target, name)
      if (name !== 'prepare') return typeof member === 'function' ? member.bind(target) : member
      return (sql: string) => countingReads(target.prepare(sql), read)
    },
  })
  const app = fetchApp()
  const own = drizzleModels(drizzle({ client: counted }), { orders, items })
  const store = (...args: Parameters<typeof own.store>) => wrapped?.(own.store(...args)) ?? own.store(...args)
  const capabilities = { ...own.capabilities, synchronous: wrapped === undefined }
  const models = { ...own, capabilities, store }
  await new ModelRest(app, { models, settings, controllers } as never).init()
  const get = async (path: string) => {
    Object.assign(read, { bytes: 0, statements: 0 })
    const response = await app.fetch(new Request(`http://localhost${path}`))
    const body = (await response.json()) as { code?: string }
    return { status: response.status, code: body.code, retry: response.headers.get('retry-after'), ...read }
  }
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await app.fetch(new Request(`http://localhost${path}`, sent))).status
  }
  return { get, post, client, close: () => client.close() }
}

type Statement = ReturnType<Database.Database['prepare']>

const countingReads = (statement: Statement, read: { bytes: number; statements: number }): Statement =>
  new Proxy(statement, {
    get: (target, name) => {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const found = Reflect.apply(member, target, args)
        if (name === 'raw') return countingReads(found as Statement, read)
        if (name === 'all' || name === 'get') {
          read.statements += 1
          for (const row of [found].flat(1) as unknown[])
            for (const value of Object.values(Object(row)).flat())
              if (typeof value === 'string') read.bytes += value.length
        }
        return found
      }
    },
  })

describe('Large records', () => {
  it('are refused before they are read: a list, included ones and an aggregate', async () => {
    const { get, close } = await open({ RESPONSE_MAX_BYTES: 5_000_000 })
    for (const path of [
      '/items/?limit=1000',
      '/orders/?limit=1000&include=items(limit=9)',
      '/items/aggregate?group=id&aggregate=max(body)&limit=1000',
    ]) {
      const { status, code, bytes } = await get(path)
      expect([path, status, code]).toEqual([path, 400, 'page_too_large'])
      expect(bytes).toBeLessThan(1000)
    }
    close()
  })

  it('that fit a response are sent, after their sizes were asked', async () => {
    const { get, close } = await open({ RESPONSE_MAX_BYTES: 20_000_000 })
    expect(await get('/items/?limit=1000')).toMatchObject({ status: 200, bytes: 10_000_000 })
    expect(await get('/orders/?limit=100&include=items(limit=9)')).toMatchObject({
      status: 200,
      bytes: 9_000_000 + 1_000_000,
    })
    close()
  })

  it('are asked about once where none is found', async () => {
    const { get, close } = await open()
    const found = await get('/items/?body=not there&limit=1000')
    expect(found).toMatchObject({ status: 200, statements: 1 })
    close()
  })

  it('of several requests are read one after the other, or refused if requests cannot wait', async () => {
    const settings = { RESPONSE_MAX_BYTES: 20_000_000, MEMORY_IN_FLIGHT: 12_000_000 }
    const { get, client, close } = await open(settings)
    const all = await Promise.all(['', '', ''].map(() => get('/items/?limit=1000')))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    // In between, another request needs nothing of the budget.
    expect((await get('/items/1')).status).toBe(200)
    close()
    expect(client.open).toBe(false)
  })

  it('that are read after the response, because the count has failed, are not held', async () => {
    const read = Promise.withResolvers<void>()
    const later = Promise.withResolvers<void>()
    let isFailing = false
    const settings = { RESPONSE_MAX_BYTES: 20_000_000, MEMORY_IN_FLIGHT: 12_000_000 }
    const { get, close } = await open(settings, (store) => ({
      ...store,
      count: async (...args) => {
        if (isFailing) throw new SourceError('unavailable')
        return store.count(...args)
      },
      list: async (...args) => {
        if (!isFailing) return store.list(...args)
        await later.promise
        const rows = await store.list(...args)
        read.resolve()
        return rows
      },
    }))
    expect((await get('/items/?limit=900')).status).toBe(200)
    isFailing = true
    expect((await get('/items/?limit=900')).status).toBe(503)
    later.resolve()
    await read.promise
    isFailing = false
    expect((await get('/items/?limit=900')).status).toBe(200)
    close()
  })
})

it('a body waits until there is memory for it, and others do not wait for it', async () => {
  let begun = 0
  const gate = Promise.withResolvers<void>()
  const holding = controllerFor('Item', {
    async beforeCreate() {
      begun += 1
      await gate.promise
    },
  } as never)
  const { get, post, close } = await open({ MEMORY_IN_FLIGHT: 1_000_000 }, undefined, [holding])
  const create = () => post('/items/', { order_id: 1, body: 'x'.repeat(40_000) })
  const replies = [create()]
  await expect.poll(() => begun).toBe(1)
  replies.push(create())
  expect((await get('/orders/1')).status).toBe(200)
  expect(begun).toBe(1)
  gate.resolve()
  expect(await Promise.all(replies)).toEqual([201, 201])
  close()
})
