import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { defineSettings, type ModelRestOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { onShop, openShop } from './relations/stage.ts'
import { startError } from './start-error.ts'

type Shop = Awaited<ReturnType<typeof onShop>>

const settings = defineSettings({ pageSize: 2 })

const withShop = async (
  options: Partial<ModelRestOptions>,
  use: (shop: Shop) => Promise<void>,
): Promise<void> => {
  const shop = await onShop({ settings, ...options })
  await use(shop).finally(shop.stop)
}

const all = ['limit-offset', 'page-number', 'cursor'] as const

const idsIn = ({ items }: { readonly items: readonly Readonly<Record<string, unknown>>[] }) =>
  items.map(({ id }) => id)

describe('a list with several types of pages', () => {
  it('has the pages that a request chooses', () =>
    withShop({ paginationType: all }, async ({ get }) => {
      const seen = async (query: string) => {
        const { items, ...rest } = await get(`/order-items/?fields=id&${query}`)
        return [items.map(({ id }) => id), rest]
      }
      const counted = { count: 4, count_exact: true }
      expect(await seen('')).toEqual([[1, 2], counted])
      expect(await seen('limit=3')).toEqual([[1, 2, 3], counted])
      expect(await seen('offset=1')).toEqual([[2, 3], counted])
      expect(await seen('page=2')).toEqual([[3, 4], counted])
      const uncounted = { count: null, count_exact: false }
      expect(await seen('cursor=')).toEqual([[1, 2], { ...uncounted, next: expect.any(String) }])
    }))

  it.each([
    ['page-number', '', [1, 2], ['count', 'count_exact']],
    ['cursor', '', [1, 2], ['count', 'count_exact', 'next']],
    ['cursor', 'limit=3', [1, 2, 3], ['count', 'count_exact', 'next']],
    ['cursor', 'limit=3&offset=0', [1, 2, 3], ['count', 'count_exact']],
  ] as const)('has the first of them by default: %s, ?%s', (first, query, ids, members) =>
    withShop({ paginationType: [first, ...all.filter((type) => type !== first)] }, async ({ get }) => {
      const { items, ...rest } = await get(`/order-items/?${query}`)
      expect([idsIn({ items }), Object.keys(rest)]).toEqual([ids, members])
    }),
  )

  it('shows every record once by any of them, and by cursors that follow one another', () =>
    withShop({ paginationType: all }, async ({ get }) => {
      const walk = async (limit: number): Promise<readonly unknown[]> => {
        const seen: unknown[] = []
        for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
          const page = await get(`/order-items/?sort=price&limit=${limit}&cursor=${cursor}`)
          seen.push(...idsIn(page))
          cursor = page['next']
        }
        return seen
      }
      const sorted = [4, 1, 2, 3]
      for (const limit of [1, 2, 3, 5]) {
        expect(await walk(limit)).toEqual(sorted)
        const { items } = await get(`/order-items/?sort=price&limit=${limit}&offset=1`)
        expect(idsIn({ items })).toEqual(sorted.slice(1, 1 + limit))
      }
      expect(idsIn(await get('/order-items/?sort=price&page=2'))).toEqual(sorted.slice(2))
    }))

  it.each([
    ['page=1&offset=0', 'offset', ['page-number', 'page']],
    ['offset=0&page=1', 'page', ['limit-offset', 'offset', 'limit']],
    ['cursor=&page=1', 'page', ['cursor', 'cursor', 'limit']],
    ['page=1&cursor=x', 'cursor', ['page-number', 'page']],
    ['cursor=&offset=1', 'offset', ['cursor', 'cursor', 'limit']],
    ['limit=1&page=1', 'limit', ['page-number', 'page']],
    ['limit=1&page=1&offset=1&cursor=x', 'limit', ['page-number', 'page']],
  ])('refuses the mixture ?%s', (query, parameter, names) =>
    withShop({ paginationType: all }, async ({ api }) => {
      expect((await api.get(`/order-items/?${query}`)).problem).toMatchObject({
        ...{ status: 400, code: 'unknown_parameter', errors: [{ parameter }] },
        detail: expect.stringMatching(naming(parameter, ...names)),
      })
    }),
  )

  it('refuses a limit of the default that has none', () =>
    withShop({ paginationType: ['page-number', 'limit-offset'] }, async ({ api, get }) => {
      expect((await api.get('/tags/?limit=1')).problem).toMatchObject({
        ...{ status: 400, code: 'unknown_parameter', errors: [{ parameter: 'limit' }] },
      })
      expect((await get('/tags/?limit=1&offset=0')).items).toHaveLength(1)
      expect((await api.get('/tags/?cursor=')).problem).toMatchObject({
        ...{ status: 400, code: 'unknown_parameter', errors: [{ parameter: 'cursor' }] },
      })
    }))

  it('answers any parameters of pages with one type of page, or a 400', () =>
    withShop({ paginationType: all }, async ({ api }) => {
      const value = fc.constantFrom('', '0', '1', '2', '-1', 'x', '99999999999999999999')
      const segment = fc.tuple(fc.constantFrom('limit', 'offset', 'page', 'cursor'), value)
      const chosen = new Map([
        ['offset', ['count', 'count_exact', 'items']],
        ['page', ['count', 'count_exact', 'items']],
        ['cursor', ['count', 'count_exact', 'items', 'next']],
      ])
      await fc.assert(
        fc.asyncProperty(fc.array(segment, { maxLength: 4 }), async (segments) => {
          const query = segments.map(([name, text]) => `${name}=${text}`).join('&')
          const reply = await api.get(`/tags/?${query}`)
          const ways = segments.map(([name]) => name).filter((name) => chosen.has(name))
          if (reply.status === 200) {
            expect(ways.length).toBeLessThanOrEqual(1)
            expect(Object.keys(reply.json as object).toSorted()).toEqual(chosen.get(ways[0] ?? 'offset'))
          } else expect([reply.status, reply.problem.errors?.length]).toEqual([400, 1])
        }),
      )
    }))

  it('may be one model’s own', () => {
    const modelConfig = {
      Tag: { paginationType: ['cursor', 'page-number'] },
      Word: { paginationType: 'cursor' },
    }
    return withShop({ modelConfig } as Partial<ModelRestOptions>, async ({ api, get }) => {
      expect(await get('/tags/?limit=1')).toMatchObject({ items: [{ id: 1 }], next: expect.any(String) })
      expect(await get('/tags/?page=2')).not.toHaveProperty('next')
      expect((await api.get('/tags/?offset=1')).status).toBe(400)
      expect(await get('/words/')).toMatchObject({ items: [], next: null })
      expect(await get('/orders/?offset=1&limit=1')).not.toHaveProperty('next')
      expect((await api.get('/orders/?cursor=')).status).toBe(400)
      const { description = '' } = api.rest.openapi().info
      for (const name of ['offset', 'page', 'cursor']) expect(description).toContain(`\`${name}\``)
      // The list of related records is that of their model.
      expect((await get('/orders/1/tags/?limit=1'))['next']).toEqual(expect.any(String))
    })
  })

  it('is documented with the parameters of all, and the members that each has', () =>
    withShop({ paginationType: ['limit-offset', 'page-number', 'cursor'] }, async ({ api }) => {
      const { parameters, success } =
        api.rest.operations.find(({ method, path }) => method === 'GET' && path === '/tags/') ??
        expect.unreachable()
      const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema
      expect(parameters.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['limit', 'offset', 'page', 'cursor', 'count']),
      )
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length)
      expect([schemaOf('limit'), schemaOf('offset'), schemaOf('page')]).toMatchObject([
        { minimum: 0, default: 2 },
        { default: 0 },
        { minimum: 1 },
      ])
      expect(schemaOf('page')).not.toHaveProperty('default')
      const { required, properties } = success.schema?.schema ?? {}
      expect(required).toEqual(['items', 'count', 'count_exact'])
      expect(Object.keys(properties as object)).toEqual(['items', 'count', 'count_exact', 'next'])
    }))

  it.each<[Partial<ModelRestOptions>, readonly string[]]>([
    [{ paginationType: [] }, ['paginationType', 'cursor', 'limit-offset', 'page-number']],
    [{ paginationType: ['cursor', 'cursor'] }, ['paginationType', 'cursor']],
    [{ paginationType: ['cursor', 'pages'] as never }, ['paginationType', '"pages"', 'page-number']],
    [{ paginationType: 5 as never }, ['paginationType', 'cursor']],
    [{ paginationType: [10n, Symbol('x')] as never }, ['paginationType', 'cursor']],
    ...[[], ['cursor', 'cursor'], 'pages', ['pages'], 5, [5]].map(
      (paginationType): [object, readonly string[]] => [
        { modelConfig: { Tag: { paginationType } } },
        ['modelConfig.Tag.paginationType'],
      ],
    ),
  ])('refuses %o at start', async (options, names) => {
    await expect(onShop(options as object)).rejects.toThrow(startError(...names))
  })

  it('needs a secret for the cursors of one model, too', async () => {
    const { models, close } = openShop()
    const before = process.env['NODE_ENV']
    process.env['NODE_ENV'] = 'production'
    const starting = (modelConfig: object) =>
      new ModelRest(fetchApp(), { models, controllers: [], modelConfig } as never).init()
    await expect(starting({ Tag: { paginationType: ['page-number', 'cursor'] } })).rejects.toThrow(
      startError('SECRET_KEY'),
    )
    await expect(starting({ Tag: { paginationType: 'page-number' } })).resolves.toBeUndefined()
    process.env['NODE_ENV'] = before
    await close()
  })
})
