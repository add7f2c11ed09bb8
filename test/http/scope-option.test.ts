import { describe, expect, it } from 'vitest'
import type { ModelRestOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'
import { open, refusalOf, shops, shopTables } from '../stage/shop.ts'
import { startError } from './start-error.ts'

type Scope = NonNullable<ModelRestOptions['scope']>

/** Models without the field are everyone's. */
const byTenant: Scope = (_request, _context, { fields }) => (fields.includes('tenant') ? { tenant: 1 } : {})

describe('the option scope', () => {
  const start = shops.sqlite
  it('holds for every model without a scope of its own', async () => {
    const { send, execute } = await open(start, {
      scope: byTenant,
      parts: { Product: { scope: () => ({ tenant: 2 }) } },
    })
    await execute("insert into orders (tenant, title) values (2, 'three')")
    const namesIn = async (path: string, field: string) =>
      ((await send('GET', path)).json['items'] as readonly Record<string, unknown>[]).map((one) => one[field])
    expect(await namesIn('/orders/', 'title')).toEqual(['one', 'two'])
    expect(await namesIn('/tags/', 'name')).toEqual(['a', 'b', 'c'])
    expect(await namesIn('/products/', 'name')).toEqual(['desk'])
    expect((await send('GET', '/orders/3')).status).toBe(404)
    const groups = await send('GET', '/tags/aggregate?aggregate=count')
    expect(groups.json['items']).toEqual([{ count: 3 }])
  })

  it('holds for what a body writes', async () => {
    const { send } = await open(start, { scope: byTenant })
    const create = (body: object) => send('POST', '/orders/', { body })
    expect(refusalOf(await create({ title: 'x', tenant: 2 }))).toEqual([403, 'forbidden'])
    const items = [{ price: 1, productId: 2 }]
    expect(refusalOf(await create({ title: 'x', items }))).toEqual([
      ...[422, 'invalid_body'],
      '/items/0/productId missing_reference',
    ])
    expect(refusalOf(await create({ title: 'x', tags: [4] }))).toEqual([
      ...[422, 'invalid_body'],
      '/tags/0 missing_reference',
    ])
    expect((await create({ title: 'x', items: [{ price: 1 }], tags: [1] })).json).toMatchObject({ tenant: 1 })
  })

  it('holds for a join table that is not served', async () => {
    const { send, execute, rows } = await open(start, {
      scope: (_request, _context, { name }) => (name === 'OrderTag' ? { weight: 7 } : {}),
      modelConfig: { Order: { write: ['tags'] } },
      exclude: { app: ['OrderTag'] },
    })
    await execute('insert into order_tags (order_id, tag_id, weight) values (1, 1, 7), (1, 2, 5)')
    const order = await send('GET', '/orders/1?include=tags(fields=name)')
    expect(order.json['tags']).toEqual([{ id: 1, name: 'a' }])
    const countOf = async (path: string) => (await send('GET', path)).json['count']
    expect(await countOf('/orders/?tags.name==a')).toBe(1)
    expect(await countOf('/orders/?tags.name==b')).toBe(0)
    expect(await countOf('/orders/1/tags/')).toBe(1)
    const groups = await send('GET', '/orders/aggregate?aggregate=count&tags.name==b')
    expect(groups.json['items']).toEqual([{ count: 0 }])
    // A new link gets the only value that the scope allows.
    expect((await send('PATCH', '/orders/2', { body: { tags: [3] } })).status).toBe(200)
    expect(await rows('select weight from order_tags where order_id = 2')).toMatchObject([{ weight: 7 }])
  })

  it.each([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a text', () => 'tenant'],
    ['a list of something else', () => [1]],
    ['a list with nothing in it', () => [undefined]],
    ['a field without a value', () => ({ tenant: undefined })],
    ['an unknown field', () => ({ tenancy: 1 })],
  ])('refuses a request if it returns %s', async (_what, scope) => {
    const { send, errors } = await open(start, { scope: scope as unknown as Scope })
    expect(refusalOf(await send('GET', '/tags/'))).toEqual([500, 'internal_error'])
    expect(refusalOf(await send('GET', '/orders/1?include=tags'))).toEqual([500, 'internal_error'])
    expect(refusalOf(await send('DELETE', '/tags/1'))).toEqual([500, 'internal_error'])
    expect(errors[0]).toMatch(naming('option scope', 'Tag'))
    expect(errors[1]).toMatch(naming('option scope', 'Order'))
  })
})

describe('the option scope at the start', () => {
  const database = () => openSqlite(shopTables.sqlite.tables, shopTables.sqlite.ddl)

  it('binds references to models that are not served', async () => {
    const { send } = await serveModels(database(), { scope: byTenant, exclude: { app: ['Product'] } })
    const item = (productId: number) => send('POST', '/items/', { orderId: 1, price: 1, productId })
    expect((await item(1))[0]).toBe(201)
    expect((await item(2))[0]).toBe(422)
  })

  it('is in the document', async () => {
    const { rest } = await serveModels(database(), { scope: byTenant })
    const codes = (path: string) => Object.keys(Object(rest.openapi().paths[path])['post'].responses)
    expect(codes('/tags/')).toContain('403')
    const plain = await serveModels(database())
    expect(Object.keys(Object(plain.rest.openapi().paths['/tags/'])['post'].responses)).not.toContain('403')
  })

  it('must be a function, and a synchronous one with isAsync: false', async () => {
    const serve = (options: object) => serveModels(database(), options)
    await expect(serve({ scope: { tenant: 1 } })).rejects.toThrow(startError('scope'))
    const scope = async () => ({})
    await expect(serve({ scope, isAsync: false })).rejects.toThrow(startError('scope', 'isAsync'))
  })
})
