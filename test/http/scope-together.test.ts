import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  onFastify,
  refill,
  type Served,
  sqliteWorld,
  stored,
  type Told,
  tenantScopes,
  type World,
} from './scope/stage.ts'
import { guardsOf, strayActs } from './scope/watched-source.ts'

const order = { title: 'new', accountId: 101 }
const account = { name: 'new' }

/** Bodies with related records, and the status that both worlds answer with. 2xx of tenant 1 are of no record of tenant 2. */
const cases: readonly (readonly [status: number, method: string, path: string, body: object])[] = [
  [201, 'POST', '/orders/', { ...order, orderItems: [{ line: 1 }, { line: 2, quantity: 3 }] }],
  [201, 'POST', '/orders/', { ...order, entries: [{ accountId: 101 }, {}] }],
  [422, 'POST', '/orders/', { ...order, entries: [{ accountId: 101 }, { accountId: 201 }] }],
  [422, 'POST', '/orders/', { ...order, entries: [{ accountId: 101 }, { accountId: 999 }] }],
  [422, 'POST', '/orders/', { ...order, accountId: 201, orderItems: [{ line: 1 }] }],
  [201, 'POST', '/accounts/', { ...account, accountOrders: [{ title: 'x' }, { title: 'y', backupId: 102 }] }],
  [422, 'POST', '/accounts/', { ...account, accountOrders: [{ title: 'y', backupId: 201 }] }],
  [422, 'POST', '/accounts/', { ...account, accountOrders: [{ title: 'y', tenantId: 2 }] }],
  [201, 'POST', '/slots/', { room: 'n', place: 1, tickets: [{ tenantId: 1, accountEmail: 'ada@1' }] }],
  [403, 'POST', '/slots/', { room: 'n', place: 1, tickets: [{ tenantId: 1 }, { tenantId: 2 }] }],
  [422, 'POST', '/slots/', { room: 'n', place: 1, tickets: [{ tenantId: 1, accountEmail: 'ada@2' }] }],
  [422, 'POST', '/slots/', { room: 'n', place: 1, tickets: [{ tenantId: 1, accountEmail: 'ada@9' }] }],
  [
    200,
    'PATCH',
    '/orders/101',
    { orderItems: { update: [{ line: 1, quantity: 5 }], delete: [2], create: [{ line: 3 }] } },
  ],
  [422, 'PATCH', '/orders/101', { orderItems: { update: [{ line: 9, quantity: 5 }] } }],
  [422, 'PATCH', '/orders/102', { orderItems: { delete: [2] } }],
  [422, 'PATCH', '/accounts/101', { accountOrders: { update: [{ id: 201, title: 'x' }] } }],
  [422, 'PATCH', '/accounts/101', { accountOrders: { update: [{ id: 999, title: 'x' }], delete: [201] } }],
  [422, 'PATCH', '/accounts/101', { accountOrders: { update: [{ id: 102, title: 'x' }] } }],
  [422, 'PATCH', '/accounts/101', { accountOrders: { update: [{ id: 101, backupId: 202 }] } }],
  [200, 'PATCH', '/accounts/101', { accountOrders: { update: [{ id: 101, backupId: 102 }] } }],
  [403, 'PATCH', '/slots/t1,1', { tickets: { update: [{ id: 101, tenantId: 2 }] } }],
  [422, 'PATCH', '/slots/t1,1', { tickets: { delete: [201] } }],
  [200, 'PUT', '/orders/101', { ...order, orderItems: [{ line: 2 }, { line: 7 }], entries: [] }],
  [200, 'PUT', '/slots/t1,1', { tickets: [{ id: 101, tenantId: 1 }, { tenantId: 1 }] }],
  [422, 'PUT', '/slots/t1,1', { tickets: [{ id: 101 }] }],
  [200, 'PUT', '/accounts/101', { ...account, accounts: [{ id: 102, name: 'child' }, { name: 'new' }] }],
  [422, 'PUT', '/slots/t1,1', { tickets: [{ id: 201, tenantId: 1 }] }],
  [200, 'PUT', '/slots/t1,1', { tickets: [] }],
  [422, 'PUT', '/accounts/101', { ...account, accountOrders: [{ id: 201, title: 'x' }] }],
  [
    422,
    'PUT',
    '/accounts/102',
    {
      ...account,
      accountOrders: [
        { title: 'x', backupId: 999 },
        { id: 102, title: 'y', backupId: 201 },
      ],
    },
  ],
  ...(['/orders/201', '/orders/999'] as const).flatMap((path) => [
    [404, 'PATCH', path, { orderItems: { create: [{ line: 7 }] } }] as const,
    [404, 'PATCH', path, { orderItems: { delete: [1] } }] as const,
    [404, 'PUT', path, { ...order, orderItems: [] }] as const,
    [404, 'PUT', path, { ...order, entries: [{ accountId: 201 }] }] as const,
  ]),
]

const options = {
  modelConfig: {
    Order: { readOnly: ['tenantId'], write: ['orderItems', 'entries'] },
    Slot: { hidden: ['tenantId'], write: ['tickets'] },
    Account: { write: ['accountOrders', 'accounts'] },
  },
} as const

describe('bodies with related records tell nothing of other tenants', () => {
  let worlds: readonly [alone: World, shared: World]
  let served: readonly Served[]
  beforeAll(async () => {
    worlds = [await sqliteWorld(), await sqliteWorld()]
    served = await Promise.all(worlds.map((world) => onFastify(world, tenantScopes, options as never)))
  }, 60_000)
  afterAll(async () => {
    for (const each of served) await each.stop()
    for (const world of worlds) await world.close()
  })

  const own = (rows: Awaited<ReturnType<typeof stored>>): unknown =>
    Object.entries(rows).map(([name, all]) => [
      name,
      all.filter(
        (row) =>
          !JSON.stringify([row['id'], row['order_id'], row['tenant_id'], row['room']]).match(
            /\b20\d\b|\bt2\b|^\[[^,]*,[^,]*,2/,
          ),
      ),
    ])

  it.each(cases)('%s for %s %s %j', async (status, method, path, body) => {
    const told: Told[] = []
    const left: unknown[] = []
    for (const [at, world] of worlds.entries()) {
      await refill(world, at === 0 ? [1] : [1, 2])
      const before = await stored(world)
      world.takeActs()
      told.push((await served[at]?.ask(1, { method, path, body })) ?? expect.unreachable())
      const acts = world.takeActs()
      const scopes = Object.fromEntries(
        Object.entries(tenantScopes).map(([name, { scope }]) => [
          name,
          scope?.({ headers: { 'x-tenant': '1' } } as never, {} as never) as never,
        ]),
      )
      expect(strayActs(acts, guardsOf(world.models.models, scopes))).toEqual([])
      const now = await stored(world)
      left.push(own(now))
      if (status >= 400) expect(now).toEqual(before)
    }
    expect(told[1]).toEqual(told[0])
    expect(told[0]?.status, told[0]?.body).toBe(status)
    expect(left[1]).toEqual(left[0])
  })
})
