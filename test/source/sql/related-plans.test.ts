import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { beforeEach, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { type Condition, everything } from '../../../src/query/ast.ts'
import type { ModelSource, RecordStore, Row } from '../../../src/source/source.ts'

const orders = sqliteTable('orders', { id: integer().primaryKey(), name: text() })
const columns = {
  id: integer().primaryKey(),
  orderId: integer('order_id').references(() => orders.id),
}
const items = sqliteTable('items', columns, (table) => [index('items_order').on(table.orderId)])
const unindexed = sqliteTable('items', columns)
const owned = (by: 'tenant' | 'key and tenant') =>
  sqliteTable('items', { ...columns, tenant: integer() }, (table) => [
    index('items_order').on(table.orderId),
    by === 'tenant'
      ? index('items_owned').on(table.tenant)
      : index('items_owned').on(table.orderId, table.tenant),
  ])

let statements: { readonly query: string; readonly values: readonly unknown[] }[]
let client: Database.Database

beforeEach(() => {
  statements = []
  client = new Database(':memory:')
  client.exec(`create table orders (id integer primary key, name text);
    create table items (id integer primary key, order_id integer references orders (id))`)
})

const open = (table: typeof items | typeof unindexed | ReturnType<typeof owned>): RecordStore => {
  const logger = { logQuery: (query: string, values: unknown[]) => void statements.push({ query, values }) }
  const source: ModelSource = drizzleModels(drizzle(client, { logger }), { orders, items: table })
  const [model] = source.models
  if (model === undefined) throw new Error((source.notes ?? []).join())
  return source.store(model)
}

/** How SQLite goes about the last statement. */
const plan = (): string => {
  const { query = '', values = [] } = statements.at(-1) ?? {}
  const steps = client.prepare(`explain query plan ${query}`).all(...values) as { detail: string }[]
  return steps.map(({ detail }) => detail).join('; ')
}

const to = { relation: 'items', records: [[1], [2], [3]], guard: everything }
const ofTenant: Condition = { op: 'eq', field: 'tenant', value: 1 }
const selection = {
  ...{ filter: everything, limit: 5, offset: 0 },
  order: [{ field: 'id', direction: 'asc' }] as const,
}

it('few related records are read by the index of the foreign key, whatever other index a guard would suit', () => {
  client.exec(`alter table items add column tenant integer; create index items_order on items (order_id);
    create index items_owned on items (tenant)`)
  const store = open(owned('tenant'))
  store.related?.({ ...to, guard: ofTenant }, selection)
  expect(plan()).toMatch(/^SEARCH related USING (COVERING )?INDEX items_order \(order_id=\?\)/)
  expect(plan()).not.toMatch(/TEMP B-TREE/)
  store.countRelated?.(to, everything)
  expect(plan()).toMatch(/SEARCH related USING COVERING INDEX items_order \(order_id=\?\)/)
  expect(statements).toHaveLength(2)
})

it('related records that an index of their own finds are searched for each record, whatever else belongs to it', () => {
  client.exec(`alter table items add column tenant integer; create index items_order on items (order_id);
    create index items_owned on items (order_id, tenant)`)
  const store = open(owned('key and tenant'))
  const only: Condition = { op: 'eq', field: 'id', value: 7 }
  store.related?.({ ...to, guard: ofTenant }, selection)
  expect(plan()).toMatch(/SEARCH matching USING COVERING INDEX items_owned \(order_id=\? AND tenant=\?\)/)
  store.related?.({ ...to, guard: ofTenant }, { ...selection, filter: { op: 'not', condition: only } })
  store.related?.(to, { ...selection, filter: only })
  expect(plan()).toMatch(/SEARCH matching USING INTEGER PRIMARY KEY \(rowid=\?\)/)
  expect(statements).toHaveLength(3)
})

/** One record has so many related ones, and another one has one. */
const openWith = (many: number): RecordStore => {
  client.exec('create index items_order on items (order_id); insert into orders (id) values (1), (2), (3)')
  for (let id = 1; id <= many; id += 1) client.exec(`insert into items values (${id}, 1)`)
  client.exec('insert into items values (1000, 2)')
  return open(items)
}

const idsOf = (lists: unknown): unknown =>
  (lists as readonly (readonly Row[])[]).map((list) => list.map(({ id }) => id))

it('each record has its first related ones, also where one of them has more than the others together', () => {
  const store = openWith(14)
  expect(idsOf(store.related?.(to, selection))).toEqual([[1, 2, 3, 4, 5], [1000], []])
  expect(statements).toHaveLength(1)
})

it('many related records are searched for each record, by the index of the foreign key', () => {
  const store = openWith(15)
  const expected = [[1, 2, 3, 4, 5], [1000], []]
  expect(idsOf(store.related?.(to, selection))).toEqual(expected)
  expect(plan()).toMatch(/SEARCH matching USING COVERING INDEX items_order \(order_id=\?\)/)
  expect(plan()).toMatch(/SEARCH related USING INTEGER PRIMARY KEY/)
  // The first statement found too many, and is not tried the next time.
  expect(statements).toHaveLength(2)
  expect(idsOf(store.related?.(to, selection))).toEqual(expected)
  expect(statements).toHaveLength(3)
})

it('a single record is never found to have too many', () => {
  const store = openWith(15)
  const only = { ...to, records: [[1]] }
  expect(idsOf(store.related?.(only, selection))).toEqual([[1, 2, 3, 4, 5]])
  expect(statements).toHaveLength(1)
})

it('without an index, the table of the related records is read once, and the list of records once', () => {
  const store = open(unindexed)
  const once = (name: string) =>
    new RegExp(`SCAN ${name}; .*SCAN record; .*SEARCH ${name} USING AUTOMATIC COVERING INDEX`)
  store.related?.(to, selection)
  expect(plan()).toMatch(once('matching'))
  expect(plan()).toMatch(/SEARCH related USING INTEGER PRIMARY KEY/)
  store.countRelated?.(to, everything)
  expect(plan()).toMatch(once('related'))
  expect(statements).toHaveLength(2)
})

it('without an index, keys may be the row ids of SQLite, and tables have any name', () => {
  const found = sqliteTable('found', {
    rowid: integer('rowid').primaryKey(),
    orderId: integer('order_id').references(() => orders.id),
  })
  client.exec('create table found (order_id integer references orders (id))')
  client.exec('insert into orders (id) values (1), (2), (3); insert into found values (1), (2), (1)')
  const source: ModelSource = drizzleModels(drizzle({ client }), { orders, found })
  const [model] = source.models.filter(({ name }) => name === 'Order')
  const relation = model?.relations[0]?.name ?? ''
  const lists = source
    .store(model ?? expect.unreachable())
    .related?.({ ...to, relation }, { ...selection, order: [{ field: 'rowid', direction: 'desc' }] })
  expect(lists).toMatchObject([[{ rowid: 3 }, { rowid: 1 }], [{ rowid: 2 }], []])
})

it('lists of any number of records are one statement for each thousand', () => {
  const records = Array.from({ length: 2001 }, (_, place) => [place])
  expect(open(items).related?.({ ...to, records }, selection)).toHaveLength(2001)
  expect(statements).toHaveLength(3)
})

const having = (condition: Condition): Condition => ({ op: 'related', relation: 'items', condition })
const above: Condition = { op: 'gt', field: 'id', value: 5 }

it('a page of records that have related ones searches the index for each, and begins at once', () => {
  client.exec('create index items_order on items (order_id)')
  open(items).list({ ...selection, filter: having(above) }, everything)
  expect(plan()).toMatch(/^SCAN orders; .*SEARCH related1 .*COVERING INDEX items_order/)
})

it('a record behind a guard over a relation is found without reading other records', () => {
  client.exec('create index items_order on items (order_id)')
  const store = open(items)
  store.read([1], having(above))
  expect(plan()).toMatch(/SEARCH orders .*SEARCH related1 EXISTS USING COVERING INDEX items_order/)
  store.read([1], having({ op: 'eq', field: 'orderId', value: 1 }))
  expect(plan()).toMatch(/SEARCH related1 EXISTS/)
  store.update([1], { name: 'x' }, having(above))
  expect(plan()).toMatch(/SEARCH orders .*SEARCH related1 USING COVERING INDEX items_order/)
})

it('the related table is read once where no index helps, all records are read, or an index finds few', () => {
  open(unindexed).list({ ...selection, filter: having(above) }, everything)
  expect(plan()).toMatch(/LIST SUBQUERY/)
  const store = open(items)
  store.count(having(above), everything)
  expect(plan()).toMatch(/LIST SUBQUERY/)
  store.list({ ...selection, filter: having({ op: 'eq', field: 'id', value: 5 }) }, everything)
  expect(plan()).toMatch(/LIST SUBQUERY/)
})
