import { type ControllerClass, controllerFor } from '../../../src/index.ts'
import { type TestApiOptions, testApi } from '../../../src/testing/index.ts'
import { counted, type Declared, int, maybe, text, to } from '../../stage/columns.ts'
import { openSqlite } from '../../stage/databases.ts'
import { declare } from '../../stage/declared.ts'

const key = { key: 'given' } as const
const nullable = { nullable: true } as const

/** Relations of every form. */
const declared: Declared = {
  customers: {
    ...{
      id: counted,
      name: text(),
      tenant: int({ default: 1 }),
      secret: text(undefined, { default: 'hush' }),
    },
    photo: maybe('image'),
  },
  orders: {
    ...{ id: counted, customer_id: to('customers', nullable), status: text(undefined, { default: 'open' }) },
  },
  products: { id: counted, name: text() },
  order_items: {
    ...{ id: counted, order_id: to('orders'), product_id: to('products', nullable), price: int() },
  },
  tags: { id: counted, name: text() },
  order_tags: { order_id: to('orders', key), tag_id: to('tags', key), weight: int({ default: 0 }) },
  staff: { id: counted, name: text(), boss_id: to('staff', nullable) },
  // Its keys are texts.
  words: { word: text(undefined, key), meaning: text() },
  rooms: { house: text(undefined, key), number: int(key) },
  bookings: { id: counted, house: maybe('text'), number: maybe('int') },
}

export const { tables, ddl } = declare(declared, {
  pairs: { bookings: [['house', 'number'], 'rooms'] },
  rows: [
    `insert into customers (id, name, tenant) values (1, 'Ada', 1), (2, 'Bob', 2), (3, 'Cy', 1)`,
    `insert into orders values (1, 1, 'open'), (2, 2, 'open'), (3, null, 'done'), (4, 1, 'done')`,
    `insert into products values (1, 'Lamp'), (2, 'Chair')`,
    `insert into order_items values (1, 1, 1, 10), (2, 1, 2, 20), (3, 1, null, 30), (4, 2, 1, 5)`,
    `insert into tags values (1, 'red'), (2, 'new')`,
    `insert into order_tags values (1, 1, 5), (1, 2, 6), (2, 2, 7)`,
    `insert into staff values (1, 'Top', null), (2, 'Mid', 1), (3, 'Low', 2)`,
    `insert into rooms values ('a', 1), ('a', 2), ('b', 1)`,
    `insert into bookings values (1, 'a', 1), (2, 'a', 1), (3, 'b', null), (4, null, null)`,
  ],
}).sqlite

/** A shop with relations of every form, in memory. */
export const openShop = () => {
  const statements: string[] = []
  const shop = openSqlite(tables, ddl, { onStatement: (sql) => statements.push(sql) })
  shop.client.pragma('foreign_keys = on')
  return { ...shop, statements }
}

type Options = Omit<TestApiOptions<unknown>, 'models'>

type Item = Readonly<Record<string, unknown>>

/** An API of the shop, and what it has logged. */
export const onShop = async (options: Options = {}, hooks: Readonly<Record<string, object>> = {}) => {
  const shop = openShop()
  const lines: string[] = []
  const note = (line: string, error?: unknown): void => void lines.push(`${line} ${error}`)
  const controllers = Object.entries(hooks).map(([model, parts]) =>
    (controllerFor as (model: string, parts: object) => ControllerClass)(model, parts),
  )
  const api = await testApi({
    ...{ models: shop.models, controllers, log: { info: note, warn: note, error: note } },
    ...options,
  })
  return {
    ...shop,
    api,
    lines,
    /** The JSON of a response that must succeed. */
    async get(path: string): Promise<Item & { readonly items: readonly Item[] }> {
      const { status, json, text } = await api.get(path)
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
      return json as Item & { readonly items: readonly Item[] }
    },
    async stop(): Promise<void> {
      await api.close()
      shop.client.close()
    },
  }
}
