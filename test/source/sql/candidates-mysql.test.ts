import { int, mysqlTable, primaryKey, varchar } from 'drizzle-orm/mysql-core'
import type mysql from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Condition, everything, type Order } from '../../../src/query/ast.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { type OpenMysql, openMysql } from '../drizzle/open-mysql.ts'

const orders = mysqlTable('orders', {
  id: int().primaryKey(),
  status: varchar({ length: 10 }),
  tenant: int().notNull(),
})
const items = mysqlTable('items', {
  id: int().primaryKey(),
  order: int()
    .notNull()
    .references(() => orders.id),
  price: int().notNull(),
  productId: int()
    .notNull()
    .references(() => products.id),
})
const products = mysqlTable('products', { id: int().primaryKey(), name: varchar({ length: 10 }).notNull() })
const tags = mysqlTable('tags', { id: int().primaryKey(), name: varchar({ length: 10 }).notNull() })
const tagged = mysqlTable(
  'tagged',
  {
    order: int()
      .notNull()
      .references(() => orders.id),
    tag: int()
      .notNull()
      .references(() => tags.id),
  },
  (table) => [primaryKey({ columns: [table.order, table.tag] })],
)

const ORDERS = 4000

/** Each order has five items with the prices 1 to 5. Those of the last order cost 100. */
const create = [
  'create table numbers (seq int primary key)',
  'insert into numbers with recursive n as (select 1 as seq union all select seq + 1 from n where seq < 1000) select seq from n',
  ...[1, 2, 3].map(
    (turn) => `insert into numbers select seq + ${turn * 1000} from numbers where seq <= 1000`,
  ),
  'create table orders (id int primary key, status varchar(10), tenant int not null)',
  'create table products (id int primary key, name varchar(10) not null)',
  'create table tags (id int primary key, name varchar(10) not null)',
  `create table items (id int primary key, \`order\` int not null, price int not null, productId int not null,
    foreign key (\`order\`) references orders (id), foreign key (productId) references products (id))`,
  `create table tagged (\`order\` int not null, tag int not null, primary key (\`order\`, tag),
    foreign key (\`order\`) references orders (id), foreign key (tag) references tags (id))`,
  `insert into orders select seq, case seq % 3 when 0 then null when 1 then 'open' else 'done' end, seq % 2 from numbers`,
  `insert into products values (1, 'a'), (2, 'b')`,
  `insert into tags values (1, 'new'), (2, 'old')`,
  ...[1, 2, 3, 4, 5].map(
    (
      turn,
    ) => `insert into items select seq * 10 + ${turn}, seq, case when seq = ${ORDERS} then 100 else ${turn} end,
      1 + (seq + ${turn}) % 2 from numbers`,
  ),
  'insert into tagged select seq, 1 + seq % 2 from numbers',
  'analyze table orders, items, products, tags, tagged',
]

const related = (relation: string, condition: Condition): Condition => ({
  ...{ op: 'related', relation, condition },
})
const above = (price: number): Condition => related('items', { op: 'gt', field: 'price', value: price })
const after = (value: number): Condition => ({ op: 'gt', field: 'id', value })
const all = (...conditions: readonly Condition[]): Condition => ({ op: 'and', conditions })
const byId: readonly Order[] = [{ field: 'id', direction: 'asc' }]

onEachMysql('pages that are filtered over a to-many', (kind) => {
  let statements: string[]
  let opened: OpenMysql

  beforeAll(async () => {
    const logQuery = (query: string): void => void statements.push(query)
    // The counters of a statement are those of its connection.
    const options = { connectionLimit: 1 }
    opened = await openMysql(
      create,
      { orders, items, products, tags, tagged },
      { kind, options, logQuery, collation: 'as the server does' },
    )
  })
  afterAll(() => opened.close())
  beforeEach(() => {
    statements = []
  })

  interface Asked {
    readonly guard?: Condition
    readonly order?: readonly Order[]
    readonly limit?: number
    readonly offset?: number
  }

  const list = async (
    filter: Condition,
    { guard = everything, order = byId, limit = 20, offset = 0 }: Asked = {},
  ): Promise<readonly unknown[]> => {
    const rows = await opened.store.list({ filter, order, limit, offset }, guard)
    return rows.map((row) => row['id'])
  }

  /** The rows that the server reads for a statement, those of its own tables included. */
  const rowsRead = async (act: () => unknown): Promise<number> => {
    await opened.pool.query('flush status')
    await act()
    const [rows] = await opened.pool.query<mysql.RowDataPacket[]>(`show session status like 'Handler_read%'`)
    return rows.reduce((sum, row) => sum + Number(row['Value']), 0)
  }

  const first = (count: number, from: number, step = 1) =>
    Array.from({ length: count }, (_, at) => from + at * step)

  it.each([
    ['items', all(after(2000), above(4))],
    ['no such items', all(after(2000), { op: 'not', condition: above(6) })],
    [
      'items of a product',
      all(after(2000), related('items', related('product', { op: 'ne', field: 'name', value: 'c' }))),
    ],
    ['tags', all(after(2000), related('tags', { op: 'ne', field: 'name', value: 'none' }))],
  ])('read the candidates of the page, not all of the related records: %s', async (_of, filter) => {
    let found: readonly unknown[] = []
    expect(await rowsRead(async () => (found = await list(filter)))).toBeLessThan(8000)
    expect(found).toEqual(first(20, 2001))
    expect(statements).toHaveLength(1)
  })

  it('keep to the guard, in both of its parts', async () => {
    const tenant: Condition = { op: 'eq', field: 'tenant', value: 0 }
    expect(await list(above(4), { guard: tenant })).toEqual(first(20, 2, 2))
    const tag: Condition = related('tags', { op: 'eq', field: 'name', value: 'new' })
    expect(await list(above(4), { guard: tag })).toEqual(first(20, 2, 2))
    expect(statements).toHaveLength(2)
  })

  it('keep to the order and the offset', async () => {
    const order: readonly Order[] = [
      { field: 'status', direction: 'desc' },
      { field: 'id', direction: 'desc' },
    ]
    expect(await list(above(4), { order, offset: 5 })).toEqual(first(20, 3999 - 5 * 3, -3))
    expect(statements).toHaveLength(1)
  })

  it('are looked for among all records if the candidates do not fill them, which is not tried again soon', async () => {
    expect(await list(above(99))).toEqual([ORDERS])
    expect(statements).toHaveLength(2)
    expect(await list(above(99))).toEqual([ORDERS])
    expect(statements).toHaveLength(3)
    expect(await list(above(4))).toEqual(first(20, 1))
    expect(statements).toHaveLength(4)
    expect(await list(all(after(ORDERS - 3), above(4)))).toEqual(first(3, ORDERS - 2))
  })

  it('are one statement if they are large, or an index finds the few related records', async () => {
    await list(above(4), { limit: 1001 })
    await list(above(4), { limit: 0 })
    await list(related('items', { op: 'eq', field: 'productId', value: 9 }))
    await list({ op: 'eq', field: 'tenant', value: 1 })
    await list(above(4), { order: [] })
    expect(statements).toHaveLength(5)
    expect(statements.join()).not.toContain('modelrest_candidates')
  })
})
