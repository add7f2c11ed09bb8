import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import type { ControllerFor, ModelRest, ModelRestOptions } from '../../src/index.ts'
import { controllerFor } from '../../src/index.ts'
import { openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'
import { open as openShop, refusalOf, type Shop, type ShopOptions, shops, shopTables } from '../stage/shop.ts'
import { startReading } from './files/reading-stage.ts'
import { startError } from './start-error.ts'

const controller = controllerFor as ControllerFor<{ readonly headers: Headers | Record<string, string> }>

const userOf = (request: { readonly headers: Headers | Record<string, string> }): string | null => {
  const { headers } = request
  return (headers instanceof Headers ? headers.get('x-user') : headers['x-user']) ?? null
}
const auth = {
  authenticate: (request: unknown) => {
    const id = userOf(request as never)
    return id === null ? null : { id, claims: {} }
  },
}

afterEach(() => {
  vi.restoreAllMocks()
})
const open = async (options: ShopOptions): Promise<Shop> => {
  const shop = await openShop(shops.sqlite, { auth, ...options } as never)
  await shop.execute("insert into order_items (order_id, product_id, sku, price) values (1, 1, 'S1', 10)")
  return shop
}
const as = (user: string, body?: object) => ({ headers: { 'x-user': user }, ...(body && { body }) })

/** Only the staff reads and writes prices and article numbers. */
const access = (request: never) =>
  userOf(request) === 'staff' ? {} : { read: { sku: false }, write: { sku: false, price: false } }

describe('fields that are closed to a caller', () => {
  it('are given to hooks, but not shown when a hook returns them', async () => {
    const seen: unknown[] = []
    const noting = (_request: unknown, record: { sku: string }) => {
      seen.push(record.sku)
      return { ...record, label: 'shown' }
    }
    const { send } = await open({
      parts: {
        Item: {
          access,
          afterList: (_request: unknown, records: readonly { sku: string }[]) =>
            records.map((record) => noting(undefined, record)),
          beforeCreate: (_request: unknown, payload: object) => ({ ...payload, price: 3, sku: 'S2' }),
          afterCreate: noting,
        } as never,
      },
    })
    const [item] = (await send('GET', '/items/', as('guest'))).json['items'] as readonly object[]
    expect(item).toEqual({
      id: 1,
      orderId: 1,
      productId: 1,
      tenant: 1,
      price: 10,
      quantity: 1,
      label: 'shown',
    })
    const fields = await send('GET', '/orders/1?include=items', as('guest'))
    expect((fields.json['items'] as readonly object[])[0]).not.toHaveProperty('sku')
    // The hook sets what the caller may not.
    const made = await send('POST', '/items/', as('guest', { orderId: 1 }))
    expect([made.status, made.json['price'], 'sku' in made.json]).toEqual([201, 3, false])
    expect(seen).toEqual(['S1', 'S1', 'S2'])
    expect((await send('GET', '/items/2', as('staff'))).json).toMatchObject({ sku: 'S2' })
  })

  it('cannot be sent by a custom schema that names them', async () => {
    const create = z.object({
      orderId: z.number().optional(),
      price: z.number().default(5),
      sku: z.string().optional(),
    })
    const { send } = await open({
      parts: { Item: { access } as never },
      customSchemas: { Item: { create } } as never,
    })
    const post = (user: string, body: object) => send('POST', '/items/', as(user, { orderId: 1, ...body }))
    expect((await post('staff', { sku: 'S3', price: 1 })).json).toMatchObject({ sku: 'S3', price: 1 })
    expect(refusalOf(await post('guest', { sku: 'S4' }))).toEqual([422, 'invalid_body', '/sku unknown_key'])
    expect(refusalOf(await post('guest', { price: 1 }))).toEqual([422, 'invalid_body', '/price read_only'])
    expect((await post('guest', {})).json).toMatchObject({ price: 5 })
    const child = await send('POST', '/orders/', as('guest', { title: 'x', items: [{ sku: 'S4' }] }))
    expect(child.status).toBe(422)
  })

  it('are not written or shown below a record if their model has no list', async () => {
    const { send, rows } = await open({
      parts: { Item: { access } as never },
      modelConfig: { Order: { write: ['notes'] }, Item: { operations: ['read', 'create'] } },
    })
    const post = (user: string, body: object) => send('POST', '/orders/1/items/', as(user, body))
    expect((await post('staff', { price: 1, sku: 'S2' })).json).toMatchObject({ price: 1, sku: 'S2' })
    const refused = await post('guest', { price: 1, sku: 'S3' })
    expect(refusalOf(refused)).toEqual([422, 'invalid_body', '/price read_only', '/sku unknown_key'])
    expect(await rows("select price from order_items where sku = 'S3'")).toEqual([])
  })

  it('are left out of what is searched and included by default', async () => {
    const { send } = await open({
      parts: {
        Item: {
          access: (request: never) => (userOf(request) === 'staff' ? {} : { read: ['orderId', 'price'] }),
        } as never,
      },
      modelConfig: {
        Item: { search: ['sku'], include: ['product', 'order'] },
        Product: { include: ['items'] },
      },
    } as never)
    const item = async (user: string) => (await send('GET', '/items/1', as(user))).json
    expect(Object.keys(await item('staff'))).toContain('product')
    expect(await item('guest')).toEqual({
      id: 1,
      orderId: 1,
      price: 10,
      order: { id: 1, tenant: 1, title: 'one' },
    })
    expect((await send('GET', '/items/?search=S1', as('staff'))).json['count']).toBe(1)
    expect((await send('GET', '/items/?search=S1', as('guest'))).status).toBe(400)
    expect(await send('GET', '/products/1', as('guest'))).not.toHaveProperty(['json', 'items'])
  })

  it('stay what they were while a body arrives, or the request is refused', async () => {
    let [isOpen, closes] = [true, false]
    const { send, rows } = await open({
      parts: {
        Item: {
          access: () => {
            const given = isOpen ? {} : { write: [] }
            isOpen &&= !closes
            return given
          },
        },
      },
    })
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 2000
      return now
    })
    const change = () => send('PATCH', '/items/1', as('guest', { price: 11 }))
    expect((await change()).status).toBe(200)
    closes = true
    const late = await change()
    vi.restoreAllMocks()
    expect([late.status, await rows('select price from order_items')]).toEqual([403, [{ price: 11 }]])
  })

  it('are decided after anonymous callers have been refused', async () => {
    const asked: unknown[] = []
    const { send } = await open({
      parts: {
        Item: {
          access: (_request: unknown, { caller }: { caller: unknown }) => {
            asked.push(caller)
            return {}
          },
        } as never,
      },
      modelConfig: { Order: { write: ['items'], public: 'read' } },
    })
    expect((await send('GET', '/items/?fields=nothing')).status).toBe(401)
    expect((await send('GET', '/orders/1')).status).toBe(200)
    expect((await send('GET', '/orders/1?include=items')).status).toBe(401)
    expect(asked).toEqual([])
    expect((await send('GET', '/items/', as('guest'))).status).toBe(200)
    expect(asked).toEqual([{ id: 'guest', claims: {} }])
  })

  it('have no files for the caller', async () => {
    const stage = await startReading({
      auth,
      controllers: [
        controller('Document', {
          access: (request) => (userOf(request) === 'staff' ? {} : { read: { content: false } }),
        }),
      ],
    })
    onTestFinished(() => stage.stop())
    const key = await stage.put({ field: 'content', type: 'text/plain', bytes: Buffer.from('a text') })
    stage.insert({ id: 1, title: 'one', content: key })
    const headers = (user: string) => ({ headers: { 'x-user': user } })
    const shown = await stage.send('GET', '/api/documents/1', headers('staff'))
    const { content } = JSON.parse(shown.text) as { content: string }
    const [plain = ''] = content.split('?')
    const statusOf = async (path: string, user?: string) =>
      (await stage.send('GET', path, user === undefined ? {} : headers(user))).status
    expect(await statusOf(plain, 'staff')).toBe(200)
    expect(await statusOf(plain, 'guest')).toBe(404)
    expect(await statusOf(plain)).toBe(401)
    // Whoever has a signed address may read its file.
    expect(await statusOf(content)).toBe(200)
    expect(await statusOf(`${plain}?expires=9999999999&signature=${'a'.repeat(22)}`, 'guest')).toBe(404)
  })
})

it('files of a public model are signed and private if access closes them', async () => {
  const stage = await startReading({
    auth,
    modelConfig: { Document: { public: 'read' } },
    controllers: [
      controller('Document', {
        access: (request) => (userOf(request) === 'staff' ? {} : { read: { content: false } }),
      }),
    ],
  } as never)
  onTestFinished(() => stage.stop())
  const key = await stage.put({ field: 'content', type: 'text/plain', bytes: Buffer.from('a text') })
  stage.insert({ id: 1, title: 'one', content: key })
  const shown = await stage.send('GET', '/api/documents/1', { headers: { 'x-user': 'staff' } })
  const { content } = JSON.parse(shown.text) as { content: string }
  const [plain = '', query = ''] = content.split('?')
  expect(query).toContain('signature=')
  const own = await stage.send('GET', plain, { headers: { 'x-user': 'staff' } })
  expect([own.status, own.headers['cache-control']]).toEqual([200, 'private, no-cache'])
  expect((await stage.send('GET', plain)).status).toBe(404)
})

describe('the option access', () => {
  const serve = (parts: object, options: Partial<ModelRestOptions> = {}) =>
    serveModels(openSqlite(shopTables.sqlite.tables, shopTables.sqlite.ddl), {
      controllers: [controllerFor('Item', parts as never)],
      ...options,
    })

  it('is in the document', async () => {
    const [{ rest }, plain] = [await serve({ access: () => ({}) }), await serve({})]
    const about = (api: ModelRest, path: string, method: string) =>
      Object(api.openapi().paths[path])[method] as { description: string; responses: object }
    for (const [path, method] of [
      ['/items/', 'get'],
      ['/items/', 'post'],
      ['/items/{id}', 'patch'],
    ] as const) {
      const usual = about(plain.rest, path, method).description
      const { description } = about(rest, path, method)
      expect([description.startsWith(usual), description.length > usual.length]).toEqual([true, true])
    }
    expect(Object.keys(about(rest, '/items/', 'post').responses)).toContain('403')
    expect(about(rest, '/tags/', 'get')).toEqual(about(plain.rest, '/tags/', 'get'))
  })

  it('is checked at start', async () => {
    expect(() => controllerFor('Item', { acces: () => ({}) } as never)).toThrow(startError('acces', 'access'))
    await expect(serve({ access: { read: [] } })).rejects.toThrow(startError('access'))
    await expect(serve({ access: async () => ({}) }, { isAsync: false })).rejects.toThrow(
      startError('access', 'isAsync'),
    )
  })
})
