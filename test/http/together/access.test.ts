import { describe, expect, test } from 'vitest'
import { after } from '../../../src/model/objects.ts'
import { open, refusalOf, shops } from '../../stage/shop.ts'
import { executeWith } from '../hooked.ts'

const userOf = (request: unknown): string | null => {
  const headers = (request as { headers: Headers | Record<string, string> }).headers
  return (headers instanceof Headers ? headers.get('x-user') : headers['x-user']) ?? null
}
const auth = {
  authenticate: (request: unknown) => {
    const id = userOf(request)
    return id === null ? null : { id }
  },
}
const as = (user: string, body: object) => ({ body, headers: { 'x-user': user } })

describe('the access to related records', () => {
  const start = shops.sqlite
  test('is that of their own endpoints', async () => {
    const { send, itemsOf, tagsOf, execute } = await open(start, {
      auth,
      modelConfig: {
        Order: { write: ['items', 'tags'], public: true },
        OrderTag: { public: true },
        Tag: { public: true },
      },
      parts: {
        Item: {
          permissions: {
            create: 'authenticated',
            update: (request: unknown, record: { price: number }) =>
              userOf(request) === 'a' && record.price < 50,
            delete: (request: unknown) => userOf(request) === 'root',
          },
        },
      },
    } as never)
    await execute(`insert into order_items (order_id, price) values (1, 10), (1, 60)`)
    const anonymous = await send('POST', '/orders/', {
      body: { title: 'x', tags: [1], items: [{ price: 1 }] },
    })
    expect(refusalOf(anonymous)).toEqual([401, 'unauthenticated', '/items/0 unauthenticated'])
    expect((await send('POST', '/orders/', { body: { title: 'x', tags: [1] } })).status).toBe(201)
    expect((await send('POST', '/orders/', as('b', { title: 'x', items: [{ price: 1 }] }))).status).toBe(201)
    const patch = (user: string, id: number) =>
      send('PATCH', '/orders/1', as(user, { items: { update: [{ id, price: 11 }] } }))
    expect(refusalOf(await patch('b', 1))).toEqual([403, 'forbidden', '/items/update/0 forbidden'])
    expect(refusalOf(await patch('a', 2))).toEqual([403, 'forbidden', '/items/update/0 forbidden'])
    expect((await patch('a', 1)).status).toBe(200)
    // A set without some of the children deletes them.
    const put = (user: string) =>
      send('PUT', '/orders/1', as(user, { title: 'x', items: [{ id: 1, price: 12 }] }))
    expect(refusalOf(await put('a'))).toEqual([403, 'forbidden', '/items forbidden'])
    const remove = await send('PATCH', '/orders/1', as('a', { items: { delete: [2] } }))
    expect(refusalOf(remove)).toEqual([403, 'forbidden', '/items/delete/0 forbidden'])
    expect((await send('PATCH', '/orders/1', as('root', { items: { delete: [2] } }))).status).toBe(200)
    expect(await itemsOf(1)).toMatchObject([{ id: 1, price: 11 }])
    expect(await tagsOf(3)).toEqual([1])
  })

  test('to a join table is that of its own endpoints, or of the record if it has none', async () => {
    const permissions = { create: () => false, delete: () => false }
    const { send, tagsOf, execute } = await open(start, { parts: { OrderTag: { permissions } } } as never)
    await execute('insert into order_tags (order_id, tag_id) values (1, 1)')
    const tags = (keys: readonly number[]) => send('PATCH', '/orders/1', { body: { tags: keys } })
    expect(refusalOf(await tags([1, 2]))[2]).toBe('/tags/1 unauthenticated')
    expect(refusalOf(await tags([]))[2]).toBe('/tags unauthenticated')
    expect((await tags([1])).status).toBe(200)
    const other = await open(start, {
      auth,
      exclude: { app: ['OrderTag'] },
      modelConfig: { Order: { write: ['tags'], public: true } },
    } as never)
    expect((await other.send('PATCH', '/orders/1', { body: { tags: [1, 2] } })).status).toBe(200)
    expect(await other.tagsOf(1)).toEqual([1, 2])
    expect(tagsOf).toBeDefined()
  })

  test.each([
    [
      'update',
      {
        update: [
          { id: 2, price: 20 },
          { id: 1, price: 10 },
        ],
      },
    ],
    ['delete', { update: [{ id: 2, price: 20 }], delete: [1] }],
  ])('is not that to a child that a hook has moved meanwhile: %s', async (act, items) => {
    const moving = (_request: unknown, record: { id: number }, ...rest: readonly unknown[]) =>
      record.id === 1
        ? after(
            executeWith(
              (rest.at(-1) as { db: unknown }).db,
              `update order_items set order_id = 2 where id = ${act === 'update' ? 2 : 1}`,
            ),
            () => undefined,
          )
        : undefined
    const { send, itemsOf, execute } = await open(start, {
      parts: { Item: { beforeUpdate: moving, beforeDelete: moving } },
    } as never)
    await execute('insert into order_items (order_id, price) values (1, 1), (1, 2)')
    const moved = await send('PATCH', '/orders/1', { body: { items } })
    expect(refusalOf(moved)).toEqual([
      ...[
        422,
        'invalid_body',
        act === 'update' ? '/items/update/0 missing_reference' : '/items/delete/0 missing_reference',
      ],
    ])
    expect(await itemsOf(1)).toMatchObject([{ price: 1 }, { price: 2 }])
  })

  describe('is limited by the scope of the caller:', () => {
    const ofTenant = { scope: () => ({ tenant: 1 }) }
    const scoped = { parts: { Order: ofTenant, Item: ofTenant, Tag: ofTenant, Product: ofTenant } } as never

    test('other children do not exist, and references lead to nothing', async () => {
      const { send, rows, execute } = await open(start, scoped)
      await execute(`insert into order_items (order_id, tenant, price) values (1, 1, 1), (1, 2, 2);
        insert into orders (tenant, title) values (2, 'hidden');
        insert into order_items (order_id, tenant, price) values (3, 1, 3)`)
      const patch = (items: object) => send('PATCH', '/orders/1', { body: { items } })
      expect(refusalOf(await patch({ update: [{ id: 2 }, { id: 99 }], delete: [3] }))).toEqual([
        ...[422, 'invalid_body', '/items/update/0/id missing_reference'],
        ...['/items/update/1/id missing_reference', '/items/delete/0 missing_reference'],
      ])
      expect(refusalOf(await patch({ create: [{ price: 1, productId: 2 }] }))).toEqual([
        ...[422, 'invalid_body', '/items/create/0/productId missing_reference'],
      ])
      expect(refusalOf(await patch({ create: [{ price: 1 }, { price: 1, tenant: 2 }] }))).toEqual([
        ...[403, 'forbidden', '/items/create/1 forbidden'],
      ])
      expect((await send('PATCH', '/orders/3', { body: { items: { create: [{ price: 1 }] } } })).status).toBe(
        404,
      )
      expect((await send('PUT', '/orders/1', { body: { title: 'x', items: [] } })).status).toBe(200)
      expect(await rows('select id from order_items order by id')).toEqual([{ id: 2 }, { id: 3 }])
    })

    test('links to records out of reach stay, and cannot be made', async () => {
      const { send, tagsOf, execute } = await open(start, scoped)
      await execute('insert into order_tags (order_id, tag_id) values (1, 1), (1, 4)')
      const tags = (keys: readonly number[]) => send('PATCH', '/orders/1', { body: { tags: keys } })
      for (const key of [4, 99])
        expect(refusalOf(await tags([1, key]))).toEqual([422, 'invalid_body', '/tags/1 missing_reference'])
      expect((await tags([2])).status).toBe(200)
      expect(await tagsOf(1)).toEqual([2, 4])
    })

    test('links that are out of reach themselves stay', async () => {
      const ofWeight = { scope: () => ({ weight: 5 }) }
      const { send, tagsOf, execute } = await open(start, {
        parts: { Tag: ofTenant, OrderTag: ofWeight },
      } as never)
      await execute('insert into order_tags (order_id, tag_id, weight) values (1, 1, 5), (1, 3, 9)')
      expect((await send('PATCH', '/orders/1', { body: { tags: [2] } })).status).toBe(200)
      expect(await tagsOf(1)).toEqual([2, [3, 9]])
    })
  })
})
