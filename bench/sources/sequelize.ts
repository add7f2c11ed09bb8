import { sequelizeModels } from 'modelrest/sequelize'
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  Sequelize,
} from 'sequelize'
import { nodeSqlite } from '../../test/source/sequelize/node-sqlite.ts'
import type { Database, OpenOrm, Page } from './shop.ts'

class Category extends Model<InferAttributes<Category>, InferCreationAttributes<Category>> {
  declare id: CreationOptional<number>
  declare name: string
}

class Product extends Model<InferAttributes<Product>, InferCreationAttributes<Product>> {
  declare id: CreationOptional<number>
  declare name: string
  declare category_id: number
  declare price: number
  declare stock: number
  declare in_stock: boolean
  declare category: NonAttribute<Category>
}

const define = (sequelize: Sequelize): void => {
  const id = { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true }
  const number = { type: DataTypes.INTEGER, allowNull: false }
  Category.init(
    { id: { ...id }, name: { type: DataTypes.STRING(50), allowNull: false } },
    { sequelize, tableName: 'categories', timestamps: false },
  )
  Product.init(
    {
      ...{ id: { ...id }, name: { type: DataTypes.STRING(100), allowNull: false } },
      ...{ category_id: { ...number }, price: { ...number }, stock: { ...number } },
      in_stock: { type: DataTypes.BOOLEAN, allowNull: false },
    },
    { sequelize, tableName: 'products', timestamps: false },
  )
  Product.belongsTo(Category, { as: 'category', foreignKey: 'category_id' })
}

export const open = async (database: Database, location: string): Promise<OpenOrm> => {
  const sequelize =
    database === 'sqlite'
      ? new Sequelize({
          ...{ dialect: 'sqlite', dialectModule: nodeSqlite, storage: location, logging: false },
        })
      : new Sequelize(location, { logging: false })
  define(sequelize)
  if (database === 'sqlite') {
    await sequelize.query('pragma journal_mode = wal')
    await sequelize.query('pragma synchronous = normal')
  }
  const page = ({ category_id, in_stock, limit }: Page) => ({
    where: { category_id, in_stock },
    order: [
      ['price', 'desc'],
      ['id', 'asc'],
    ] as [string, string][],
    limit,
  })
  return {
    models: sequelizeModels(sequelize, { Product, Category }),
    acts: {
      list: (asked) => Product.findAll(page(asked)),
      counted: async (asked) => {
        const { rows, count } = await Product.findAndCountAll(page(asked))
        return [rows, count]
      },
      withCategory: (asked) =>
        Product.findAll({ ...page(asked), include: { model: Category, as: 'category' } }),
      read: (key) => Product.findByPk(key),
      create: (values) => Product.create(values),
      update: async (key, values) => {
        const found = await Product.findByPk(key)
        return found === null ? null : found.update(values)
      },
    },
  }
}
