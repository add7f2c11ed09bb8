import { describe, expect, it } from 'vitest'
import type { ModelSource, RecordStore } from '../../../src/entry/source.ts'
import { testApi } from '../../../src/testing/index.ts'
import { naming } from '../../naming.ts'
import { onShop, openShop } from './stage.ts'

type Related = NonNullable<RecordStore['related']>

const relatedTo = (hasMore: boolean, count?: number) => ({
  has_more: hasMore,
  ...(count !== undefined && { count, count_exact: true }),
})

describe('include', () => {
  it('gives a related record or null, lists, and what is behind them', async () => {
    const { get, stop } = await onShop()
    const { items } = await get('/orders/?include=customer,order_items.product,tags')
    expect(items).toEqual([
      {
        ...{ id: 1, customer_id: 1, status: 'open' },
        customer: { id: 1, name: 'Ada', tenant: 1, photo: null },
        order_items: [
          { id: 1, order_id: 1, product_id: 1, price: 10, product: { id: 1, name: 'Lamp' } },
          { id: 2, order_id: 1, product_id: 2, price: 20, product: { id: 2, name: 'Chair' } },
          { id: 3, order_id: 1, product_id: null, price: 30, product: null },
        ],
        tags: [
          { id: 1, name: 'red' },
          { id: 2, name: 'new' },
        ],
        _related: { order_items: relatedTo(false), tags: relatedTo(false) },
      },
      {
        ...{ id: 2, customer_id: 2, status: 'open' },
        customer: { id: 2, name: 'Bob', tenant: 2, photo: null },
        order_items: [{ id: 4, order_id: 2, product_id: 1, price: 5, product: { id: 1, name: 'Lamp' } }],
        tags: [{ id: 2, name: 'new' }],
        _related: { order_items: relatedTo(false), tags: relatedTo(false) },
      },
      {
        ...{ id: 3, customer_id: null, status: 'done', customer: null, order_items: [], tags: [] },
        _related: { order_items: relatedTo(false), tags: relatedTo(false) },
      },
      {
        ...{ id: 4, customer_id: 1, status: 'done', order_items: [], tags: [] },
        customer: { id: 1, name: 'Ada', tenant: 1, photo: null },
        _related: { order_items: relatedTo(false), tags: relatedTo(false) },
      },
    ])
    await stop()
  })

  it('follows a table to itself, and keys of several fields', async () => {
    const { get, stop } = await onShop()
    const { items: staff } = await get('/staff/?include=boss.boss,staff')
    expect(staff[2]).toEqual({
      ...{ id: 3, name: 'Low', boss_id: 2, staff: [], _related: { staff: relatedTo(false) } },
      boss: { id: 2, name: 'Mid', boss_id: 1, boss: { id: 1, name: 'Top', boss_id: null } },
    })
    const { items: bookings } = await get('/bookings/?include=room')
    expect(bookings.map(({ room }) => room)).toEqual([
      { house: 'a', number: 1 },
      { house: 'a', number: 1 },
      null,
      null,
    ])
    const room = await get('/rooms/a,1?include=bookings(fields=id)')
    expect(room['bookings']).toEqual([{ id: 1 }, { id: 2 }])
    await stop()
  })

  it('takes options, and says what it has left out', async () => {
    const { get, stop } = await onShop()
    const order = await get(
      '/orders/1?include=order_items(limit=1;sort=price;order=desc;fields=price;count=exact)',
    )
    expect(order['order_items']).toEqual([{ id: 3, price: 30 }])
    expect(order['_related']).toEqual({ order_items: relatedTo(true, 3) })
    const { items } = await get('/rooms/?include=bookings(limit=0;count=exact)')
    expect(items.map(({ bookings, _related }) => [bookings, _related])).toEqual([
      [[], { bookings: relatedTo(true, 2) }],
      [[], { bookings: relatedTo(false, 0) }],
      [[], { bookings: relatedTo(false, 0) }],
    ])
    const none = await get('/orders/1?include=order_items(limit=0)')
    expect(none['_related']).toEqual({ order_items: relatedTo(true) })
    const dear = await get('/orders/1?include=order_items(q=price>10%26price<30;count=exact)')
    expect(dear['order_items']).toEqual([{ id: 2, order_id: 1, product_id: 2, price: 20 }])
    expect(dear['_related']).toEqual({ order_items: relatedTo(false, 1) })
    await stop()
  })

  it('shows only the fields of the list that were asked for', async () => {
    const { get, stop } = await onShop()
    const { items } = await get('/orders/?fields=status&include=customer(fields=name)&limit=1')
    expect(items).toEqual([{ id: 1, status: 'open', customer: { id: 1, name: 'Ada' } }])
    await stop()
  })

  it('takes one statement for each relation and level, and one for each count, whatever the size of the page', async () => {
    const { get, stop, statements } = await onShop()
    const path = '/orders/?include=customer.orders.tags,order_items(count=exact).product'
    for (const limit of [1, 4]) {
      statements.length = 0
      await get(`${path}&limit=${limit}&count=none`)
      expect(statements).toHaveLength(1 + 5 + 1)
    }
    await stop()
  })

  it('comes by default where the model says so', async () => {
    const { get, stop } = await onShop({
      modelConfig: { Order: { include: ['customer', 'order_items.product'] } },
    })
    expect(await get('/orders/3')).toMatchObject({ customer: null, order_items: [] })
    expect((await get('/orders/'))['items']?.[1]).toMatchObject({
      customer: { name: 'Bob' },
      order_items: [{ product: { name: 'Lamp' } }],
    })
    expect(Object.keys(await get('/orders/3?include='))).toEqual(['id', 'customer_id', 'status'])
    await stop()
  })

  it.each<readonly [string, Parameters<typeof onShop>[0], string]>([
    ['closed', { modelConfig: { Order: { relations: { customer: false } } } }, 'customer'],
    ['renamed', { modelConfig: { Order: { relations: { customer: 'buyer' } } } }, 'customer'],
    ['to a model that is not served', { modelConfig: { Customer: { internal: true } } }, 'customer'],
    ['over a field that cannot be read', { modelConfig: { Order: { hidden: ['customer_id'] } } }, 'customer'],
    ['that never was', {}, 'customers'],
  ])('refuses a relation that is %s like a name that never was', async (_, options, name) => {
    const { api, stop } = await onShop(options)
    for (const path of [
      `/orders/?include=${name}`,
      `/orders/1?include=${name}`,
      `/orders/?include=order_items.order.${name}`,
      `/orders/?sort=${name}.name`,
      `/orders/?${name}.name=Ada`,
      `/orders/?q=${name}!=null`,
      `/orders/?q=${name}(name=Ada)`,
    ]) {
      const { status, problem } = await api.get(path)
      expect([path, status, problem.code]).toEqual([path, 400, 'unknown_field'])
    }
    expect((await api.get(`/orders/1/${name}/`)).status).toBe(404)
    await stop()
  })

  it('calls a renamed relation by its name alone', async () => {
    const { get, stop } = await onShop({
      modelConfig: { Order: { relations: { customer: 'buyer', order_items: 'items' } } },
    })
    const order = await get('/orders/1?include=buyer(fields=name),items(fields=price;limit=1)')
    expect(order).toMatchObject({ buyer: { id: 1, name: 'Ada' }, items: [{ id: 1, price: 10 }] })
    expect((await get('/orders/1/items/'))['count']).toBe(3)
    expect((await get('/orders/?buyer.name==Bob'))['count']).toBe(1)
    await stop()
  })

  it.each([
    'select',
    'customer()',
    'customer(limit=)',
    'order_items(limit=101)',
    'order_items(limit=-1)',
    'order_items(nope=1)',
    'order_items(fields=secret)',
    'order_items(',
    'customer,',
    ',',
    '.',
    'customer.',
    'order_items(limit=1),order_items(limit=2)',
    'customer.orders.customer.orders',
    '__proto__',
    'constructor',
    'customer(fields=secret)',
    'customer(q=secret=hush)',
    'customer(sort=secret)',
    'order_items(q=)x',
  ])('refuses %j with a clear error', async (include) => {
    const { api, stop } = await onShop()
    const { status, problem } = await api.get(`/orders/?include=${encodeURIComponent(include)}`)
    expect([status, problem.errors?.[0]?.parameter]).toEqual([400, 'include'])
    await stop()
  })

  it('calls a store by its methods, which may need it', async () => {
    const { client, models } = openShop()
    const storeOf: ModelSource['store'] = (model) => {
      const { related: inner, ...others } = models.store(model)
      const store = {
        ...{ ...others, inner },
        related(...asked: Parameters<Related>): ReturnType<Related> {
          return this.inner?.(...asked) ?? []
        },
      }
      return store
    }
    const api = await testApi({ models: { ...models, store: storeOf } })
    const { json } = await api.get('/orders/1?include=customer')
    expect(json).toMatchObject({ customer: { name: 'Ada' } })
    await api.close()
    client.close()
  })

  it('bounds the relations, the records and the bytes of a response', async () => {
    const many = await onShop({ settings: { INCLUDE_MAX_RECORDS: 5, INCLUDE_MAX_RELATIONS: 2 } })
    expect((await many.api.get('/orders/?include=customer,tags,order_items')).problem.code).toBe(
      'malformed_query',
    )
    // Ada is in the response twice.
    expect((await many.api.get('/orders/?include=customer,tags(limit=1)')).status).toBe(200)
    const { status, problem } = await many.api.get('/orders/?include=customer,tags')
    expect([status, problem.code, problem.errors?.[0]?.parameter]).toEqual([400, 'page_too_large', 'include'])
    expect((await many.api.get('/orders/1?include=order_items,tags')).status).toBe(200)
    // The orders of Ada are in the response once for each of her orders.
    const twice = '/orders/?q=customer.name==Ada&include=customer.orders'
    expect((await many.api.get(twice)).problem.code).toBe('page_too_large')
    expect((await many.api.get(`${twice}(limit=1)`)).status).toBe(200)
    await many.stop()
    const small = await onShop({ settings: { RESPONSE_MAX_BYTES: 2000 } })
    small.client.prepare('update customers set name = ?').run('x'.repeat(900))
    expect((await small.api.get('/orders/?limit=2&include=customer')).status).toBe(200)
    const large = await small.api.get('/orders/?include=customer')
    expect([large.status, large.problem.code]).toEqual([400, 'page_too_large'])
    await small.stop()
  })

  it('bounds what included records include before they have the text of all of it', async () => {
    const { api, client, stop } = await onShop({ settings: { RESPONSE_MAX_BYTES: 3500 } })
    client.prepare('update products set name = ?').run('x'.repeat(900))
    client.prepare('update orders set status = ? where id = 1').run('y'.repeat(900))
    const path = '/orders/1?include=order_items(limit=2)'
    for (const one of ['product', 'order'])
      expect((await api.get(`${path},order_items.${one}`)).status).toBe(200)
    const { status, problem } = await api.get(`${path},order_items.product,order_items.order`)
    expect([status, problem.code]).toEqual([400, 'page_too_large'])
    // Not only the relation that has them, whose text would be many times as long with many relations.
    expect(problem.errors?.[0]?.detail).toMatch(naming('product', 'order'))
    await stop()
  })
})

describe('included records pass', () => {
  it('the hook afterList of their model, once for each relation', async () => {
    const seen: unknown[] = []
    const afterList = (_request: unknown, records: readonly { name?: string; id: number }[]) => {
      seen.push(records.map(({ id }) => id))
      return records.map((record) => ({ ...record, name: record.name?.toUpperCase() }))
    }
    const { get, stop } = await onShop({}, { Customer: { afterList } })
    const { items } = await get('/orders/?include=customer')
    expect(items.map(({ customer }) => Object(customer).name)).toEqual(['ADA', 'BOB', undefined, 'ADA'])
    expect(seen).toEqual([[1, 2]])
    await stop()
  })

  it('a hook that leaves some out, or changes their order', async () => {
    const afterList = (_request: unknown, records: readonly { id: number }[]) =>
      records.filter(({ id }) => id !== 1 && id !== 4).toReversed()
    const { get, stop } = await onShop({}, { Customer: { afterList }, OrderItem: { afterList } })
    const { items } = await get('/orders/?include=customer,order_items(fields=id)&limit=2')
    expect(items).toMatchObject([
      { customer: null, order_items: [{ id: 2 }, { id: 3 }] },
      { customer: { id: 2 }, order_items: [] },
    ])
    await stop()
  })

  it('a hook that keeps their number and changes their order', async () => {
    const afterList = (_request: unknown, records: readonly object[]) => records.toReversed()
    const { get, stop } = await onShop({}, { Customer: { afterList }, Order: { afterList } })
    const { items } = await get('/orders/?include=customer(fields=name)')
    expect(items).toMatchObject([
      { id: 4, customer_id: 1, customer: { id: 1, name: 'Ada' } },
      { id: 3, customer_id: null, customer: null },
      { id: 2, customer_id: 2, customer: { id: 2, name: 'Bob' } },
      { id: 1, customer_id: 1, customer: { id: 1, name: 'Ada' } },
    ])
    await stop()
  })

  it('a hook with records that belong to several others', async () => {
    const once = (records: readonly { id: number }[]) => [
      ...new Map(records.map((one) => [one.id, one])).values(),
    ]
    for (const keep of [(records: readonly { id: number }[]) => records, once]) {
      const afterList = (_request: unknown, records: readonly { id: number }[]) =>
        keep(records).filter(({ id }) => id !== 1)
      const { get, stop } = await onShop({}, { Tag: { afterList } })
      const { items } = await get('/orders/?include=tags&limit=3')
      expect(items).toMatchObject([{ tags: [{ id: 2 }] }, { tags: [{ id: 2 }] }, { tags: [] }])
      await stop()
    }
  })

  it('a hook whose results cannot be placed as a failure that the log explains', async () => {
    const afterList = () => [{ name: 'Nobody' }]
    const { api, stop, lines } = await onShop({}, { Customer: { afterList } })
    const { status, problem } = await api.get('/orders/?include=customer')
    expect([status, problem.code]).toEqual([500, 'internal_error'])
    expect(lines.join('\n')).toMatch(naming('afterList', 'Customer'))
    await stop()
  })

  it('the hooks of the list itself, which keeps its own members', async () => {
    const afterList = (_request: unknown, records: readonly { id: number }[]) =>
      records.filter(({ id }) => id !== 2).map(({ id }) => ({ id, shown: true }))
    const { get, stop } = await onShop({}, { Order: { afterList } })
    const { items } = await get('/orders/?include=customer(fields=name)')
    expect(items).toEqual([
      { id: 1, shown: true, customer: { id: 1, name: 'Ada' } },
      { id: 3, shown: true, customer: null },
      { id: 4, shown: true, customer: { id: 1, name: 'Ada' } },
    ])
    await stop()
  })

  it('the URLs of files', async () => {
    const { get, stop, client } = await onShop()
    client.exec(`update customers set photo = 'customer/photo/x.png' where id = 1`)
    const own = (await get('/customers/1'))['photo']
    expect(own).toMatch(/x\.png/)
    expect(await get('/orders/1?include=customer')).toMatchObject({ customer: { photo: own } })
    await stop()
  })

  it('scopes: what a caller cannot reach is not there', async () => {
    const { get, api, stop } = await onShop({}, { Customer: { scope: () => ({ tenant: 1 }) } })
    const { items } = await get('/orders/?include=customer(fields=name)')
    expect(items.map(({ customer }) => customer)).toEqual([
      { id: 1, name: 'Ada' },
      null,
      null,
      { id: 1, name: 'Ada' },
    ])
    const found = async (query: string) =>
      (await get(`/orders/?fields=id&${query}`)).items.map(({ id }) => id)
    expect(await found('customer.name==Bob')).toEqual([])
    expect(await found('customer=null')).toEqual([2, 3])
    expect(await found('q=!(customer.name==Bob)')).toEqual([1, 2, 3, 4])
    expect(await found('sort=customer.name&order=desc')).toEqual([2, 3, 1, 4])
    expect((await api.get('/customers/2/orders/')).status).toBe(404)
    const { items: back } = await get('/orders/?include=tags.orders.customer&limit=1')
    expect(JSON.stringify(back)).not.toContain('Bob')
    await stop()
  })

  it('the scope of a join table', async () => {
    const { get, stop } = await onShop({}, { OrderTag: { scope: () => ({ weight: [5, 7] }) } })
    const { items } = await get('/orders/?include=tags(fields=id;count=exact)&limit=2')
    expect(items).toMatchObject([
      { tags: [{ id: 1 }], _related: { tags: relatedTo(false, 1) } },
      { tags: [{ id: 2 }], _related: { tags: relatedTo(false, 1) } },
    ])
    expect((await get('/orders/?tags.name==new'))['count']).toBe(1)
    expect((await get('/orders/1/tags/'))['count']).toBe(1)
    await stop()
  })

  it.each([
    '/orders/?include=customer',
    '/orders/1?include=customer',
    '/orders/?customer.name=Ada',
    '/orders/?q=customer=null',
    '/orders/?sort=customer.name',
    '/products/1?include=order_items.order.customer',
  ])('permissions: %s is refused where the list of customers is', async (path) => {
    const permissions = { read: () => false }
    const { api, stop } = await onShop(
      { auth: { authenticate: () => ({ id: 1, claims: {} }) } },
      { Customer: { permissions } },
    )
    const { status, problem } = await api.get(path)
    expect([status, problem.code]).toEqual([403, 'forbidden'])
    expect(problem.errors?.[0]?.parameter).toMatch(/^(include|customer\.name|q|sort)$/)
    expect((await api.get('/orders/1')).status).toBe(200)
    await stop()
  })

  it('authentication, where only the related model needs it', async () => {
    const options = {
      auth: { authenticate: () => null },
      modelConfig: { Order: { public: 'read' as const } },
    }
    const { api, stop } = await onShop(options)
    expect((await api.get('/orders/?limit=1')).status).toBe(200)
    const { status, problem, headers } = await api.get('/orders/?include=customer')
    expect([status, problem.code]).toEqual([401, 'unauthenticated'])
    expect(headers.get('www-authenticate')).toBe('Bearer')
    await stop()
  })
})

describe('a failure in one of several includes', () => {
  it('is that of the request, and of nothing else', async () => {
    const { api, models, stop } = await onShop()
    const failing = (error: Error): ModelSource => ({
      ...models,
      store: (model, use) => ({
        ...models.store(model, use),
        related: ({ relation }) => {
          if (relation === 'tags') throw error
          return Promise.reject(new Error('too late'))
        },
      }),
    })
    const other = await testApi({
      models: failing(new Error('at once')),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    })
    const { status } = await other.get('/orders/?include=order_items,customer,tags')
    expect(status).toBe(500)
    await other.close()
    expect((await api.get('/orders/')).status).toBe(200)
    await stop()
  })
})
