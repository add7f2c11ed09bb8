import { defineEntity, type EntityManager, type MikroORM, p } from '@mikro-orm/core'
import { MikroORM as Postgres } from '@mikro-orm/postgresql'
import { MikroORM as Sqlite } from '@mikro-orm/sqlite'
import { orderStatus } from '../../examples/shop/models/values.ts'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { execute } from '../source/mikro-orm/execute.ts'
import { sameRows, withEnums } from './same-rows.ts'
import type { Acts, SameShop } from './same-shop.ts'

const text = (length: number) => p.string().length(length)
const money = (precision: number) => p.decimal().precision(precision).scale(2)

/** The models of the example as entities. */
const shopEntities = (dialect: 'pg' | 'sqlite') => {
  const isPg = dialect === 'pg'
  const id = () => p.integer().primary().autoincrement()
  const moment = () => p.datetime(0)
  const created_at = moment().onCreate(() => new Date(Math.floor(Date.now() / 1000) * 1000))
  const status = () =>
    isPg ? p.enum([...orderStatus]).nativeEnumName('OrderStatus') : p.enum([...orderStatus])
  const Product = defineEntity({
    ...{ name: 'Product', tableName: 'products' },
    properties: {
      ...{ id: id(), name: text(100), price: money(10), in_stock: p.boolean().default(true) },
      product_categories: () => p.oneToMany(ProductCategory).mappedBy('product'),
      order_items: () => p.oneToMany(OrderItem).mappedBy('product'),
    },
  })
  const Category = defineEntity({
    ...{ name: 'Category', tableName: 'categories' },
    properties: {
      ...{ id: id(), name: text(60).unique(), description: p.text().nullable() },
      parent: () => p.manyToOne(Category).nullable().deleteRule('restrict').inversedBy('categories'),
      image: p.text().nullable(),
      categories: () => p.oneToMany(Category).mappedBy('parent'),
      product_categories: () => p.oneToMany(ProductCategory).mappedBy('category'),
    },
  })
  const ProductCategory = defineEntity({
    ...{ name: 'ProductCategory', tableName: 'product_categories' },
    properties: {
      product: () => p.manyToOne(Product).primary().deleteRule('restrict').inversedBy('product_categories'),
      category: () => p.manyToOne(Category).primary().deleteRule('restrict').inversedBy('product_categories'),
      featured: p.boolean().default(false),
    },
  })
  const Customer = defineEntity({
    ...{ name: 'Customer', tableName: 'customers' },
    properties: {
      id: text(36)
        .primary()
        .onCreate(() => crypto.randomUUID()),
      ...{ name: text(100), email: text(200).unique(), phone: text(30).nullable() },
      ...{ address: p.json().nullable(), loyalty_points: p.integer().default(0), created_at },
      orders: () => p.oneToMany(Order).mappedBy('customer'),
    },
  })
  const Order = defineEntity({
    ...{ name: 'Order', tableName: 'orders' },
    properties: {
      id: id(),
      customer: () => p.manyToOne(Customer).inversedBy('orders'),
      ...{ status: status().default('pending'), shipping_fee: money(8).default('4.90') },
      ...{ weight_kg: p.double().nullable(), note: text(500).nullable() },
      ...{ shipped_at: moment().nullable(), created_at },
      order_items: () => p.oneToMany(OrderItem).mappedBy('order'),
    },
  })
  const OrderItem = defineEntity({
    ...{ name: 'OrderItem', tableName: 'order_items' },
    properties: {
      order: () => p.manyToOne(Order).primary().deleteRule('restrict').inversedBy('order_items'),
      product: () => p.manyToOne(Product).primary().deleteRule('restrict').inversedBy('order_items'),
      ...{ quantity: p.integer().default(1), unit_price: money(10) },
    },
  })
  const AuditEntry = defineEntity({
    ...{ name: 'AuditEntry', tableName: 'audit_entries' },
    properties: { id: id(), order_id: p.integer(), status: status(), created_at },
  })
  const User = defineEntity({
    ...{ name: 'User', tableName: 'users' },
    properties: {
      ...{ id: id(), email: text(320).unique(), username: text(150).nullable().unique() },
      ...{ name: text(200).nullable(), password: text(255), is_active: p.boolean().default(true) },
      created_at: p.datetime(3).onCreate(() => new Date()),
    },
  })
  return { Product, Category, ProductCategory, Customer, Order, OrderItem, AuditEntry, User }
}

const actsOf = ({ Order, Customer, AuditEntry }: ReturnType<typeof shopEntities>): Acts => ({
  orderOf: async (db, id) => {
    const { customer, shipped_at } = await (db as EntityManager).findOneOrFail(Order, { id: Number(id) })
    return { customer_id: customer.id, shipped_at }
  },
  addPoints: async (db, id, points) => {
    const customer = await (db as EntityManager).findOneOrFail(Customer, { id })
    customer.loyalty_points += points
    await (db as EntityManager).flush()
  },
  addAuditEntry: async (db, entry) => {
    const manager = db as EntityManager
    await manager.persist(manager.create(AuditEntry, entry as never)).flush()
  },
})

export const onSqlite = async (): Promise<SameShop> => {
  const entities = shopEntities('sqlite')
  const { User, ...others } = entities
  const orm = await Sqlite.init({ dbName: ':memory:', entities: Object.values(entities) })
  await orm.schema.create()
  const { User: users = [], ...rest } = await sameRows()
  const all = { ...rest, User: users.map((user) => ({ created_at: new Date(), ...user })) }
  for (const [model, rows] of Object.entries(all)) {
    const manager = orm.em.fork()
    await manager.insertMany(model as never, rows.map(withRelations) as never)
  }
  const models = mikroOrmModels(orm as unknown as MikroORM, { ...others, Member: User })
  return { models, acts: actsOf(entities), close: () => orm.close(true) }
}

/** Relations have the names of their keys without `_id`. */
const withRelations = (row: object): object =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace(/_id$/, ''), value]))

export const onPg = async (url: string): Promise<SameShop> => {
  const entities = shopEntities('pg')
  const orm = await Postgres.init({ clientUrl: url, entities: Object.values(entities) })
  for (const statement of withEnums('OrderStatus', 'OrderStatus'))
    await execute(orm.em.fork() as unknown as EntityManager, statement)
  return {
    models: mikroOrmModels(orm as unknown as MikroORM, entities),
    ...{ acts: actsOf(entities), close: () => orm.close(true) },
  }
}
