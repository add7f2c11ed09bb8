import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Scope } from '../../src/controller/controller.ts'
import { naming } from '../naming.ts'
import {
  type AnyHooks,
  type Asked,
  type HooksByModel,
  onFastify,
  refill,
  type Served,
  sqliteWorld,
  stored,
  type Told,
  tenantScopes,
  type World,
} from './scope/stage.ts'

const jsonOf = ({
  body,
}: Told): { readonly items: readonly { readonly id: number }[] } & Record<string, unknown> => JSON.parse(body)

describe('scopes', () => {
  let world: World
  let running: Served | undefined
  const start = async (
    ...given: Parameters<typeof onFastify> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    running = await onFastify(world, ...given)
    return running
  }
  /** One request to a service with these hooks. */
  const told = async (hooks: HooksByModel, asked: Asked): Promise<Told> => (await start(hooks)).ask(1, asked)
  const scoped = (model: string, scope: unknown): HooksByModel => ({
    [model]: { scope: () => scope as Scope },
  })

  beforeAll(async () => {
    world = await sqliteWorld()
  })
  beforeEach(() => refill(world, [1, 2]))
  afterEach(async () => {
    await running?.stop()
    running = undefined
  })
  afterAll(() => world.close())

  describe('say by equalities what can be reached', () => {
    const all = [101, 102, 103, 201, 202, 203]
    it.each<[string, unknown, readonly number[]]>([
      ['everything', {}, all],
      ['everything among others', [{ id: 101 }, {}], all],
      ['nothing', [], []],
      ['one value', { name: 'Ada' }, [101, 201]],
      ['exactly that value', { name: 'ada' }, []],
      ['a single value in an array', { id: [102] }, [102]],
      ['any of some values', { id: [101, 202, 999] }, [101, 202]],
      ['none of no values', { id: [] }, []],
      ['several fields, which all hold', { tenantId: 1, rating: 5 }, [101, 103]],
      ['several objects, any of which holds', [{ id: 103 }, { tenantId: 2, name: 'Bob' }], [103, 202]],
      ['any of a great many values', { id: [...Array(5000).keys()].slice(102) }, [102, 103, 201, 202, 203]],
      ['any of a great many objects', [...Array(5000).keys()].slice(202).map((id) => ({ id })), [202, 203]],
      ['null', { rating: null }, [102, 202]],
      ['null or a value', { parentId: [null, 201] }, [101, 103, 201, 202, 203]],
      ['a related record', { parent: { name: 'Ada' } }, [102, 202]],
      ['any related record', { parent: {} }, [102, 202]],
      ['a related record beside a field', { tenantId: 2, parent: { tenantId: [2, 3] } }, [202]],
      ['a related record of none', { parent: { id: [] } }, []],
      ['an object without a prototype', Object.assign(Object.create(null), { id: 101 }), [101]],
    ])('%s', async (_what, scope, ids) => {
      const { ask } = await start(scoped('Account', scope))
      const list = jsonOf(await ask(1, { method: 'GET', path: '/accounts/' }))
      expect(list.items.map(({ id }) => id)).toEqual(ids)
      expect(list).toMatchObject({ count: ids.length, count_exact: true })
      for (const id of all) {
        const { status } = await ask(1, { method: 'GET', path: `/accounts/${id}` })
        expect([id, status]).toEqual([id, ids.includes(id) ? 200 : 404])
      }
    })

    it('over two relations', async () => {
      const { ask } = await start(scoped('OrderItem', { order: { account: { name: 'Bob', tenantId: 2 } } }))
      expect(jsonOf(await ask(1, { method: 'GET', path: '/order-items/' }))).toMatchObject({
        items: [{ orderId: 202, line: 1 }],
        count: 1,
      })
    })
  })

  describe('fail closed', () => {
    const never = (): never => {
      throw new Error('of the scope')
    }
    const requests: readonly Asked[] = [
      { method: 'GET', path: '/accounts/' },
      { method: 'HEAD', path: '/accounts/' },
      { method: 'GET', path: '/accounts/?limit=0&count=estimated' },
      { method: 'GET', path: '/accounts/101' },
      { method: 'POST', path: '/accounts/', body: { tenantId: 1, name: 'new' } },
      { method: 'PATCH', path: '/accounts/101', body: { name: 'new' } },
      { method: 'PUT', path: '/accounts/101', body: { tenantId: 1, name: 'new' } },
      { method: 'DELETE', path: '/accounts/103' },
      // The scope of the model that a foreign key points to.
      { method: 'POST', path: '/entries/', body: { accountId: 101 } },
    ]
    it.each<readonly [string, unknown, RegExp]>([
      ['undefined', undefined, naming('Account')],
      ['null', null, naming('Account')],
      ['a text', 'tenantId', naming('Account')],
      ['a number', 1, naming('Account')],
      ['true', true, naming('Account')],
      ['a function', () => ({}), naming('Account')],
      [
        'an instance of a class',
        new (class Tenant {
          id = 1
        })(),
        naming('Account'),
      ],
      ['an array with something else', [{ tenantId: 1 }, null], naming('Account')],
      ['an array of arrays', [[]], naming('Account')],
      ['an undefined value', { tenantId: undefined }, naming('Account', 'tenantId')],
      ['an undefined value among others', { tenantId: [1, undefined] }, naming('Account', 'tenantId')],
      ['a hole in an array', { tenantId: Object.assign(Array(2), { 0: 1 }) }, naming('Account', 'tenantId')],
      ['a value of the wrong type', { tenantId: '1' }, naming('Account', 'tenantId')],
      ['no number', { tenantId: Number.NaN }, naming('Account', 'tenantId')],
      ['an object as value', { tenantId: { id: 1 } }, naming('Account', 'tenantId')],
      ['an array in an array', { tenantId: [[1]] }, naming('Account', 'tenantId')],
      ['an unknown field', { tenant: 1 }, naming('Account', 'tenant')],
      ['an unknown field beside a known one', { tenantId: 1, tenant: 1 }, naming('Account', 'tenant')],
      ['a to-many relation', { orders: { id: 1 } }, naming('Account', 'orders')],
      ['a value for a relation', { parent: 1 }, naming('Account')],
      ['an unknown field of a relation', { parent: { tenant: 1 } }, naming('Account', 'tenant')],
      [
        'an undefined value of a relation',
        { parent: { tenantId: undefined } },
        naming('Account', 'tenantId'),
      ],
      ['a function that throws', never, /of the scope/],
    ])('for %s', async (_what, scope, reason) => {
      const hook = scope === never ? never : () => scope
      const { ask, log } = await start({ Account: { scope: hook as AnyHooks['scope'] & object } })
      const before = await stored(world)
      for (const asked of requests) {
        const { status, body } = await ask(1, asked)
        expect([asked, status]).toEqual([asked, 500])
        if (asked.method !== 'HEAD') expect(body).not.toMatch(reason)
      }
      expect(await stored(world)).toEqual(before)
      expect(log).toContainEqual(expect.stringMatching(reason))
    })
  })

  describe('fill what a create leaves out', () => {
    const create = (body: object): Asked => ({ method: 'POST', path: '/accounts/', body })
    const tenantOfNew = async () =>
      (await world.rows('select tenant_id from accounts where id >= 1000')).map((row) => row['tenant_id'])

    it.each<[string, unknown]>([
      ['a value', { tenantId: 1 }],
      ['an array of one', { tenantId: [1] }],
      ['one object', [{ tenantId: 1 }]],
      ['an object with another field', { tenantId: 1, note: 'x' }],
    ])('from %s', async (_what, scope) => {
      const reply = await told(scoped('Account', scope), create({ name: 'new' }))
      expect([reply.status, jsonOf(reply)['tenantId']]).toEqual([201, 1])
      expect(await tenantOfNew()).toEqual([1])
    })

    it.each<[string, unknown]>([
      ['several values', { tenantId: [1, 2] }],
      ['several objects', [{ tenantId: 1 }, { tenantId: 2 }]],
      ['everything', {}],
      ['a related record', { parent: { tenantId: 1 } }],
    ])('not from %s: it is asked for', async (_what, scope) => {
      const reply = await told(scoped('Account', scope), create({ name: 'new' }))
      expect([reply.status, jsonOf(reply)]).toMatchObject([
        422,
        { errors: [{ pointer: '/tenantId', code: 'required' }] },
      ])
      expect(await tenantOfNew()).toEqual([])
    })

    it.each<[string, unknown, object, number]>([
      ['what is given and right stays', { tenantId: 1 }, { tenantId: 1 }, 201],
      ['one of several is right', { tenantId: [1, 2] }, { tenantId: 2 }, 201],
      ['what is given and wrong is refused', { tenantId: 1 }, { tenantId: 2 }, 403],
      ['also where it is another field', { tenantId: 1, name: 'Ada' }, {}, 403],
      ['and nothing can be created in nothing', [], { tenantId: 1 }, 403],
      ['null is filled in', { tenantId: 1, note: null }, { tenantId: 1 }, 201],
      ['null is a value too', { tenantId: 1, note: null }, { tenantId: 1, note: 'x' }, 403],
    ])('%s', async (_what, scope, body, status) => {
      const reply = await told(scoped('Account', scope), create({ name: 'new', ...body }))
      expect(reply.status).toBe(status)
      expect((await tenantOfNew()).length).toBe(status === 201 ? 1 : 0)
      if (status === 403) expect(jsonOf(reply)).toMatchObject({ code: 'forbidden' })
    })

    it('where the field is read-only, or hidden', async () => {
      const { ask } = await start(tenantScopes)
      const order = await ask(2, { method: 'POST', path: '/orders/', body: { title: 'new', accountId: 201 } })
      expect([order.status, jsonOf(order)['tenantId']]).toEqual([201, 2])
      const slot = await ask(2, { method: 'POST', path: '/slots/', body: { room: 'new', place: 1 } })
      expect([slot.status, jsonOf(slot)]).toEqual([201, { room: 'new', place: 1, label: null }])
      expect(await world.rows(`select tenant_id from slots where room = 'new'`)).toEqual([{ tenant_id: 2 }])
    })

    it('before the hook of the create, whose own choice is held to the scope', async () => {
      const seen: unknown[] = []
      const { ask } = await start({
        Account: {
          ...tenantScopes['Account'],
          beforeCreate: (_request, payload) => {
            seen.push(payload['tenantId'])
            return payload['name'] === 'moved' ? { ...payload, tenantId: 2 } : payload
          },
        },
      })
      expect((await ask(1, create({ name: 'new' }))).status).toBe(201)
      expect((await ask(1, create({ name: 'moved' }))).status).toBe(403)
      expect(seen).toEqual([1, 1])
      expect(await tenantOfNew()).toEqual([1])
    })
  })

  describe('hold for what a change stores', () => {
    it.each<[string, Asked]>([
      ['PATCH', { method: 'PATCH', path: '/accounts/101', body: { tenantId: 2, name: 'moved' } }],
      ['PUT', { method: 'PUT', path: '/accounts/101', body: { tenantId: 2, name: 'moved' } }],
    ])('%s', async (_verb, asked) => {
      const before = await stored(world)
      const reply = await told(tenantScopes, asked)
      expect([reply.status, jsonOf(reply)['code']]).toEqual([403, 'forbidden'])
      expect(await stored(world)).toEqual(before)
    })

    it('of a hook too', async () => {
      const before = await stored(world)
      const hooks = { Account: { ...tenantScopes['Account'], beforeUpdate: () => ({ tenantId: 2 }) } }
      const reply = await told(hooks, { method: 'PATCH', path: '/accounts/101', body: { name: 'moved' } })
      expect(reply.status).toBe(403)
      expect(await stored(world)).toEqual(before)
    })

    it('of a related record, whose key the scope names', async () => {
      const items = { OrderItem: { scope: () => ({ order: { tenantId: 1 } }) } }
      const reply = await told(items, {
        method: 'POST',
        path: '/order-items/',
        body: { orderId: 201, line: 9 },
      })
      expect(reply.status).toBe(403)
      expect(await world.rows('select * from order_items where line = 9')).toEqual([])
    })
  })

  it('hold when the caller before had a scope of another structure', async () => {
    let scope: unknown = {}
    const { ask } = await start({ Account: { scope: () => scope as Scope } })
    const all = [101, 102, 103, 201, 202, 203]
    // The same number of values, of the same types, for other fields.
    for (const [given, ids] of [
      [{ tenantId: 1 }, [101, 102, 103]],
      [{ id: 201 }, [201]],
      [{ parentId: 201 }, [202]],
      [{ parent: { id: 101 } }, [102]],
      [{ parent: { tenantId: 2 } }, [202]],
      [{ tenantId: 2, rating: 5 }, [201, 203]],
      [
        [{ tenantId: 1 }, { id: 203 }],
        [101, 102, 103, 203],
      ],
      [{}, all],
      [{ tenantId: 2 }, [201, 202, 203]],
    ] as const) {
      scope = given
      for (const id of all) {
        const reads = await ask(1, { method: 'GET', path: `/accounts/${id}` })
        const writes = await ask(1, { method: 'PATCH', path: `/accounts/${id}`, body: { note: 'x' } })
        const status = (ids as readonly number[]).includes(id) ? 200 : 404
        expect([given, id, reads.status, writes.status]).toEqual([given, id, status, status])
      }
      for (const path of ['/accounts/', '/accounts/?limit=0'])
        expect([given, jsonOf(await ask(1, { method: 'GET', path }))['count']]).toEqual([given, ids.length])
    }
  })

  it('are asked once in a request for each model', async () => {
    const asked: string[] = []
    const counting: HooksByModel = Object.fromEntries(
      Object.entries(tenantScopes).map(([model, hooks]) => [
        model,
        {
          scope: (...given: Parameters<NonNullable<AnyHooks['scope']>>) => {
            asked.push(model)
            return hooks.scope?.(...given) ?? []
          },
        },
      ]),
    )
    const { ask } = await start(counting)
    const asking = async (request: Asked): Promise<string> => {
      asked.length = 0
      await ask(1, request)
      return asked.join(' ')
    }
    expect(await asking({ method: 'GET', path: '/accounts/?limit=1' })).toBe('Account')
    expect(await asking({ method: 'DELETE', path: '/accounts/103' })).toBe('Account')
    expect(await asking({ method: 'POST', path: '/accounts/', body: { name: 'x', parentId: 101 } })).toBe(
      'Account',
    )
    const order = { title: 'x', accountId: 101, backupId: 102 }
    expect(await asking({ method: 'POST', path: '/orders/', body: order })).toBe('Order Account')
    expect(await asking({ method: 'PATCH', path: '/orders/101', body: order })).toBe('Order Account')
    expect(await asking({ method: 'PUT', path: '/orders/101', body: order })).toBe('Order Account')
    expect(await asking({ method: 'PATCH', path: '/orders/101', body: { title: 'y' } })).toBe('Order')
    expect(await asking({ method: 'PATCH', path: '/entries/1', body: {} })).toBe('')
    expect(await asking({ method: 'GET', path: '/accounts/x' })).toBe('')
  })

  it('may wait, those that foreign keys point into too', async () => {
    const slow: HooksByModel = Object.fromEntries(
      Object.entries(tenantScopes).map(([model, hooks]) => [
        model,
        {
          scope: async (...given: Parameters<NonNullable<AnyHooks['scope']>>) => {
            await new Promise((resolve) => setImmediate(resolve))
            return (await hooks.scope?.(...given)) ?? []
          },
        },
      ]),
    )
    const { ask } = await start(slow)
    const create = (accountId: number) =>
      ask(1, { method: 'POST', path: '/orders/', body: { title: 'x', accountId } })
    expect((await create(101)).status).toBe(201)
    expect((await create(201)).status).toBe(422)
  })

  it('may read through context.db, those that foreign keys point into too', async () => {
    type Executing = { run?: (query: string) => unknown; execute?: (query: string) => unknown }
    const reading: HooksByModel = {
      Account: {
        scope: async (_request, { db }) => {
          const handle = db as Executing
          await (handle.run?.('select 1') ?? handle.execute?.('select 1'))
          return { tenantId: 1 }
        },
      },
    }
    const { ask } = await start(reading, { settings: { TRANSACTION_TIMEOUT: 1 } })
    expect((await ask(1, { method: 'POST', path: '/entries/', body: { accountId: 101 } })).status).toBe(201)
    expect((await ask(1, { method: 'POST', path: '/entries/', body: { accountId: 201 } })).status).toBe(422)
  })

  it('bind foreign keys that a schema of the application makes of other names', async () => {
    const customSchemas = {
      Order: {
        create: z
          .object({ title: z.string(), customer: z.number() })
          .transform(({ title, customer }) => ({ title, accountId: customer })),
        update: z.object({ customer: z.number() }).transform(({ customer }) => ({ accountId: customer })),
      },
    }
    const { ask } = await start(tenantScopes, { customSchemas })
    const asked = (method: string, path: string) => async (customer: number) => {
      const body = method === 'POST' ? { title: 'x', customer } : { customer }
      return ask(1, { method, path, body })
    }
    for (const request of [asked('POST', '/orders/'), asked('PATCH', '/orders/101')]) {
      const missing = await request(999)
      expect(missing.status).toBe(422)
      expect(await request(201)).toEqual(missing)
      expect([200, 201]).toContain((await request(102)).status)
    }
    expect(
      await world.rows('select account_id from orders where tenant_id = 1 and account_id > 200'),
    ).toEqual([])
  })

  it('are not needed to tell which foreign key is broken where a default completes another', async () => {
    const { ask } = await start({})
    const replaced = async (body: object) =>
      jsonOf(
        await ask(1, { method: 'PUT', path: '/tickets/101', body: { tenantId: 1, room: 't9', ...body } }),
      )
    const { errors, ...reply } = await replaced({ accountEmail: 'nobody' })
    expect([reply['status'], errors]).toMatchObject([
      422,
      [{ pointer: '/accountEmail', code: 'missing_reference' }],
    ])
    // Nobody but the database knows the default.
    expect(await replaced({})).toMatchObject({ status: 422, code: 'invalid_body' })
  })

  it('hold beside what beforeList makes of the query', async () => {
    const { ask } = await start({
      Account: {
        ...tenantScopes['Account'],
        beforeList: (_request, query) => ({ ...query, filter: { op: 'eq', field: 'tenantId', value: 2 } }),
      },
    })
    const list = (path: string) => ask(1, { method: 'GET', path }).then(jsonOf)
    expect(await list('/accounts/')).toMatchObject({ items: [], count: 0 })
    expect(await list('/accounts/?count=estimated')).toMatchObject({ items: [], count: 0 })
    expect(await list('/accounts/?limit=0')).toMatchObject({ items: [], count: 0 })
  })

  it('keep the statistics of the database to themselves', async () => {
    await world.run(['analyze'])
    const settings = { QUERY_COUNT_BOUND: 1 }
    const path = '/accounts/?limit=1&count=estimated'
    const { ask } = await start(tenantScopes, { settings })
    expect(jsonOf(await ask(1, { method: 'GET', path }))).toMatchObject({ count: 1, count_exact: false })
    await running?.stop()
    const unscoped = await start(scoped('Account', {}), { settings })
    expect(jsonOf(await unscoped.ask(1, { method: 'GET', path }))).toMatchObject({
      count: 6,
      count_exact: false,
    })
  })

  it('bind a cursor that another caller was given', async () => {
    const { ask } = await start(tenantScopes, { paginationType: 'cursor' })
    const page = async (tenant: number, cursor?: unknown) =>
      jsonOf(
        await ask(tenant, {
          method: 'GET',
          path: `/accounts/?limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`,
        }),
      )
    const foreign = (await page(2))['next']
    expect(foreign).toEqual(expect.any(String))
    expect((await page(1, foreign)).items).toEqual([])
    const own = (await page(1))['next']
    expect((await page(2, own)).items).toMatchObject([{ id: 201 }])
    expect((await page(1, own)).items).toMatchObject([{ id: 102 }])
  })

  it('take nothing from a request that goes on at the same time', async () => {
    const { ask } = await start(tenantScopes)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) => ask(1 + (at % 2), { method: 'GET', path: '/accounts/?limit=1' })),
    )
    const firsts = replies.map((reply) => [jsonOf(reply).items[0]?.id, jsonOf(reply)['count']])
    expect(firsts).toEqual(Array.from({ length: 40 }, (_, at) => [at % 2 === 0 ? 101 : 201, 3]))
  })
})
