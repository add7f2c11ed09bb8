import { expect, it } from 'vitest'
import { z } from 'zod'
import type { ModelSource, RecordStore, TableFacts } from '../../../src/entry/source.ts'
import { type ControllerClass, controllerFor } from '../../../src/index.ts'
import { memorySource, testApi } from '../../../src/testing/index.ts'

const id = { name: 'id', kind: 'integer', hasDefault: true } as const
const tables: readonly TableFacts[] = [
  {
    name: 'Customer',
    fields: [id, { name: 'name', kind: 'text' }, { name: 'tenant', kind: 'integer' }],
    primaryKey: ['id'],
  },
  {
    name: 'Order',
    fields: [
      id,
      { name: 'customerId', kind: 'integer', nullable: true },
      { name: 'storeId', kind: 'integer', nullable: true },
    ],
    primaryKey: ['id'],
    foreignKeys: [
      { fields: ['customerId'], model: 'Customer', references: ['id'] },
      { fields: ['storeId'], model: 'Store', references: ['id'] },
    ],
  },
  { name: 'Store', fields: [id], primaryKey: ['id'] },
]

const records = {
  Customer: [1, 2, 3, 4].map((place) => ({ id: place, name: `of ${place % 2}`, tenant: place % 2 })),
  Order: [1, 2, 3, 4, null].map((customerId, at) => ({ id: at + 1, customerId })),
}

/** Reads wait for a timer, so that concurrent requests can share them. */
const models = (): ModelSource => {
  const source = memorySource(tables, { records })
  const store: ModelSource['store'] = (model, use) => {
    const own = source.store(model, use)
    const list: RecordStore['list'] = async (...given) => {
      await new Promise((resolve) => setImmediate(resolve))
      return own.list(...given)
    }
    return { ...own, list }
  }
  return { ...source, store, capabilities: { ...source.capabilities, sharedReads: true } }
}

const tenantOf = (request: Request): number => Number(request.headers.get('x-tenant'))

it('shares a list among those who see the same related records, and no others', async () => {
  const scoped = (controllerFor as (model: string, parts: object) => ControllerClass)('Customer', {
    scope: (request: Request) => ({ tenant: tenantOf(request) }),
  })
  const api = await testApi({ models: models(), controllers: [scoped] })
  for (const path of [
    '/orders/?include=customer',
    '/orders/?customer!=null',
    '/orders/?sort=customer.id&order=desc',
    '/orders/1?include=customer',
    '/customers/?include=orders',
  ]) {
    const alone = [
      (await api.with({ 'x-tenant': '0' }).get(path)).text,
      (await api.with({ 'x-tenant': '1' }).get(path)).text,
    ]
    if (!path.includes('sort=')) expect(alone[0]).not.toBe(alone[1])
    const tenants = Array.from({ length: 40 }, (_, at) => (at * 7) % 2)
    const told = await Promise.all(tenants.map((tenant) => api.with({ 'x-tenant': `${tenant}` }).get(path)))
    expect(told.map(({ text }) => text)).toEqual(tenants.map((tenant) => alone[tenant]))
  }
  await api.close()
})

it('shares a list among those who may list the same related models, and no others', async () => {
  const controllers = ['Store', 'Customer'].map((model, tenant) =>
    (controllerFor as (model: string, parts: object) => ControllerClass)(model, {
      permissions: { read: (request: Request) => tenantOf(request) === tenant },
    }),
  )
  const api = await testApi({
    ...{ models: models(), controllers, modelConfig: { Order: { include: ['customer', 'store'] } } },
    auth: { authenticate: () => ({ id: 1, claims: {} }) },
  })
  const tenants = Array.from({ length: 40 }, (_, at) => (at * 7) % 2)
  const told = await Promise.all(
    tenants.map((tenant) => api.with({ 'x-tenant': `${tenant}` }).get('/orders/')),
  )
  expect(told.map(({ text }) => Number(text.includes('"customer":')))).toEqual(tenants)
  expect(told.map(({ text }) => 1 - Number(text.includes('"store":')))).toEqual(tenants)
  await api.close()
})

type Named = Readonly<Record<string, unknown>>

/** Each shows for whom it ran. */
const shownFor: Readonly<Record<string, (seen: number[]) => object>> = {
  afterList: (seen) => ({
    afterList: (request: Request, all: readonly object[]) => {
      seen.push(tenantOf(request))
      return all.map((one) => ({ ...one, name: `for ${tenantOf(request)}` }))
    },
  }),
  present: (seen) => ({
    present: (request: Request, all: readonly object[]) => {
      seen.push(tenantOf(request))
      return all.map((one) => ({ ...one, name: `for ${tenantOf(request)}` }))
    },
  }),
  computed: (seen) => ({
    computed: {
      who: {
        schema: z.string(),
        load: (all: readonly Named[], { caller }: { caller: { id: number } }) => {
          seen.push(caller.id)
          return all.map(() => `for ${caller.id}`)
        },
      },
    },
  }),
}

it.each(
  Object.entries(shownFor).flatMap(([hook, parts]) =>
    ['/orders/?include=customer&limit=1', '/customers/?limit=1'].map((path) => ({ hook, path, parts })),
  ),
)('runs $hook for each request of $path', async ({ path, parts }) => {
  const seen: number[] = []
  const hooked = (controllerFor as (model: string, parts: object) => ControllerClass)('Customer', parts(seen))
  const authenticate = (request: unknown) => ({ id: tenantOf(request as Request), claims: {} })
  const api = await testApi({ models: models(), controllers: [hooked], auth: { authenticate } })
  const tenants = Array.from({ length: 40 }, (_, at) => at + 1)
  const replies = await Promise.all(tenants.map((tenant) => api.with({ 'x-tenant': `${tenant}` }).get(path)))
  expect(replies.map(({ text }) => /for \d+/.exec(text)?.[0])).toEqual(
    tenants.map((tenant) => `for ${tenant}`),
  )
  expect(seen.toSorted((a, b) => a - b)).toEqual(tenants)
  await api.close()
})
