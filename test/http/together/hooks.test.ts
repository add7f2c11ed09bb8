import { describe, expect, test } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import { after } from '../../../src/model/objects.ts'
import type { Parts } from '../../stage/service.ts'
import { bothShops, open, refusalOf, shops } from '../../stage/shop.ts'
import { executeWith } from '../hooked.ts'
import { startError } from '../start-error.ts'

const names = [
  ...(['beforeCreate', 'afterCreate', 'beforeUpdate', 'afterUpdate'] as const),
  ...(['beforeDelete', 'afterDelete', 'afterCommit'] as const),
]

/** Every hook of a model, and what ran. */
const watching = (model: string, seen: string[]): Parts =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (...given: readonly unknown[]) => {
        const about = given.find((one, at) => at > 0 && typeof one === 'object') as Record<string, unknown>
        const id = about['tagId'] ?? about['id'] ?? about['price'] ?? about['title']
        seen.push(`${model} ${name}${name === 'afterCommit' ? ` ${given[1]}` : ''} ${id}`)
      },
    ]),
  )

const settled = async (seen: readonly string[], length: number): Promise<void> => {
  while (seen.length < length) await new Promise((resolve) => setImmediate(resolve))
}

describe.each(bothShops)('hooks of related records on %s', (_name, start) => {
  test('run in the order of the writes, and afterCommit last', async () => {
    const seen: string[] = []
    const models = ['Order', 'Item', 'OrderTag']
    const { send, execute } = await open(start, {
      parts: Object.fromEntries(models.map((model) => [model, watching(model, seen)])),
    })
    await send('POST', '/orders/', { body: { title: 'x', items: [{ price: 5 }], tags: [2] } })
    await settled(seen, 9)
    expect(seen).toEqual([
      'Order beforeCreate x',
      ...['Item beforeCreate 5', 'Item afterCreate 1', 'OrderTag beforeCreate 2', 'OrderTag afterCreate 2'],
      'Order afterCreate 3',
      ...['Order afterCommit create 3', 'Item afterCommit create 1', 'OrderTag afterCommit create 2'],
    ])
    await execute('insert into order_items (order_id, price) values (3, 6)')
    seen.length = 0
    const body = { title: 'y', items: [{ price: 7 }, { id: 1, price: 8 }], tags: [1, 2] }
    const changed = await send('PUT', '/orders/3', { body })
    expect(changed.status, changed.text).toBe(200)
    await settled(seen, 15)
    expect(seen.slice(0, 10)).toEqual([
      'Order beforeUpdate 3',
      ...['Item beforeDelete 2', 'Item afterDelete 2', 'Item beforeUpdate 1', 'Item afterUpdate 1'],
      ...['Item beforeCreate 7', 'Item afterCreate 3', 'OrderTag beforeCreate 1', 'OrderTag afterCreate 1'],
      'Order afterUpdate 3',
    ])
  })

  test('see the record that they belong to, in its transaction', async () => {
    const { send, itemsOf, rows } = await open(start, {
      parts: {
        Order: {
          afterCreate: (_request, record, { db }) =>
            after(
              executeWith(
                db,
                `update orders set title = (select cast(sum(price) as char(5)) from order_items) where id = ${record['id']}`,
              ),
              () => undefined,
            ),
        },
        Item: {
          beforeCreate: (_request, payload) => ({
            ...payload,
            price: Number(payload['orderId']) * 100,
            orderId: 1,
          }),
        },
      } satisfies Readonly<Record<string, Parts>>,
    } as never)
    const created = await send('POST', '/orders/', {
      body: { title: 'x', items: [{ price: 5 }, { price: 6 }] },
    })
    expect(created.status, created.text).toBe(201)
    expect(await itemsOf(3)).toMatchObject([{ price: 300 }, { price: 300 }])
    expect(await itemsOf(1)).toEqual([])
    const [order] = await rows('select title from orders where id = 3')
    expect(String(order?.['title']).trim()).toBe('600')
  })

  test.each(['beforeCreate', 'afterCreate'] as const)('%s of a child refuses all of it', async (name) => {
    const seen: string[] = []
    const { send, rows } = await open(start, {
      parts: {
        Order: { afterCommit: () => void seen.push('Order') },
        Item: {
          afterCommit: () => void seen.push('Item'),
          [name]: (_request: unknown, { price }: { price: number }) => {
            if (price === 6) throw new HttpError(403, 'no')
          },
        },
      },
    } as never)
    const refused = await send('POST', '/orders/', {
      body: { title: 'x', items: [{ price: 5 }, { price: 6 }] },
    })
    expect(refusalOf(refused)).toEqual([403, 'forbidden', '/items/1 forbidden'])
    expect([await rows('select id from orders'), await rows('select id from order_items')]).toMatchObject([
      [{ id: 1 }, { id: 2 }],
      [],
    ])
    expect(seen).toEqual([])
  })
})

test('a before-hook that waits is refused at the start if transactions are synchronous', async () => {
  const hooks = { Item: { beforeCreate: async () => undefined } }
  await expect(open(shops.sqlite, { parts: hooks } as never)).rejects.toThrow(
    startError('beforeCreate', 'modelConfig.Order.write', 'async'),
  )
  const { send } = await open(shops.pglite, { parts: hooks } as never)
  expect((await send('POST', '/orders/', { body: { title: 'x', items: [{ price: 1 }] } })).status).toBe(201)
})
