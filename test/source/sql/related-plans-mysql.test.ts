import { char, int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import type mysql from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Condition, everything } from '../../../src/query/ast.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { type OpenMysql, openMysql } from '../drizzle/open-mysql.ts'

const products = mysqlTable('products', { id: int().primaryKey(), name: varchar({ length: 20 }).notNull() })
const orders = mysqlTable('orders', {
  code: varchar({ length: 20 }).primaryKey(),
  productId: int('product_id').references(() => products.id),
})
const items = mysqlTable('items', {
  id: int().primaryKey(),
  orderCode: varchar('order_code', { length: 20 })
    .notNull()
    .references(() => orders.code),
  productId: int('product_id')
    .notNull()
    .references(() => products.id),
  place: char({ length: 3 }).notNull(),
})

/** 500 orders with an item each, and one with 4,000. */
const create = [
  'create table numbers (seq int primary key)',
  'insert into numbers with recursive n as (select 1 as seq union all select seq + 1 from n where seq < 1000) select seq from n',
  'create table products (id int primary key, name varchar(20) not null)',
  `create table orders (code varchar(20) character set latin1 primary key, product_id int,
    foreign key (product_id) references products (id))`,
  `create table items (id int primary key, order_code varchar(20) character set latin1 not null, product_id int not null,
    place char(3) not null, foreign key (order_code) references orders (code), foreign key (product_id) references products (id))`,
  `insert into products select seq, concat('p', seq % 5) from numbers where seq <= 50`,
  `insert into orders select concat('ö', seq), 1 + seq % 50 from numbers where seq <= 501`,
  `insert into items select seq, concat('ö', seq), 1 + seq % 50, 'x' from numbers where seq <= 500`,
  ...[1, 2, 3, 4].map(
    (turn) => `insert into items select ${turn} * 1000 + seq, 'ö501', 1 + seq % 50, 'x' from numbers`,
  ),
  'analyze table products, orders, items',
]

const named = (name: string): Condition => ({
  op: 'related',
  relation: 'product',
  condition: { op: 'ne', field: 'name', value: name },
})
const nested: Condition = { op: 'and', conditions: [named('p1'), named('p2')] }
const selection = {
  ...{ filter: everything, limit: 3, offset: 0 },
  order: [{ field: 'id', direction: 'asc' }] as const,
}

onEachMysql('lists of related records', (kind) => {
  let statements: string[]
  let opened: OpenMysql

  beforeAll(async () => {
    const logQuery = (query: string): void => void statements.push(query)
    // The counters of a statement are those of its connection.
    const options = { connectionLimit: 1 }
    const tables = { orders, items, products }
    opened = await openMysql(create, tables, { kind, collation: 'as the server does', options, logQuery })
  })
  afterAll(() => opened.close())
  beforeEach(() => {
    statements = []
  })

  const codes = (from: number, count: number) =>
    Array.from({ length: count }, (_, place) => [`ö${from + place}`])

  /** How often the statements name the products. */
  const mentions = (): number => statements.join().split('`products`').length - 1

  /** The rows that the server reads for a statement, those of its own tables included. */
  const rowsRead = async (act: () => unknown): Promise<number> => {
    await opened.pool.query('flush status')
    await act()
    const [rows] = await opened.pool.query<mysql.RowDataPacket[]>(`show session status like 'Handler_read%'`)
    return rows.reduce((sum, row) => sum + Number(row['Value']), 0)
  }

  it('have each condition over a relation once, whatever the number of records', async () => {
    const ask = async (count: number) => {
      statements = []
      const to = { relation: 'items', records: codes(1, count), guard: named('p3') }
      const found = await opened.store.related?.(to, { ...selection, filter: nested })
      const counts = await opened.store.countRelated?.(to, nested)
      return { found, counts, statements: statements.length, mentions: mentions() }
    }
    const [few, many] = [await ask(2), await ask(500)]
    expect(many).toMatchObject({ statements: 2, mentions: few.mentions })
    const expected = Array.from({ length: 500 }, (_, at) => Number(![1, 2, 3].includes((at + 2) % 5)))
    expect(many.found?.map((list) => list.length)).toEqual(expected)
    expect(many.counts).toEqual(expected)
  })

  it('of one record each have the scope of the other model once', async () => {
    const records = Array.from({ length: 50 }, (_, at) => [at + 1])
    const guard: Condition = { op: 'related', relation: 'items', condition: named('p1') }
    const found = await opened.store.related?.(
      { relation: 'product', records, guard },
      { ...selection, limit: 1 },
    )
    expect(found?.map((list) => list.length)).toEqual(records.map(([id = 0]) => Number(id % 5 !== 1)))
    expect(statements).toHaveLength(1)
    expect(statements.join().split('`items`').length - 1).toBeLessThan(5)
  })

  it('search the index of the foreign key, also where a condition is over a relation', async () => {
    const to = { relation: 'items', records: codes(1, 10), guard: everything }
    expect(await rowsRead(() => opened.store.related?.(to, { ...selection, filter: nested }))).toBeLessThan(
      500,
    )
    expect(await rowsRead(() => opened.store.countRelated?.(to, nested))).toBeLessThan(500)
  })

  it.each([
    ['of several records', codes(492, 10)],
    ['of one record', codes(501, 1)],
  ])('%s read no more than their limit without such a condition', async (_of, records) => {
    const to = { relation: 'items', records, guard: everything }
    const filter: Condition = { op: 'eq', field: 'place', value: 'x' }
    expect(await rowsRead(() => opened.store.related?.(to, { ...selection, filter }))).toBeLessThan(100)
  })
})
