import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onShop } from './stage.ts'

const several = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `order_items.price>${at}`)
const q = (text: string): string => `q=${encodeURIComponent(text)}`
const alternatives = (count: number): string => q(`(${several(count).join('|')})`)

describe('conditions through to-many relations', () => {
  let shop: Awaited<ReturnType<typeof onShop>>
  beforeEach(async () => {
    const isOpen = {
      op: 'related',
      relation: 'order_items',
      condition: { op: 'and', conditions: [] },
    } as const
    // What the application asks does not count.
    const beforeList = (_request: unknown, query: { filter: object }) => ({
      ...query,
      filter: { op: 'and', conditions: [query.filter, isOpen] },
    })
    shop = await onShop({ modelConfig: { Order: { bulk: true } } } as object, { Order: { beforeList } })
  })
  afterEach(() => shop.stop())

  it('are four in a request, wherever they stand', async () => {
    for (const [path, parameter, method] of [
      [(count: number) => `/orders/?${several(count).join('&')}`, 'order_items.price'],
      [(count: number) => `/orders/?${q(several(count).join('&'))}`, 'q'],
      [(count: number) => `/orders/?${q(`!(${several(count).join('&')})`)}`, 'q'],
      [(count: number) => `/orders/aggregate?${several(count).join('&')}`, 'order_items.price'],
      [(count: number) => `/customers/1/orders/?${several(count).join('&')}`, 'order_items.price'],
      [
        (count: number) =>
          `/customers/?include=${encodeURIComponent(`orders(q=${several(count).join('&')})`)}`,
        'include',
      ],
      [
        (count: number) => `/orders/?tags=null&include=${encodeURIComponent(`tags(q=${tagged(count - 1)})`)}`,
        'include',
      ],
      [(count: number) => `/orders/?dry_run=true&${several(count).join('&')}`, 'order_items.price', 'delete'],
    ] as const) {
      const ask = (count: number) => shop.api[method ?? 'get'](path(count))
      expect([path(4), (await ask(4)).status]).toEqual([path(4), 200])
      const refused = await ask(5)
      expect([path(5), refused.status]).toEqual([path(5), 400])
      expect(refused.json).toMatchObject({ code: 'malformed_query', errors: [{ parameter }] })
    }
  })

  it('share a subquery if they are alternatives', async () => {
    shop.statements.length = 0
    expect((await shop.get(`/orders/?${alternatives(20)}`)).items).toMatchObject([{ id: 1 }, { id: 2 }])
    // One of the hook, and one of the request.
    for (const statement of shop.statements)
      expect(statement.split('from "order_items"'), statement).toHaveLength(3)
    expect(
      (await shop.get(`/customers/?${q('!(orders.status==open|orders.status==done)')}`)).items,
    ).toMatchObject([{ id: 3 }])
    expect(
      (await shop.get(`/orders/?${q('order_items.price=10&order_items.price=20')}`)).items,
    ).toMatchObject([{ id: 1 }])
  })
})

/** Conditions on the orders of a tag, each a hop of its own. */
const tagged = (count: number): string =>
  Array.from({ length: count }, (_, at) => `orders.id>${at}`).join('&')
