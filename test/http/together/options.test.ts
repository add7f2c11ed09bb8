import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { memorySource } from '../../../src/testing/index.ts'
import { naming } from '../../naming.ts'
import { onFastify } from '../../stage/apps.ts'
import { open, refusalOf, shops } from '../../stage/shop.ts'
import { startError } from '../start-error.ts'

const opened = (options: object = {}) => open(shops.sqlite, options)

describe('modelConfig.X.write is refused at the start', () => {
  const cases: readonly (readonly [string, object, readonly string[]])[] = [
    [
      'an unknown relation',
      { modelConfig: { Order: { write: ['item'] } } },
      ['Order.write', 'item', 'items', 'tags'],
    ],
    ['a to-one relation', { modelConfig: { Item: { write: ['order'] } } }, ['Item.write', 'order']],
    [
      'a closed relation',
      { modelConfig: { Order: { write: ['items'], relations: { items: false } } } },
      ['Order.write', 'items'],
    ],
    [
      'a model that is not served',
      { exclude: { app: ['Item'] }, modelConfig: { Order: { write: ['items'] } } },
      ['Order.write', 'Item', 'items'],
    ],
    ['names that are no array', { modelConfig: { Order: { write: 'items' } } }, ['Order.write']],
    [
      'a custom schema that requires the foreign key',
      { customSchemas: { Item: { create: z.object({ orderId: z.number(), price: z.number() }) } } },
      ['Order.write', 'customSchemas.Item.create', 'orderId'],
    ],
  ]
  test.each(cases)('with %s', async (_name, options, names) => {
    await expect(opened(options)).rejects.toThrow(startError(...names))
  })

  test('without transactions', async () => {
    const key = { name: 'id', kind: 'integer', hasDefault: true } as const
    const tables = [
      { name: 'Order', fields: [key], primaryKey: ['id'] },
      {
        ...{
          name: 'Item',
          fields: [key, { name: 'order_id', kind: 'integer' } as const],
          primaryKey: ['id'],
        },
        foreignKeys: [{ fields: ['order_id'], model: 'Order', references: ['id'] }],
      },
    ]
    const source = memorySource(tables)
    const models = { ...source, capabilities: { ...source.capabilities, transactions: false } }
    await expect(
      onFastify({ models, modelConfig: { Order: { write: ['items'] } } } as never),
    ).rejects.toThrow(startError('modelConfig.Order.write'))
  })
})

test('custom schemas of children read their elements, with pointers', async () => {
  const create = z.object({
    price: z.number().min(2),
    sku: z.string().optional(),
    orderId: z.number().optional(),
  })
  const { send, itemsOf } = await opened({ customSchemas: { Item: { create } } })
  const post = (items: readonly object[]) => send('POST', '/orders/', { body: { title: 'x', items } })
  expect(refusalOf(await post([{ price: 3 }, { price: 1 }]))).toEqual([
    422,
    'invalid_body',
    '/items/1/price out_of_range',
  ])
  expect((await post([{ price: 3, sku: 'a' }])).status).toBe(201)
  const put = await send('PUT', '/orders/3', { body: { title: 'y', items: [{ id: 1, price: 1 }] } })
  expect(refusalOf(put)).toEqual([422, 'invalid_body', '/items/0/price out_of_range'])
  const patch = await send('PATCH', '/orders/3', { body: { items: { update: [{ id: 1, price: 7 }] } } })
  expect([patch.status, await itemsOf(3)]).toMatchObject([200, [{ id: 1, price: 7, sku: 'a' }]])
})

test('a key of several fields is an array, of a child and of a join table', async () => {
  const { send, rows } = await opened({
    modelConfig: { Order: { write: ['orderTags'] }, Tag: { write: ['orderTags', 'orders'] } },
  })
  const created = await send('POST', '/orders/', {
    body: { title: 'x', orderTags: [{ tagId: 1, weight: 9 }, { tagId: 2 }] },
  })
  expect(created.status, created.text).toBe(201)
  const patch = await send('PATCH', '/orders/3', {
    body: { orderTags: { update: [{ tagId: 1, weight: 8 }], delete: [2], create: [{ tagId: 3 }] } },
  })
  expect(patch.status, patch.text).toBe(200)
  expect(await rows('select * from order_tags order by tag_id')).toEqual([
    { order_id: 3, tag_id: 1, weight: 8 },
    { order_id: 3, tag_id: 3, weight: 5 },
  ])
  expect((await send('PATCH', '/tags/1', { body: { orders: [1, 2] } })).status).toBe(200)
  expect(await rows('select order_id from order_tags where tag_id = 1 order by order_id')).toEqual([
    { order_id: 1 },
    { order_id: 2 },
  ])
})

test('forms do not have the members', async () => {
  const { send, rows } = await opened({
    useMultipart: { Order: { create: true } },
  })
  const body = [
    ...['--b', 'Content-Disposition: form-data; name="title"', '', 'x'],
    ...['--b', 'Content-Disposition: form-data; name="items"', '', '[{"price":1}]', '--b--', ''],
  ].join('\r\n')
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const refused = await send('POST', '/orders/', { body, headers })
  expect(refusalOf(refused)).toEqual([422, 'invalid_body', '/items unknown_key'])
  expect(await rows('select id from orders')).toHaveLength(2)
})

describe('the response', () => {
  test('has the relations of the body, as include shows them', async () => {
    const { send } = await opened({ modelConfig: { Item: { hidden: ['quantity'] } } })
    const created = await send('POST', '/orders/', {
      body: { title: 'x', items: [{ price: 2 }, { price: 1 }], tags: [3] },
    })
    expect(created.json).toEqual({
      ...{ id: 3, tenant: 1, title: 'x' },
      items: [
        { id: 1, orderId: 3, productId: null, tenant: 1, sku: null, price: 2 },
        { id: 2, orderId: 3, productId: null, tenant: 1, sku: null, price: 1 },
      ],
      tags: [{ id: 3, tenant: 1, name: 'c' }],
      _related: { items: { has_more: false }, tags: { has_more: false } },
    })
    expect((await send('GET', '/orders/3?include=items,tags')).json).toEqual(created.json)
    const patch = await send('PATCH', '/orders/3', { body: { tags: [] } })
    expect(patch.json).toEqual({
      id: 3,
      tenant: 1,
      title: 'x',
      tags: [],
      _related: { tags: { has_more: false } },
    })
  })

  test('omits what the caller may not list, and keeps what afterCreate returns', async () => {
    const { send, itemsOf } = await opened({
      parts: {
        Order: { afterCreate: (_request: unknown, record: object) => ({ ...record, note: 'hi' }) },
        Item: { permissions: { read: () => false } },
        Tag: {
          afterList: (_request: unknown, records: readonly object[]) =>
            records.map((tag) => ({ ...tag, shown: true })),
        },
      },
    })
    const created = await send('POST', '/orders/', { body: { title: 'x', items: [{ price: 2 }], tags: [1] } })
    expect([created.status, created.json]).toEqual([
      201,
      {
        ...{ id: 3, tenant: 1, title: 'x', note: 'hi' },
        tags: [{ id: 1, tenant: 1, name: 'a', shown: true }],
        _related: { tags: { has_more: false } },
      },
    ])
    expect(await itemsOf(3)).toHaveLength(1)
  })

  test('is that of the record if related records cannot be shown', async () => {
    const { send, errors, itemsOf } = await opened({
      parts: {
        Item: {
          afterList: () => {
            throw new Error('broken')
          },
        },
      },
    })
    const created = await send('POST', '/orders/', { body: { title: 'x', items: [{ price: 2 }] } })
    expect([created.status, created.json]).toEqual([201, { id: 3, tenant: 1, title: 'x' }])
    expect([errors.length, await itemsOf(3)]).toMatchObject([1, [{ price: 2 }]])
  })
})

test.each([
  ['POST', '/orders/'],
  ['PUT', '/orders/1'],
  ['PATCH', '/orders/1'],
])('a misspelt member of %s %s gets the names of the relations', async (method, path) => {
  const { send } = await opened()
  const reply = await send(method, path, { body: { title: 'x', itms: [] } })
  expect(refusalOf(reply)).toEqual([422, 'invalid_body', '/itms unknown_key'])
  expect(reply.json['detail']).toMatch(naming('itms', 'items', 'items', 'tags', 'title'))
})
