import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onShop } from './relations/stage.ts'

const modelConfig = {
  Order: { include: ['customer'], write: ['order_items', 'tags'], bulk: true },
  Customer: { bulk: true },
}

const models: Readonly<Record<string, string>> = {
  ...{ customers: 'Customer', orders: 'Order', order_items: 'OrderItem', products: 'Product' },
  ...{ tags: 'Tag', order_tags: 'OrderTag' },
}

type Shop = Awaited<ReturnType<typeof onShop>>

const toldTo = ({ api }: Shop, method: string, path: string) =>
  api.rest.operationOf(new Request(`http://localhost${path}`, { method }))

/** The models whose tables are in the statements of a request. */
const usedBy = async ({ api, statements }: Shop, method: string, path: string, body?: unknown) => {
  statements.length = 0
  const { status } = await api.request(method, path, body)
  const tables = statements.join().matchAll(/"(\w+)"/g)
  return { status, used: new Set([...tables].flatMap(([, name = '']) => models[name] ?? [])) }
}

const everyModel = ['Customer', 'Order', 'OrderItem', 'OrderTag', 'Product', 'Tag']
const written = ['Order', 'OrderItem', 'OrderTag', 'Tag']

describe('operationOf(request)', () => {
  it.each<readonly [string, string, string, readonly string[]]>([
    ['GET', '/orders/', 'listOrders', ['Customer', 'Order']],
    ['GET', '/orders/?include=', 'listOrders', ['Order']],
    ['GET', '/orders/1?include=tags', 'getOrder', ['Order', 'OrderTag', 'Tag']],
    [
      'HEAD',
      '/orders/1/?include=order_items(q=product.name==x)',
      'getOrder',
      ['Order', 'OrderItem', 'Product'],
    ],
    ['GET', '/orders/?include=&customer.name==Ada', 'listOrders', ['Customer', 'Order']],
    [
      'GET',
      '/orders/?include=&q=order_items(price>1%26product.name==x)',
      'listOrders',
      ['Order', 'OrderItem', 'Product'],
    ],
    ['GET', '/orders/?include=&sort=customer.name', 'listOrders', ['Customer', 'Order']],
    ['GET', '/orders/aggregate', 'aggregateOrders', ['Order']],
    ['HEAD', '/orders/aggregate/?tags.name==x', 'aggregateOrders', ['Order', 'OrderTag', 'Tag']],
    ['GET', '/orders/%61ggregate?include=', 'getOrder', ['Order']],
    ['GET', '/orders/1/tags/', 'listTagsOfOrder', ['Order', 'OrderTag', 'Tag']],
    ['GET', '/customers/1/orders/?include=', 'listOrdersOfCustomer', ['Customer', 'Order']],
    ['POST', '/customers/1/orders/', 'createOrdersOfCustomer', ['Customer', ...written]],
    ['POST', '/orders/', 'createOrder', written],
    ['PATCH', '/orders/1', 'updateOrder', written],
    ['PUT', '/orders/1', 'replaceOrder', written],
    ['PATCH', '/orders/?customer.name==x', 'updateManyOrders', ['Customer', ...written]],
    ['DELETE', '/orders/?customer.name==x', 'deleteManyOrders', ['Customer', 'Order']],
    ['DELETE', '/orders/1', 'deleteOrder', ['Order']],
    ['GET', '/openapi.json', 'getOpenApi', []],
  ])('%s %s', async (method, path, operation, names) => {
    const shop = await onShop({ modelConfig })
    const told = toldTo(shop, method, path)
    expect([told?.operation, [...(told?.models ?? [])].sort()]).toEqual([operation, [...names].sort()])
    await shop.stop()
  })

  it.each([
    '/orders/?include=nothing',
    '/orders/1?x=1',
    '/orders/aggregate?group=',
    '/orders/?q=((',
    '/orders/?%zz',
  ])('the malformed query string of %s counts as one that uses all relations', async (path) => {
    const shop = await onShop({ modelConfig })
    expect((await shop.api.get(path)).status).toBe(400)
    expect([...(toldTo(shop, 'GET', path)?.models ?? [])].sort()).toEqual(everyModel)
    await shop.stop()
  })

  it('knows no operation where none runs', async () => {
    const shop = await onShop({ modelConfig })
    for (const [method, path] of [
      ['OPTIONS', '/orders/'],
      ['PUT', '/orders/'],
      ['GET', '/nothing/'],
      ['GET', '/orders/1/2/3'],
    ] as const)
      expect(toldTo(shop, method, path)).toBeUndefined()
    expect(() => shop.api.rest.operationOf({})).toThrow(Error)
    await shop.stop()
  })

  it('names every model whose table a statement of the request names', async () => {
    const shop = await onShop({ modelConfig })
    const path = fc.constantFrom('/orders/', '/orders/1', '/customers/1/orders/', '/orders/aggregate')
    const include = fc.subarray([
      'customer',
      'tags',
      'order_items',
      'order_items.product',
      'customer.orders',
      'tags.orders(limit=1)',
    ])
    const filters = fc.subarray([
      'customer.name!=x',
      'tags.name=e',
      'order_items(price>1%26product.name!=x)',
      '!(customer.orders.status==x)',
    ])
    const sort = fc.constantFrom('', '&sort=customer.name', '&sort=id')
    await fc.assert(
      fc.asyncProperty(path, fc.option(include), filters, sort, async (at, included, conditions, order) => {
        const isList = at.endsWith('/')
        const parts = [
          ...(included === null || at.endsWith('aggregate') ? [] : [`include=${included.join()}`]),
          ...(at === '/orders/1' ? [] : [`q=${conditions.join('%26')}`]),
        ]
        const url = `${at}?${parts.join('&')}${isList ? order : ''}`
        const { used } = await usedBy(shop, 'GET', url)
        const told = new Set(toldTo(shop, 'GET', url)?.models)
        expect([url, [...used].filter((name) => !told.has(name))]).toEqual([url, []])
      }),
      { numRuns: 60 },
    )
    await shop.stop()
  })

  it.each<readonly [string, string, unknown, number]>([
    ['POST', '/orders/', { customer_id: 1, order_items: [{ product_id: 1, price: 3 }], tags: [1] }, 201],
    ['PATCH', '/orders/1', { tags: [2] }, 200],
    ['POST', '/customers/1/orders/', { tags: [1] }, 201],
    ['PATCH', '/orders/?customer.name==Bob', { status: 'x' }, 200],
  ])('names those of the body of %s %s', async (method, path, body, expected) => {
    const shop = await onShop({ modelConfig })
    const { status, used } = await usedBy(shop, method, path, body)
    const told = new Set(toldTo(shop, method, path)?.models)
    expect([status, [...used].filter((name) => !told.has(name))]).toEqual([expected, []])
    expect(used.size).toBeGreaterThan(1)
    await shop.stop()
  })
})
