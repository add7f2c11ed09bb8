import pg from 'pg'
import { openFile } from './sides/open-file.ts'
import type { Maybe } from './sides/statements.ts'

type Row = Readonly<Record<string, unknown>>
type Run = (...values: readonly (number | string)[]) => Maybe<readonly Row[]>

/** The statements that one would write by hand for the same responses. Each is prepared once. */
export interface Statements {
  /** After an id, 20 of them. */
  readonly orders: Run
  readonly inCity: Run
  readonly withItem: Run
  readonly byCustomer: Run
  /** The other statements get the keys of the page. */
  readonly customers: (ids: readonly unknown[]) => Maybe<readonly Row[]>
  readonly products: (ids: readonly unknown[]) => Maybe<readonly Row[]>
  readonly items: (ids: readonly unknown[]) => Maybe<readonly Row[]>
  readonly counts: (ids: readonly unknown[]) => Maybe<readonly Row[]>
}

const order = 'orders.id, orders.customer_id, orders.status'
const item = 'id, order_id, product_id, quantity, price'

/** At most 21 items of each order, to see whether there are more than 20. */
const itemsOf = {
  sqlite: `select items.* from json_each(?) as o cross join items on items.id in
    (select id from items as own where own.order_id = o.value order by id limit 21) order by o.key, items.id`,
  postgres: `select found.* from unnest($1::int[]) as o (id), lateral
    (select ${item} from items where order_id = o.id order by id limit 21) as found`,
} as const

const texts = (among: string, at: (place: number) => string) => ({
  orders: `select ${order} from orders where id > ${at(1)} order by id limit 20`,
  inCity: `select ${order} from orders where exists (select 1 from customers c where c.id = customer_id and c.city = ${at(1)})
    order by id limit 20`,
  withItem: `select ${order} from orders where id > ${at(1)} and exists (select 1 from items i where i.order_id = orders.id
    and i.price > 900) order by id limit 20`,
  byCustomer: `select ${order} from orders join customers c on c.id = customer_id order by c.name, orders.id limit 20`,
  customers: `select id, name, city from customers where id ${among}`,
  products: `select id, name from products where id ${among}`,
  counts: `select order_id, count(*) as count from items where order_id ${among} group by order_id`,
})

const onSqlite = (file: string): Statements => {
  const db = openFile(file)
  const all = texts('in (select value from json_each(?))', () => '?')
  const run = (text: string): Run => {
    const statement = db.prepare<unknown[], Row>(text)
    return (...values) => statement.all(...values)
  }
  const withKeys = (text: string) => {
    const statement = run(text)
    return (ids: readonly unknown[]) => statement(JSON.stringify(ids))
  }
  return {
    ...{ orders: run(all.orders), inCity: run(all.inCity), withItem: run(all.withItem) },
    ...{ byCustomer: run(all.byCustomer), customers: withKeys(all.customers), counts: withKeys(all.counts) },
    ...{ products: withKeys(all.products), items: withKeys(itemsOf.sqlite) },
  }
}

const onPostgres = (url: string): Statements => {
  const pool = new pg.Pool({ connectionString: url })
  const all = texts('= any ($1::int[])', (place) => `$${place}`)
  const query =
    (text: string, name: string) =>
    async (...values: readonly unknown[]): Promise<readonly Row[]> =>
      (await pool.query<Record<string, unknown>>({ text, name, values: [...values] })).rows
  const withKeys = (text: string, name: string) => {
    const run = query(text, name)
    return (ids: readonly unknown[]) => run(ids)
  }
  return {
    ...{ orders: query(all.orders, 'orders'), inCity: query(all.inCity, 'inCity') },
    ...{ withItem: query(all.withItem, 'withItem'), byCustomer: query(all.byCustomer, 'byCustomer') },
    ...{ customers: withKeys(all.customers, 'customers'), products: withKeys(all.products, 'products') },
    items: withKeys(itemsOf.postgres, 'items'),
    counts: withKeys(all.counts.replace('count(*)', 'count(*)::int'), 'counts'),
  }
}

export const statementsOf = (kind: string, database: string): Statements =>
  kind === 'postgres' ? onPostgres(database) : onSqlite(database)

const keysIn = (rows: readonly Row[], name: string): readonly unknown[] => [
  ...new Set(rows.map((row) => row[name])),
]
const byKey = (rows: readonly Row[]): ReadonlyMap<unknown, Row> =>
  new Map(rows.map((row) => [row['id'], row]))

export const withCustomers = async (s: Statements, orders: readonly Row[]): Promise<readonly Row[]> => {
  const customers = byKey(await s.customers(keysIn(orders, 'customer_id')))
  return orders.map((row) => ({ ...row, customer: customers.get(row['customer_id']) ?? null }))
}

export const withItems = async (
  s: Statements,
  orders: readonly Row[],
  complete: (items: readonly Row[]) => Maybe<readonly Row[]> = (items) => items,
): Promise<readonly Row[]> => {
  const lists = new Map<unknown, Row[]>(orders.map(({ id }) => [id, []]))
  for (const row of await complete(await s.items(keysIn(orders, 'id')))) lists.get(row['order_id'])?.push(row)
  return orders.map((row) => {
    const items = lists.get(row['id']) ?? []
    const _related = { items: { has_more: items.length > 20 } }
    return { ...row, items: items.slice(0, 20), _related }
  })
}

export const withProducts = async (s: Statements, items: readonly Row[]): Promise<readonly Row[]> => {
  const products = byKey(await s.products(keysIn(items, 'product_id')))
  return items.map((row) => ({ ...row, product: products.get(row['product_id']) ?? null }))
}

export const withCounts = async (s: Statements, orders: readonly Row[]): Promise<readonly Row[]> => {
  const rows = await s.counts(keysIn(orders, 'id'))
  const counts = new Map(rows.map((row) => [row['order_id'], Number(row['count'])]))
  return orders.map((row) => {
    const count = counts.get(row['id']) ?? 0
    return { ...row, items: [], _related: { items: { has_more: count > 0, count, count_exact: true } } }
  })
}
