import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { controllerFor } from '../../src/index.ts'
import { openPglite, openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'
import { startError } from './start-error.ts'

const shops = sqliteTable('shops', { shop_no: integer().primaryKey(), region_name: text().notNull() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  order_title: text().notNull().unique(),
  order_total: integer().notNull().default(5),
  shop_no: integer()
    .notNull()
    .references(() => shops.shop_no),
  row_version: integer().notNull().default(1),
  removed_at: integer({ mode: 'timestamp' }),
  written_at: integer({ mode: 'timestamp' }),
  api_key: text(),
  createdAt: integer('createdAt'),
  created_at: integer('created_at'),
})
const users = sqliteTable('users', {
  id: integer().primaryKey(),
  email: text().notNull().unique(),
  password: text().notNull(),
})

const ddl = `
  create table shops (shop_no integer primary key, region_name text not null);
  create table orders (id integer primary key, order_title text not null unique, order_total integer not null default 5,
    shop_no integer not null references shops (shop_no), row_version integer not null default 1, removed_at integer,
    written_at integer, api_key text, createdAt integer, created_at integer);
  create table users (id integer primary key, email text not null unique, password text not null);
  insert into shops values (1, 'north'), (2, 'south');
  insert into orders (order_title, order_total, shop_no, createdAt, created_at) values ('one', 10, 1, 7, 8), ('two', 20, 2, 9, 9)`

const open = () => openSqlite({ shops, orders, users }, ddl)

const fields = { order_title: 'title', order_total: 'total', shop_no: 'shopId' }
const Shop = { fields: { shop_no: 'id', region_name: 'region' } }

describe('renamed fields', () => {
  it('have that name in requests and responses', async () => {
    const { send } = await serveModels(open(), {
      modelConfig: { Shop, Order: { fields, bulk: true, relations: { shop: 'store' } } },
    })
    const one = { id: 1, title: 'one', total: 10, shopId: 1 }
    expect(
      await send('GET', '/orders/?title==one&store.region==north&include=store.orders&sort=store.region'),
    ).toMatchObject([
      200,
      { items: [{ ...one, store: { id: 1, region: 'north', orders: [one] } }], count: 1 },
    ])
    expect(await send('GET', '/orders/?sort=total&order=desc&limit=1&fields=title')).toMatchObject([
      200,
      { items: [{ id: 2, title: 'two' }] },
    ])
    expect(await send('GET', '/orders/?search=tw')).toMatchObject([200, { items: [{ id: 2 }] }])
    expect(
      await send(
        'GET',
        '/orders/aggregate?group=shopId&aggregate=sum(total),count&sort=sum_total&order=desc',
      ),
    ).toMatchObject([
      200,
      {
        items: [
          { shopId: 2, sum_total: 20, count: 1 },
          { shopId: 1, sum_total: 10, count: 1 },
        ],
      },
    ])
    const having = '/orders/aggregate?group=shopId&aggregate=sum(total)&having=sum_total>15%26shopId==2'
    expect(await send('GET', having)).toMatchObject([200, { items: [{ shopId: 2, sum_total: 20 }] }])
    expect(await send('POST', '/orders/', { title: 'three', shopId: 1 })).toMatchObject([
      201,
      { id: 3, title: 'three', total: 5 },
    ])
    expect(await send('POST', '/orders/', [{ title: 'four', shopId: 1 }] as never)).toMatchObject([
      201,
      [{ title: 'four' }],
    ])
    expect(await send('PATCH', '/orders/3', { total: 6 })).toMatchObject([200, { total: 6 }])
    expect(await send('PUT', '/orders/3', { title: 'new', shopId: 2 })).toMatchObject([
      200,
      { title: 'new', total: 5, shopId: 2 },
    ])
    expect(await send('GET', '/shops/2')).toMatchObject([200, { id: 2, region: 'south' }])
    expect(await send('GET', '/shops/2/orders/')).toMatchObject([200, { count: 2 }])
    expect(await send('DELETE', '/orders/3')).toEqual([204, undefined])
  })

  it('have that name in refusals, and the old one is unknown', async () => {
    const { send } = await serveModels(open(), { modelConfig: { Order: { fields } } })
    expect(await send('POST', '/orders/', { title: 'one', shopId: 1 })).toMatchObject([
      409,
      { errors: [{ pointer: '/title' }] },
    ])
    expect(await send('POST', '/orders/', { title: 'x', shopId: 77 })).toMatchObject([
      422,
      { errors: [{ pointer: '/shopId', code: 'missing_reference' }] },
    ])
    expect(await send('PATCH', '/orders/1', { order_title: 'x' })).toMatchObject([
      422,
      { errors: [{ pointer: '/order_title', code: 'unknown_key' }] },
    ])
    expect((await send('GET', '/orders/?order_title=one'))[0]).toBe(400)
    const [, document] = await send('GET', '/openapi.json')
    expect(JSON.stringify(document)).toContain('"title"')
    expect(JSON.stringify(document)).not.toContain('order_title')
  })

  it('have that name in hooks and scopes', async () => {
    const seen: unknown[] = []
    const { send } = await serveModels(open(), {
      modelConfig: { Shop, Order: { fields } },
      controllers: [
        controllerFor('Order', {
          scope: () => ({ shop: { region: 'north' } }),
          beforeCreate: (_request: unknown, payload: object) => {
            seen.push(payload)
            return { ...payload, total: 3 }
          },
          afterCreate: (_request: unknown, record: object) => void seen.push(record),
        } as never),
      ],
    })
    expect(await send('GET', '/orders/')).toMatchObject([200, { count: 1 }])
    expect(await send('POST', '/orders/', { title: 'x', shopId: 1 })).toMatchObject([201, { total: 3 }])
    expect(seen).toMatchObject([
      { title: 'x', shopId: 1 },
      { title: 'x', total: 3 },
    ])
  })

  it.each([
    ['new', ['title', 'version', 'removed', 'written', 'total']],
    ['old', ['order_title', 'row_version', 'removed_at', 'written_at', 'order_total']],
  ])('may be named in other options by the %s name', async (_which, names) => {
    const [title = '', version = '', softDelete = '', written = '', total = ''] = names
    const { send } = await serveModels(open(), {
      modelConfig: {
        Order: {
          fields: { ...fields, row_version: 'version', removed_at: 'removed', written_at: 'written' },
          ...{ version, softDelete, stamps: { [written]: 'now' }, readOnly: [total] },
          ...{ search: [title], fieldDescriptions: { [title]: 'What it is called.' } },
        } as never,
      },
    })
    expect(await send('PATCH', '/orders/1', { title: 'uno' })).toMatchObject([
      200,
      { title: 'uno', version: 2, written: expect.any(String) },
    ])
    expect((await send('PATCH', '/orders/1', { total: 1 }))[0]).toBe(422)
    expect((await send('DELETE', '/orders/1'))[0]).toBe(204)
    expect(await send('GET', '/orders/?search=uno')).toMatchObject([200, { count: 0 }])
    const [, document] = await send('GET', '/openapi.json')
    expect(JSON.stringify(document)).toContain('What it is called.')
  })

  it('have it in what a hook shows, also of a row that it has read itself', async () => {
    const { models, close } = open()
    const { send } = await serveModels({ models, close } as never, {
      modelConfig: {
        Order: { fields: { ...fields, api_key: 'note', removed_at: 'gone' }, hidden: ['removed_at'] },
      },
      controllers: [
        controllerFor('Order', {
          present: async (
            _request: unknown,
            records: readonly unknown[],
            { db }: { db: { select: () => { from: (of: unknown) => Promise<readonly unknown[]> } } },
          ) => (await db.select().from(orders)).slice(0, records.length),
        } as never),
      ],
    })
    const [, record] = await send('GET', '/orders/1')
    expect(record).toMatchObject({ id: 1, title: 'one', shopId: 1 })
    for (const name of ['api_key', 'note', 'removed_at', 'gone', 'order_title'])
      expect(record).not.toHaveProperty(name)
  })

  it('stay secret if they were', async () => {
    const { send } = await serveModels(open(), { modelConfig: { Order: { fields: { api_key: 'note' } } } })
    const [, created] = await send('POST', '/orders/', { order_title: 'x', shop_no: 1, note: 'hush' })
    expect(created).not.toHaveProperty('note')
    expect((await send('GET', '/orders/?note=hush'))[0]).toBe(400)
    const opened = await serveModels(open(), {
      modelConfig: { Order: { fields: { api_key: 'note' }, hidden: { api_key: false } } },
    })
    expect(await opened.send('GET', '/orders/1')).toMatchObject([200, { note: null }])
  })

  it('are both served where their names differed only in style', async () => {
    const { send, lines } = await serveModels(open(), {
      modelConfig: { Order: { fields: { created_at: 'imported' }, readOnly: ['imported' as never] } },
    })
    expect(lines.join()).not.toContain('created_at')
    expect(await send('GET', '/orders/1')).toMatchObject([200, { createdAt: 7, imported: 8 }])
  })

  it('is said in the line about names that differ only in style', async () => {
    const { lines } = await serveModels(open())
    expect(lines).toContainEqual(
      expect.stringContaining("modelConfig: { Order: { fields: { created_at: '…' } } }"),
    )
  })
})

it('refusals that are looked up after the transaction have the new names', async () => {
  const shop = pg.pgTable('shops', { shop_no: pg.integer().primaryKey() })
  const order = pg.pgTable('orders', {
    id: pg.serial().primaryKey(),
    shop_no: pg
      .integer()
      .notNull()
      .references(() => shop.shop_no),
    other_no: pg.integer().references(() => shop.shop_no),
  })
  const database = await openPglite(
    { shops: shop, orders: order },
    `create table shops (shop_no int primary key);
     create table orders (id serial primary key, shop_no int not null references shops, other_no int references shops);
     insert into shops values (1)`,
  )
  const { send } = await serveModels(database, {
    modelConfig: { Order: { fields: { shop_no: 'other_no', other_no: 'shop_no' }, bulk: true } },
    controllers: [controllerFor('Order', { afterCreate: () => undefined } as never)],
  })
  expect(await send('POST', '/orders/', { other_no: 99, shop_no: 1 })).toMatchObject([
    422,
    { errors: [{ pointer: '/other_no', code: 'missing_reference' }] },
  ])
  expect(await send('POST', '/orders/', [{ other_no: 1, shop_no: 99 }] as never)).toMatchObject([
    422,
    { errors: [{ pointer: '/0/shop_no', code: 'missing_reference' }] },
  ])
})

it('a field that the source calls count can be counted', async () => {
  const tallies = sqliteTable('tallies', { id: integer().primaryKey(), count: integer() })
  const { send } = await serveModels(
    openSqlite(
      { tallies },
      'create table tallies (id integer primary key, count integer); insert into tallies values (1, 7)',
    ),
    { modelConfig: { Tally: { fields: { count: 'amount' } } } },
  )
  expect(await send('GET', '/tallies/aggregate?group=amount')).toMatchObject([
    200,
    { items: [{ amount: 7 }] },
  ])
  expect(
    await send('GET', '/tallies/aggregate?group=amount&aggregate=count,sum(amount)&sort=count'),
  ).toMatchObject([200, { items: [{ amount: 7, count: 1, sum_amount: 7 }] }])
})

it('the log names keys and secrets also by the names that they had', async () => {
  const { lines } = await serveModels(open(), {
    modelConfig: { Order: { fields: { api_key: 'note' } } },
  })
  expect(lines.join()).toContain('note (api_key)')
  const tickets = sqliteTable('tickets', { reset_token: text().primaryKey() })
  const served = await serveModels(
    openSqlite({ tickets }, 'create table tickets (reset_token text primary key)'),
    {
      modelConfig: { Ticket: { internal: false, fields: { reset_token: 'ref' } } },
    },
  )
  expect(served.lines.join()).toContain('Ticket.ref')
})

describe('modelConfig.Order.fields', () => {
  it.each<[string, object, readonly string[]]>([
    ['an unknown field', { order_titel: 'title' }, ['Order.fields', 'order_titel', 'order_title']],
    ['the name of a field', { order_title: 'order_total' }, ['Order.fields.order_title', 'order_total']],
    ['that name in another style', { order_title: 'orderTotal' }, ['orderTotal', 'order_total']],
    ['the name of a relation', { order_title: 'shop' }, ['Order.fields.order_title', 'shop']],
    ['one name twice', { order_title: 'a', order_total: 'a' }, ['Order', 'a']],
    ['a name that no query can have', { order_title: 'the-title' }, ['the-title']],
    ['a name of the prototype', { order_title: '__proto__' }, ['__proto__']],
    ['the name of a parameter', { order_title: 'limit' }, ['limit', 'cursor']],
    ['false', { order_title: false }, ['modelConfig.Order.fields']],
    ['nothing', {}, ['modelConfig.Order.fields']],
  ])('is refused at start with %s', async (_what, config, names) => {
    await expect(
      serveModels(open(), { modelConfig: { Order: { fields: config as never } } }),
    ).rejects.toThrow(startError(...names))
  })

  it('may give two fields the names of each other', async () => {
    const { send } = await serveModels(open(), {
      modelConfig: { Order: { fields: { order_title: 'row_version', row_version: 'order_title' } } },
    })
    expect(await send('GET', '/orders/?row_version==one')).toMatchObject([
      200,
      { items: [{ row_version: 'one', order_title: 1 }] },
    ])
  })

  it('takes names that relations leave, and leaves theirs', async () => {
    const { send } = await serveModels(open(), {
      modelConfig: { Order: { fields: { order_title: 'shop' }, relations: { shop: 'order_title' } } },
    })
    expect(await send('GET', '/orders/1?include=order_title')).toMatchObject([
      200,
      { shop: 'one', order_title: { shop_no: 1 } },
    ])
  })

  it.each<[string, object, readonly string[]]>([
    [
      'means two fields',
      { fields: { api_key: 'order_title', order_title: 'x' }, hidden: ['order_title'] },
      ['order_title', 'api_key'],
    ],
    [
      'is in a swap',
      { fields: { createdAt: 'created_at', created_at: 'createdAt' }, hidden: ['created_at'] },
      ['created_at'],
    ],
    [
      'stands beside the other of its field',
      { fields, readOnly: { order_title: true, title: false } },
      ['readOnly', 'title'],
    ],
  ])('refuses an option with a name that %s', async (_what, config, names) => {
    await expect(serveModels(open(), { modelConfig: { Order: config as never } })).rejects.toThrow(
      startError(...names),
    )
  })

  it('leaves the user model as login needs it', async () => {
    await expect(
      serveModels(open(), { modelConfig: { User: { fields: { email: 'mail' } } } }),
    ).rejects.toThrow(startError('modelConfig.User.fields'))
  })
})
