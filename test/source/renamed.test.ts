import { expect, it } from 'vitest'
import { describeModels } from '../../src/model/setup/describe.ts'
import { configureRelations } from '../../src/model/setup/relation-config.ts'
import { type Condition, everything } from '../../src/query/ast.ts'
import { defineSource } from '../../src/source/define.ts'
import { renamedSource } from '../../src/source/renamed.ts'
import type { ModelSource, RecordStore, Session } from '../../src/source/source.ts'

const columns = (...names: readonly string[]) => names.map((name) => ({ name, kind: 'integer' as const }))
const to = (model: string, field: string) => ({ fields: [field], model, references: ['id'] })

const described = describeModels(
  [
    { name: 'Shop', fields: columns('id'), primaryKey: ['id'] },
    {
      name: 'Order',
      fields: columns('id', 'shopId'),
      primaryKey: ['id'],
      foreignKeys: [to('Shop', 'shopId')],
    },
    { name: 'Tag', fields: columns('id'), primaryKey: ['id'] },
    {
      name: 'OrderTag',
      fields: columns('orderId', 'tagId'),
      primaryKey: ['orderId', 'tagId'],
      foreignKeys: [to('Order', 'orderId'), to('Tag', 'tagId')],
    },
  ],
  {},
)

const renamed = configureRelations(
  described,
  {
    Order: { relations: { shop: 'store', tags: 'labels' } },
    OrderTag: { relations: { order: 'purchase' } },
    Shop: { relations: { orders: 'purchases' } },
  },
  new Set(),
)

/** A source whose stores tell what they are asked, for either side of a renaming. */
const recording = () => {
  const asked: unknown[] = []
  const told =
    (act: string, result: unknown) =>
    (...given: readonly unknown[]): never => {
      asked.push([act, ...given])
      return result as never
    }
  const rows = [Object.freeze({ id: 1, 'shop.id': 7 }), Object.freeze({ id: 2, 'shop.id': 8 })]
  const store: RecordStore = {
    list: told('list', rows),
    count: told('count', 2),
    estimate: told('estimate', 3),
    related: told('related', [[{ id: 4, 'orders.id': 1 }], []]),
    countRelated: told('countRelated', [1]),
    aggregate: told('aggregate', []),
    read: told('read', undefined),
    create: told('create', {}),
    update: told('update', undefined),
    remove: told('remove', false),
    take: told('take', undefined),
  }
  const session: Session = { db: 'db', store: () => store }
  const source = defineSource<ModelSource>({
    ...session,
    models: described,
    capabilities: { synchronous: true },
    transaction: (work) => work({ ...session, db: 'inside' }),
    ping: () => undefined,
  })
  return { asked, source: renamedSource(source, renamed) }
}

const id: Condition = { op: 'eq', field: 'id', value: 1 }

/** Conditions on orders that use each place of a relation, by the names of either side. */
const condition = (store: string, purchases: string, labels: string, purchase: string): Condition => ({
  op: 'and',
  conditions: [
    id,
    { op: 'not', condition: { op: 'related', relation: store, condition: id } },
    {
      op: 'tie',
      field: 'id',
      value: 1,
      condition: {
        op: 'or',
        conditions: [
          {
            op: 'related',
            relation: store,
            condition: { op: 'related', relation: purchases, condition: id },
          },
        ],
      },
    },
    {
      op: 'related',
      relation: labels,
      condition: {
        op: 'related',
        relation: 'orders',
        condition: { op: 'related', relation: labels, condition: id },
      },
      link: { op: 'related', relation: purchase, condition: id },
    },
  ],
})

const outside = condition('store', 'purchases', 'labels', 'purchase')
const inSource = condition('shop', 'orders', 'tags', 'order')

const orders = renamed[1] ?? described[0]

const storeOf = ({ source }: ReturnType<typeof recording>): Required<RecordStore> => {
  if (orders === undefined) throw new Error('no model')
  return source.store(orders) as Required<RecordStore>
}

it('conditions reach the source with its names, in every statement', () => {
  const recorded = recording()
  const store = storeOf(recorded)
  const page = { order: [], limit: 1, offset: 0 }
  store.list({ ...page, filter: outside }, outside)
  store.count(outside, outside, 5)
  store.estimate(outside)
  store.read([1], outside, 'lock')
  store.create({ id: 1 })
  store.update([1], { id: 2 }, outside)
  store.remove([1], outside)
  store.take([1], outside)
  store.aggregate(
    { filter: outside, groups: [], aggregates: [], order: [], limit: 1, timezone: 'UTC' },
    outside,
    undefined,
  )
  expect(recorded.asked).toEqual([
    ['list', { ...page, filter: inSource }, inSource, undefined],
    ['count', inSource, inSource, 5],
    ['estimate', inSource],
    ['read', [1], inSource, 'lock'],
    ['create', { id: 1 }],
    ['update', [1], { id: 2 }, inSource],
    ['remove', [1], inSource],
    ['take', [1], inSource],
    [
      'aggregate',
      { filter: inSource, groups: [], aggregates: [], order: [], limit: 1, timezone: 'UTC' },
      inSource,
      undefined,
    ],
  ])
})

it('related records are asked for and sorted by the names of the source, and come back with the others', () => {
  const recorded = recording()
  const store = storeOf(recorded)
  const guard: Condition = { op: 'related', relation: 'purchases', condition: id }
  const guardInSource: Condition = { op: 'related', relation: 'orders', condition: id }
  const to = (relation: string, own: Condition) => ({ relation, records: [[1], [2]], guard: own })
  const order = (relation: string, own: Condition) =>
    [
      { field: 'id', direction: 'asc', via: [{ relation, guard: own }] },
      { field: 'id', direction: 'asc' },
    ] as const
  const page = { limit: 1, offset: 0, filter: everything }

  expect(store.list({ ...page, order: order('store', guard) }, everything)).toEqual([
    { id: 1, 'store.id': 7 },
    { id: 2, 'store.id': 8 },
  ])
  expect(
    store.related(to('store', guard), { ...page, filter: guard, order: order('purchases', outside) }),
  ).toEqual([[{ id: 4, 'purchases.id': 1 }], []])
  store.countRelated(
    { ...to('labels', everything), link: { op: 'related', relation: 'purchase', condition: id } },
    everything,
  )
  expect(recorded.asked).toEqual([
    ['list', { ...page, order: order('shop', guardInSource) }, everything, undefined],
    [
      'related',
      to('shop', guardInSource),
      { ...page, filter: guardInSource, order: order('orders', inSource) },
      undefined,
    ],
    [
      'countRelated',
      { ...to('tags', everything), link: { op: 'related', relation: 'order', condition: id } },
      everything,
    ],
  ])
})

it('the stores of a transaction translate too, and its handle is that of the source', () => {
  const recorded = recording()
  recorded.source.transaction((inside) => {
    expect(inside.db).toBe('inside')
    if (orders !== undefined) inside.store(orders).remove([1], outside)
  })
  expect(recorded.asked).toEqual([['remove', [1], inSource]])
})

it('what has nothing to translate is passed on as it is', () => {
  const recorded = recording()
  const filter: Condition = { op: 'and', conditions: [id, { op: 'not', condition: id }] }
  storeOf(recorded).count(filter, everything)
  const [[, given, guard] = []] = recorded.asked as readonly (readonly unknown[])[]
  expect(given).toBe(filter)
  expect(guard).toBe(everything)
})
