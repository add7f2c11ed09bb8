import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccessOf } from '../../src/index.ts'
import type { Answer } from '../stage/requests.ts'
import { refusalOf, type Shop, shops, write } from '../stage/shop.ts'

const userOf = (request: unknown): string => {
  const { headers } = request as { headers: Headers | Record<string, string> }
  return (headers instanceof Headers ? headers.get('x-user') : headers['x-user']) ?? 'anonymous'
}

const accesses: Readonly<Record<string, unknown>> = {
  staff: {},
  guest: {
    read: { sku: false, productId: false },
    write: { sku: false, productId: false, tenant: false },
  },
  reader: { read: ['price', 'quantity', 'orderId', 'tenant', 'productId'], write: [] },
  forgetful: undefined,
  wrong: { read: ['prise'] },
  odd: { reed: ['price'] },
  noList: { read: 'price' },
}

const auth = { authenticate: (request: unknown) => ({ id: userOf(request), claims: {} }) }

const rows = [
  "insert into orders (title) values ('three')",
  "insert into order_items (order_id, product_id, sku, price) values (1, 1, 'S1', 10), (1, null, 'S2', 20), (2, 1, null, 30)",
  'insert into order_tags (order_id, tag_id) values (1, 1)',
]

/** Bodies and headers are the same but for the clock and the names of the request. */
const told = ({ status, headers, text }: Answer) => {
  const { date: _date, ...rest } = headers
  return [status, rest, text.replace(/"request_id":"[^"]*"/, '"request_id":""')]
}

type Asked = readonly [method: string, path: string, body?: object]

const gets = (...paths: readonly string[]): readonly Asked[] =>
  paths.flatMap((path) => [
    ['GET', path],
    ['HEAD', path],
  ])

/** In every way in which a field can be asked for. */
const all: readonly Asked[] = [
  ...gets(
    ...['/items/', '/items/1', '/items/?fields=sku', '/items/?fields=id,price', '/items/?fields=skuu'],
    ...[
      '/items/?sku=S1',
      '/items/?q=sku==S1',
      '/items/?q=!(sku=null)',
      '/items/?q=productId=1',
      '/items/?skv=1',
    ],
    ...['/items/?sort=sku', '/items/?sort=price&sort=productId&order=asc&order=desc', '/items/?search=S1'],
    ...[
      '/items/?include=product',
      '/items/?include=order',
      '/items/?product.name=lamp',
      '/items/?sort=product.name',
    ],
    ...[
      '/items/?sort=order.title&limit=1',
      '/items/1?include=order.items(fields=sku)',
      '/items/1?include=product',
    ],
    ...['/orders/1?include=items', '/orders/?include=items(fields=sku)', '/orders/?include=items(sort=sku)'],
    ...['/orders/?include=items(q=sku=S1)', '/orders/?include=items.product', '/orders/?items.sku=S1'],
    ...['/orders/?q=items(price=10%26sku=S1)', '/orders/?items.price=10', '/orders/?items=null'],
    ...['/products/?include=items', '/products/?items.price=10', '/products/?q=items=null'],
    ...['/orders/1/items/', '/orders/1/items/?sku=S1', '/orders/1/items/?sort=price&order=desc&fields=price'],
    ...[
      '/items/aggregate?aggregate=count',
      '/items/aggregate?group=sku&aggregate=count',
      '/items/aggregate?aggregate=min(sku)',
    ],
    ...['/items/aggregate?aggregate=sum(price)&group=quantity', '/items/aggregate?aggregate=count&sku=S1'],
    ...[
      '/orders/aggregate?aggregate=count&items.sku=S1',
      '/products/aggregate?aggregate=count&items.price=10',
    ],
    ...['/items/aggregate?aggregate=count(productId)', '/items/9', '/tags/?include=orders.items'],
  ),
  ['POST', '/items/', { orderId: 1, price: 1 }],
  ['POST', '/items/', { orderId: 1, price: 1, sku: 'S1' }],
  ['POST', '/items/', { orderId: 1, price: 1, skuu: 'S1' }],
  ['POST', '/items/', { orderId: 1, price: 1, tenant: 2 }],
  ['POST', '/items/', { orderId: 1, price: 1, productId: 1 }],
  ['POST', '/items/', { orderId: 1 }],
  ['POST', '/items/', { orderId: 77, price: 1 }],
  ['POST', '/orders/1/items/', { price: 1 }],
  ['POST', '/orders/1/items/', { price: 1, sku: 'x' }],
  ['PATCH', '/items/1', { price: 5 }],
  ['PATCH', '/items/1', {}],
  ['PATCH', '/items/1', { sku: 'S9' }],
  ['PATCH', '/items/1', { tenant: 1 }],
  ['PATCH', '/items/9', { sku: 'S9' }],
  ['PUT', '/items/1', { orderId: 1, price: 6 }],
  ['PUT', '/items/1', { orderId: 1, price: 6, tenant: 1, id: 1 }],
  ['PUT', '/items/1', { orderId: 1, price: 6, tenant: 2 }],
  ['PUT', '/items/1', { orderId: 1, price: 6, sku: 'S1' }],
  ['POST', '/orders/', { title: 'x', items: [{ price: 1 }], tags: [1] }],
  ['POST', '/orders/', { title: 'x', items: [{ price: 1, sku: 'n' }] }],
  ['PATCH', '/orders/1', { items: { update: [{ id: 1, price: 8 }], create: [{ price: 2 }] } }],
  ['PATCH', '/orders/1', { items: { update: [{ id: 1, sku: 'S2' }] } }],
  ['PUT', '/orders/1', { title: 'y', items: [{ id: 1, price: 9 }] }],
  ['DELETE', '/items/1'],
]

const [guestConfig, hooks] = [
  { Item: { hidden: ['sku', 'productId'], readOnly: ['tenant'] } },
  { Item: { access: (request: unknown) => accesses[userOf(request)] as AccessOf<'Item'> } },
]

const config = { Order: { write } }

describe('fields that are closed to a caller', () => {
  const start = shops.sqlite
  let [whole, without] = [undefined, undefined] as [Shop | undefined, Shop | undefined]
  const open = async (): Promise<readonly [Shop, Shop]> => {
    await whole?.stop()
    await without?.stop()
    const options = { auth, modelConfig: config }
    whole = await start({ ...options, parts: hooks } as never)
    // A caller is known before the query string is read in both, which shows in a header of errors.
    without = await start({
      ...options,
      modelConfig: { ...config, ...guestConfig },
      parts: { Item: { access: () => ({}) }, Product: { access: () => ({}) } },
    } as never)
    for (const { execute } of [whole, without]) for (const row of rows) await execute(row)
    return [whole, without]
  }
  let both: readonly [Shop, Shop]
  beforeAll(async () => {
    both = await open()
  }, 60_000)
  afterAll(async () => {
    await whole?.stop()
    await without?.stop()
  })
  const as = (user: string, shop: Shop, method: string, path: string, body?: object) =>
    shop.send(method, path, { headers: { 'x-user': user }, ...(body && { body }) })

  it.each(all.map((asked) => ({ asked })))(
    'do not exist: $asked',
    { timeout: 60_000 },
    async ({ asked: [method, path, body] }) => {
      const [access, hidden] = both
      // Another caller asks at the same time: what is shared must not mix them.
      const isRead = method === 'GET' || method === 'HEAD'
      const asks = (shop: Shop) => as('guest', shop, method, path, body)
      const others = isRead ? [as('staff', access, method, path), as('reader', access, method, path)] : []
      const [found] = await Promise.all([asks(access), ...others])
      expect(told(found as Answer)).toEqual(told(await asks(hidden)))
      if (isRead) expect(told(await asks(access))).toEqual(told(await asks(hidden)))
      else
        expect(await access.rows('select * from order_items order by id')).toEqual(
          await hidden.rows('select * from order_items order by id'),
        )
    },
  )

  it('are there for others, who see all', async () => {
    const [shop] = await open()
    both = [shop, both[1]]
    const item = await as('staff', shop, 'GET', '/items/1?include=product')
    expect(item.json).toMatchObject({ sku: 'S1', productId: 1, product: { name: 'lamp' } })
    expect((await as('staff', shop, 'GET', '/items/?sku=S1')).json['count']).toBe(1)
    expect((await as('guest', shop, 'GET', '/items/?sku=S1')).status).toBe(400)
    expect((await as('staff', shop, 'PATCH', '/items/1', { sku: 'S3' })).json['sku']).toBe('S3')
    expect((await as('staff', shop, 'GET', '/products/1/items/')).json['count']).toBe(2)
    const made = await as('staff', shop, 'POST', '/products/1/items/', { orderId: 1, price: 7 })
    expect(made.json).toMatchObject({ productId: 1 })
  })

  it('close the lists below a record that they connect', async () => {
    const [shop] = both
    const below = (method: string) =>
      as(
        'guest',
        shop,
        method,
        '/products/1/items/',
        method === 'POST' ? { orderId: 1, price: 1 } : undefined,
      )
    for (const method of ['GET', 'POST']) expect(refusalOf(await below(method))).toEqual([404, 'not_found'])
    const post = await as('reader', shop, 'POST', '/orders/1/items/', { price: 1 })
    expect([refusalOf(post), post.headers['allow']]).toEqual([[405, 'method_not_allowed'], 'GET, HEAD'])
  })

  it('are not written, and a record that needs one cannot be created', async () => {
    const [shop] = both
    const refused = await as('reader', shop, 'POST', '/items/', { orderId: 1 })
    expect(refusalOf(refused)).toEqual([422, 'invalid_body', '/orderId read_only'])
    expect(refusalOf(await as('reader', shop, 'POST', '/items/', {}))).toEqual([403, 'forbidden'])
    const child = await as('reader', shop, 'POST', '/orders/', { title: 'x', items: [{}] })
    expect(child.status).toBe(422)
    expect(refusalOf(await as('reader', shop, 'PATCH', '/items/1', { sku: 'x' }))[2]).toBe('/sku unknown_key')
  })

  it('are not named by a conflict', async () => {
    const [shop] = both
    await shop.execute("update order_items set sku = 'one' where id = 1")
    const conflict = await as('staff', shop, 'PATCH', '/items/2', { sku: 'one' })
    expect(refusalOf(conflict)).toEqual([409, 'unique_conflict', '/sku taken'])
  })

  it.each(['forgetful', 'wrong', 'odd', 'noList'])('refuse every request if access is %s', async (user) => {
    const [shop] = both
    for (const path of ['/items/', '/items/1', '/orders/1'])
      expect(refusalOf(await as(user, shop, 'GET', path))).toEqual([500, 'internal_error'])
    expect((await as(user, shop, 'GET', '/nothing/')).status).toBe(404)
    expect(shop.errors.at(-1)).toMatch(/access of Item/)
  })
})
