import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, numeric, real, sqliteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { testApi } from '../../../src/testing/index.ts'
import { onShop } from './stage.ts'

describe('aggregates of a list', () => {
  it('group, compute, sort and end at a limit', async () => {
    const { get, stop, statements } = await onShop()
    expect(await get('/orders/aggregate')).toEqual({ items: [{ count: 4 }], has_more: false })
    statements.length = 0
    const path = '/order-items/aggregate?group=order_id&aggregate=count,sum(price),avg(price),min(price)'
    expect(await get(`${path}&sort=sum_price&order=desc&limit=1`)).toEqual({
      items: [{ order_id: 1, count: 3, sum_price: 60, avg_price: '20.0000', min_price: 10 }],
      has_more: true,
    })
    expect(statements).toHaveLength(1)
    expect(await get('/staff/aggregate?group=boss_id')).toMatchObject({
      items: [{ boss_id: 1 }, { boss_id: 2 }, { boss_id: null }],
    })
    await stop()
  })

  it('filter through relations, under the scopes of all models', async () => {
    const open = await onShop()
    expect((await open.get('/orders/aggregate?customer.name==Bob')).items).toEqual([{ count: 1 }])
    await open.stop()
    const scope = () => ({ tenant: 1 })
    const { get, stop } = await onShop({}, { Customer: { scope } })
    expect((await get('/orders/aggregate?customer.name==Bob')).items).toEqual([{ count: 0 }])
    expect((await get('/customers/aggregate?group=tenant&aggregate=count')).items).toEqual([
      { tenant: 1, count: 2 },
    ])
    await stop()
  })

  it('need what the list needs', async () => {
    const authenticate = () => ({ id: 1, claims: {} })
    const no = { permissions: { read: (_request: unknown, record?: object) => record !== undefined } }
    const { api, stop } = await onShop({ auth: { authenticate } }, { Order: no })
    expect((await api.get('/orders/1')).status).toBe(200)
    expect((await api.get('/orders/aggregate')).status).toBe(403)
    expect((await api.get('/customers/aggregate?orders.status=open')).status).toBe(403)
    await stop()
  })

  it('do not know what clients cannot read', async () => {
    const { api, stop } = await onShop()
    for (const query of [
      'group=secret',
      'aggregate=min(secret)',
      'sort=secret',
      'q=secret=hush',
      'group=nope',
    ]) {
      const { status, problem } = await api.get(`/customers/aggregate?${query}`)
      expect([query, status, problem.code]).toEqual([query, 400, 'unknown_field'])
    }
    await stop()
  })

  it('are no larger than a page may be', async () => {
    const { api, client, stop } = await onShop({ settings: { RESPONSE_MAX_BYTES: 10_000 } })
    client.exec(`with recursive n(n) as (select 1 union all select n + 1 from n where n < 100)
      insert into words select n, n || printf('%.*c', 500, 'x') from n`)
    const { status, problem } = await api.get('/words/aggregate?group=meaning')
    expect([status, problem.code]).toEqual([400, 'page_too_large'])
    expect((await api.get('/words/aggregate?group=meaning&limit=5')).json).toMatchObject({ has_more: true })
    const wide = '/words/aggregate?group=word&aggregate=min(meaning),max(meaning)'
    expect((await api.get(wide)).problem.code).toBe('page_too_large')
    await stop()
  })

  it('name the sums that the database does not know exactly, and those that are too large', async () => {
    const client = new Database(':memory:')
    client.exec('create table sizes (id integer primary key, size integer, weight numeric, force real)')
    client.exec(`insert into sizes values (1, ${Number.MAX_SAFE_INTEGER}, 1.5, 1e308), (2, 1, 2.5, 1e308)`)
    const sizes = sqliteTable('sizes', {
      id: integer().primaryKey(),
      size: integer(),
      weight: numeric(),
      force: real(),
    })
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const api = await testApi({ models: drizzleModels(drizzle({ client }), { sizes }), log })
    const codes = [
      ['sum(weight)', 400, 'invalid_operator'],
      ['avg(weight)', 400, 'invalid_operator'],
      ['sum(size)', 500, 'unrepresentable_value'],
      ['sum(force)', 500, 'unrepresentable_value'],
      ['avg(force)', 500, 'unrepresentable_value'],
    ]
    for (const [aggregate, ...expected] of codes) {
      const { status, problem } = await api.get(`/sizes/aggregate?aggregate=${aggregate}`)
      expect([status, problem.code]).toEqual(expected)
    }
    await api.close()
    client.close()
  })

  it('leave a record with that key where it is', async () => {
    const { api, client, stop } = await onShop()
    client.exec(`insert into words values ('aggregate', 'old')`)
    expect((await api.get('/words/aggregate')).json).toEqual({ items: [{ count: 1 }], has_more: false })
    expect((await api.get('/words/%61ggregate')).json).toEqual({ word: 'aggregate', meaning: 'old' })
    expect((await api.patch('/words/aggregate', { meaning: 'new' })).json).toMatchObject({ meaning: 'new' })
    expect((await api.request('HEAD', '/words/aggregate')).status).toBe(200)
    expect((await api.delete('/words/aggregate')).status).toBe(204)
    await stop()
  })

  it('are in the document beside the record of their path', async () => {
    const { get, stop } = await onShop()
    const { paths } = (await get('/openapi.json')) as unknown as { paths: Record<string, { get: object }> }
    expect(paths['/orders/aggregate']?.get).toMatchObject({ operationId: 'aggregateOrders', tags: ['Order'] })
    await stop()
  })
})
