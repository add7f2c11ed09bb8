import { describe, expect, it } from 'vitest'
import { onShop } from './stage.ts'

describe('the list below a record', () => {
  it('is that of the relation, with the whole query language', async () => {
    const { get, stop } = await onShop()
    expect(await get('/orders/1/order_items/?sort=price&order=desc&limit=2&fields=price')).toEqual({
      items: [
        { id: 3, price: 30 },
        { id: 2, price: 20 },
      ],
      ...{ count: 3, count_exact: true },
    })
    const { items } = await get('/orders/1/order_items/?product.name=lamp&include=product')
    expect(items).toMatchObject([{ id: 1, product: { name: 'Lamp' } }])
    expect((await get('/orders/1/tags/?sort=name')).items).toEqual([
      { id: 2, name: 'new' },
      { id: 1, name: 'red' },
    ])
    expect((await get('/rooms/a,1/bookings/')).items.map(({ id }) => id)).toEqual([1, 2])
    expect((await get('/staff/1/staff/')).items).toMatchObject([{ name: 'Mid' }])
    expect((await get('/orders/3/order_items/')).items).toEqual([])
    await stop()
  })

  it('has pages by cursor, which end with the related records', async () => {
    const { get, stop } = await onShop({ paginationType: 'cursor' })
    const first = await get('/orders/1/order_items/?limit=2&sort=product.name&order=desc')
    expect(first.items.map(({ id }) => id)).toEqual([3, 1])
    const next = await get(
      `/orders/1/order_items/?limit=2&sort=product.name&order=desc&cursor=${first['next']}`,
    )
    expect([next.items.map(({ id }) => id), next['next']]).toEqual([[2], null])
    await stop()
  })

  it('is a 404 for a record that the caller cannot reach', async () => {
    const { api, stop } = await onShop({}, { Customer: { scope: () => ({ tenant: 1 }) } })
    for (const path of ['/customers/2/orders/', '/customers/9/orders/', '/customers/x/orders/']) {
      const { status, problem } = await api.get(path)
      expect([path, status, problem.code]).toEqual([path, 404, 'not_found'])
      expect((await api.post(path, {})).status).toBe(404)
    }
    expect((await api.get('/customers/1/orders/')).status).toBe(200)
    await stop()
  })

  it('takes no new record if no body could refer to the one above', async () => {
    const { api, stop } = await onShop({ modelConfig: { Staff: { readOnly: ['boss_id'] } } })
    expect((await api.get('/staff/1/staff/')).status).toBe(200)
    const { status, headers } = await api.post('/staff/1/staff/', { name: 'New' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    await stop()
  })

  it('needs the permissions of both models', async () => {
    const authenticate = () => ({ id: 1, claims: {} })
    const no = { permissions: { read: () => false } }
    for (const hooks of [{ Order: no }, { OrderItem: no }]) {
      const { api, stop } = await onShop({ auth: { authenticate } }, hooks)
      expect((await api.get('/orders/1/order_items/')).status).toBe(403)
      await stop()
    }
    const { api, stop } = await onShop({ auth: { authenticate } }, { OrderTag: no })
    expect((await api.get('/orders/1/tags/')).status).toBe(403)
    await stop()
  })

  it('passes the hooks of its model', async () => {
    const afterList = (_request: unknown, records: readonly object[]) => records.map(() => ({ id: 0 }))
    const beforeList = (_request: unknown, query: object) => ({ ...query, limit: 1 })
    const { get, stop } = await onShop({}, { OrderItem: { beforeList, afterList } })
    expect((await get('/orders/1/order_items/')).items).toEqual([{ id: 0 }])
    await stop()
  })

  it('exists for to-many relations that clients can use', async () => {
    const { api, stop } = await onShop({ modelConfig: { Order: { relations: { tags: false } } } })
    for (const path of ['/orders/1/customer/', '/orders/1/tags/', '/orders/1/nope/'])
      expect((await api.get(path)).status).toBe(404)
    await stop()
  })
})

describe('a record created below another one', () => {
  it('belongs to it', async () => {
    const { api, get, stop } = await onShop()
    const { status, json, headers } = await api.post('/orders/1/order_items/', { price: 3 })
    expect([status, json]).toEqual([201, { id: 5, order_id: 1, product_id: null, price: 3 }])
    expect(headers.get('location')).toBe('/order-items/5')
    expect((await api.post('/rooms/b,1/bookings', {})).json).toEqual({ id: 5, house: 'b', number: 1 })
    expect((await get('/orders/1/order_items/'))['count']).toBe(4)
    await stop()
  })

  it('may say so in its body, and nothing else', async () => {
    const { api, stop, client } = await onShop()
    expect((await api.post('/orders/1/order_items/', { price: 3, order_id: 1 })).status).toBe(201)
    for (const order_id of [2, '1', null, {}]) {
      const { status, problem } = await api.post('/orders/1/order_items/', { price: 3, order_id })
      expect([status, problem.errors?.[0]?.pointer]).toEqual([422, '/order_id'])
    }
    expect(client.prepare('select count(*) from order_items').pluck().get()).toBe(5)
    await stop()
  })

  it('passes schema, hooks and permissions of its model', async () => {
    const payloads: unknown[] = []
    const beforeCreate = (_request: unknown, payload: object) => void payloads.push(payload)
    const permissions = { create: (request: Request) => request.headers.get('x-may') === 'yes' }
    const authenticate = () => ({ id: 1, claims: {} })
    const { api, stop } = await onShop(
      { auth: { authenticate } },
      { OrderItem: { beforeCreate, permissions } },
    )
    expect((await api.post('/orders/1/order_items/', { price: 3 })).status).toBe(403)
    const allowed = api.with({ 'x-may': 'yes' })
    expect((await allowed.post('/orders/1/order_items/', {})).problem.errors?.[0]?.pointer).toBe('/price')
    expect((await allowed.post('/orders/1/order_items/', { price: 3 })).status).toBe(201)
    expect(payloads).toEqual([{ price: 3, order_id: 1 }])
    await stop()
  })

  it('is refused where the scope belongs to another record', async () => {
    const { api, stop } = await onShop({}, { Order: { scope: () => ({ customer_id: 1 }) } })
    expect((await api.post('/customers/2/orders/', { status: 'new' })).status).toBe(403)
    const { status, json } = await api.post('/customers/1/orders/', { status: 'new' })
    expect([status, json]).toMatchObject([201, { customer_id: 1 }])
    await stop()
  })

  it('cannot set a foreign key that clients cannot write', async () => {
    const { api, get, stop } = await onShop({ modelConfig: { OrderItem: { readOnly: ['order_id'] } } })
    expect((await api.post('/orders/1/order_items/', { price: 1 })).status).toBe(405)
    expect((await get('/orders/1/order_items/')).items).toHaveLength(3)
    await stop()
  })

  it('is refused where the parent has left the scope, and through a join table', async () => {
    const scope = () => ({ tenant: 1 })
    const { api, stop, client } = await onShop({}, { Customer: { scope } })
    expect((await api.post('/customers/1/orders/', {})).status).toBe(201)
    expect((await api.post('/customers/2/orders/', {})).status).toBe(404)
    expect((await api.post('/orders/1/tags/', { name: 'x' })).status).toBe(405)
    expect(client.prepare('select count(*) from tags').pluck().get()).toBe(2)
    await stop()
  })
})
