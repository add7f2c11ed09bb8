import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'
import { sqliteOf } from './sqlite-of.ts'

let folder: string
const opened: Shop[] = []

const start = async (file = 'shop.db'): Promise<Shop> => {
  const shop = await buildShop({ database: join(folder, file), products: 200 })
  opened.push(shop)
  return shop
}

const get = async ({ app }: Shop, path: string) => {
  const reply = await app.inject({ url: `/api${path}` })
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
}

const rowsOf = (shop: Shop): unknown =>
  ['products', 'categories', 'product_categories', 'customers', 'orders', 'order_items'].map((table) =>
    sqliteOf(shop).prepare(`select * from ${table}`).all(),
  )

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelrest-shop-'))
})
afterEach(async () => {
  for (const { app } of opened.splice(0)) await app.close()
  rmSync(folder, { recursive: true })
})

describe('the shop', () => {
  it('is there after the first start, with its rows', async () => {
    const shop = await start()
    expect(await get(shop, '/products/1')).toEqual({
      status: 200,
      body: { id: 1, name: 'Desk lamp', price: '9.90', in_stock: true },
    })
    expect((await get(shop, '/products/')).body).toMatchObject({ count: 200, count_exact: true })
  })

  it('keeps what it has at the second start', async () => {
    const first = await start()
    await first.app.inject({ method: 'PATCH', url: '/api/products/1', payload: { price: '11.00' } })
    const made = await first.app.inject({
      method: 'POST',
      url: '/api/products/',
      payload: { name: 'Kept', price: '1.00' },
    })
    expect(made.statusCode).toBe(201)
    const before = rowsOf(first)
    await first.app.close()
    const second = await start()
    expect(rowsOf(second)).toEqual(before)
    expect((await get(second, '/products/1')).body).toMatchObject({ price: '11.00' })
  })

  it('has the same rows in every new database', async () => {
    expect(rowsOf(await start('one.db'))).toEqual(rowsOf(await start('other.db')))
  })

  it('has the product of the specification', async () => {
    const { rest } = await start()
    const product = rest.models.find(({ name }) => name === 'Product')
    expect(product?.fields).toMatchObject([
      { name: 'id', kind: 'integer' },
      { name: 'name', kind: 'text', maxLength: 100, nullable: false },
      { name: 'price', kind: 'decimal', precision: 10, scale: 2, nullable: false },
      { name: 'in_stock', kind: 'boolean', default: true },
    ])
  })

  it('answers on every route', async () => {
    const shop = await start()
    const { rest } = shop
    expect(rest.models.map(({ path }) => path).toSorted()).toEqual([
      'categories',
      'customers',
      'order-items',
      'orders',
      'product-categories',
      'products',
    ])
    expect(rest.operations).toHaveLength(54)
    for (const { method, path } of rest.operations) {
      const url = `/api${path.replaceAll(/\{\w+\}/g, '0')}`
      const { statusCode, body } = await shop.app.inject({ method, url })
      const answer = `${method} ${url} ${statusCode} ${body}`
      if (method === 'GET' && !path.includes('{id}'))
        expect(answer).toMatch(/ 200 \{"(?:items":\[|models":)\{/)
      else expect(answer).toMatch(/ (?:404|400|415|422) \{"type":"urn:modelrest:problem:/)
    }
    for (const { path, primaryKey } of rest.models) {
      const { items } = (await get(shop, `/${path}/?limit=3`)).body as { items: Record<string, unknown>[] }
      expect(items).toHaveLength(3)
      for (const item of items) {
        const key = primaryKey.map((name) => String(item[name])).join(',')
        expect(await get(shop, `/${path}/${key}`)).toEqual({ status: 200, body: item })
      }
    }
    expect((await get(shop, '/health/ready')).status).toBe(200)
    expect((await shop.app.inject({ url: '/api/docs' })).statusCode).toBe(200)
    expect((await get(shop, '/openapi.json')).body).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Shop' },
    })
  })
})
