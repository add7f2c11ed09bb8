import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { decimal } from '../../src/entry/drizzle-sqlite.ts'
import { ModelRest } from '../../src/entry/fastify.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Folder, folderWithPackage } from './folders.ts'

const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: text({ length: 100 }).notNull(),
  price: decimal({ precision: 10, scale: 2 }).notNull(),
  note: text(),
})
const orderItems = sqliteTable(
  'order_items',
  {
    order_id: integer().notNull(),
    line: text().notNull(),
    product_id: integer()
      .notNull()
      .references(() => products.id),
  },
  ({ order_id, line }) => [primaryKey({ columns: [order_id, line] })],
)

const RECORDS = 1000

const ddl = `
  create table products (id integer primary key, name text not null, price integer not null, note text);
  create table order_items (order_id integer not null, line text not null,
    product_id integer not null references products, primary key (order_id, line))`

type Answer = { readonly data: never; readonly total: number }
type Provider = Readonly<Record<string, (...given: readonly unknown[]) => Promise<Answer>>>

let folder: Folder
let api: { readonly url: string; readonly keys: object }
const app = Fastify()
const client = new Database(':memory:')

beforeAll(async () => {
  const files = fencedBlocks(readFileSync('docs/admin.md', 'utf8'))
  folder = folderWithPackage(
    inject('unpacked'),
    Object.fromEntries(files.map(({ file = 'unnamed', text }) => [file, text])),
  )
  client.exec(ddl)
  const db = drizzle({ client })
  const addItem = client.prepare('insert into order_items values (?, ?, ?)')
  for (let id = 1; id <= RECORDS; id += 1) {
    const name = id === 7 ? 'A "quoted", & odd name' : `Lamp ${id}`
    db.insert(products)
      .values({ id, name, price: `${id}.00` })
      .run()
    addItem.run(id, id === 3 ? 'a,b/c' : `line ${id}`, id)
  }
  const models = drizzleModels(db, { products, orderItems })
  await new ModelRest(app, { models }).init()
  api = {
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    keys: { 'order-items': ['order_id', 'line'] },
  }
})
afterAll(async () => {
  await app.close()
  client.close()
  folder?.remove()
})

const providerOf = async (file: string): Promise<Provider> => {
  const { dataProvider } = (await import(join(folder.path, file))) as {
    dataProvider: (given: typeof api) => Provider
  }
  return dataProvider(api)
}

const ids = Array.from({ length: 500 }, (_, index) => index + 1)

describe('the data provider of react-admin', () => {
  let provider: Provider
  beforeAll(async () => {
    provider = await providerOf('react-admin.ts')
  })
  const ask = (act: string, ...given: readonly unknown[]) => provider[act]!(...given)

  test('pages, sorts, filters and searches', async () => {
    const pagination = { page: 2, perPage: 5 }
    const sort = { field: 'price', order: 'DESC' }
    const page = await ask('getList', 'products', { pagination, sort, filter: {} })
    expect(page).toMatchObject({ total: RECORDS, data: [{ id: 995 }, {}, {}, {}, { id: 991 }] })
    const filter = { q: 'lamp', 'price<': 10, note: null }
    const found = await ask('getList', 'products', { pagination: { page: 1, perPage: 50 }, filter })
    expect(found.total).toBe(8)
    const odd = await ask('getList', 'products', { filter: { name: 'a "quoted", &' } })
    expect(odd.data).toMatchObject([{ id: 7 }])
  })

  test('gets 500 records by their ids, also by composite ones', async () => {
    const many = await ask('getMany', 'products', { ids })
    expect(many.data).toHaveLength(500)
    const items = await ask('getList', 'order-items', { pagination: { page: 1, perPage: 500 } })
    const composite = (items.data as { id: string }[]).map(({ id }) => id)
    expect(composite).toContain('3,a%2Cb%2Fc')
    const again = await ask('getMany', 'order-items', { ids: composite })
    expect((again.data as { id: string }[]).map(({ id }) => id).sort()).toEqual(composite.toSorted())
    expect((await ask('getOne', 'order-items', { id: '3,a%2Cb%2Fc' })).data).toMatchObject({ line: 'a,b/c' })
    const referring = await ask('getManyReference', 'order-items', { target: 'product_id', id: 9 })
    expect(referring.data).toMatchObject([{ id: '9,line%209' }])
  })

  test('creates, changes what changed, and deletes, also many', async () => {
    const { data } = await ask('create', 'products', { data: { name: 'New', price: '5.00' } })
    const previousData: { readonly id: number } = data
    const changed = { ...previousData, note: 'on sale' }
    const updated = await ask('update', 'products', { id: previousData.id, data: changed, previousData })
    expect(updated.data).toMatchObject({ note: 'on sale', price: '5.00' })
    const gone = await ask('delete', 'products', { id: previousData.id, previousData })
    expect(gone.data).toEqual(previousData)
    await ask('updateMany', 'order-items', { ids: ['1,line%201'], data: { product_id: 2 } })
    expect((await ask('getOne', 'order-items', { id: '1,line%201' })).data).toMatchObject({ product_id: 2 })
    await ask('deleteMany', 'order-items', { ids: ['1,line%201', '3,a%2Cb%2Fc'] })
    await expect(ask('getOne', 'order-items', { id: '1,line%201' })).rejects.toMatchObject({ status: 404 })
  })

  test('an error names its fields', async () => {
    await expect(ask('create', 'products', { data: { name: 'New', price: 'much' } })).rejects.toMatchObject({
      status: 422,
      body: { errors: { price: expect.any(String) } },
    })
  })
})

describe('the data provider of refine', () => {
  let provider: Provider
  beforeAll(async () => {
    provider = await providerOf('refine.ts')
  })
  const ask = (act: string, given: object) => provider[act]!(given)

  test.each([
    [[{ field: 'id', operator: 'lte', value: 3 }], [1, 2, 3]],
    [[{ field: 'id', operator: 'in', value: [4, 5] }], [4, 5]],
    [[{ field: 'name', operator: 'contains', value: 'QUOTED' }], [7]],
    [
      [
        {
          operator: 'or',
          value: [
            { field: 'id', operator: 'eq', value: 8 },
            { field: 'price', operator: 'eq', value: '9.00' },
          ],
        },
        { field: 'note', operator: 'null', value: true },
      ],
      [8, 9],
    ],
  ])('filters by %j', async (filters, found) => {
    const { data } = await ask('getList', {
      resource: 'products',
      filters,
      sorters: [{ field: 'id', order: 'asc' }],
    })
    expect((data as { id: number }[]).map(({ id }) => id)).toEqual(found)
  })

  test('pages, gets many, creates, updates and deletes', async () => {
    const page = await ask('getList', { resource: 'products', pagination: { currentPage: 3, pageSize: 4 } })
    expect(page.data).toMatchObject([{ id: 9 }, { id: 10 }, { id: 11 }, { id: 12 }])
    expect((await ask('getMany', { resource: 'products', ids })).data).toHaveLength(500)
    const resource = 'products'
    const { data } = await ask('create', { resource, variables: { name: 'New', price: '5.00' } })
    const { id }: { readonly id: number } = data
    const updated = await ask('update', { resource, id, variables: { price: '6.00' } })
    expect(updated.data).toMatchObject({ id, price: '6.00' })
    expect((await ask('getOne', { resource, id })).data).toMatchObject({ name: 'New' })
    expect((await ask('deleteOne', { resource, id })).data).toEqual({ id })
    await expect(ask('getOne', { resource, id })).rejects.toMatchObject({ statusCode: 404 })
  })

  test('refuses an operator that it does not have', () => {
    expect(() =>
      ask('getList', { resource: 'products', filters: [{ field: 'id', operator: 'ina', value: 1 }] }),
    ).toThrow('ina')
  })
})
