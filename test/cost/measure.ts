// Measures what a request costs, in a process of its own: node <flags> test/cost/measure.ts [name of a plant]
import { Session } from 'node:inspector/promises'
import { getHeapStatistics } from 'node:v8'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify, { type InjectOptions } from 'fastify'
import { DataSource, EntitySchema } from 'typeorm'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest } from '../../src/entry/fastify.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import type { Cost, Kind } from './costs.ts'
import { plants } from './plants.ts'

const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: text({ length: 100 }).notNull(),
  category: text({ length: 20 }).notNull(),
  price: integer().notNull(),
  in_stock: integer({ mode: 'boolean' }).notNull(),
})

const customers = sqliteTable('customers', {
  id: integer().primaryKey(),
  name: text({ length: 100 }).notNull(),
})

const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  customer_id: integer()
    .notNull()
    .references(() => customers.id),
})

const items = sqliteTable(
  'items',
  {
    id: integer().primaryKey(),
    order_id: integer()
      .notNull()
      .references(() => orders.id),
    amount: integer().notNull(),
  },
  ({ order_id }) => [index('items_order').on(order_id)],
)

const Product = new EntitySchema<{ id: number; name: string; category: string; price: number }>({
  name: 'Product',
  tableName: 'products',
  columns: {
    id: { type: 'integer', primary: true, generated: 'increment' },
    name: { type: 'varchar', length: 100 },
    category: { type: 'varchar', length: 20 },
    price: { type: 'integer' },
  },
})

// Before anything is compiled: only what is compiled from now on counts its branches.
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

const ROWS = 1000
let statements = 0
const verbose = (): void => {
  statements += 1
}
const client = new Database(':memory:', { verbose })
client.exec(`create table products (id integer primary key, name text not null, category text not null,
    price integer not null, in_stock integer not null);
  with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
  insert into products select i, 'Product ' || i, 'c' || (i % 50), i * 7919 % ${ROWS}, i % 3 > 0 from n;
  create table customers (id integer primary key, name text not null);
  create table orders (id integer primary key, customer_id integer not null references customers (id));
  create table items (id integer primary key, order_id integer not null references orders (id), amount integer not null);
  create index items_order on items (order_id);
  insert into customers select id, name from products where id <= 30;
  insert into orders select id, 1 + id % 30 from products;
  insert into items select null, orders.id, 1 + orders.id % 9 from orders, (values (1), (2), (3), (4), (5))`)

const dataSource = await new DataSource({
  type: 'better-sqlite3',
  database: ':memory:',
  verbose,
  entities: [Product],
  synchronize: true,
}).initialize()
await dataSource.getRepository(Product).insert({ name: 'Desk lamp', category: 'c51', price: 990 })

const app = Fastify()
await app.register(
  async (api) => {
    const one = client.prepare('select 1')
    const name = process.argv[2]
    const plant = name === undefined ? undefined : plants[name]
    if (name !== undefined && plant === undefined) throw new Error(`There is no plant ${name}.`)
    plant?.(api, () => one.all())
    // Timers run more often per request on a slow machine.
    const settings = { MAX_WAITING: 0 }
    const tables = { products, customers, orders, items }
    await new ModelRest(api, { models: drizzleModels(drizzle({ client }), tables), settings }).init()
    await api.register(
      async (inner) => {
        await new ModelRest(inner, { models: typeormModels(dataSource), settings }).init()
      },
      { prefix: '/typeorm' },
    )
  },
  { prefix: '/api' },
)
// What Fastify and its injection cost alone is taken away from what is measured.
app.route({ method: ['GET', 'POST', 'PATCH'], url: '/bare', handler: (_request, reply) => reply.send('{}') })

const shared = { name: 'Desk lamp', category: 'c51', price: 990 }
const values = { ...shared, in_stock: true }
const kinds: Readonly<Record<Kind, (turn: number) => InjectOptions & { readonly url: string }>> = {
  'list with count': () => ({ url: '/api/products/?limit=20' }),
  'list without count': () => ({ url: '/api/products/?limit=20&count=none' }),
  'list with includes': () => ({ url: '/api/orders/?limit=20&count=none&include=customer,items' }),
  get: (turn) => ({ url: `/api/products/${1 + (turn % ROWS)}` }),
  create: () => ({ method: 'POST', url: '/api/products/', payload: values }),
  update: (turn) => ({
    method: 'PATCH',
    url: `/api/products/${1 + (turn % ROWS)}`,
    payload: { price: turn, in_stock: false },
  }),
  'create with TypeORM': () => ({ method: 'POST', url: '/api/typeorm/products/', payload: shared }),
  'update with TypeORM': (turn) => ({
    method: 'PATCH',
    url: '/api/typeorm/products/1',
    payload: { price: turn },
  }),
}

const send = async (options: InjectOptions): Promise<void> => {
  const { statusCode, body } = await app.inject(options)
  if (statusCode >= 300) throw new Error(`${statusCode}: ${body}`)
}

const names = Object.keys(kinds) as Kind[]
const ours = (name: Kind, requests: number) => async () => {
  for (let turn = 0; turn < requests; turn += 1) await send(kinds[name](turn))
}
const bare = (name: Kind, requests: number) => async () => {
  for (let turn = 0; turn < requests; turn += 1) await send({ ...kinds[name](turn), url: '/bare' })
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** What `act` adds to a number. */
const added = async (number: () => number, act: () => Promise<void>): Promise<number> => {
  const before = number()
  await act()
  return number() - before
}

/** Exact as long as nothing is collected in between. */
const allocated = (): number => getHeapStatistics().used_heap_size

const REQUESTS = 50
const ROUNDS = 3

const bytesOf = async (name: Kind): Promise<number> => {
  const differences: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    globalThis.gc?.({ type: 'minor' })
    const all = await added(allocated, ours(name, REQUESTS))
    globalThis.gc?.({ type: 'minor' })
    differences.push(all - (await added(allocated, bare(name, REQUESTS))))
  }
  return median(differences) / REQUESTS
}

/** How often functions were called, and the parts of functions entered: branches, and bodies of loops. */
const stepsOf = async (act: () => Promise<void>): Promise<number> => {
  await session.post('Profiler.takePreciseCoverage')
  await act()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith('file:') && url !== import.meta.url)
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}

for (const name of names) await ours(name, REQUESTS)()
const bytes = new Map<Kind, number>()
for (const name of names) bytes.set(name, await bytesOf(name))

const COUNTED = 30
const costs: [Kind, Cost][] = []
for (const name of names) {
  await stepsOf(ours(name, COUNTED))
  const steps = (await stepsOf(ours(name, COUNTED))) - (await stepsOf(bare(name, COUNTED)))
  const asked = await added(() => statements, ours(name, COUNTED))
  costs.push([
    name,
    { statements: asked / COUNTED, steps: steps / COUNTED, bytes: Math.round(bytes.get(name) ?? 0) },
  ])
}
process.stdout.write(JSON.stringify(Object.fromEntries(costs) satisfies Readonly<Record<string, Cost>>))
