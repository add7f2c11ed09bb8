import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { HttpError } from '../../src/index.ts'
import { naming } from '../naming.ts'
import type { Parts } from '../stage/service.ts'
import { open, type Shop, shops } from '../stage/shop.ts'

const items = (json: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] =>
  json['items'] as readonly Record<string, unknown>[]

/** Adds how many records the hook got. */
const marking: Parts = {
  present: (_request, records) => records.map((record) => ({ ...record, among: records.length })),
}

describe('the hook present', () => {
  const start = shops.sqlite

  /** An order with two items of one product. */
  const filled = async (parts: Readonly<Record<string, Parts>>): Promise<Shop & { id: number }> => {
    const running = await open(start, { parts })
    await running.execute(`insert into products (name) values ('lamp')`)
    await running.execute(`insert into orders (title) values ('mine')`)
    const [order] = await running.rows('select max(id) as id from orders')
    const id = Number(order?.['id'])
    const product = `(select max(id) from products)`
    for (const price of [1, 2])
      await running.execute(
        `insert into order_items (order_id, product_id, price) values (${id}, ${product}, ${price})`,
      )
    return { ...running, id }
  }

  test('shows what is included in the place of a member of the same name, once', async () => {
    const adding = (name: string): Parts => ({
      present: (_request, records) => records.map((record) => ({ ...record, [name]: 'its own' })),
    })
    const { send, id } = await filled({ Order: adding('items'), Item: adding('product') })
    const own = await send('GET', `/orders/${id}`)
    expect(own.json).toMatchObject({ items: 'its own' })
    for (const path of ['/orders/?sort=id&order=desc&limit=1&', `/orders/${id}?`]) {
      const { text } = await send('GET', `${path}include=items,items.product`)
      expect(text).not.toContain('its own')
      expect(text.split('"product":{')).toHaveLength(3)
    }
  })

  test('keeps the places of its members, and a function that makes their JSON', async () => {
    const first: Parts = {
      present: (_request, records) => records.map((record) => ({ items: [], ...record, last: 1 })),
    }
    const placed = await filled({ Order: first })
    const { json } = await placed.send('GET', `/orders/${placed.id}?include=items`)
    expect(Object.keys(json).slice(-3)).toEqual(['items', 'last', '_related'])
    const made: Parts = {
      present: (_request, records) => records.map((record) => ({ ...record, toJSON: () => 'made' })),
    }
    const { send, id } = await filled({ Order: made })
    expect((await send('GET', `/orders/${id}?include=items`)).text).toBe('"made"')
    const list = await send('GET', '/orders/?include=items&sort=id&order=desc&limit=1')
    expect(items(list.json)).toEqual(['made'])
  })

  test('runs for lists, single records, related records and the responses of writes', async () => {
    const { send, id } = await filled({ Order: marking, Item: marking })
    const list = await send('GET', '/orders/?include=items&sort=id&order=desc&limit=1')
    expect(items(list.json)).toMatchObject([
      {
        id,
        among: 1,
        items: [
          { price: 1, among: 2 },
          { price: 2, among: 2 },
        ],
      },
    ])
    expect((await send('GET', `/orders/${id}?include=items`)).json).toMatchObject({
      among: 1,
      items: [{ among: 2 }, { among: 2 }],
    })
    const body = { title: 'x', items: [{ price: 3 }] }
    const created = await send('POST', '/orders/', { body })
    expect([created.status, created.json]).toMatchObject([
      201,
      { title: 'x', among: 1, items: [{ price: 3, among: 1 }] },
    ])
    const path = `/orders/${created.json['id']}`
    expect((await send('PATCH', path, { body: { title: 'y' } })).json).toMatchObject({ title: 'y', among: 1 })
    expect((await send('PUT', path, { body: { title: 'z' } })).json).toMatchObject({ title: 'z', among: 1 })
    expect(items((await send('GET', `/orders/${id}/items/`)).json)).toMatchObject([
      { among: 2 },
      { among: 2 },
    ])
  })

  test('runs after the hook of the operation, and gets what that returned', async () => {
    const seen: string[] = []
    const noting = (hook: string) => (_request: unknown, given: object) => {
      seen.push(hook)
      return Array.isArray(given) ? given.map((one) => ({ ...one, by: hook })) : { ...given, by: hook }
    }
    const { send, id } = await filled({
      Order: {
        afterList: noting('afterList') as never,
        afterRead: noting('afterRead') as never,
        afterCreate: noting('afterCreate') as never,
        afterUpdate: noting('afterUpdate') as never,
        present: (_request, records) => {
          seen.push('present')
          return records.map((record) => ({ ...record, before: record['by'] }))
        },
      },
    })
    const told = [
      items((await send('GET', '/orders/?limit=1')).json)[0],
      (await send('GET', `/orders/${id}`)).json,
      (await send('PATCH', `/orders/${id}`, { body: { title: 'y' } })).json,
      (await send('POST', '/orders/', { body: { title: 'x' } })).json,
      items((await send('GET', '/items/?include=order&limit=1')).json)[0]?.['order'],
    ] as readonly { before: unknown }[]
    const hooks = ['afterList', 'afterRead', 'afterUpdate', 'afterCreate', 'afterList']
    expect(told.map(({ before }) => before)).toEqual(hooks)
    expect(seen).toEqual(hooks.flatMap((hook) => [hook, 'present']))
  })

  test('gets computed fields that were chosen, and may show others', async () => {
    const hooks: Parts = {
      computed: { size: { schema: z.int(), load: (records) => records.map(() => 1) } },
      present: (_request, records) =>
        records.map((record) => ({ ...record, size: 2 * Number(record['size']), seen: 'size' in record })),
    }
    const { send, id } = await filled({ Order: hooks })
    expect((await send('GET', `/orders/${id}`)).json).toMatchObject({ size: 2, seen: true })
    const without = await send('GET', `/orders/?fields=title&q=id=${id}`)
    expect(items(without.json)).toEqual([{ id, title: 'mine', seen: false }])
    const chosen = await send('GET', `/orders/?fields=size&q=id=${id}`)
    expect(items(chosen.json)).toEqual([{ id, size: 2, seen: true }])
    const related = await send('GET', `/items/?include=order(fields=size)&limit=1`)
    expect(items(related.json)[0]).toMatchObject({ order: { id, size: 2, seen: true } })
  })

  test('gets whole records, whose hidden fields stay hidden', async () => {
    const seen: unknown[] = []
    const running = await open(start, {
      parts: { Order: { present: (_request, records) => void seen.push(...records) } },
      modelConfig: { Order: { hidden: ['tenant'] } },
    })
    await running.execute(`insert into orders (title, tenant) values ('mine', 7)`)
    const list = await running.send('GET', '/orders/?fields=title&sort=id&order=desc&limit=1')
    expect(Object.keys(items(list.json)[0] ?? {})).toEqual(['id', 'title'])
    expect(seen).toMatchObject([{ title: 'mine', tenant: 7 }])
  })

  test('may leave records out: of lists, and as if a single one did not exist', async () => {
    const { send, id } = await filled({
      Item: { present: (_request, records) => records.filter(({ price }) => price !== 1) },
      Order: { present: (_request, records) => records.filter((record) => record['id'] !== id) },
    })
    expect(items((await send('GET', `/items/`)).json)).toMatchObject([{ price: 2 }])
    expect((await send('GET', `/orders/${id}`)).status).toBe(404)
    expect((await send('PATCH', `/orders/${id}`, { body: { title: 'y' } })).status).toBe(204)
    const related = items((await send('GET', '/items/?include=order')).json)
    expect(related).toMatchObject([{ price: 2, order: null }])
  })

  test('may change the order, and related records stay with theirs', async () => {
    const { send } = await filled({ Item: { present: (_request, records) => records.toReversed() } })
    const list = items((await send('GET', '/items/?include=order,product')).json)
    expect(list).toMatchObject([
      { price: 2, order: { title: 'mine' }, product: { name: 'lamp' } },
      { price: 1, order: { title: 'mine' } },
    ])
  })

  test.each([
    ['another type', () => ({})],
    ['no objects', () => [1]],
    [
      'fewer records without their keys',
      (_request: unknown, records: readonly object[]) => records.slice(1).map(() => ({})),
    ],
    ['more records without their keys', (_request: unknown, records: readonly object[]) => [...records, {}]],
  ])('that returns %s is a 500 that the log names', async (_what, present) => {
    const { send, errors } = await filled({ Item: { present: present as never } })
    for (const path of ['/items/', '/orders/?include=items']) {
      expect([path, (await send('GET', path)).status]).toEqual([path, 500])
      expect(errors.at(-1)).toMatch(naming('present', 'Item', 'controllers[0]'))
    }
  })

  test('that fails after a write leaves the response empty, because the write is stored', async () => {
    const failing = (error: Error): Parts => ({
      present: () => {
        throw error
      },
    })
    const { send, rows, errors, id } = await filled({
      Order: failing(new Error('the reason')),
      Tag: failing(new HttpError(403, 'No.')),
    })
    const patched = await send('PATCH', `/orders/${id}`, { body: { title: 'stored' } })
    expect([patched.status, patched.text]).toEqual([204, ''])
    expect(errors.at(-1)).toMatch(naming('stored', 'present', 'Order'))
    expect(await rows(`select title from orders where id = ${id}`)).toEqual([{ title: 'stored' }])
    const told = errors.length
    expect((await send('POST', '/tags/', { body: { name: 'red' } })).status).toBe(204)
    expect(errors).toHaveLength(told)
    expect((await send('GET', '/tags/')).status).toBe(403)
  })

  test('runs for HEAD, so that its status is that of GET', async () => {
    const { send, id } = await filled({
      Order: {
        present: () => {
          throw new HttpError(403, 'No.')
        },
      },
    })
    expect((await send('HEAD', '/orders/')).status).toBe(403)
    expect((await send('HEAD', `/orders/${id}`)).status).toBe(403)
  })

  test('that returns nothing changes nothing', async () => {
    const { send, id } = await filled({ Order: { present: () => undefined, afterRead: () => undefined } })
    expect((await send('GET', `/orders/${id}`)).json).toEqual({ id, tenant: 1, title: 'mine' })
  })
})

describe('the hook afterRead', () => {
  const start = shops.sqlite
  const opened = async (afterRead: unknown): Promise<Shop> => {
    const running = await open(start, { parts: { Order: { afterRead: afterRead as never } } })
    await running.execute(`insert into orders (id, title) values (901, 'mine')`)
    return running
  }

  test('runs for a record by its key, and not for lists and related records', async () => {
    const { send, execute } = await opened((_request: unknown, record: object) => ({ ...record, read: true }))
    await execute('insert into order_items (order_id, price) values (901, 1)')
    expect((await send('GET', '/orders/901')).json).toEqual({ id: 901, tenant: 1, title: 'mine', read: true })
    expect(items((await send('GET', '/orders/?q=id=901')).json)).toEqual([
      { id: 901, tenant: 1, title: 'mine' },
    ])
    const [item] = items((await send('GET', '/items/?include=order')).json)
    expect(item?.['order']).toEqual({ id: 901, tenant: 1, title: 'mine' })
    expect((await send('PATCH', '/orders/901', { body: { title: 'x' } })).json).not.toHaveProperty('read')
  })

  test('may refuse', async () => {
    const { send } = await opened(() => {
      throw new HttpError(403, 'No.')
    })
    expect((await send('GET', '/orders/901')).status).toBe(403)
    expect((await send('HEAD', '/orders/901')).status).toBe(403)
    expect((await send('GET', '/orders/902')).status).toBe(404)
  })

  test.each([
    ['a list', () => []],
    ['nothing of the record', () => ({ changes: 1 })],
  ])('that returns %s is a 500 that the log names', async (_what, afterRead) => {
    const { send, errors } = await opened(afterRead)
    expect((await send('GET', '/orders/901')).status).toBe(500)
    expect(errors.at(-1)).toMatch(naming('afterRead', 'Order', 'controllers[0]'))
  })
})
