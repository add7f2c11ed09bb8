import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { controllerFor, type EnvelopeOptions, type ModelRestOptions } from '../../src/index.ts'
import type { NamedSchema } from '../../src/schema/json-schema.ts'
import { compile, wholeOf } from '../schema/ajv.ts'
import { onShop } from './relations/stage.ts'
import { startError } from './start-error.ts'

const names = {
  ...{ items: 'data', count: 'total', count_exact: false },
  ...{ page: 'page', page_size: 'pageSize', page_count: 'pageCount' },
} as const satisfies EnvelopeOptions

const paginationType = ['limit-offset', 'page-number', 'cursor'] as const

type Shop = Awaited<ReturnType<typeof onShop>>

const withShop = async (
  options: Partial<ModelRestOptions>,
  use: (shop: Shop) => Promise<void>,
): Promise<void> => {
  const shop = await onShop(options)
  await use(shop).finally(shop.stop)
}

const schemaOf = ({ api }: Shop, path: string): NamedSchema => {
  const { success } = api.rest.operations.find((one) => one.method === 'GET' && one.path === path) ?? {}
  return wholeOf(success?.schema ?? expect.unreachable(path))
}

describe('an envelope', () => {
  it('names the members of lists, and leaves out and adds others', () =>
    withShop({ envelope: names, paginationType }, async ({ get, api }) => {
      expect(await get('/order-items/?limit=2&offset=2&fields=price')).toEqual({
        data: [
          { id: 3, price: 30 },
          { id: 4, price: 5 },
        ],
        ...{ total: 4, page: 2, pageSize: 2, pageCount: 2 },
      })
      expect((await api.get('/order-items/?limit=2')).text).toMatch(
        /^\{"data":\[.*\],"total":4,"page":1,"pageSize":2,"pageCount":2\}$/,
      )
    }))

  it.each([
    ['limit=3&offset=0', { total: 4, page: 1, pageSize: 3, pageCount: 2 }],
    ['limit=3&offset=2', { total: 4, page: 1, pageSize: 3, pageCount: 2 }],
    ['limit=3&offset=3', { total: 4, page: 2, pageSize: 3, pageCount: 2 }],
    ['limit=3&offset=9', { total: 4, page: 4, pageSize: 3, pageCount: 2 }],
    ['limit=0', { total: 4, page: null, pageSize: 0, pageCount: null }],
    ['limit=3&count=none', { total: null, page: 1, pageSize: 3, pageCount: null }],
    ['price>99', { total: 0, page: 1, pageSize: 100, pageCount: 1 }],
    ['page=2', { total: 4, page: 2, pageSize: 100, pageCount: 1 }],
    ['cursor=&limit=3&count=exact', { total: 4, next: expect.any(String), pageSize: 3 }],
    ['cursor=', { total: null, next: null, pageSize: 100 }],
  ])('numbers the page of ?%s', (query, members) =>
    withShop({ envelope: names, paginationType }, async ({ get }) => {
      const { data, ...rest } = await get(`/order-items/?${query}`)
      expect([Array.isArray(data), rest]).toEqual([true, members])
    }),
  )

  it('is that of lists below records, aggregates and what includes say', () =>
    withShop({ envelope: { ...names, count_exact: 'exact' } }, async ({ get }) => {
      expect(await get('/orders/1/order_items/?limit=1&fields=price')).toEqual({
        data: [{ id: 1, price: 10 }],
        ...{ total: 3, exact: true, page: 1, pageSize: 1, pageCount: 3 },
      })
      expect(await get('/order-items/aggregate?group=order_id&limit=1')).toEqual({
        data: [{ order_id: 1, count: 3 }],
        has_more: true,
      })
      expect(await get('/orders/1?include=order_items(limit=1;count=exact)')).toMatchObject({
        _related: { order_items: { has_more: true, total: 3, exact: true } },
      })
      expect(await get('/orders/?id==1&include=order_items(limit=1)&fields=id')).toMatchObject({
        data: [{ id: 1, order_items: [{ id: 1 }], _related: { order_items: { has_more: true } } }],
      })
    }))

  it('does not count where it shows no count', () =>
    withShop({ envelope: { count: false }, paginationType }, async ({ api, get, statements }) => {
      statements.length = 0
      expect(await get('/order-items/?limit=1&fields=id')).toEqual({ items: [{ id: 1 }] })
      expect(statements).toHaveLength(1)
      for (const [query, parameter] of [
        ['count=exact', 'count'],
        ['include=order(fields=status;count=exact)', 'include'],
      ])
        expect((await api.get(`/order-items/?${query}`)).problem).toMatchObject({
          ...{ status: 400, code: 'unknown_parameter', errors: [{ parameter }] },
        })
      expect((await api.get('/orders/1?include=order_items(count=exact)')).problem).toMatchObject({
        ...{ status: 400, code: 'unknown_parameter', errors: [{ parameter: 'include' }] },
      })
      const parameters = api.rest.operations
        .filter(({ method, path }) => method === 'GET' && path === '/order-items/')
        .flatMap((operation) => operation.parameters.map(({ name }) => name))
      expect(parameters).toContain('limit')
      expect(parameters).not.toContain('count')
    }))

  it('counts for the number of pages alone, and says whether that is exact', () =>
    withShop({ envelope: { count: false, page_count: 'pages' } }, async ({ get }) => {
      expect(await get('/order-items/?limit=3&fields=id')).toEqual({
        items: [{ id: 1 }, { id: 2 }, { id: 3 }],
        ...{ count_exact: true, pages: 2 },
      })
    }))

  it('does not count cursor pages for a number of pages that they do not have', () =>
    withShop({ envelope: { count: false, page_count: 'pages' }, paginationType }, async (shop) => {
      const { api, get } = shop
      expect(await get('/tags/?cursor=&fields=id')).toEqual({ items: [{ id: 1 }, { id: 2 }], next: null })
      expect(await get('/tags/?page=1&count=exact&fields=id')).toMatchObject({ count_exact: true, pages: 1 })
      expect((await api.get('/tags/?cursor=&count=exact')).problem).toMatchObject({
        ...{ status: 400, code: 'unknown_parameter', errors: [{ parameter: 'count' }] },
      })
      const { required, properties } = schemaOf(shop, '/tags/').schema
      expect([required, properties]).toMatchObject([['items'], { count_exact: {}, pages: {} }])
    }))

  it('is that of hooks and of pages that are written in parts', () =>
    withShop(
      {
        envelope: names,
        controllers: [
          controllerFor('OrderItem', {
            afterList: (_request: unknown, records: readonly object[]) => records.slice(1),
          } as never),
        ],
      },
      async ({ get }) => {
        expect(await get('/order-items/?limit=2&include=product&fields=id')).toMatchObject({
          data: [{ id: 2, product: { id: 2 } }],
          ...{ total: 4, page: 1, pageSize: 2, pageCount: 2 },
        })
      },
    ))

  it('is as it was where nothing is said', () =>
    withShop({ envelope: {} }, async ({ api }) => {
      const { text } = await api.get('/tags/?fields=id')
      expect(text).toBe('{"items":[{"id":1},{"id":2}],"count":2,"count_exact":true}')
    }))

  it('is documented as it is sent', async () => {
    const member = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
      fc.constant('__proto__'),
    )
    const left = fc.option(member, { nil: false })
    const any = fc.record(
      {
        ...{ items: member, count: left, count_exact: left, next: member },
        ...{ page: left, page_size: left, page_count: left },
      },
      { requiredKeys: [] },
    )
    const types = fc.shuffledSubarray([...paginationType], { minLength: 1 })
    const queries = ['', 'limit=3&offset=2', 'page=1', 'cursor=', 'cursor=&count=exact', 'count=none']
    await fc.assert(
      fc.asyncProperty(any, types, async (envelope, paging) => {
        const shop = await onShop({ envelope, paginationType: paging } as Partial<ModelRestOptions>).catch(
          (error: unknown) => error,
        )
        if (!(typeof shop === 'object' && shop !== null && 'api' in shop)) {
          expect(shop).toMatchObject({ name: 'StartError' })
          return
        }
        const { api, stop } = shop as Shop
        const validate = compile(schemaOf(shop as Shop, '/order-items/'))
        const { properties, required } = schemaOf(shop as Shop, '/order-items/').schema
        const seen = new Set<string>()
        for (const query of queries) {
          const { status, json } = await api.get(`/order-items/?${query}`)
          if (status !== 200) continue
          expect(validate(json), `${JSON.stringify([envelope, validate.errors])}`).toBe(true)
          for (const name of Object.keys(json as object)) seen.add(name)
        }
        expect([...seen].toSorted()).toEqual(Object.keys(properties as object).toSorted())
        expect(required).toContain(Object.hasOwn(envelope, 'items') ? envelope.items : 'items')
        await stop()
      }),
      { numRuns: 40 },
    )
  })

  it('is that of the document’s examples, parameters and explanation', () =>
    withShop(
      { envelope: { items: 'data', count: 'total', next: 'after' }, paginationType: 'cursor' },
      async (shop) => {
        const { success, parameters } =
          shop.api.rest.operations.find(({ path }) => path === '/orders/') ?? expect.unreachable()
        expect(success.example).toEqual({
          data: [expect.anything()],
          ...{ total: null, count_exact: false, after: null },
        })
        expect(parameters.find(({ name }) => name === 'cursor')?.description).toContain('`after`')
        expect(shop.api.rest.openapi().info.description).toContain('`after`')
        const aggregates = schemaOf(shop, '/orders/aggregate')
        expect(aggregates.schema['required']).toEqual(['data', 'has_more'])
        const related = schemaOf(shop, '/orders/').uses?.find(({ name }) => name === 'RelatedRecords')
        expect(Object.keys(Object(related?.schema['properties']))).toEqual([
          'has_more',
          'total',
          'count_exact',
        ])
      },
    ))

  it.each<[unknown, readonly string[]]>([
    ['data', ['envelope', 'items', 'count']],
    [{ item: 'data' }, ['envelope', 'item', 'items', 'page_count']],
    [{ items: false }, ['envelope.items']],
    [{ next: false }, ['envelope.next']],
    [{ items: '' }, ['envelope.items']],
    [{ count: ' ' }, ['envelope.count', 'false']],
    [{ count: true }, ['envelope.count', 'false']],
    [{ page: 1 }, ['envelope.page', 'false']],
    [{ page: null }, ['envelope.page', 'false']],
    [{ items: 'x', count: 'x' }, ['envelope', 'items', 'count', '"x"']],
    [{ items: 'count' }, ['envelope', 'items', 'count', '"count"']],
    [{ page: 'next' }, ['envelope', 'page', 'next', '"next"']],
    [{ items: 'has_more' }, ['envelope', 'items', 'has_more', '"has_more"']],
    [{ count: false, count_exact: 'exact' }, ['envelope.count_exact', 'count', 'page_count', 'false']],
  ])('refuses %j', async (envelope, mistakes) => {
    await expect(onShop({ envelope } as never)).rejects.toThrow(startError(...mistakes))
  })

  it('refuses to say how lists count that show no count', async () => {
    const modelConfig = { Order: { count: { default: 'none' } } } as const
    await expect(onShop({ envelope: { count: false }, modelConfig } as never)).rejects.toThrow(
      startError('modelConfig.Order.count', 'envelope', 'count'),
    )
  })

  it('may swap names', () =>
    withShop({ envelope: { items: 'count', count: 'items' } }, async ({ api }) => {
      expect((await api.get('/tags/?fields=id')).json).toEqual({
        ...{ count: [{ id: 1 }, { id: 2 }], items: 2, count_exact: true },
      })
    }))
})
