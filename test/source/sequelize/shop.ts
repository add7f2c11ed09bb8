import { DataTypes, type Model, type ModelStatic, type Options, Sequelize, type Transaction } from 'sequelize'
import { onTestFinished } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { everything, type ModelSource, type RecordStore } from '../../../src/entry/source.ts'
import { createDatabase } from '../../servers/test-database.ts'
import { nodeSqlite } from './node-sqlite.ts'

export interface Shop {
  readonly sequelize: Sequelize
  readonly source: ModelSource
  readonly Customer: ModelStatic<Model>
  readonly Order: ModelStatic<Model>
  readonly Tag: ModelStatic<Model>
  store(model: string): RecordStore
}

/** The models of a shop, with what Sequelize can say of them. */
const defineShop = (sequelize: Sequelize) => {
  const Customer = sequelize.define(
    'customer',
    {
      name: { type: DataTypes.STRING, allowNull: false, validate: { len: [1, 40] } },
      email: { type: DataTypes.STRING, unique: true, validate: { isEmail: true } },
      password: DataTypes.STRING,
      tenant: { type: DataTypes.STRING, allowNull: false, defaultValue: 'a', field: 'tenant_name' },
      label: {
        type: DataTypes.VIRTUAL,
        get(this: Model) {
          return `${this.getDataValue('name' as never)}!`
        },
      },
    },
    { defaultScope: { where: { tenant: 'a' }, attributes: { exclude: ['password'] } } },
  )
  const Order = sequelize.define(
    'Order',
    {
      note: DataTypes.STRING,
      total: {
        type: DataTypes.DECIMAL(10, 2),
        get(this: Model) {
          const stored: unknown = this.getDataValue('total' as never)
          return stored === null || stored === undefined ? stored : Number(stored)
        },
      },
      customerId: { type: DataTypes.INTEGER, field: 'customer_id' },
    },
    { paranoid: true, version: true },
  )
  const Tag = sequelize.define(
    'Tag',
    { name: { type: DataTypes.STRING, allowNull: false } },
    { timestamps: false },
  )
  Order.belongsTo(Customer, { as: 'buyer', foreignKey: 'customerId' })
  Customer.hasMany(Order, { as: 'purchases', foreignKey: 'customerId' })
  Order.belongsToMany(Tag, { as: 'labels', through: 'OrderTag' })
  Tag.belongsToMany(Order, { as: 'labelled', through: 'OrderTag' })
  return { Customer, Order, Tag }
}

export type Open = () => Promise<Options>

const sqlite: Options = { dialect: 'sqlite', dialectModule: nodeSqlite, storage: ':memory:' }

export const onSqlite: Open = async () => sqlite

export const onPg: Open = async () => {
  const { url, drop } = await createDatabase('shop')
  onTestFinished(drop)
  return { ...partsOf(url), dialect: 'postgres' }
}

export const partsOf = (url: string): Options => {
  const { hostname, port, username, password, pathname } = new URL(url)
  return {
    ...{ host: decodeURIComponent(hostname), port: Number(port), database: pathname.slice(1) },
    ...{ username: decodeURIComponent(username), password: decodeURIComponent(password) },
  }
}

/** The shop in a new database. Closed when the test ends. */
export const openShop = async (open: Open = onSqlite, more: Options = {}): Promise<Shop> => {
  const sequelize = new Sequelize({ ...(await open()), logging: false, pool: { max: 4 }, ...more })
  const models = defineShop(sequelize)
  await sequelize.sync()
  onTestFinished(() => sequelize.close())
  const source = sequelizeModels(sequelize)
  const store = (name: string): RecordStore => {
    const model = source.models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`No model ${name}: ${source.models.map((known) => known.name)}.`)
    return source.store(model)
  }
  return { sequelize, source, ...models, store }
}

export const all = { filter: everything, order: [], limit: 100, offset: 0 } as const

export const transactionOf = (db: unknown): Transaction => db as Transaction
