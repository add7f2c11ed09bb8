import { describe, expect, it, onTestFinished } from 'vitest'
import type { ModelConfig } from '../../../src/index.ts'
import { testApi } from '../../../src/testing/index.ts'
import { lint } from '../../openapi/lint.ts'
import { inTest } from '../../stage/service.ts'
import { startUsers } from '../../stage/users.ts'
import { startError } from '../start-error.ts'
import { onShop, openShop } from './stage.ts'

type Configs = Readonly<Record<string, ModelConfig>>

const only: ModelConfig = { operations: ['related'] }
const modelConfig: Configs = { Customer: only, Tag: only, Order: { write: ['tags'], bulk: true } }

const shopWith = async (
  options: Parameters<typeof onShop>[0] = {},
  hooks: Parameters<typeof onShop>[1] = {},
) => {
  const shop = await onShop({ modelConfig, ...options }, hooks)
  onTestFinished(shop.stop)
  return shop
}

const idsIn = (items: readonly Readonly<Record<string, unknown>>[]) => items.map(({ id }) => id)

describe('a model with only the operation related', () => {
  it('has no endpoint, also below other records, for many records and in the document', async () => {
    const { api, get } = await shopWith()
    const paths = ['/customers/', '/customers/1', '/customers/aggregate', '/customers/1/orders/', '/tags/']
    for (const path of [...paths, '/orders/1/tags/'])
      for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
        const { status } = await api.request(method, path)
        expect([method, path, status]).toEqual([method, path, 404])
      }
    expect(await lint(api.rest.openapi())).toEqual([])
    const document = await get('/openapi.json')
    expect(
      Object.keys(Object(document['paths'])).filter((path) => /\/(customers|tags)\//.test(path)),
    ).toEqual([])
    expect(document).toMatchObject({
      tags: expect.not.arrayContaining([expect.objectContaining({ name: 'Customer' })]),
      components: {
        schemas: {
          CustomerList: { properties: { name: {} } },
          OrderListItem: { properties: { customer: {}, tags: {} } },
        },
      },
    })
  })

  it('is included, filtered and sorted through, and aggregates and bulk writes of others come to it', async () => {
    const { api, get } = await shopWith()
    expect((await get('/orders/2?include=customer(fields=name),tags')).items).toBeUndefined()
    expect(await get('/orders/2?include=customer(fields=name),tags')).toMatchObject({
      ...{ customer: { name: 'Bob' }, tags: [{ id: 2, name: 'new' }] },
    })
    expect(idsIn((await get('/orders/?customer.name=Ada&tags.name=new')).items)).toEqual([1])
    expect(idsIn((await get('/orders/?sort=customer.name&order=desc')).items)).toEqual([3, 2, 1, 4])
    expect((await get('/orders/aggregate?customer.name=Ada')).items).toEqual([{ count: 2 }])
    const { status, json } = await api.patch('/orders/?customer.name=Bob', { status: 'sent' })
    expect([status, json]).toMatchObject([200, { count: 1 }])
  })

  it('is named in bodies: by foreign keys and as links', async () => {
    const { api } = await shopWith()
    const body = { customer_id: 2, status: 'open', tags: [2] }
    const { status, json } = await api.post('/orders/', body)
    expect([status, json]).toMatchObject([201, { customer_id: 2, tags: [{ id: 2, name: 'new' }] }])
    const missing = await api.post('/orders/', { ...body, customer_id: 99 })
    expect([missing.status, missing.problem.errors?.[0]]).toMatchObject([
      ...[422, { pointer: '/customer_id', code: 'missing_reference' }],
    ])
    const unlinked = await api.patch('/orders/1', { tags: [99] })
    expect([unlinked.status, unlinked.problem.errors?.[0]]).toMatchObject([
      ...[422, { pointer: '/tags/0', code: 'missing_reference' }],
    ])
  })

  it('asks for its permission to list, which public gives to anonymous callers', async () => {
    const auth = { authenticate: () => null }
    const open: Configs = { Order: { public: 'read' }, Customer: only, Tag: { ...only, public: 'read' } }
    const shop = await shopWith({ auth, modelConfig: { ...open, OrderTag: { public: 'read' } } })
    for (const path of [
      '/orders/1?include=customer',
      '/orders/?customer.name=Ada',
      '/orders/?sort=customer.id',
    ]) {
      const { status, problem } = await shop.api.get(path)
      expect([path, status, problem.errors?.[0]?.parameter]).toEqual([
        ...[path, 401, /include|customer\.name|sort/.exec(path)?.[0]],
      ])
    }
    expect(await shop.get('/orders/2?include=tags')).toMatchObject({ tags: [{ name: 'new' }] })
    expect(shop.lines.find((line) => line.includes('protected except for'))).toMatch(/Tag(?! \()/)
    const hooks = { Customer: { permissions: { read: () => false } } }
    const { api } = await shopWith({ auth: { authenticate: () => ({ id: 1, claims: {} }) } }, hooks)
    expect((await api.get('/orders/1?include=customer')).status).toBe(403)
  })

  it('has its scope, access and afterList', async () => {
    const seen: unknown[] = []
    const hooks = {
      Customer: {
        scope: () => ({ tenant: 1 }),
        access: () => ({ read: { tenant: false } }),
        afterList: (_request: unknown, records: readonly object[]) => {
          seen.push(records.length)
          return records.map((record) => ({ ...record, name: 'shown' }))
        },
      },
    }
    const { api, get } = await shopWith({}, hooks)
    const { items } = await get('/orders/?include=customer')
    const ada = { id: 1, name: 'shown', photo: null }
    expect(items.map(({ customer }) => customer)).toEqual([ada, null, null, ada])
    expect(seen).toEqual([1])
    expect(idsIn((await get('/orders/?customer.name=Bob')).items)).toEqual([])
    expect(idsIn((await get('/orders/?customer=null')).items)).toEqual([2, 3])
    expect((await api.get('/orders/?include=customer(fields=tenant)')).status).toBe(400)
    const hidden = await api.post('/orders/', { customer_id: 2, status: 'open' })
    const absent = await api.post('/orders/', { customer_id: 99, status: 'open' })
    for (const { status, problem } of [hidden, absent])
      expect([status, problem.errors?.[0]]).toMatchObject([
        ...[422, { pointer: '/customer_id', code: 'missing_reference' }],
      ])
  })

  it('may have other operations too', async () => {
    const { api, get } = await shopWith({ modelConfig: { Customer: { operations: ['related', 'read'] } } })
    expect(await get('/customers/1?include=orders')).toMatchObject({
      name: 'Ada',
      orders: [{ id: 1 }, { id: 4 }],
    })
    expect((await api.get('/customers/')).status).toBe(404)
    expect(await get('/orders/1?include=customer.orders')).toMatchObject({ customer: { orders: [{}, {}] } })
  })

  it('is a user model only with internal: false, and then callers reach themselves', async () => {
    const users = await inTest(startUsers({ modelConfig: { User: { ...only, internal: false } } }))
    await users.send('POST', '/orders/', 1, { label: 'a', user_id: 1 })
    await users.send('POST', '/orders/', 1, { label: 'b', user_id: 2 })
    const { json } = await users.send('GET', '/orders/?include=user(fields=name)', 1)
    expect(json['items']).toMatchObject([{ user: { name: 'Ada' } }, { user_id: 2, user: null }])
    expect((await users.send('GET', '/users/1', 1)).status).toBe(404)
    const closed = await inTest(startUsers({ modelConfig: {} }))
    expect((await closed.send('GET', '/orders/?include=user', 1)).status).toBe(400)
  })
})

describe('related is refused at start', () => {
  it.each<[string, Configs, object, readonly string[]]>([
    ['without a relation to the model', { Staff: only }, {}, ['modelConfig.Staff.operations', 'related']],
    [
      'if the only relation is closed',
      { Customer: only, Order: { relations: { customer: false } } },
      {},
      ['modelConfig.Customer.operations', 'related'],
    ],
    [
      'with a hook of another operation',
      { Customer: only },
      { Customer: { beforeList: () => undefined } },
      ['beforeList', 'modelConfig.Customer.operations', 'list'],
    ],
    ['with bulk', { Customer: { ...only, bulk: true } }, {}, ['modelConfig.Customer.bulk']],
    ['with write', { Customer: { ...only, write: ['orders'] } }, {}, ['modelConfig.Customer.write']],
    [
      'with requireIfMatch',
      { Customer: { ...only, requireIfMatch: true } },
      {},
      ['modelConfig.Customer.requireIfMatch'],
    ],
  ])('%s', async (_what, config, hooks, wanted) => {
    await expect(onShop({ modelConfig: config }, hooks as never)).rejects.toThrow(startError(...wanted))
  })

  it('with forms of the model', async () => {
    const started = onShop({
      modelConfig: { Customer: only },
      useMultipart: { Customer: { create: true } },
    })
    await expect(started).rejects.toThrow(startError('useMultipart.Customer.create', 'create'))
  })

  it('by a source without relations', async () => {
    const { models, client } = openShop()
    onTestFinished(() => void client.close())
    const alone = { ...models, capabilities: { ...models.capabilities, relations: false } }
    await expect(testApi({ models: alone, modelConfig: { Customer: only } as object })).rejects.toThrow(
      startError('modelConfig.Customer.operations', 'related'),
    )
  })
})
