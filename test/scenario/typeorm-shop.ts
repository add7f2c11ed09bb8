import {
  DataSource,
  type DataSourceOptions,
  type EntityManager,
  EntitySchema,
  type ObjectLiteral,
} from 'typeorm'
import { orderStatus } from '../../examples/shop/models/values.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import { sameRows, withEnums } from './same-rows.ts'
import type { Acts, SameShop } from './same-shop.ts'

const money = (precision: number) => ({ type: 'decimal', precision, scale: 2 }) as const
const text = (length: number, more: object = {}) => ({ type: 'varchar' as const, length, ...more })
const key = { type: 'int', primary: true } as const
const nullable = { nullable: true } as const
const belongsTo = (target: string, name: string, inverseSide: string) =>
  ({ type: 'many-to-one', target, joinColumn: { name }, inverseSide }) as const
const has = (target: string, inverseSide: string) => ({ type: 'one-to-many', target, inverseSide }) as const

/** The models of the example as entities. */
const shopEntities = (dialect: 'pg' | 'sqlite') => {
  const isPg = dialect === 'pg'
  const id = isPg
    ? ({ type: 'int', primary: true, generated: 'identity', generatedIdentity: 'BY DEFAULT' } as const)
    : ({ type: 'integer', primary: true, generated: 'increment' } as const)
  const moment = isPg ? ({ type: 'timestamptz', precision: 0 } as const) : ({ type: 'datetime' } as const)
  const uuid = isPg ? 'gen_random_uuid()' : '(lower(hex(randomblob(16))))'
  const created_at = {
    ...moment,
    default: () => (isPg ? "date_trunc('second', now())" : 'current_timestamp'),
  }
  const status = isPg
    ? ({ type: 'enum', enum: [...orderStatus], enumName: 'OrderStatus' } as const)
    : ({ type: 'simple-enum', enum: [...orderStatus] } as const)
  const table = (
    name: string,
    tableName: string,
    columns: object,
    relations: object = {},
  ): EntitySchema<ObjectLiteral> => new EntitySchema({ name, tableName, columns, relations })
  return {
    Product: table(
      'Product',
      'products',
      { id, name: text(100), price: money(10), in_stock: { type: 'boolean', default: true } },
      { product_categories: has('ProductCategory', 'product'), order_items: has('OrderItem', 'product') },
    ),
    Category: table(
      'Category',
      'categories',
      {
        ...{ id, name: text(60, { unique: true }), description: { type: 'text', ...nullable } },
        ...{ parent_id: { type: 'int', ...nullable }, image: { type: 'text', ...nullable } },
      },
      {
        parent: { ...belongsTo('Category', 'parent_id', 'categories'), ...nullable },
        ...{ categories: has('Category', 'parent'), product_categories: has('ProductCategory', 'category') },
      },
    ),
    ProductCategory: table(
      'ProductCategory',
      'product_categories',
      { product_id: key, category_id: key, featured: { type: 'boolean', default: false } },
      {
        product: belongsTo('Product', 'product_id', 'product_categories'),
        category: belongsTo('Category', 'category_id', 'product_categories'),
      },
    ),
    Customer: table(
      'Customer',
      'customers',
      {
        ...{ id: text(36, { primary: true, default: () => uuid }), name: text(100) },
        ...{ email: text(200, { unique: true }), phone: text(30, nullable) },
        ...{ address: { type: isPg ? 'json' : 'simple-json', ...nullable } },
        ...{ loyalty_points: { type: 'int', default: 0 }, created_at },
      },
      { orders: has('Order', 'customer') },
    ),
    Order: table(
      'Order',
      'orders',
      {
        ...{ id, customer_id: text(36), status: { ...status, default: 'pending' } },
        ...{ shipping_fee: { ...money(8), default: '4.90' } },
        ...{
          weight_kg: { type: isPg ? 'double precision' : 'real', ...nullable },
          note: text(500, nullable),
        },
        ...{ shipped_at: { ...moment, ...nullable }, created_at },
      },
      { customer: belongsTo('Customer', 'customer_id', 'orders'), order_items: has('OrderItem', 'order') },
    ),
    OrderItem: table(
      'OrderItem',
      'order_items',
      { order_id: key, product_id: key, quantity: { type: 'int', default: 1 }, unit_price: money(10) },
      {
        order: belongsTo('Order', 'order_id', 'order_items'),
        product: belongsTo('Product', 'product_id', 'order_items'),
      },
    ),
    AuditEntry: table('AuditEntry', 'audit_entries', { id, order_id: { type: 'int' }, status, created_at }),
    User: table('User', 'users', {
      ...{ id, email: text(320, { unique: true }), username: text(150, { unique: true, ...nullable }) },
      ...{ name: text(200, nullable), password: text(255), is_active: { type: 'boolean', default: true } },
      created_at: isPg
        ? { type: 'timestamptz', precision: 3, default: () => 'now()' }
        : { ...moment, default: () => 'current_timestamp' },
    }),
  }
}

const acts: Acts = {
  orderOf: (db, id) =>
    (db as EntityManager)
      .getRepository<Awaited<ReturnType<Acts['orderOf']>>>('Order')
      .findOneByOrFail({ id: Number(id) } as object),
  addPoints: (db, id, points) =>
    (db as EntityManager).increment('Customer', { id }, 'loyalty_points', points),
  addAuditEntry: (db, entry) => (db as EntityManager).insert('AuditEntry', entry),
}

const connected = async (options: DataSourceOptions): Promise<DataSource> =>
  new DataSource(options).initialize()

export const onSqlite = async (): Promise<SameShop> => {
  const { User, ...others } = shopEntities('sqlite')
  const dataSource = await connected({
    ...{ type: 'better-sqlite3', database: ':memory:', synchronize: true },
    entities: Object.values({ ...others, User }),
  })
  for (const [model, rows] of Object.entries(await sameRows()))
    await dataSource
      .createQueryBuilder()
      .insert()
      .into(model)
      .values([...rows])
      .updateEntity(false)
      .execute()
  const models = typeormModels(dataSource, { ...others, Member: User })
  return { models, acts, close: () => dataSource.destroy() }
}

export const onPg = async (url: string): Promise<SameShop> => {
  const entities = shopEntities('pg')
  const dataSource = await connected({ type: 'postgres', url, entities: Object.values(entities) })
  for (const statement of withEnums('OrderStatus', 'OrderStatus')) await dataSource.query(statement)
  // Drizzle makes the keys of customers itself.
  await dataSource.query('alter table customers alter column id set default gen_random_uuid()')
  return { models: typeormModels(dataSource, entities), acts, close: () => dataSource.destroy() }
}
