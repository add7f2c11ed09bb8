import { drizzle } from 'drizzle-orm/node-postgres'
import { bigint, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { type Condition, everything } from '../../../src/query/ast.ts'
import type { RecordStore, Row } from '../../../src/source/source.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

const orders = pgTable('orders', { id: integer().primaryKey(), code: uuid().notNull().unique() })
const items = pgTable(
  'items',
  {
    id: integer().primaryKey(),
    order: integer()
      .notNull()
      .references(() => orders.id),
    price: integer().notNull(),
  },
  (table) => [index('items_order').on(table.order, table.id)],
)
/** Its type is wider than that of the key of an order. */
const notes = pgTable(
  'notes',
  {
    id: integer().primaryKey(),
    order: bigint({ mode: 'number' })
      .notNull()
      .references(() => orders.id),
  },
  (table) => [index('notes_order').on(table.order)],
)
const parcels = pgTable(
  'parcels',
  {
    id: integer().primaryKey(),
    code: uuid()
      .notNull()
      .references(() => orders.code),
  },
  (table) => [index('parcels_code').on(table.code)],
)
const labels = pgTable('labels', { id: integer().primaryKey() })
const labelled = pgTable(
  'labelled',
  {
    order: integer()
      .notNull()
      .references(() => orders.id),
    label: integer()
      .notNull()
      .references(() => labels.id),
  },
  (table) => [primaryKey({ columns: [table.order, table.label] })],
)
const tables = { orders, items, notes, parcels, labels, labelled }

const ORDERS = 20_000

/** The last order has as many items as all others. */
const create = `
  create table orders (id integer primary key, code uuid not null unique);
  create table items (id integer primary key, "order" integer not null references orders, price integer not null);
  create table notes (id integer primary key, "order" bigint not null);
  create table parcels (id integer primary key, code uuid not null references orders (code));
  create table labels (id integer primary key);
  create table labelled ("order" integer references orders, label integer references labels, primary key ("order", label));
  insert into orders select i, lpad(to_hex(i), 32, '0')::uuid from generate_series(1, ${ORDERS}) i;
  insert into items select i, least((i + 4) / 5, ${ORDERS}), i * 13 % 1000 from generate_series(1, ${10 * ORDERS}) i;
  insert into notes select i, i from generate_series(1, ${ORDERS}) i;
  insert into parcels select i, lpad(to_hex(i), 32, '0')::uuid from generate_series(1, ${ORDERS}) i;
  insert into labels values (1), (2);
  insert into labelled select i, 1 from generate_series(1, ${ORDERS}) i;
  create index items_order on items ("order", id);
  create index notes_order on notes ("order");
  create index parcels_code on parcels (code);
  analyze`

const after = (value: unknown, field = 'id'): Condition => ({ op: 'gt', field, value })
const related = (relation: string, condition: Condition = everything): Condition => ({
  ...{ op: 'related', relation, condition },
})
const dear = related('items', { op: 'gt', field: 'price', value: 900 })
const all = (...conditions: readonly Condition[]): Condition => ({ op: 'and', conditions })

onPostgres('ranges of records that PostgreSQL joins with related ones', () => {
  let statements: { readonly query: string; readonly values: readonly unknown[] }[]
  let pool: pg.Pool
  let drop: () => Promise<void>
  let store: RecordStore

  beforeAll(async () => {
    const database = await createDatabase('ranges')
    drop = database.drop
    pool = new pg.Pool({ connectionString: database.url, max: 2 })
    await pool.query(create)
    const logger = { logQuery: (query: string, values: unknown[]) => void statements.push({ query, values }) }
    const source = drizzleModels(drizzle(pool, { logger }), tables)
    const [model] = source.models
    if (model === undefined) throw new Error((source.notes ?? []).join())
    store = source.store(model)
  })
  afterAll(async () => {
    await pool.end()
    await drop()
  })
  beforeEach(() => {
    statements = []
  })

  const list = async (filter: Condition, guard = everything, field = 'id'): Promise<readonly Row[]> =>
    store.list({ filter, order: [{ field, direction: 'asc' }], limit: 20, offset: 0 }, guard)
  const ids = async (...question: Parameters<typeof list>): Promise<readonly unknown[]> =>
    (await list(...question)).map((row) => row['id'])
  const last = () => statements.at(-1) ?? { query: '', values: [] }

  interface Plan {
    readonly 'Relation Name'?: string
    readonly 'Actual Rows': number
    readonly 'Actual Loops': number
    readonly 'Rows Removed by Filter'?: number
    readonly Plans?: readonly Plan[]
  }

  /** How many rows of a table the last statement has read. */
  const read = async (table: string): Promise<number> => {
    const { query, values } = last()
    const { rows } = await pool.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      `explain (analyze, format json) ${query}`,
      [...values],
    )
    const readBy = (plan: Plan): number => {
      const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      const below = (plan.Plans ?? []).map(readBy)
      return below.reduce((sum, count) => sum + count, plan['Relation Name'] === table ? own : 0)
    }
    const [whole] = rows
    if (whole === undefined) throw new Error('There is no plan.')
    return readBy(whole['QUERY PLAN'][0].Plan)
  }

  it('a page far into a list reads only the related records of that page', async () => {
    const found = await ids(all(after(15_000), dear))
    expect(found).toHaveLength(20)
    expect(Number(found.at(-1))).toBeLessThan(15_300)
    expect(await read('items')).toBeLessThan(2000)
  })

  it('whether the filter or the guard has the range, or the relation', async () => {
    const expected = await ids(all(after(15_000), dear))
    for (const [filter, guard] of [
      [after(15_000), dear],
      [dear, after(15_000)],
    ] as const) {
      expect(await ids(filter, guard)).toEqual(expected)
      expect(await read('items')).toBeLessThan(2000)
    }
  })

  it('several ranges, one of which ends', async () => {
    const expected = (await ids(all(after(15_000), dear))).filter((id) => Number(id) <= 15_050)
    expect(expected.length).toBeGreaterThan(2)
    expect(await ids(all(after(15_000), { op: 'le', field: 'id', value: 15_050 }, dear))).toEqual(expected)
    expect(last().values.filter((value) => value === 15_050)).toHaveLength(2)
  })

  it('a range of other keys of the same type, and of a join table', async () => {
    const code = '00000000-0000-0000-0000-000000003a98'
    expect(await ids(all(after(code, 'code'), related('parcels')), everything, 'code')).toHaveLength(20)
    expect(last().values.filter((value) => value === code)).toHaveLength(2)
    expect(await read('parcels')).toBeLessThan(2000)
    expect(await ids(all(after(15_000), related('labels')))).toHaveLength(20)
    expect(await read('labelled')).toBeLessThan(2000)
  })

  it('not one that only some of the records meet, of another type, or of another field', async () => {
    const values = async (...question: Parameters<typeof list>) => {
      await list(...question)
      return last().values.filter((value) => value === 15_000)
    }
    const either: Condition = { op: 'or', conditions: [after(15_000), dear] }
    expect(await values(either)).toHaveLength(1)
    expect(await values({ op: 'not', condition: all(after(15_000), dear) })).toHaveLength(1)
    expect(await values(all(after(15_000), related('notes')))).toHaveLength(1)
    expect(
      await values(related('items', all(after(15_000), { op: 'gt', field: 'price', value: 1 }))),
    ).toHaveLength(1)
  })

  it('records without a related one stay the same', async () => {
    const without: Condition = { op: 'not', condition: dear }
    const found = await ids(all(after(15_000), without))
    const { rows } = await pool.query<{ id: number }>(
      `select id from orders where id > 15000 and id not in (select "order" from items where price > 900) order by id limit 20`,
    )
    expect(found).toEqual(rows.map(({ id }) => id))
    expect(last().values.filter((value) => value === 15_000)).toHaveLength(2)
  })
})
