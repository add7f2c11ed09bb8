import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { everything } from '../../../src/query/ast.ts'
import { tables } from '../../http/relations/stage.ts'

it('reads few more related records than would be refused', async () => {
  const client = new Database(':memory:')
  client.exec(`
    create table orders (id integer primary key, customer_id integer, status text not null);
    create table order_items (id integer primary key, order_id integer not null, product_id integer, price integer not null);
    create index item_order on order_items (order_id);
    with recursive n(n) as (select 1 union all select n + 1 from n where n < 20000)
      insert into order_items select n, n % 2000, null, 1 from n;
  `)
  const { customers, order_items, orders, products } = tables as Readonly<Record<string, object>>
  const source = drizzleModels(drizzle({ client }), { orders, order_items, customers, products } as never)
  const model = source.models.find(({ name }) => name === 'Order')
  if (model === undefined) throw new Error('Order is missing.')
  const records = Array.from({ length: 2000 }, (_, at) => [at])
  const order = [{ field: 'id', direction: 'asc' }] as const
  const sizes: number[] = []
  const admits = (rows: readonly number[]) => {
    sizes.push(rows.length)
    return rows.length <= 50
  }
  const to = { relation: 'order_items', records, guard: everything }
  const selection = { filter: everything, order, limit: 10, offset: 0 }
  const read = async (most?: number) =>
    source.store(model).related?.({ ...to, ...(most && { most }) }, selection, admits)
  expect(await read(50)).toEqual(records.map(() => []))
  await read()
  expect(sizes).toEqual([1000, 20000])
  client.close()
})
