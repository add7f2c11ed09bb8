import { type } from 'arktype'
import { sql } from 'drizzle-orm'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ComputedField, HttpError } from '../../src/index.ts'
import { after } from '../../src/model/objects.ts'
import { naming } from '../naming.ts'
import type { Parts } from '../stage/service.ts'
import { bothShops, open, refusalOf, type Shop, type StartShop, shops } from '../stage/shop.ts'
import { startError } from './start-error.ts'

type Counted = readonly { readonly id: number; readonly n: number | string }[]

/** Counts the items of orders in one statement. */
const itemCounts = (db: unknown, ids: readonly unknown[]): Counted | PromiseLike<Counted> => {
  const handle = db as {
    all?(query: unknown): Counted
    execute(query: unknown): PromiseLike<{ rows: Counted } | readonly [Counted, unknown]>
  }
  const list = sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )
  const query = sql`select order_id as id, count(*) as n from order_items where order_id in (${list}) group by order_id`
  return handle.all === undefined
    ? after(handle.execute(query), (found) => ('rows' in found ? found.rows : found[0]))
    : handle.all(query)
}

/** How many records each call of `load` got. */
const counting = (calls: number[] = []): Parts => ({
  computed: {
    item_count: {
      schema: z.int(),
      load: (records, { db }) => {
        calls.push(records.length)
        const counted = itemCounts(
          db,
          records.map(({ id }) => id),
        )
        return after(counted, (rows) =>
          records.map((record) => Number(rows.find(({ id }) => id === record['id'])?.n ?? 0)),
        )
      },
    },
  },
})

const labelled: Parts = {
  computed: {
    label: { schema: z.string(), load: (records) => records.map(({ price }) => `costs ${price}`) },
  },
}

const fill = async ({ execute }: Shop): Promise<void> => {
  await execute(`insert into products (name) values ('lamp')`)
  await execute(`insert into orders (title) values ('one'), ('two'), ('three')`)
}

const ids = (json: Readonly<Record<string, unknown>>): readonly unknown[] =>
  (json['items'] as readonly { id: unknown; item_count?: unknown }[]).map(({ id, item_count }) => [
    id,
    item_count,
  ])

const shown = (start: StartShop): void => {
  test('stand in lists, details, and the responses of writes, loaded once for a page', async () => {
    const calls: number[] = []
    const { send } = await open(start, { parts: { Order: counting(calls) } })
    const created = await send('POST', '/orders/', {
      body: { title: 'x', items: [{ price: 1 }, { price: 2 }] },
    })
    expect(created.status).toBe(201)
    const { id } = created.json
    expect(created.json['item_count']).toBe(2)
    expect((created.json['items'] as unknown[]).length).toBe(2)
    const patched = await send('PATCH', `/orders/${id}`, { body: { items: { create: [{ price: 3 }] } } })
    expect(patched.json).toMatchObject({ title: 'x', item_count: 3 })
    expect((await send('PUT', `/orders/${id}`, { body: { title: 'y' } })).json).toMatchObject({
      title: 'y',
      item_count: 3,
    })
    expect((await send('GET', `/orders/${id}`)).json).toMatchObject({ title: 'y', item_count: 3 })
    calls.length = 0
    const list = await send('GET', '/orders/')
    expect(ids(list.json)).toContainEqual([id, 3])
    expect(calls).toEqual([(list.json['items'] as unknown[]).length])
  })

  test('are loaded only if they are chosen', async () => {
    const calls: number[] = []
    const { send } = await open(start, { parts: { Order: counting(calls) } })
    const without = await send('GET', '/orders/?fields=title')
    expect(Object.keys((without.json['items'] as object[])[0] ?? {})).toEqual(['id', 'title'])
    expect((await send('HEAD', '/orders/')).status).toBe(200)
    expect((await send('HEAD', '/orders/1')).status).toBe(200)
    expect((await send('GET', '/items/?include=order(fields=title)')).status).toBe(200)
    expect(calls).toEqual([])
    const only = await send('GET', '/orders/?fields=item_count&limit=1')
    expect(Object.keys((only.json['items'] as object[])[0] ?? {})).toEqual(['id', 'item_count'])
    expect(calls).toEqual([1])
    expect((await send('GET', '/orders/?q=id=0')).json).toMatchObject({ items: [] })
    expect(calls).toEqual([1])
  })

  test('stand in related records, with one load for each relation', async () => {
    const calls: number[] = []
    const hooks = { Order: counting(calls), Item: labelled }
    const { send } = await open(start, { parts: hooks })
    await send('POST', '/orders/', { body: { title: 'x', items: [{ price: 1 }, { price: 2 }] } })
    calls.length = 0
    const list = await send(
      'GET',
      '/orders/?include=items(fields=label)&fields=title&sort=id&order=desc&limit=1',
    )
    expect(list.json['items']).toMatchObject([
      { title: 'x', items: [{ label: 'costs 1' }, { label: 'costs 2' }] },
    ])
    const {
      items: [{ items: inner }],
    } = list.json as { items: [{ items: [object] }] }
    expect(Object.keys(inner[0])).toEqual(['id', 'label'])
    expect(calls).toEqual([])
    const nested = await send('GET', '/items/?include=order.items')
    const [first] = nested.json['items'] as readonly { order: { item_count: unknown; items: unknown } }[]
    expect(first?.order).toMatchObject({ item_count: 2, items: [{ label: 'costs 1' }, { label: 'costs 2' }] })
    // Both items belong to one order.
    expect(calls).toEqual([1])
  })

  test('stand in lists below a record and in new records there', async () => {
    const { send } = await open(start, { parts: { Item: labelled } })
    const { json: order } = await send('POST', '/orders/', { body: { title: 'x' } })
    const created = await send('POST', `/orders/${order['id']}/items/`, { body: { price: 4 } })
    expect(created.json).toMatchObject({ price: 4, label: 'costs 4' })
    const below = await send('GET', `/orders/${order['id']}/items/?fields=label`)
    expect(below.json['items']).toEqual([{ id: created.json['id'], label: 'costs 4' }])
  })

  test('keep the pages of cursors', async () => {
    const running = await open(start, { parts: { Order: counting() }, paginationType: 'cursor' })
    await fill(running)
    const seen: unknown[] = []
    let cursor = ''
    do {
      const { json } = await running.send('GET', `/orders/?limit=2&fields=item_count&sort=title${cursor}`)
      seen.push(...ids(json))
      cursor = json['next'] === null ? '' : `&cursor=${json['next']}`
    } while (cursor !== '')
    const all = await running.send('GET', '/orders/?limit=100&sort=title')
    expect(seen).toEqual(ids(all.json))
  })
}

describe.each(bothShops)('computed fields on %s', (_name, start) => shown(start))

describe('computed fields', () => {
  const start = shops.sqlite
  test.each([
    ['/orders/?item_count=2', 'item_count'],
    ['/orders/?q=title=x%26item_count>2', 'q'],
    ['/orders/?sort=item_count', 'sort'],
    ['/items/?order.item_count>2', 'order.item_count'],
    ['/items/?sort=order.item_count', 'sort'],
    ['/orders/?include=items(sort=label)', 'include'],
    ['/orders/aggregate?group=item_count', 'group'],
    ['/orders/aggregate?aggregate=sum(item_count)', 'aggregate'],
  ])('cannot be used by %s', async (path, parameter) => {
    const { send } = await open(start, { parts: { Order: counting(), Item: labelled } })
    const { status, json } = await send('GET', path)
    expect([status, json]).toMatchObject([400, { code: 'invalid_operator', errors: [{ parameter }] }])
  })

  test('are not part of bodies', async () => {
    const { send } = await open(start, { parts: { Order: counting() } })
    const refused = await send('POST', '/orders/', { body: { title: 'x', item_count: 3 } })
    expect(refusalOf(refused)).toEqual([422, 'invalid_body', '/item_count unknown_key'])
  })

  test('get copies of whole records, and what they change is not shown', async () => {
    const seen: unknown[] = []
    const load: ComputedField<string>['load'] = (records) => {
      for (const record of records) {
        seen.push({ ...record })
        Object.assign(record, { title: 'changed' })
      }
      return records.map(() => true)
    }
    const { send } = await open(start, {
      parts: { Order: { computed: { is_seen: { schema: z.boolean(), load } } } },
      modelConfig: { Order: { hidden: ['tenant'] } },
    })
    const { json } = await send('POST', '/orders/', { body: { title: 'x' } })
    seen.length = 0
    const shown = await send('GET', `/orders/?fields=is_seen,title&sort=id&order=desc&limit=1`)
    expect(shown.json['items']).toEqual([{ id: json['id'], title: 'x', is_seen: true }])
    expect(seen).toEqual([{ id: json['id'], tenant: 1, title: 'x' }])
  })

  describe('with an unusable result', () => {
    const schema = z.int().max(9)
    const wrong: readonly (readonly [string, ComputedField<string>])[] = [
      ['a value that the schema refuses', { schema, load: (records) => records.map(() => 10) }],
      ['a value of another type', { schema, load: (records) => records.map(() => '1' as never) }],
      ['too few values', { schema, load: () => [] }],
      ['an array with a hole', { schema: z.any(), load: ({ length }) => Array(length) }],
      ['something else', { schema, load: () => new Map() as never }],
      ['a number without JSON', { schema: z.any(), load: (records) => records.map(() => Number.NaN) }],
      ['an instance', { schema: z.any(), load: (records) => records.map(() => ({ at: new Date() })) }],
      [
        'an error',
        {
          schema,
          load: () => {
            throw new Error('the reason')
          },
        },
      ],
    ]
    test.each(wrong)('%s is a 500 of every read, and named by the log', async (_what, field) => {
      const running = await open(start, { parts: { Order: { computed: { wrong: field } } } })
      const { send, errors } = running
      await running.execute(`insert into orders (title) values ('x')`)
      const order = (await running.rows(`select max(id) as id from orders`))[0]?.['id']
      await running.execute(`insert into order_items (order_id, price) values (${order}, 1)`)
      for (const path of ['/orders/', `/orders/${order}`, '/items/?include=order']) {
        const { status, text } = await send('GET', path)
        expect([path, status]).toEqual([path, 500])
        expect(text).not.toContain('the reason')
        expect(errors.at(-1)).toMatch(naming('wrong', 'Order', 'controllers[0]'))
      }
      const created = await send('POST', '/orders/', { body: { title: 'y' } })
      expect([created.status, created.text]).toEqual([204, ''])
      expect(errors.at(-1)).toMatch(naming('wrong', 'Order', 'controllers[0]'))
      expect(await running.rows(`select title from orders where title = 'y'`)).toHaveLength(1)
    })

    test('an HttpError is the response of a read', async () => {
      const load = (): never => {
        throw new HttpError(403, 'No.')
      }
      const { send, errors } = await open(start, {
        parts: { Order: { computed: { wrong: { schema, load } } } },
      })
      await send('POST', '/orders/', { body: { title: 'x' } })
      expect(await send('GET', '/orders/')).toMatchObject({ status: 403, json: { detail: 'No.' } })
      expect(errors).toEqual([])
    })
  })

  test('apply the transforms of Zod, Valibot and ArkType', async () => {
    const { send } = await open(start, {
      parts: {
        Order: {
          computed: {
            zod: {
              schema: z.string().transform((text) => text.length),
              load: (all) => all.map(() => 'four'),
            },
            valibot: {
              schema: v.pipe(v.string(), v.transform(Number), v.number()),
              load: (all) => all.map(() => '5'),
            },
            ark: { schema: type('string.trim'), load: (all) => all.map(() => ' six ') },
          },
        },
      },
    })
    const { json } = await send('POST', '/orders/', { body: { title: 'x' } })
    expect(json).toMatchObject({ zod: 4, valibot: 5, ark: 'six' })
  })

  test('stand in the document', async () => {
    const { send } = await open(start, { parts: { Order: counting(), Item: labelled } })
    const { json } = await send('GET', '/openapi.json')
    const { schemas } = json['components'] as {
      schemas: Record<string, { required?: string[]; properties: object }>
    }
    expect(schemas['OrderDetail']?.properties).toMatchObject({
      item_count: { type: 'integer', readOnly: true },
    })
    expect(schemas['OrderDetail']?.required).toContain('item_count')
    expect(schemas['OrderListItem']?.properties).toMatchObject({ item_count: { type: 'integer' } })
    expect(schemas['OrderListItem']?.required).not.toContain('item_count')
    expect(schemas['ItemList']?.properties).toMatchObject({ label: { type: 'string', readOnly: true } })
    expect(Object.keys(schemas['OrderCreate']?.properties ?? {})).not.toContain('item_count')
    type Parameter = { readonly $ref?: string; readonly name?: string; readonly schema?: object }
    const paths = json['paths'] as Record<string, { get: { parameters: Parameter[]; responses: object } }>
    const { parameters } = json['components'] as { parameters: Record<string, Parameter> }
    const own = (paths['/orders/']?.get.parameters ?? []).map(
      ({ $ref = '', ...inline }) => parameters[$ref.replace('#/components/parameters/', '')] ?? inline,
    )
    const fields = own.find(({ name }) => name === 'fields')
    expect(fields?.schema).toMatchObject({ items: { enum: ['id', 'tenant', 'title', 'item_count'] } })
    expect(JSON.stringify(paths['/orders/{id}']?.get.responses)).toContain('"item_count":3')
  })
})

const lite = shops.sqlite

describe('a computed field is refused at start', () => {
  const schema = z.int()
  const load = () => []
  test.each([
    ['with the name of a field', { title: { schema, load } }, ['title', 'field']],
    ['with the name of a relation', { items: { schema, load } }, ['items', 'relation']],
    ['with a name that fields cannot name', { 'a,b': { schema, load } }, ['a,b']],
    ['with the name of a property of every object', { constructor: { schema, load } }, ['constructor']],
    ['without a schema', { n: { load } }, ['n.schema']],
    ['with something else as schema', { n: { schema: {}, load } }, ['n.schema']],
    ['without load', { n: { schema } }, ['n.load']],
    ['with an unknown key', { n: { schema, load, lod: 1 } }, ['n', 'lod']],
    ['that is not an object', { n: 3 }, ['n', 'schema', 'load']],
    ['in a list', [{ schema, load }], ['computed']],
  ])('%s', async (_what, computed, named) => {
    const hooks = { Order: { computed } as never }
    await expect(open(lite, { parts: hooks })).rejects.toThrow(startError('controllers[0]', ...named))
  })

  test('that is async, with isAsync: false', async () => {
    const hooks = { Order: { computed: { n: { schema, load: async () => [] } } } }
    await expect(open(lite, { parts: hooks, isAsync: false })).rejects.toThrow(
      startError('n.load', 'isAsync'),
    )
  })
})

test('a computed field that waits is refused by the request, with isAsync: false', async () => {
  const n: ComputedField<string> = { schema: z.int(), load: () => Promise.resolve([1]) }
  const { send, errors } = await open(lite, { parts: { Order: { computed: { n } } }, isAsync: false })
  await send('POST', '/orders/', { body: { title: 'x' } })
  expect((await send('GET', '/orders/')).status).toBe(500)
  expect(errors.at(-1)).toMatch(naming('n', 'Order', 'controllers[0]'))
})

test('a schema without JSON Schema is served, and start says so', async () => {
  const bare = {
    '~standard': { version: 1 as const, vendor: 'own', validate: (value: unknown) => ({ value }) },
  }
  const { send } = await open(lite, {
    parts: { Order: { computed: { n: { schema: bare, load: (all) => all.map(() => 1) } } } },
  })
  expect((await send('POST', '/orders/', { body: { title: 'x' } })).json['n']).toBe(1)
  const { json } = await send('GET', '/openapi.json')
  expect(JSON.stringify(json)).toContain('"n":{"readOnly":true}')
})
