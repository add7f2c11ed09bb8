// The types of models follow from the classes of Sequelize.
import type { ModelSource } from 'modelrest'
import { type SequelizeTypes, sequelizeModels } from 'modelrest/sequelize'
import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
  type Transaction,
} from 'sequelize'
import type { Same } from './same.ts'

class Customer extends Model<InferAttributes<Customer>, InferCreationAttributes<Customer>> {
  declare id: CreationOptional<number>
  declare name: string
  declare orders?: NonAttribute<Order[]>
}

class Order extends Model<InferAttributes<Order>, InferCreationAttributes<Order>> {
  declare id: CreationOptional<number>
  declare placedAt: Date
  declare note: string | null
}

declare const sequelize: Sequelize

export const models = sequelizeModels(sequelize, { Customer, Order, helper: () => 1 })

type Types = typeof models extends ModelSource<infer Found> ? Found : never
type Known = Types extends { readonly models: infer Found } ? Found : never

export const names: Same<keyof Known, 'Customer' | 'Order'> = true
type Given = SequelizeTypes<{ Customer: typeof Customer; Order: typeof Order }>
export const order: Same<keyof Given['models']['Order']['record'], 'id' | 'placedAt' | 'note'> = true
export const customer: Given['models']['Customer']['record'] = { id: 1, name: 'Ann' }
export const insert: Given['models']['Customer']['insert'] = { name: 'Ann' }
export const handle: Same<Given['db'], Transaction> = true

/** Without models, they have any names. */
export const untyped: ModelSource = sequelizeModels(sequelize)
export const shared = sequelizeModels(sequelize, undefined, { sharedReads: false })
// @ts-expect-error There is no such option.
export const unknownOption = sequelizeModels(sequelize, { Order }, { names: {} })
// @ts-expect-error A model is not an instance of Sequelize.
export const ofModel = sequelizeModels(Order)
