import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'
import { sqliteOf } from './sqlite-of.ts'

interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

let shop: Shop
let log: string[]

describe.each([
  ['asynchronous', true],
  ['synchronous', false],
])('the controllers of the shop, %s', (_mode, isAsync) => {
  beforeEach(async () => {
    log = []
    const logger = { stream: { write: (line: string) => log.push(line) } }
    shop = await buildShop({ database: ':memory:', products: 100, isAsync, logger })
  })
  afterEach(() => shop.app.close())

  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const url = `/api${path}`
    const reply = await shop.app.inject({ method, url, headers, ...(body !== undefined && { body }) })
    return { status: reply.statusCode, json: reply.body === '' ? {} : reply.json() }
  }

  const all = (statement: string, ...values: unknown[]) =>
    sqliteOf(shop)
      .prepare<unknown[], Record<string, unknown>>(statement)
      .all(...values)

  /** The first order with a status, and its customer. */
  const orderThatIs = (status: string): { id: number; customer: string } =>
    all('select id, customer_id customer from orders where status = ? order by id', status)[0] as never

  const pointsOf = (customer: string): number =>
    all('select loyalty_points points from customers where id = ?', customer)[0]?.['points'] as number

  /** A product that an order does not have yet. */
  const newProduct = (order: number): number =>
    all(
      'select id from products where id not in (select product_id from order_items where order_id = ?)',
      order,
    )[0]?.['id'] as number

  const itemFor = (order: number) => ({
    order_id: order,
    product_id: newProduct(order),
    quantity: 2,
    unit_price: '9.90',
  })

  describe('of orders', () => {
    it('say when an order was shipped, which no client may', async () => {
      const { id } = orderThatIs('paid')
      const own = await send('PATCH', `/orders/${id}`, { shipped_at: '2026-01-01T00:00:00Z' })
      expect(own).toMatchObject({ status: 422, json: { errors: [{ pointer: '/shipped_at' }] } })
      const before = Math.floor(Date.now() / 1000)
      const { status, json } = await send('PATCH', `/orders/${id}`, { status: 'shipped' })
      expect([status, json['status']]).toEqual([200, 'shipped'])
      const [stored] = all('select shipped_at at from orders where id = ?', id)
      expect(stored?.['at']).toBeGreaterThanOrEqual(before)
      expect(Date.parse(String(json['shipped_at']))).toBe(Number(stored?.['at']) * 1000)
    })

    it('leave that time as it is when something else changes', async () => {
      const { id } = orderThatIs('shipped')
      const { json } = await send('GET', `/orders/${id}`)
      const again = await send('PATCH', `/orders/${id}`, { status: 'shipped', note: 'Fragile.' })
      expect(again).toEqual({ status: 200, json: { ...json, note: 'Fragile.' } })
    })

    it('know it of a new order and of a replaced one too', async () => {
      const { customer } = orderThatIs('paid')
      const made = await send('POST', '/orders/', { customer_id: customer, status: 'shipped' })
      expect(made).toMatchObject({ status: 201, json: { shipped_at: expect.any(String) } })
      const open = await send('POST', '/orders/', { customer_id: customer })
      expect(open).toMatchObject({ status: 201, json: { status: 'pending', shipped_at: null } })
      const replaced = await send('PUT', `/orders/${open.json['id']}`, { ...open.json, status: 'shipped' })
      expect(replaced).toMatchObject({ status: 200, json: { shipped_at: expect.any(String) } })
    })

    it('write down what became of an order, where it was stored', async () => {
      const { id } = orderThatIs('pending')
      expect((await send('PATCH', `/orders/${id}`, { status: 'paid' })).status).toBe(200)
      expect((await send('PATCH', `/orders/${id}`, { customer_id: 'nobody' })).status).toBe(422)
      expect((await send('PATCH', `/orders/${id}`, { status: 'lost' })).status).toBe(422)
      expect(all('select order_id, status from audit_entries')).toEqual([{ order_id: id, status: 'paid' }])
    })

    it('keep what they write down to themselves', async () => {
      expect(shop.rest.models.map(({ name }) => name)).not.toContain('AuditEntry')
      expect((await send('GET', '/audit-entries/')).status).toBe(404)
      expect(JSON.stringify(shop.rest.openapi())).not.toMatch(/audit/i)
    })
  })

  describe('of items', () => {
    it('give points to the customer, and tell the warehouse', async () => {
      const { id, customer } = orderThatIs('pending')
      const before = pointsOf(customer)
      const item = itemFor(id)
      expect((await send('POST', '/order-items/', item)).status).toBe(201)
      expect(pointsOf(customer)).toBe(before + 10)
      await shop.rest.close()
      expect(
        log.map((line) => JSON.parse(line)).filter(({ product }) => product === item.product_id),
      ).toEqual([expect.objectContaining({ event: 'create', order: id })])
    })

    it.each(['shipped', 'delivered'])(
      'let none join an order that is %s, and undo its points',
      async (status) => {
        const { id, customer } = orderThatIs(status)
        const before = pointsOf(customer)
        const rows = all('select * from order_items')
        const reply = await send('POST', '/order-items/', itemFor(id))
        expect(reply).toMatchObject({ status: 400, json: { code: 'rejected' } })
        expect(pointsOf(customer)).toBe(before)
        expect(all('select * from order_items')).toEqual(rows)
        await shop.rest.close()
        expect(log.join()).not.toContain('"product":')
      },
    )

    it('give no points for an item that is there already', async () => {
      const { id, customer } = orderThatIs('pending')
      const before = pointsOf(customer)
      const item = itemFor(id)
      expect((await send('POST', '/order-items/', item)).status).toBe(201)
      expect((await send('POST', '/order-items/', item)).status).toBe(409)
      expect(pointsOf(customer)).toBe(before + 10)
    })

    it('leave points to the shop', async () => {
      const { customer } = orderThatIs('pending')
      const reply = await send('PATCH', `/customers/${customer}`, { loyalty_points: 1000 })
      expect(reply).toMatchObject({ status: 422, json: { errors: [{ pointer: '/loyalty_points' }] } })
    })
  })

  describe('with the header x-customer-id', () => {
    const own = () => orderThatIs('pending')
    const foreign = () =>
      all('select id from orders where customer_id <> ? and shipped_at is null', own().customer)[0]?.[
        'id'
      ] as number
    const asOwner = () => ({ 'x-customer-id': own().customer })

    it('list the orders of that customer and their items, and nothing else', async () => {
      const { customer } = own()
      const orders = all('select id from orders where customer_id = ? order by id', customer)
      const list = await send('GET', '/orders/?fields=id', undefined, asOwner())
      expect(list.json).toEqual({ items: orders, count: orders.length, count_exact: true })
      const items = await send('GET', '/order-items/?limit=1000', undefined, asOwner())
      const [{ count } = {}] = all(
        'select count(*) count from order_items join orders on orders.id = order_id where customer_id = ?',
        customer,
      )
      expect(items.json).toMatchObject({ count })
      const ids = new Set((items.json['items'] as { order_id: number }[]).map(({ order_id }) => order_id))
      expect([...ids].sort()).toEqual(orders.map(({ id }) => id).sort())
    })

    it('answer for a foreign order as for none', async () => {
      const missing = 1_000_000
      const requests = [
        ['GET', undefined],
        ['PATCH', { status: 'cancelled' }],
        ['PUT', { customer_id: own().customer }],
        ['DELETE', undefined],
      ] as const
      for (const [method, body] of requests) {
        const [there, nowhere] = [
          await send(method, `/orders/${foreign()}`, body, asOwner()),
          await send(method, `/orders/${missing}`, body, asOwner()),
        ]
        expect(there).toMatchObject({ status: 404, json: { code: 'not_found' } })
        expect({ ...there.json, instance: '' }).toEqual({ ...nowhere.json, instance: '' })
      }
    })

    it('take no item for a foreign order, as for none', async () => {
      const before = all('select * from order_items')
      const there = await send('POST', '/order-items/', itemFor(foreign()), asOwner())
      expect(there).toMatchObject({ status: 422, json: { errors: [{ pointer: '/order_id' }] } })
      const nowhere = await send('POST', '/order-items/', itemFor(1_000_000), asOwner())
      expect(nowhere).toEqual(there)
      expect(all('select * from order_items')).toEqual(before)
    })

    it('give a new order to that customer, and to no other', async () => {
      const { customer } = own()
      const made = await send('POST', '/orders/', { note: 'Mine.' }, asOwner())
      expect(made).toMatchObject({ status: 201, json: { customer_id: customer, note: 'Mine.' } })
      const [{ other } = {}] = all('select id other from customers where id <> ?', customer)
      const refused = await send('POST', '/orders/', { customer_id: other }, asOwner())
      expect(refused).toMatchObject({ status: 403, json: { code: 'forbidden' } })
      const moved = await send('PATCH', `/orders/${own().id}`, { customer_id: other }, asOwner())
      expect(moved).toMatchObject({ status: 403, json: { code: 'forbidden' } })
      expect(all('select * from audit_entries')).toEqual([])
    })

    it.each(['', 'nobody', 'x'.repeat(37), 'é'])('that is %j reach nothing', async (id) => {
      const header = { 'x-customer-id': id }
      const list = await send('GET', '/orders/', undefined, header)
      expect(list).toEqual({ status: 200, json: { items: [], count: 0, count_exact: true } })
      expect((await send('GET', `/orders/${own().id}`, undefined, header)).status).toBe(404)
      expect((await send('POST', '/orders/', {}, header)).status).toBe(422)
    })
  })
})
