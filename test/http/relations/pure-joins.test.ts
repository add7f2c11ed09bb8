import { describe, expect, it } from 'vitest'
import { naming } from '../../naming.ts'
import { refusalOf, type ServiceOptions } from '../../stage/service.ts'
import { as, type Configs, isAda, isKnown, open, start } from './pure-stage.ts'

const reads = [
  ['/orders/1?include=tags', 'include'],
  ['/orders/1/tags/', 'id'],
  ['/orders/?include=items.order.tags', 'include'],
  ['/orders/?tags.name=red', 'tags.name'],
  ['/orders/?tags=null', 'tags'],
  ['/orders/?q=tags(name=red)', 'q'],
  ['/orders/aggregate?tags.name=red', 'tags.name'],
] as const

const publicItems: Configs = {
  ...open,
  Order: { ...open['Order'], relations: { order_items: 'items' } },
  OrderItem: { public: 'read' },
}

const idsIn = (items: unknown) => (items as readonly { readonly id: number }[]).map(({ id }) => id)

const openedIn = (lines: readonly string[]) => lines.filter((line) => line.includes('both ends'))

describe('reading across a join table that only joins', () => {
  it('asks nothing of it, though its own endpoints do', async () => {
    const { send, lines } = await start({ modelConfig: publicItems as never })
    for (const [path] of reads) expect([path, (await send('GET', path)).status]).toEqual([path, 200])
    expect((await send('GET', '/orders/1?include=tags')).json).toMatchObject({ tags: [{ id: 1 }, { id: 2 }] })
    expect(idsIn((await send('GET', '/orders/?tags.name=new')).json['items'])).toEqual([1, 2])
    expect(idsIn((await send('GET', '/tags/2/orders/')).json['items'])).toEqual([1, 2])
    for (const path of ['/order-tags/', '/orders/?include=order_tags', '/orders/1/order_tags/'])
      expect([path, (await send('GET', path)).status]).toEqual([path, 401])
    expect(openedIn(lines)).toEqual([
      expect.stringMatching(
        naming('Order.tags (OrderTag)', 'Tag.orders (OrderTag)', 'OrderTag: { public: false }'),
      ),
    ])
  })

  it('asks the permission to list of the model at its end', async () => {
    const { send } = await start({
      modelConfig: publicItems as never,
      parts: { Tag: { permissions: isAda } },
    })
    for (const [path, parameter] of reads) {
      const refused = await send('GET', path, as('bob'))
      expect([path, refused.status]).toEqual([path, 403])
      if (parameter !== 'id') expect(refusalOf(refused)[2]).toBe(`${parameter} forbidden`)
      expect([path, (await send('GET', path, as('ada'))).status]).toEqual([path, 200])
    }
    expect((await send('GET', '/orders/1', as('bob'))).status).toBe(200)
  })

  it('asks the permission to list of the model at its start, also if the caller may read the record', async () => {
    const { send } = await start({ parts: { Order: { permissions: isKnown } } })
    expect((await send('GET', '/orders/1', as('bob'))).status).toBe(200)
    for (const [path, parameter] of reads.slice(0, 2)) {
      expect(refusalOf(await send('GET', path, as('bob')))).toEqual([
        403,
        'forbidden',
        `${parameter} forbidden`,
      ])
      expect([path, (await send('GET', path, as('ada'))).status]).toEqual([path, 200])
    }
  })

  it('leaves out of what is included by default what a caller may not list', async () => {
    const modelConfig = { Order: { ...open['Order'], include: ['tags'] } } as never
    for (const parts of [{ Tag: { permissions: isAda } }, { Order: { permissions: isKnown } }]) {
      const { send } = await start({ modelConfig, parts })
      expect((await send('GET', '/orders/1', as('bob'))).json).not.toHaveProperty('tags')
      expect((await send('GET', '/orders/1', as('ada'))).json).toHaveProperty('tags')
    }
  })

  it('says at start which of its ends anonymous callers may not list of what is included by default', async () => {
    const Order = { public: 'read', include: ['tags'] }
    const { lines } = await start({ modelConfig: { Order, Tag: undefined } as never })
    const included = lines.filter((line) => line.includes('included by default'))
    expect(included).toEqual([expect.stringMatching(naming('Order.tags (Tag)'))])
    expect(included[0]).not.toContain('OrderTag')
  })

  it.each<readonly [string, ServiceOptions]>([
    ['a controller', { parts: { OrderTag: { beforeCreate: () => undefined } } }],
    ['a permission', { parts: { OrderTag: { permissions: { read: 'authenticated' } } } }],
    ['a scope', { parts: { OrderTag: { scope: () => ({}) } } }],
    ['public', { modelConfig: { OrderTag: { public: false } } as never }],
    [
      'operations',
      { modelConfig: { OrderTag: { operations: ['list', 'create', 'update', 'delete'] } } as never },
    ],
  ])('asks its permission if it has %s of its own', async (_what, options) => {
    const { send, lines } = await start(options)
    for (const path of ['/orders/1?include=tags', '/orders/?tags.name=red', '/tags/1/orders/']) {
      expect([path, (await send('GET', path)).status]).toEqual([path, 401])
      expect([path, (await send('GET', path, as('bob'))).status]).toEqual([path, 200])
    }
    expect(openedIn(lines)).toEqual([])
  })

  it.each<readonly [string, ServiceOptions]>([
    ['nobody is authenticated', { auth: false }],
    ['one end needs a caller', { modelConfig: { Tag: undefined } }],
    ['the join table is not served', { exclude: { app: ['OrderTag'] } }],
  ])('opens nothing that a line at start would name, if %s', async (_what, options) => {
    expect(openedIn((await start(options as never)).lines)).toEqual([])
  })

  it('finds only links within the scope for all models', async () => {
    const scope = (_request: unknown, _context: unknown, { name }: { readonly name: string }) =>
      name === 'OrderTag' ? { tag_id: 2 } : {}
    const { send } = await start({ scope: scope as never })
    expect((await send('GET', '/orders/1?include=tags(count=exact)')).json).toMatchObject({
      ...{ tags: [{ id: 2 }], _related: { tags: { count: 1 } } },
    })
    expect(idsIn((await send('GET', '/orders/1/tags/')).json['items'])).toEqual([2])
    expect(idsIn((await send('GET', '/orders/?tags.name=red')).json['items'])).toEqual([])
    expect(idsIn((await send('GET', '/orders/?tags=null')).json['items'])).toEqual([3])
  })
})
