// The types of models follow from entity classes and schemas.
import type { ModelSource } from 'modelrest'
import { type TypeormTypes, typeormModels } from 'modelrest/typeorm'
import { type Brackets, type DataSource, type EntityManager, EntitySchema } from 'typeorm'
import type { Same } from './same.ts'

class Customer {
  declare id: number
  declare name: string
  declare orders: Order[]
}

class Order {
  declare id: number
  declare placedAt: Date
  declare meta: { readonly a?: number }
  declare customer: Customer | null
  declare tags: Promise<Tag[]>
  save(): void {}
}

interface Tag {
  readonly id: number
  readonly label: string
}
const TagEntity = new EntitySchema<Tag>({ name: 'Tag', columns: {} })

declare const dataSource: DataSource

export const models = typeormModels(dataSource, { Customer, Order, Tag: TagEntity, helper: () => 1 })

type Types = typeof models extends ModelSource<infer Found> ? Found : never

export const names: Same<
  keyof (Types extends { readonly models: infer Known } ? Known : never),
  'Customer' | 'Order' | 'Tag'
> = true
type Given = { Customer: typeof Customer; Order: typeof Order; Tag: typeof TagEntity }
type Known = TypeormTypes<Given>['models']
export const order: Same<keyof Known['Order']['record'], 'id' | 'placedAt' | 'meta' | 'customerId'> = true
export const customerId: Same<Known['Order']['record']['customerId'], number | null> = true
export const customer: Same<keyof Known['Customer']['record'], 'id' | 'name'> = true
export const tag: Same<keyof Known['Tag']['record'], 'id' | 'label'> = true
export const handle: Same<TypeormTypes<Given>['db'], EntityManager> = true
export const condition: Same<TypeormTypes<Given>['condition'], Brackets> = true

/** Without entities, models have any names. */
export const untyped: ModelSource = typeormModels(dataSource)
export const shared = typeormModels(dataSource, undefined, { sharedReads: false })
// @ts-expect-error There is no such option.
export const unknownOption = typeormModels(dataSource, { Order }, { names: {} })
// @ts-expect-error A manager is not a data source.
export const ofManager = typeormModels(dataSource.manager)
