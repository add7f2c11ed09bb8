import { defineEntity, p } from '@mikro-orm/core'

export const Customer = defineEntity({
  name: 'Customer',
  properties: {
    id: p.integer().primary(),
    name: p.string().length(100),
    orders: () => p.oneToMany(Order).mappedBy('customer'),
  },
})

const trim = ({ entity }: { entity: { note: string } }): void => {
  entity.note = entity.note.trim()
}

export const Order = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: p.integer().primary(),
    note: p.string().length(200),
    total: p.decimal().precision(10).scale(2),
    customer: () => p.manyToOne(Customer),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    archivedAt: p.datetime(3).nullable(),
  },
  filters: { current: { name: 'current', cond: { archivedAt: null }, default: true } },
  hooks: { beforeCreate: [trim], beforeUpdate: [trim] },
})
