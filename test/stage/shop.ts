import { counted, type Declared, int, maybe, text, to } from './columns.ts'
import type { Row } from './databases.ts'
import { type Around, declare } from './declared.ts'
import { inTest, kindsOf, pairOf, type Service, type ServiceOptions, startsOf } from './service.ts'

export { refusalOf } from './service.ts'

const tenant = int({ default: 1 })

/**
 * Orders with items whose key the database counts, notes whose key is that of their order and a number that clients choose, and
 * labels whose key clients choose. Tags through a join table that holds more than keys.
 */
const declared: Declared = {
  orders: { id: counted, tenant, title: text(40) },
  products: { id: counted, tenant, name: text(40) },
  items: {
    ...{ id: counted, orderId: to('orders'), productId: to('products', { nullable: true }), tenant },
    ...{
      sku: maybe(20, { unique: true }),
      price: int({ check: 'price < 1000' }),
      quantity: int({ default: 1 }),
    },
  },
  notes: { orderId: to('orders', { key: 'given' }), line: int({ key: 'given' }), text: text(40) },
  labels: {
    ...{ code: text(20, { key: 'given' }), orderId: to('orders', { nullable: true }), text: maybe(40) },
  },
  tags: { id: counted, tenant, name: text(40) },
  orderTags: {
    ...{ orderId: to('orders', { key: 'given' }), tagId: to('tags', { key: 'given' }) },
    weight: int({ default: 5 }),
  },
}

/** Orders 1 and 2, products 1 and 2 (2 of another tenant), tags 1 to 4 (4 of another tenant). */
const around: Around = {
  names: { items: 'order_items', notes: 'order_notes', labels: 'order_labels' },
  rows: [
    "insert into orders (title) values ('one'), ('two')",
    "insert into products (tenant, name) values (1, 'lamp'), (2, 'desk')",
    "insert into tags (tenant, name) values (1, 'a'), (1, 'b'), (1, 'c'), (2, 'd')",
  ],
}

/** A running shop whose orders are written with their items, notes, labels and tags. */
export interface Shop extends Service {
  /** The records of an order, without their keys, in order. */
  itemsOf(order: number): Promise<readonly Row[]>
  tagsOf(order: number): Promise<readonly unknown[]>
}

export interface ShopOptions extends ServiceOptions {
  /** Whether all models take writes of many records. @default false */
  readonly bulk?: boolean
}

export const write = ['items', 'notes', 'labels', 'tags'] as const

const models = ['Order', 'Product', 'Item', 'Note', 'Label', 'Tag']

const starts = startsOf(declared, around)

export type StartShop = (options?: ShopOptions) => Promise<Shop>

const shopOn =
  (name: keyof typeof starts): StartShop =>
  async ({ bulk = false, modelConfig, ...options } = {}) => {
    const config = { Order: { write }, ...modelConfig } as Readonly<Record<string, object>>
    const own = bulk
      ? Object.fromEntries(models.map((model) => [model, { bulk, ...config[model] }]))
      : undefined
    const service = await starts[name]({ ...options, modelConfig: { ...config, ...own } as never })
    const { rows } = service
    return {
      ...service,
      itemsOf: (order) =>
        rows(
          `select id, product_id, sku, price, quantity from order_items where order_id = ${order} order by id`,
        ),
      tagsOf: async (order) =>
        (await rows(`select tag_id, weight from order_tags where order_id = ${order} order by tag_id`)).map(
          ({ tag_id, weight }) => (weight === 5 ? tag_id : [tag_id, weight]),
        ),
    }
  }

/** The shop on each database. */
export const shops = {
  ...{ sqlite: shopOn('sqlite'), oneTick: shopOn('oneTick'), pglite: shopOn('pglite') },
  ...{ postgres: shopOn('postgres'), mariadb: shopOn('mariadb'), mysql: shopOn('mysql') },
} as const

/** On a driver that returns values, and on one that returns promises. */
export const bothShops = pairOf(shops)

/** On a database without RETURNING too. */
export const everyShop = kindsOf(shops)

/** Starts a shop, which ends with the test. */
export const open = (start: StartShop, options?: ShopOptions): Promise<Shop> => inTest(start(options))

/** The tables of the shop. */
export const shopTables = declare(declared, around)
