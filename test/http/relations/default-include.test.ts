import { describe, expect, it } from 'vitest'
import { HttpError, type OpenApiDocument } from '../../../src/index.ts'
import type { OperationObject } from '../../../src/openapi/openapi-document.ts'
import { naming } from '../../naming.ts'
import { onShop } from './stage.ts'

const auth = { authenticate: () => ({ id: 1, claims: {} }) }
const modelConfig = {
  Order: { include: ['customer', 'order_items.product.order_items', 'tags'] },
  Customer: { include: ['orders.customer'] },
}
const forbidden = { permissions: { read: () => false } }

/** What is included in an order, as an object of relations. */
const relationsOf = (order: unknown): Readonly<Record<string, unknown>> => {
  const found = Object.entries(Object(order)).filter(([name, value]) => {
    return name !== '_related' && typeof value === 'object' && value !== null
  })
  return Object.fromEntries(found.map(([name, value]) => [name, relationsOf([value].flat()[0])]))
}

const everything = { customer: {}, order_items: { product: { order_items: {} } }, tags: {} }

describe('an include by default leaves out', () => {
  it.each<readonly [string, Readonly<Record<string, object>>, object]>([
    ['nothing, if the caller may list all', {}, everything],
    ['a model that the caller may not list', { Customer: forbidden }, { ...everything, customer: undefined }],
    ['a model inside another', { Product: forbidden }, { ...everything, order_items: {} }],
    ['all that is behind it', { OrderItem: forbidden }, { customer: {}, tags: {} }],
    ['what a join table leads to', { OrderTag: forbidden }, { ...everything, tags: undefined }],
    ['everything', { Customer: forbidden, OrderItem: forbidden, Tag: forbidden }, {}],
  ])('%s', async (_, hooks, expected) => {
    const { get, stop } = await onShop({ auth, modelConfig }, hooks)
    const names = Object.entries(expected).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    const counted = names.filter((name) => name !== 'customer')
    for (const path of ['/orders/1', '/orders/', '/orders/?q=id=1&fields=id', '/orders/?include=']) {
      const json = await get(path)
      const order = json.items === undefined ? json : json.items[0]
      const isNone = path.endsWith('include=')
      expect([path, relationsOf(order)]).toEqual([path, isNone ? {} : { ...expected }])
      expect(Object.keys(Object(order?.['_related']))).toEqual(isNone ? [] : counted)
    }
    await stop()
  })

  it('what needs a caller, for anonymous ones', async () => {
    const { get, api, stop } = await onShop({
      auth: { authenticate: () => null },
      modelConfig: { ...modelConfig, Order: { ...modelConfig.Order, public: 'read' }, Tag: { public: true } },
    })
    expect(relationsOf(await get('/orders/1'))).toEqual({})
    expect((await api.get('/orders/1?include=customer')).status).toBe(401)
    await stop()
  })

  it('a relation without asking for the scope of its model, which may expect another caller', async () => {
    const scope = () => {
      throw new Error('Only for those who may list customers.')
    }
    const { get, stop } = await onShop({ auth, modelConfig }, { Customer: { ...forbidden, scope } })
    expect(Object.keys(relationsOf(await get('/orders/1')))).toEqual(['order_items', 'tags'])
    await stop()
  })

  it('a model whose permission refuses with a code of the application', async () => {
    const read = () => {
      throw new HttpError(403, 'Only with the plan Pro.', { code: 'plan_required' })
    }
    const { get, api, stop } = await onShop({ auth, modelConfig }, { Customer: { permissions: { read } } })
    for (const path of ['/orders/1', '/orders/?q=id=1']) {
      const json = await get(path)
      const order = json.items === undefined ? json : json.items[0]
      expect(Object.keys(relationsOf(order))).toEqual(['order_items', 'tags'])
    }
    const { problem } = await api.get('/orders/?include=customer')
    expect(problem).toMatchObject({
      ...{ status: 403, code: 'plan_required' },
      errors: [{ parameter: 'include', code: 'plan_required' }],
    })
    await stop()
  })

  it('nothing that a request names, and no failure of a permission', async () => {
    const { api, stop } = await onShop({ auth, modelConfig }, { Customer: forbidden })
    for (const query of [
      'include=customer',
      'include=tags,order_items.order.customer',
      'customer.name=Ada',
    ]) {
      const { status, problem } = await api.get(`/orders/?${query}`)
      expect([query, status, problem.code]).toEqual([query, 403, 'forbidden'])
    }
    expect((await api.get('/orders/1?include=customer')).status).toBe(403)
    await stop()
    const read = () => {
      throw new Error('away')
    }
    const failing = await onShop({ auth, modelConfig }, { Customer: { permissions: { read } } })
    for (const path of ['/orders/', '/orders/1']) expect((await failing.api.get(path)).status).toBe(500)
    await failing.stop()
  })

  it('all of a record: responses are the same, whatever the customers are', async () => {
    const hooks = { Customer: forbidden, Product: forbidden, Tag: forbidden }
    const [one, other] = [
      await onShop({ auth, modelConfig }, hooks),
      await onShop({ auth, modelConfig }, hooks),
    ]
    other.client.exec(`
      update customers set name = 'Eve', tenant = 7, secret = 'other', photo = 'customer/photo/y.png';
      update products set name = 'Bed';
      update tags set name = 'blue';
      insert into order_tags values (3, 1, 1), (4, 2, 1);
    `)
    for (const path of [
      ...['/orders/', '/orders/1', '/orders/3', '/orders/?fields=status&sort=id&order=desc&limit=2'],
      ...['/orders/?count=none&offset=1', '/order-items/1/', '/order-items/?include=order'],
    ]) {
      const [a, b] = [await one.api.get(path), await other.api.get(path)]
      expect([path, b.status, b.text.replace(/"request_id":"[^"]*"/, '')]).toEqual([
        ...[path, a.status, a.text.replace(/"request_id":"[^"]*"/, '')],
      ])
    }
    await one.stop()
    await other.stop()
  })
})

it('the document names what is included by default', async () => {
  const { get, stop } = await onShop({ modelConfig })
  const at = (name: string) => `components.parameters.${name}Include.description`
  const document = await get('/openapi.json')
  expect(document).toHaveProperty(at('Order'), expect.stringMatching(naming(...modelConfig.Order.include)))
  expect(document).toHaveProperty(at('Product'), expect.not.stringContaining('Default'))
  await stop()
})

describe('which callers do not get what is included by default', () => {
  const descriptions = async (shop: Awaited<ReturnType<typeof onShop>>) => {
    const { paths } = (await shop.get('/openapi.json')) as unknown as OpenApiDocument
    return [paths['/orders/'], paths['/orders/{id}']].map((item) => {
      const operation = item?.get as OperationObject | undefined
      return operation?.responses['200']?.description
    })
  }
  const included = (lines: readonly string[]) => lines.filter((line) => line.includes('included by default'))

  it('says the document and a line at start, if anonymous callers may list the model itself', async () => {
    const shop = await onShop({
      auth: { authenticate: () => null },
      modelConfig: {
        Order: { ...modelConfig.Order, public: 'read' },
        ...{ Customer: { public: 'read' }, Tag: { public: 'read' }, Product: { public: 'read' } },
      },
    })
    for (const description of await descriptions(shop)) {
      expect(description).toMatch(naming('order_items', 'tags', 'OrderItem', 'OrderTag'))
      expect(description).not.toContain('customer')
    }
    expect(included(shop.lines)).toEqual([
      expect.stringMatching(
        naming('Order.order_items (OrderItem)', 'Order.tags (OrderTag)', 'OrderItem: { public'),
      ),
    ])
    await shop.stop()
  })

  it('says the document, if a permission function decides', async () => {
    const shop = await onShop({ auth, modelConfig }, { Customer: forbidden })
    for (const description of await descriptions(shop))
      expect(description).toMatch(naming('customer', 'Customer'))
    expect(included(shop.lines)).toEqual([])
    await shop.stop()
  })

  it('says nothing, if all callers get everything', async () => {
    const shop = await onShop({ auth, modelConfig })
    for (const description of await descriptions(shop)) expect(description).not.toContain('include')
    expect(included(shop.lines)).toEqual([])
    await shop.stop()
  })
})

it('a request of anonymous callers that leads to what they may not list is refused as the document says', async () => {
  const open = { public: 'read' } as const
  const asked = async (models: object) => {
    const shop = await onShop({ auth: { authenticate: () => null }, modelConfig: models })
    const { paths } = (await shop.get('/openapi.json')) as unknown as OpenApiDocument
    const told = ['/orders/', '/orders/{id}', '/orders/aggregate'].map((path) => {
      const operation = paths[path]?.get as OperationObject | undefined
      return [operation?.responses['401'] !== undefined, JSON.stringify(operation?.security)]
    })
    const statuses = await Promise.all(
      ['/orders/?include=customer', '/orders/1?include=customer', '/orders/aggregate?customer.name=x'].map(
        async (path) => (await shop.api.get(path)).status,
      ),
    )
    await shop.stop()
    return { told, statuses }
  }
  const { told, statuses } = await asked({ Order: open })
  expect(statuses).toEqual([401, 401, 401])
  for (const [isTold, security] of told)
    expect([isTold, security]).toEqual([true, expect.stringContaining('{}')])
  const all = ['Order', 'Customer', 'Tag', 'Product', 'OrderItem', 'OrderTag']
  const opened = await asked(Object.fromEntries(all.map((name) => [name, open])))
  expect(opened.statuses).not.toContain(401)
  for (const [isTold] of opened.told) expect(isTold).toBe(false)
})
