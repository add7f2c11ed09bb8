import { randomUUID } from 'node:crypto'
import {
  DataTypes,
  literal,
  type Model,
  type ModelAttributeColumnOptions,
  type ModelStatic,
  Sequelize,
  type Transaction,
} from 'sequelize'
import { orderStatus } from '../../examples/shop/models/values.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import { nodeSqlite } from '../source/sequelize/node-sqlite.ts'
import { sameRows, withEnums } from './same-rows.ts'
import type { Acts, SameShop } from './same-shop.ts'

type Columns = Readonly<Record<string, ModelAttributeColumnOptions>>

const required = (type: ModelAttributeColumnOptions['type'], more: object = {}) => ({
  ...{ type, allowNull: false },
  ...more,
})
const text = (length: number, more: object = {}) => required(DataTypes.STRING(length), more)
const money = (precision: number, more: object = {}) => required(DataTypes.DECIMAL(precision, 2), more)
/** Sequelize changes what it is given: each column has an object of its own. */
const id = () => ({ type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true })
const key = () => required(DataTypes.INTEGER, { primaryKey: true })

/** The models of the example. */
const defineShop = (sequelize: Sequelize) => {
  const seconds =
    sequelize.getDialect() === 'postgres' ? literal("date_trunc('second', now())") : DataTypes.NOW
  const created_at = () => required(DataTypes.DATE(0), { defaultValue: seconds })
  const status = () => required(DataTypes.ENUM(...orderStatus))
  const define = (name: string, tableName: string, columns: Columns): ModelStatic<Model> =>
    sequelize.define(name, columns, { tableName, timestamps: false })
  const Product = define('Product', 'products', {
    ...{ id: id(), name: text(100), price: money(10) },
    in_stock: required(DataTypes.BOOLEAN, { defaultValue: true }),
  })
  const Category = define('Category', 'categories', {
    ...{
      id: id(),
      name: text(60, { unique: 'categories_name_unique' }),
      description: { type: DataTypes.TEXT },
    },
    ...{ parent_id: { type: DataTypes.INTEGER }, image: { type: DataTypes.TEXT } },
  })
  const ProductCategory = define('ProductCategory', 'product_categories', {
    ...{ product_id: key(), category_id: key() },
    featured: required(DataTypes.BOOLEAN, { defaultValue: false }),
  })
  const Customer = define('Customer', 'customers', {
    ...{ id: text(36, { primaryKey: true, defaultValue: () => randomUUID() }), name: text(100) },
    ...{ email: text(200, { unique: 'customers_email_unique' }), phone: { type: DataTypes.STRING(30) } },
    ...{
      address: { type: DataTypes.JSON },
      loyalty_points: required(DataTypes.INTEGER, { defaultValue: 0 }),
    },
    created_at: created_at(),
  })
  const Order = define('Order', 'orders', {
    ...{ id: id(), customer_id: text(36), status: { ...status(), defaultValue: 'pending' } },
    ...{ shipping_fee: money(8, { defaultValue: '4.90' }), weight_kg: { type: DataTypes.DOUBLE } },
    ...{
      note: { type: DataTypes.STRING(500) },
      shipped_at: { type: DataTypes.DATE(0) },
      created_at: created_at(),
    },
  })
  const OrderItem = define('OrderItem', 'order_items', {
    ...{ order_id: key(), product_id: key() },
    ...{ quantity: required(DataTypes.INTEGER, { defaultValue: 1 }), unit_price: money(10) },
  })
  const AuditEntry = define('AuditEntry', 'audit_entries', {
    ...{ id: id(), order_id: required(DataTypes.INTEGER), status: status(), created_at: created_at() },
  })
  const User = define('User', 'users', {
    ...{ id: id(), email: text(320, { unique: 'users_email_unique' }) },
    ...{ username: { type: DataTypes.STRING(150), unique: 'users_username_unique' } },
    ...{ name: { type: DataTypes.STRING(200) }, password: text(255) },
    is_active: required(DataTypes.BOOLEAN, { defaultValue: true }),
    created_at: required(DataTypes.DATE(3), { defaultValue: DataTypes.NOW }),
  })
  /** A to-one relation and the list on its other side. */
  const owned = (
    one: ModelStatic<Model>,
    as: string,
    owner: ModelStatic<Model>,
    list: string,
    foreignKey: string,
  ) => {
    const restricted = { foreignKey, onDelete: 'NO ACTION', onUpdate: 'NO ACTION' }
    one.belongsTo(owner, { as, ...restricted })
    owner.hasMany(one, { as: list, ...restricted })
  }
  owned(Category, 'parent', Category, 'categories', 'parent_id')
  owned(ProductCategory, 'product', Product, 'product_categories', 'product_id')
  owned(ProductCategory, 'category', Category, 'product_categories', 'category_id')
  owned(Order, 'customer', Customer, 'orders', 'customer_id')
  owned(OrderItem, 'order', Order, 'order_items', 'order_id')
  owned(OrderItem, 'product', Product, 'order_items', 'product_id')
  return { Product, Category, ProductCategory, Customer, Order, OrderItem, AuditEntry, User }
}

const actsOf = ({ Order, Customer, AuditEntry }: ReturnType<typeof defineShop>): Acts => ({
  orderOf: async (db, id) =>
    (
      await Order.findByPk(Number(id), { transaction: db as Transaction, rejectOnEmpty: true })
    ).get() as Awaited<ReturnType<Acts['orderOf']>>,
  addPoints: (db, customer, by) =>
    Customer.increment('loyalty_points', { by, where: { id: customer }, transaction: db as Transaction }),
  addAuditEntry: (db, entry) => AuditEntry.create(entry, { transaction: db as Transaction }),
})

export const onSqlite = async (): Promise<SameShop> => {
  const sequelize = new Sequelize({
    ...{ dialect: 'sqlite', dialectModule: nodeSqlite, storage: ':memory:', logging: false },
  })
  const { User, ...others } = defineShop(sequelize)
  await sequelize.sync()
  for (const [model, rows] of Object.entries(await sameRows()))
    await sequelize.model(model).bulkCreate(rows as readonly Record<string, unknown>[])
  const models = sequelizeModels(sequelize, { ...others, Member: User })
  return { models, acts: actsOf({ ...others, User }), close: () => sequelize.close() }
}

export const onPg = async (url: string): Promise<SameShop> => {
  const sequelize = new Sequelize(url, { logging: false })
  const models = defineShop(sequelize)
  for (const statement of withEnums('enum_orders_status', 'enum_audit_entries_status'))
    await sequelize.query(statement)
  return { models: sequelizeModels(sequelize, models), acts: actsOf(models), close: () => sequelize.close() }
}
