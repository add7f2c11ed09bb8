import {
  type CreationOptional,
  DataTypes,
  type ForeignKey,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Sequelize,
} from 'sequelize'

export const sequelize = new Sequelize(process.env['DATABASE_URL'] ?? 'postgres://localhost/shop', {
  logging: false,
})

export class Customer extends Model<InferAttributes<Customer>, InferCreationAttributes<Customer>> {
  declare id: CreationOptional<number>
  declare name: string
}

export class Order extends Model<InferAttributes<Order>, InferCreationAttributes<Order>> {
  declare id: CreationOptional<number>
  declare note: string
  declare total: number
  declare customerId: ForeignKey<Customer['id']>
  declare deletedAt: CreationOptional<Date | null>
}

const id = { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true }

Customer.init({ id, name: { type: DataTypes.STRING(100), allowNull: false } }, { sequelize })

Order.init(
  {
    id,
    note: { type: DataTypes.STRING(200), allowNull: false },
    total: { type: DataTypes.DECIMAL(10, 2), allowNull: false, validate: { min: 0 } },
    customerId: { type: DataTypes.INTEGER, allowNull: false },
    deletedAt: DataTypes.DATE,
  },
  {
    sequelize,
    paranoid: true,
    hooks: {
      beforeSave: (order) => {
        order.note = order.note.trim()
      },
    },
  },
)

Order.belongsTo(Customer, { as: 'customer', foreignKey: 'customerId' })
Customer.hasMany(Order, { as: 'orders', foreignKey: 'customerId' })
