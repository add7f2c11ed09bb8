import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { controllerFor } from '../../src/index.ts'
import { onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { senderTo } from '../stage/requests.ts'
import { serveModels } from '../stage/serve-models.ts'
import { startError } from './start-error.ts'

const id = () => integer().primaryKey()
const shops = sqliteTable('shops', { id: id(), region: text().notNull() })
const orders = sqliteTable('orders', {
  id: id(),
  title: text().notNull(),
  shopId: integer('shop_id')
    .notNull()
    .references(() => shops.id),
})
const orderItems = sqliteTable('order_items', {
  id: id(),
  price: integer().notNull(),
  orderId: integer('order_id')
    .notNull()
    .references(() => orders.id),
})
const tags = sqliteTable('tags', { id: id() })
const orderTags = sqliteTable(
  'order_tags',
  {
    orderId: integer('order_id').references(() => orders.id),
    tagId: integer('tag_id').references(() => tags.id),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.tagId] })],
)
const tables = { shops, orders, orderItems, tags, orderTags }

const ddl = (key: string) => `
  create table shops (id ${key} primary key, region text not null);
  create table orders (id ${key} primary key, title text not null, shop_id integer not null references shops (id));
  create table order_items (id ${key} primary key, price integer not null, order_id integer not null references orders (id));
  create table tags (id ${key} primary key);
  create table order_tags (order_id integer, tag_id integer, primary key (order_id, tag_id));
  insert into shops (region) values ('north'), ('south');
  insert into orders (title, shop_id) values ('one', 1), ('two', 2);
  insert into order_items (price, order_id) values (10, 1), (20, 2)`

const open = () => openSqlite(tables, ddl('integer'))

describe('renamed relations', () => {
  it('have that name in scopes and in queries of hooks, for reads and writes', async () => {
    const { models, close } = open()
    const app = await onFastify(
      {
        models,
        controllers: [
          controllerFor('Order', { scope: () => ({ store: { region: 'north' } }) }),
          controllerFor('OrderItem', {
            scope: () => ({ purchase: { store: { region: 'north' } } }),
            beforeList: (_request: unknown, query: { readonly filter: unknown }) => ({
              ...query,
              filter: {
                op: 'not',
                condition: {
                  op: 'related',
                  relation: 'purchase',
                  condition: { op: 'eq', field: 'title', value: 'three' },
                },
              },
            }),
          } as never),
        ],
        modelConfig: {
          Order: { relations: { shop: 'store' } },
          OrderItem: { relations: { order: 'purchase' } },
        },
      },
      { base: '' },
    )
    const send = senderTo(app)
    const ids = async (path: string) => {
      const items = (await send('GET', path)).json['items'] as readonly { readonly id: number }[]
      return items.map((item) => item.id)
    }
    expect(await ids('/order-items')).toEqual([1])
    expect(await ids('/orders')).toEqual([1])
    expect((await send('GET', '/order-items/2')).status).toBe(404)
    const created = await send('POST', '/order-items', { body: { price: 30, orderId: 1 } })
    expect(created.status).toBe(201)
    expect((await send('POST', '/order-items', { body: { price: 30, orderId: 2 } })).status).toBe(422)
    expect((await send('PATCH', '/order-items/2', { body: { price: 1 } })).status).toBe(404)
    expect((await send('PATCH', '/order-items/1', { body: { price: 1 } })).status).toBe(200)
    expect(await ids('/order-items?sort=price')).toEqual([1, 3])
    await app.stop()
    await close()
  })
})

it('clients use the new names, and a closed relation is like one that never was', async () => {
  const { send } = await serveModels(open(), {
    modelConfig: {
      Order: {
        relations: { orderItems: 'lines', shop: 'store', tags: 'labels', orderTags: false },
        include: ['store'],
      },
      Shop: { relations: { orders: 'sales' } },
    },
  })
  const order = { id: 1, title: 'one', shopId: 1 }
  const [status, body] = await send(
    'GET',
    '/orders?lines.price=10&labels=null&include=lines,store.sales&sort=store.region',
  )
  expect([status, body]).toMatchObject([
    200,
    {
      items: [
        {
          ...order,
          lines: [{ id: 1, price: 10, orderId: 1 }],
          store: { id: 1, region: 'north', sales: [order] },
        },
      ],
    },
  ])
  expect(await send('GET', '/orders?sort=store.region&order=desc&fields=id')).toMatchObject([
    200,
    {
      items: [
        { id: 2, store: { region: 'south' } },
        { id: 1, store: { region: 'north' } },
      ],
    },
  ])
  const refused = async (name: string) => {
    const [status, problem] = await send('GET', `/orders?include=${name}`)
    return [
      status,
      JSON.stringify(problem)
        .replaceAll(name, 'x')
        .replace(/"request_id":"[^"]*"/, ''),
    ]
  }
  for (const name of ['orderTags', 'orderItems', 'shop'])
    expect(await refused(name)).toEqual(await refused('zzzzzzzz'))
  for (const name of ['orderTags', 'orderItems', 'shop'])
    expect((await send('GET', `/orders?${name}=null`))[0]).toBe(400)
})

describe('modelConfig.Order', () => {
  const start = (Order: object) => serveModels(open(), { modelConfig: { Order } })

  it.each<[string, object, readonly string[]]>([
    ['an unknown relation', { relations: { itmes: 'lines' } }, ['Order.relations', 'itmes', 'orderItems']],
    ['the name of a field', { relations: { orderItems: 'title' } }, ['Order.relations.orderItems', 'title']],
    ['that name in another style', { relations: { orderItems: 'shop_Id' } }, ['shop_Id', 'shopId']],
    ['the name of another relation', { relations: { orderItems: 'shop' } }, ['orderItems', 'shop']],
    ['one name twice', { relations: { orderItems: 'a', tags: 'a' } }, ['Order', 'a']],
    ['a name that a closed one has', { relations: { orderItems: 'tags', tags: false } }, ['tags']],
    ['a name that no query can have', { relations: { tags: 'the-tags' } }, ['tags', 'the-tags']],
    ['the name of a member of the response', { relations: { tags: '_related' } }, ['tags', '_related']],
    ['the name of a parameter', { relations: { tags: 'limit' } }, ['tags', 'limit', 'cursor', 'include']],
    ['a name to come', { relations: { tags: 'include' } }, ['tags', 'include']],
    ['an empty name', { relations: { tags: '' } }, ['tags', '""']],
    ['true', { relations: { tags: true } }, ['modelConfig.Order.relations', 'false']],
    ['a name alone', { relations: 'tags' }, ['modelConfig.Order.relations']],
    ['nothing', { relations: {} }, ['modelConfig.Order.relations']],
    ['nothing to include', { include: [] }, ['modelConfig.Order.include']],
    ['a text to include', { include: 'shop' }, ['modelConfig.Order.include', 'customer']],
    ['what is unknown to include', { include: ['shp'] }, ['modelConfig.Order.include', 'shp', 'Order']],
  ])('is refused at start with %s', async (_what, config, names) => {
    await expect(start(config)).rejects.toThrow(startError(...names))
  })

  it('may give two relations the names of each other', async () => {
    const { rest } = await start({ relations: { tags: 'orderItems', orderItems: 'tags' } })
    expect(rest.models.find(({ name }) => name === 'Order')?.relations).toMatchObject([
      { name: 'shop' },
      { name: 'tags', model: 'OrderItem' },
      { name: 'orderTags' },
      { name: 'orderItems', model: 'Tag', through: { model: 'OrderTag' } },
    ])
    expect(rest.models.find(({ name }) => name === 'Tag')?.relations).toMatchObject([
      { inverse: 'tag' },
      { name: 'orders', inverse: 'orderItems' },
    ])
  })
})
