// The types of models follow from entity classes and schemas.
import { type Collection, defineEntity, type MikroORM, p, type Ref } from '@mikro-orm/core'
import type { ModelSource } from 'modelrest'
import { type MikroOrmTypes, mikroOrmModels } from 'modelrest/mikro-orm'
import type { Same } from './same.ts'

class Customer {
  declare id: number
  declare name: string
  declare orders: Collection<Order>
}

class Order {
  declare id: number
  declare placedAt: Date
  declare meta: { readonly a?: number }
  declare customer: Ref<Customer>
  save(): void {}
}

const Tag = defineEntity({
  name: 'Tag',
  properties: {
    code: p.string().primary(),
    size: p.bigint().nullable(),
    parent: () => p.manyToOne(Tag).nullable(),
    tags: () => p.oneToMany(Tag).mappedBy('parent'),
  },
})

declare const orm: MikroORM

export const models = mikroOrmModels(orm, { Customer, Order, Tag, helper: () => 1 })

type Types = typeof models extends ModelSource<infer Found> ? Found : never

export const names: Same<
  keyof (Types extends { readonly models: infer Known } ? Known : never),
  'Customer' | 'Order' | 'Tag'
> = true
type Given = { Customer: typeof Customer; Order: typeof Order; Tag: typeof Tag }
type Known = MikroOrmTypes<Given>['models']
export const order: Same<keyof Known['Order']['record'], 'id' | 'placedAt' | 'meta' | 'customerId'> = true
export const customer: Same<keyof Known['Customer']['record'], 'id' | 'name'> = true
export const tag: Same<keyof Known['Tag']['record'], 'code' | 'size' | 'parentCode'> = true
export const key: Same<Known['Order']['record']['customerId'], number> = true
export const handle: Same<MikroOrmTypes<Given, MikroORM['em']>['db'], MikroORM['em']> = true

/** Without entities, models have any names. */
export const untyped: ModelSource = mikroOrmModels(orm)
export const shared = mikroOrmModels(orm, undefined, { sharedReads: true })
// @ts-expect-error There is no such option.
export const unknownOption = mikroOrmModels(orm, { Order }, { names: {} })
// @ts-expect-error A manager is not an ORM.
export const ofManager = mikroOrmModels(orm.em)
