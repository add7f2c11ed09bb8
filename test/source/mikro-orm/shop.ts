import { defineEntity, type EventSubscriber, type MikroORM, p } from '@mikro-orm/core'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { everything, type ModelSource, type RecordStore } from '../../../src/entry/source.ts'
import type { OpenOrm } from './databases.ts'

const Address = defineEntity({
  name: 'Address',
  embeddable: true,
  properties: { city: p.string().nullable(), zip: p.string().nullable() },
})

export const Customer = defineEntity({
  name: 'Customer',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    password: p.string().hidden(),
    bio: p.text().lazy().nullable(),
    address: () => p.embedded(Address),
    billing: () => p.embedded(Address).object().nullable(),
    shout: p.string().persist(false).nullable(),
    length: p.integer().formula('length(name)').nullable(),
    orders: () => p.oneToMany(Order).mappedBy('customer'),
  },
})

export const Order = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: p.integer().primary(),
    note: p.string().nullable(),
    total: p.decimal('number').precision(10).scale(2),
    version: p.integer().version(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(() => new Date(0))
      .onUpdate(() => new Date()),
    deletedAt: p.datetime(3).nullable(),
    customer: () => p.manyToOne(Customer).nullable().inversedBy('orders'),
    tags: () => p.manyToMany(Tag),
  },
  filters: { living: { name: 'living', cond: { deletedAt: null }, default: true } },
})

export const Tag = defineEntity({
  name: 'Tag',
  properties: {
    id: p.integer().primary(),
    name: p.string().unique(),
    orders: () => p.manyToMany(Order).mappedBy('tags'),
  },
})

export interface Shop {
  readonly orm: MikroORM
  readonly source: ModelSource
  store(model: string): RecordStore
}

/** The shop in a new database. */
export const openShop = async (
  open: OpenOrm,
  subscribers: readonly EventSubscriber[] = [],
): Promise<Shop> => {
  const orm = await open({ entities: [Customer, Order, Tag, Address], subscribers: [...subscribers] })
  return shopOf(orm)
}

export const shopOf = (orm: MikroORM): Shop => {
  const source = mikroOrmModels(orm)
  const store = (name: string): RecordStore => {
    const model = source.models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`No model ${name}: ${source.models.map((known) => known.name)}.`)
    return source.store(model)
  }
  return { orm, source, store }
}

export const all = { filter: everything, order: [], limit: 100, offset: 0 } as const
