import { expect, test } from 'vitest'
import { after } from '../../../src/model/objects.ts'
import { describeEach } from '../../needed-program.ts'
import { executeWith } from '../hooked.ts'
import { listOf, numbered, onSqlite, open as openShop, refusalOf, type Shop, stages } from './stage.ts'

const userOf = (request: unknown): string | null => {
  const headers = (request as { headers: Headers | Record<string, string> }).headers
  return (headers instanceof Headers ? headers.get('x-user') : headers['x-user']) ?? null
}

/** A shop with 30 items of one order, with the prices 0 to 29. */
const filled = async (...given: Parameters<typeof openShop>): Promise<Shop> => {
  const shop = await openShop(...given)
  await shop.execute(
    `insert into order_items (order_id, sku, price) values ${numbered(30, (at) => `(1, 's${at}', ${at})`).join()}`,
  )
  return shop
}

const find = (q: string, rest = ''): string => `/items/?q=${encodeURIComponent(q)}${rest}`

test('many changes by a filter leave alone what a trigger moves out of it meanwhile', async () => {
  const own = await filled(onSqlite)
  await own.execute(`create trigger moving after update on order_items when new.id = 1
    begin update order_items set price = 99 where id = 9; end`)
  const reply = await own.send('PATCH', find('price<10'), { body: { quantity: 77 } })
  expect(reply.json).toEqual({ count: 9, dry_run: false })
  expect(await own.rows('select price, quantity from order_items where id = 9')).toMatchObject([
    { price: 99, quantity: 1 },
  ])
})

describeEach(stages, 'many changes in one request on %s', (start) => {
  const open = (...given: Parameters<typeof start>): Promise<Shop> => filled(start, ...given)
  const pricesOf = async ({ rows }: Shop): Promise<readonly unknown[]> =>
    (await rows('select price from order_items order by id')).map(({ price }) => price)
  const untouched = numbered(30, (at) => at)

  test('change the records of an array, all or none', async () => {
    const own = await open()
    const patch = (body: unknown, path = '/items/') => own.send('PATCH', path, { body })
    const reply = await patch([{ id: 9, price: 900 }, { id: 2, sku: 'new', quantity: 4 }, { id: 5 }])
    expect(reply.status, reply.text).toBe(200)
    expect(listOf(reply).map(({ id, sku, price, quantity }) => [id, sku, price, quantity])).toEqual([
      [9, 's8', 900, 1],
      [2, 'new', 1, 4],
      [5, 's4', 4, 1],
    ])
    const now = await pricesOf(own)
    const refused = async (body: unknown): Promise<readonly unknown[]> => {
      const refusal = refusalOf(await patch(body))
      expect(await pricesOf(own)).toEqual(now)
      return refusal
    }
    const first = { id: 1, price: 7 }
    expect(await refused([])).toEqual([400, 'no_records'])
    expect(await refused([first, { id: 2, price: 'x' }])).toEqual([
      422,
      'invalid_body',
      '/1/price wrong_type',
    ])
    expect(await refused([first, { id: 3, price: 1 }, { id: 1 }])).toEqual([
      422,
      'invalid_body',
      '/2 repeated',
    ])
    expect(await refused([first, { price: 1 }, { id: 'x' }, 7])).toEqual([
      422,
      'invalid_body',
      ...['/1/id required', '/2/id wrong_type', '/3 wrong_type'],
    ])
    expect(await refused([first, { id: 77 }, { id: 78 }])).toEqual([
      404,
      'not_found',
      '/1 not_found',
      '/2 not_found',
    ])
    expect(await refused([first, { id: 3, sku: 's20' }])).toEqual([409, 'unique_conflict', '/1/sku taken'])
    expect(await refused([first, { id: 3, orderId: 99 }])).toEqual([
      422,
      'invalid_body',
      '/1/orderId missing_reference',
    ])
    expect((await refused([first, { id: 3, price: 5000 }])).slice(0, 2)).toEqual([422, 'invalid_body'])
    expect(await refused({ price: 1 })).toEqual([400, 'filter_required'])
    const lines = numbered(3, (at) => ({ orderId: 1, line: at, text: `t${at}` }))
    expect((await own.send('POST', '/notes/', { body: lines })).status).toBe(201)
    const moved = await patch(
      [
        { ...lines[2], text: 'x' },
        { ...lines[0], text: 'y' },
      ],
      '/notes/',
    )
    expect(listOf(moved)).toEqual([
      { ...lines[2], text: 'x' },
      { ...lines[0], text: 'y' },
    ])
    expect(own.errors).toEqual([])
  })

  test('change or delete what a filter matches', async () => {
    const own = await open({ settings: { BULK_MAX: 20 } } as never)
    const patch = (path: string, body: unknown = { quantity: 3 }) => own.send('PATCH', path, { body })
    const some = find('price<5')
    expect((await patch(`${some}&dry_run=true`)).json).toEqual({ count: 5, dry_run: true })
    expect((await own.send('DELETE', `${some}&dry_run=true`)).json).toEqual({ count: 5, dry_run: true })
    expect(await own.rows('select id from order_items where quantity = 3')).toEqual([])
    expect((await patch(some)).json).toEqual({ count: 5, dry_run: false })
    expect(await own.rows('select id from order_items where quantity = 3')).toHaveLength(5)
    // What the change makes of a record need not match.
    expect((await patch(some, { price: 500 })).json).toEqual({ count: 5, dry_run: false })
    expect((await own.send('DELETE', find('order.title=one&price>=500'))).json).toEqual({
      count: 5,
      dry_run: false,
    })
    expect(await pricesOf(own)).toEqual(untouched.slice(5))
    expect((await own.send('DELETE', '/items/?price<7')).json).toEqual({ count: 2, dry_run: false })
    expect((await own.send('DELETE', find('price<0'))).json).toEqual({ count: 0, dry_run: false })
  })

  test('ask for no scope of another model where nothing matches', async () => {
    let asked = 0
    const scope = () => {
      asked += 1
      return { tenant: 1 }
    }
    const own = await open({ parts: { Product: { scope } } as never })
    const change = { body: { productId: 1 } }
    expect((await own.send('PATCH', find('price<0'), change)).json).toEqual({ count: 0, dry_run: false })
    expect(asked).toBe(0)
    expect((await own.send('PATCH', find('price<3'), change)).json).toMatchObject({ dry_run: false })
    expect(asked).toBe(1)
  })

  test('need a filter that is not too wide', async () => {
    const own = await open({ settings: { BULK_MAX: 20 } } as never)
    const body = { quantity: 3 }
    for (const [method, sent] of [
      ['PATCH', { body }],
      ['DELETE', {}],
    ] as const) {
      const refused = async (path: string): Promise<readonly unknown[]> =>
        refusalOf(await own.send(method, path, sent))
      for (const query of ['?q=', '?dry_run=true', '?search='])
        expect((await refused(`/items/${query}`))[0], query).toBe(400)
      expect(await refused('/items/?q=')).toEqual([400, 'filter_required'])
      expect(await refused(find('id>0'))).toEqual([400, 'too_many_records'])
      const many = await own.send(method, find('id>0', '&dry_run=true'), sent)
      expect([many.status, many.json['detail']]).toEqual([400, expect.stringContaining('30')])
      expect(await refused(find('id>0', '&limit=5'))).toEqual([
        400,
        'unknown_parameter',
        'limit unknown_parameter',
      ])
      expect((await refused(find('colour=1')))[1]).toBe('unknown_field')
      expect((await refused(find('id=1', '&dry_run=maybe')))[1]).toBe('invalid_value')
    }
    expect(refusalOf(await own.send('DELETE', '/items/'))).toEqual([400, 'filter_required'])
    expect(refusalOf(await own.send('PATCH', find('id=1'), { body: [{ id: 1 }] }))).toEqual([
      422,
      'invalid_body',
      ' wrong_type',
    ])
    expect(refusalOf(await own.send('PATCH', find('id=1'), { body: { id: 2 } }))).toEqual([
      422,
      'invalid_body',
      '/id read_only',
    ])
    expect(await pricesOf(own)).toEqual(untouched)
    expect(await own.rows('select id from order_items where quantity = 3')).toEqual([])
    expect(own.errors).toEqual([])
  })

  test('count only what is within the scope', async () => {
    const own = await open({
      parts: { Item: { scope: () => ({ tenant: 1 }) } },
      settings: { BULK_MAX: 3 },
    } as never)
    await own.execute('update order_items set tenant = 2 where id > 8')
    const tried = await own.send('PATCH', find('price>5', '&dry_run=true'), { body: { price: 77 } })
    expect(tried.json).toEqual({ count: 2, dry_run: true })
    const refused = await own.send('DELETE', find('price>1'))
    expect(refusalOf(refused)).toEqual([400, 'too_many_records'])
    expect(refused.json['detail']).toMatch(/^6 /)
  })

  test('leave alone what a hook has moved out of the scope meanwhile', async () => {
    const shown: number[] = []
    const own = await open({
      parts: {
        Item: {
          scope: () => ({ tenant: 1 }),
          beforeUpdate: (
            _request: unknown,
            { id }: { id: unknown },
            _payload: unknown,
            _schema: unknown,
            { db }: { db: object },
          ) => {
            shown.push(Number(id))
            if (Number(id) !== 1) return undefined
            return after(executeWith(db, 'update order_items set tenant = 2 where id = 9'), () => undefined)
          },
        },
      },
    } as never)
    const reply = await own.send('PATCH', find('price<10'), { body: { price: 77 } })
    expect(reply.json).toEqual({ count: 9, dry_run: false })
    expect(await own.rows('select tenant, price from order_items where id = 9')).toMatchObject([
      { tenant: 2, price: 8 },
    ])
    expect(shown).toHaveLength(9)
    expect(shown).not.toContain(9)
  })

  test('stay within the scope and the permissions of each record', async () => {
    const own = await open({
      parts: {
        Item: {
          scope: () => ({ tenant: 1 }),
          permissions: {
            update: (request: unknown, record: { price: number }) =>
              userOf(request) === 'a' && record.price < 10,
            delete: (request: unknown, record: { price: number }) =>
              userOf(request) === 'a' && record.price < 10,
          },
        },
      },
      auth: {
        authenticate: (request: unknown) => (userOf(request) === null ? null : { id: userOf(request) }),
      },
    } as never)
    await own.execute('update order_items set tenant = 2 where id > 28')
    const as = (user: string, body?: unknown) => ({
      headers: { 'x-user': user },
      ...(body !== undefined && { body }),
    })
    const patch = async (body: unknown, path = '/items/', user = 'a') =>
      refusalOf(await own.send('PATCH', path, as(user, body)))
    expect(refusalOf(await own.send('PATCH', '/items/', { body: [{ id: 29 }] }))[0]).toBe(401)
    expect(
      await patch([
        { id: 1, price: 2 },
        { id: 29, price: 2 },
      ]),
    ).toEqual([404, 'not_found', '/1 not_found'])
    expect(
      await patch([
        { id: 1, price: 2 },
        { id: 20, price: 2 },
      ]),
    ).toEqual([403, 'forbidden', '/1 forbidden'])
    expect(
      await patch([
        { id: 1, price: 2 },
        { id: 2, tenant: 2 },
      ]),
    ).toEqual([403, 'forbidden', '/1 forbidden'])
    expect((await patch([{ id: 1, price: 2 }], '/items/', 'b'))[0]).toBe(403)
    expect((await patch({ price: 2 }, find('price<11')))[0]).toBe(403)
    expect((await patch({ tenant: 2 }, find('price<5')))[0]).toBe(403)
    expect(refusalOf(await own.send('DELETE', find('price>=9'), as('a')))[0]).toBe(403)
    expect(await pricesOf(own)).toEqual(untouched)
    expect((await own.send('DELETE', find('price>27'), as('a'))).json).toEqual({ count: 0, dry_run: false })
    expect((await own.send('DELETE', find('price<10'), as('a'))).json).toEqual({ count: 10, dry_run: false })
    expect(await pricesOf(own)).toEqual(untouched.slice(10))
  })

  test('run the hooks of each record, whose refusal leaves all as they were', async () => {
    const events: string[] = []
    const own = await open({
      parts: {
        Item: {
          beforeUpdate: (_request: never, record: { price: number }, payload: object) => {
            events.push(`before ${record.price}`)
            return { ...payload, quantity: record.price + 100 }
          },
          afterUpdate: (
            _request: never,
            record: { price: number; quantity: number },
            context: { before: { price: number } },
          ) => {
            events.push(`after ${context.before.price} ${record.quantity}`)
            if (record.price === 666) throw new Error('no')
          },
          beforeDelete: (_request: never, record: { price: number }) =>
            void events.push(`delete ${record.price}`),
          afterCommit: (_request: never, event: string, record: { price: number }) =>
            void events.push(`${event} ${record.price}`),
        },
      } as never,
    })
    const taken = (): readonly string[] => events.splice(0)
    const reply = await own.send('PATCH', '/items/', { body: [{ id: 3 }, { id: 2, price: 50 }] })
    expect(listOf(reply).map(({ quantity }) => quantity)).toEqual([102, 101])
    const wanted = ['before 1', 'after 1 101', 'before 2', 'after 2 102', 'update 2', 'update 50']
    await expect.poll(() => events).toEqual(wanted)
    taken()
    expect((await own.send('PATCH', '/items/', { body: [{ id: 4 }, { id: 5, price: 666 }] })).status).toBe(
      500,
    )
    expect((await own.send('PATCH', find('id>3&id<6'), { body: { price: 666 } })).status).toBe(500)
    taken()
    expect(
      (await own.rows('select quantity from order_items where id in (4, 5)')).map((row) => row['quantity']),
    ).toEqual([1, 1])
    expect((await own.send('DELETE', find('id>3&id<6'))).json).toEqual({ count: 2, dry_run: false })
    await expect.poll(() => events).toEqual(['delete 3', 'delete 4', 'delete 3', 'delete 4'])
  })
})
