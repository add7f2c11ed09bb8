import { describe, expect, it } from 'vitest'
import { naming } from '../../naming.ts'
import { onShop } from './stage.ts'

type Query = Readonly<Record<string, unknown>> & { readonly include: readonly object[] }
type Change = (query: Query) => unknown

const hooked = (change: Change, more: Readonly<Record<string, object>> = {}) => ({
  ...more,
  Order: { beforeList: (_request: unknown, query: Query) => change(query) },
})
const including =
  (...include: readonly unknown[]): Change =>
  (query) => ({ ...query, include })

const related = (relation: string, condition: object) => ({ op: 'related', relation, condition })
const eq = (field: string, value: unknown) => ({ op: 'eq', field, value })

describe('the include of a hook', () => {
  it('is that of the request, with the options of each relation', async () => {
    const seen: Query[] = []
    const { get, stop } = await onShop(
      { modelConfig: { Order: { include: ['customer', 'order_items.product'] } } },
      hooked((query) => void seen.push(query)),
    )
    const nothing = { op: 'and', conditions: [] }
    const byId = [{ field: 'id', direction: 'asc' }]
    const many = { filter: nothing, order: byId, limit: 20, count: 'none' }
    await get('/orders/')
    await get('/orders/?include=')
    await get('/orders/?include=customer(fields=name),tags(q=name==red;sort=name;limit=3;count=exact).orders')
    expect(seen.map(({ include }) => include)).toEqual([
      [
        { relation: 'customer', include: [] },
        { relation: 'order_items', ...many, include: [{ relation: 'product', include: [] }] },
      ],
      [],
      [
        { relation: 'customer', fields: ['id', 'name'], include: [] },
        {
          ...{ relation: 'tags', filter: eq('name', 'red'), limit: 3, count: 'exact' },
          order: [{ field: 'name', direction: 'asc' }, ...byId],
          include: [{ relation: 'orders', ...many, include: [] }],
        },
      ],
    ])
    await stop()
  })

  it('is changed, added and removed by the hook', async () => {
    const changes: Record<string, Change> = {
      keep: (query) => ({ ...query }),
      copy: ({ include, ...query }) => ({ ...query, include: include.map((each) => ({ ...each })) }),
      add: (query) => ({ ...query, include: [...query.include, { relation: 'customer', fields: ['name'] }] }),
      remove: including(),
      omit: () => ({ limit: 1 }),
      change: (query) => ({ ...query, include: query.include.map((each) => ({ ...each, limit: 1 })) }),
      replace: including({
        ...{ relation: 'order_items', filter: { op: 'gt', field: 'price', value: 10 }, count: 'exact' },
        ...{ order: [{ field: 'price', direction: 'desc' }], limit: 1, fields: ['price'] },
        include: [{ relation: 'product' }],
      }),
    }
    let change: Change = () => undefined
    const { get, stop } = await onShop(
      {},
      hooked((query) => change(query)),
    )
    const first = async (name: string) => {
      change = changes[name] ?? change
      return (await get('/orders/?limit=1&fields=status&include=tags(fields=name)')).items[0]
    }
    const [red, recent] = [
      { id: 1, name: 'red' },
      { id: 2, name: 'new' },
    ]
    const own = { id: 1, status: 'open' }
    const untouched = { ...own, tags: [red, recent], _related: { tags: { has_more: false } } }
    expect(await first('none')).toEqual(untouched)
    expect(await first('keep')).toEqual(untouched)
    expect(await first('copy')).toEqual(untouched)
    expect(await first('omit')).toEqual(untouched)
    expect(await first('add')).toEqual({ ...untouched, customer: { id: 1, name: 'Ada' } })
    expect(await first('remove')).toEqual(own)
    expect(await first('change')).toEqual({ ...own, tags: [red], _related: { tags: { has_more: true } } })
    expect(await first('replace')).toEqual({
      ...own,
      order_items: [{ id: 3, price: 30, product: null }],
      _related: { order_items: { has_more: true, count: 2, count_exact: true } },
    })
    await stop()
  })

  it('is that of one request: parsed queries, which are cached, stay as they are', async () => {
    let isChanging = true
    const push: Change = (query) => {
      ;(query.include as object[]).push({ relation: 'tags' })
      return { ...query }
    }
    const rename: Change = (query) => {
      Object.assign(query.include[0] ?? {}, { relation: 'tags' })
      return { ...query }
    }
    for (const [change, status] of [
      [including({ relation: 'tags' }), 200],
      [push, 500],
      [rename, 500],
    ] as const) {
      const { api, get, stop } = await onShop(
        {},
        hooked((query) => (isChanging ? change(query) : undefined)),
      )
      const path = '/orders/?limit=1&include=customer(fields=name)'
      isChanging = true
      expect((await api.get(path)).status).toBe(status)
      isChanging = false
      expect((await get(path)).items).toEqual([
        { id: 1, customer_id: 1, status: 'open', customer: { id: 1, name: 'Ada' } },
      ])
      await stop()
    }
  })

  it('works below a record and with cursor pages, and not for a single record', async () => {
    const { get, stop } = await onShop(
      { paginationType: 'cursor' },
      hooked(including({ relation: 'customer', fields: ['name'] })),
    )
    const below = await get('/customers/1/orders/?limit=1')
    expect(below.items).toMatchObject([{ id: 1, customer: { name: 'Ada' } }])
    const next = await get(`/customers/1/orders/?limit=1&cursor=${below['next']}`)
    expect(next.items).toMatchObject([{ id: 4, customer: { name: 'Ada' } }])
    expect(await get('/orders/1')).toEqual({ id: 1, customer_id: 1, status: 'open' })
    await stop()
  })

  it.each<readonly [string, Change, readonly string[]]>([
    ['no array', (query) => ({ ...query, include: 'customer' }), ['include']],
    ['names alone', including('customer'), ['include', 'relation']],
    ['an unknown relation', including({ relation: 'custmer' }), ['custmer', 'customer']],
    ['no relation', including({}), ['undefined']],
    ['a closed relation', including({ relation: 'order_tags' }), ['order_tags', 'tags']],
    ['one of a prototype', including({ relation: 'constructor' }), ['constructor']],
    [
      'an unknown relation inside another',
      including({ relation: 'order_items', include: [{ relation: 'tags' }] }),
      ['order_items.tags', 'product'],
    ],
    ['one twice', including({ relation: 'tags' }, { relation: 'tags', limit: 1 }), ['tags']],
    ['an unknown member', including({ relation: 'tags', limt: 1 }), ['tags', 'limt', 'limit']],
    ['a limit of one record', including({ relation: 'customer', limit: 1 }), ['customer', 'limit']],
    ['too high a limit', including({ relation: 'tags', limit: 101 }), ['tags', 'limit', '100']],
    ['a limit below 0', including({ relation: 'tags', limit: -1 }), ['tags', 'limit']],
    ['a limit that is a text', including({ relation: 'tags', limit: '5' }), ['tags', 'limit']],
    ['an unknown count', including({ relation: 'tags', count: 'estimated' }), ['tags', 'count']],
    [
      'a hidden field',
      including({ relation: 'customer', fields: ['secret'] }),
      ['customer', 'secret', 'name'],
    ],
    ['fields in a text', including({ relation: 'customer', fields: 'name' }), ['customer', 'fields']],
    ['a wrong order', including({ relation: 'tags', order: ['name'] }), ['order']],
    ['a wrong filter', including({ relation: 'tags', filter: eq('colour', 1) }), ['colour', 'name']],
    [
      'too long a path',
      including({ relation: 'customer', include: [{ relation: 'orders', include: [{ relation: 'tags' }] }] }),
      ['customer.orders.tags', 'INCLUDE_MAX_DEPTH', '2'],
    ],
    [
      'too many',
      including({ relation: 'customer' }, { relation: 'tags' }, { relation: 'order_items' }),
      ['order_items', 'INCLUDE_MAX_RELATIONS', '2'],
    ],
  ])('is refused if it is %s', async (_, change, names) => {
    const { api, lines, stop } = await onShop(
      {
        settings: { INCLUDE_MAX_DEPTH: 2, INCLUDE_MAX_RELATIONS: 2 },
        modelConfig: { Order: { relations: { order_tags: false } }, Customer: { hidden: ['secret'] } },
      },
      hooked(change),
    )
    const { status, problem } = await api.get('/orders/')
    expect([status, problem.code]).toEqual([500, 'internal_error'])
    // The client learns nothing more.
    const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id']
    expect(Object.keys(problem)).toEqual(members)
    expect(lines.join('\n')).toMatch(naming('beforeList', 'Order', ...names))
    await stop()
  })

  it('passes the scope, the hook and the files of the related model', async () => {
    const Customer = {
      scope: () => ({ tenant: 1 }),
      afterList: (_request: unknown, all: readonly object[]) => all.map((one) => ({ ...one, isShown: true })),
    }
    // The condition of an include leads to customers, without an include of them.
    const ofBob = related('order', related('customer', eq('name', 'Bob')))
    const byName = { field: 'name', direction: 'asc', via: [{ relation: 'order' }, { relation: 'customer' }] }
    const { get, stop, client } = await onShop(
      { modelConfig: { Customer: { hidden: ['secret'] } } },
      hooked(
        (query) => {
          const include = [
            { relation: 'customer', fields: ['name', 'photo'] },
            {
              relation: 'order_items',
              fields: ['price'],
              filter: { op: 'not', condition: ofBob },
              order: [byName],
            },
          ]
          return { ...query, include }
        },
        { Customer },
      ),
    )
    client.exec(`update customers set photo = 'customer/photo/x.png'`)
    const { items } = await get('/orders/?limit=2')
    expect(items).toMatchObject([
      { customer: { id: 1, name: 'Ada', photo: expect.stringContaining('x.png'), isShown: true } },
      { customer: null, order_items: [{ id: 4 }] },
    ])
    await stop()
  })

  it('passes the scopes of models that only its conditions lead to', async () => {
    const change = including({
      relation: 'tags',
      filter: related('orders', related('customer', eq('name', 'Bob'))),
    })
    for (const [tenant, tags] of [
      [1, []],
      [2, [{ id: 2, name: 'new' }]],
    ] as const) {
      const { get, stop } = await onShop({}, hooked(change, { Customer: { scope: () => ({ tenant }) } }))
      expect((await get('/orders/?limit=1')).items).toMatchObject([{ tags }])
      await stop()
    }
  })

  it('leaves out a model that the caller may not list, and a relation that the request names is still refused', async () => {
    const { api, get, stop } = await onShop(
      { auth: { authenticate: () => ({ id: 1, claims: {} }) } },
      hooked(including({ relation: 'customer' }, { relation: 'tags' }), {
        Customer: { permissions: { read: () => false } },
      }),
    )
    const { items } = await get('/orders/?limit=1')
    expect(Object.keys(items[0] ?? {})).toEqual(['id', 'customer_id', 'status', 'tags', '_related'])
    for (const query of ['include=customer', 'customer.name=Ada']) {
      const { status, problem } = await api.get(`/orders/?${query}`)
      expect([status, problem.code]).toEqual([403, 'forbidden'])
    }
    await stop()
  })
})

describe('the filter and the order of a hook', () => {
  it('go through relations, within the scopes of the related models', async () => {
    const change: Change = (query) => ({
      ...query,
      filter: related('order_items', { op: 'ge', field: 'price', value: 5 }),
      order: [{ field: 'name', direction: 'desc', via: [{ relation: 'customer' }] }],
    })
    for (const [Customer, ids] of [
      [{}, [2, 1]],
      [{ scope: () => ({ name: 'Bob' }) }, [1, 2]],
    ] as const) {
      const { get, stop } = await onShop({}, hooked(change, { Customer }))
      const { items, count } = await get('/orders/?fields=id')
      expect([items.map(({ id }) => id), count]).toEqual([ids, 2])
      await stop()
    }
  })

  it('need no permission to list the related models, unlike those of a request', async () => {
    const { api, get, stop } = await onShop(
      {
        auth: { authenticate: () => ({ id: 1, claims: {} }) },
        modelConfig: { Order: { include: ['customer'] } },
      },
      hooked((query) => ({ ...query, filter: related('customer', eq('name', 'Bob')) }), {
        Customer: { permissions: { read: () => false }, scope: () => ({ tenant: 1 }) },
      }),
    )
    // Bob is out of scope, although customers are not included for this caller.
    expect((await get('/orders/')).items).toEqual([])
    expect((await api.get('/orders/?customer.name=Bob')).status).toBe(403)
    await stop()
  })
})
