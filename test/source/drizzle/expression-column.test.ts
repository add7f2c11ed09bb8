import Database from 'better-sqlite3'
import { count, max, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { decimal } from '../../../src/entry/drizzle-sqlite.ts'
import { everything } from '../../../src/query/ast.ts'

const prices = sqliteTable('prices', {
  id: integer().primaryKey(),
  shop: text(),
  price: decimal({ precision: 20, scale: 2 }),
})

const shops = sqliteView('shops').as((query) =>
  query
    .select({
      id: prices.shop,
      highest: max(prices.price).as('top'),
      prices: count().as('price_count'),
      shout: sql`upper(shop)`.as('shout'),
    })
    .from(prices)
    .groupBy(prices.shop),
)

it('the expressions of a view are read, compared and sorted as what they are', () => {
  const database = new Database(':memory:')
  const db = drizzle(database)
  database.exec('create table prices (id integer primary key, shop text, price text)')
  database.exec(
    'create view shops as select shop, max(price) as top, count(*) as price_count, upper(shop) as shout from prices group by shop',
  )
  db.insert(prices)
    .values([
      { shop: 'a', price: '-3' },
      { shop: 'a', price: '-1.5' },
      { shop: 'b', price: '20' },
      { shop: 'c', price: '3' },
    ])
    .run()
  const models = drizzleModels(db, { prices, shops })
  const store = models.store(models.models.find(({ name }) => name === 'Shop') ?? expect.fail())
  const list = store.list(
    {
      filter: { op: 'gt', field: 'highest', value: '-2.00' },
      order: [{ field: 'highest', direction: 'desc' }],
      limit: 10,
      offset: 0,
    },
    everything,
  )
  expect(list).toEqual([
    { id: 'b', highest: '20.00', prices: 1, shout: 'B' },
    { id: 'c', highest: '3.00', prices: 1, shout: 'C' },
    { id: 'a', highest: '-1.50', prices: 2, shout: 'A' },
  ])
  database.close()
})
