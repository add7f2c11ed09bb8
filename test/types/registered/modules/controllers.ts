// Hooks know their payload and record: in the object form without a word.
import {
  type AfterCommit,
  BaseModelController,
  type BeforeCreate,
  type BeforeUpdate,
  controllerFor,
  type InsertOf,
  type ScopeHook,
  type ScopeOf,
} from 'modelrest'
import type { Same } from '../../same.ts'
import { orderItemsTable, type products } from './shop.ts'

type Product = typeof products.$inferSelect
type NewProduct = typeof products.$inferInsert

// A hook may return a column that does not exist; `satisfies` reports it.
export const misspelled = controllerFor('Product', {
  beforeCreate: (_request, payload) => ({ ...payload, nam: 'x' }),
})
export const checked = controllerFor('Product', {
  // @ts-expect-error nam is not a column
  beforeCreate: (_request, payload) => ({ ...payload, nam: 'x' }) satisfies InsertOf<'Product'>,
})

export const inferred = controllerFor('Product', {
  beforeList: (_request, query) => ({ ...query, limit: 10 }),
  afterList: (_request, records) => records.map(({ name }) => ({ name })),
  beforeCreate(request, payload, createSchema, context) {
    const unknownRequest: Same<typeof request, unknown> = true
    const knownPayload: Same<typeof payload, NewProduct> = true
    context.db.insert(orderItemsTable).values({ productId: 1 }).run()
    context.db.query.products.findFirst({ where: (columns, { eq }) => eq(columns.name, payload.name) }).sync()
    return createSchema.parse({ ...payload, unknownRequest, knownPayload })
  },
  async beforeUpdate(_request, record, payload, updateSchema) {
    const knownRecord: Same<typeof record, Product> = true
    if (payload.name === record.name) return undefined
    return updateSchema.parse({ name: payload.name, knownRecord })
  },
  async afterCreate(_request, record, context) {
    const user = await context.user()
    return { ...record, by: user?.email }
  },
  afterDelete: (_request, record) => console.info(record.price.length),
  afterCommit: async (_request, event, record) => console.info(event === 'delete' && record.id),
  scope: (_request, { caller }) => (caller === null ? [] : { inStock: true, size: ['S', null] }),
})

export const byClass = controllerFor(
  'OrderItem',
  class OrderItemController extends BaseModelController {
    static beforeCreate: BeforeCreate<'OrderItem'> = (_request, payload) => {
      payload.productId += 1
    }
    static beforeUpdate: BeforeUpdate<'OrderItem'> = (_request, record, payload) => ({
      ...payload,
      productId: record.productId,
    })
    static afterCommit: AfterCommit<'OrderItem'> = async (_request, _event, record) => {
      await Promise.resolve(record.customer_id?.toFixed())
    }
    static scope: ScopeHook<'OrderItem'> = () => ({ buyer: { tenantId: 7 }, product: { inStock: true } })
    static readonly ownProperty = 3
  },
)
export const itsOwn: number = byClass.ownProperty

export class Tags extends BaseModelController {
  static afterDelete(_request: unknown, { label }: { readonly label: string | null }): void {
    console.info(label)
  }
}
export const called: typeof Tags = controllerFor('BlogTag')(Tags)

export const anyOf: ScopeOf<'Customer'> = [{ tenantId: [1, 2] }, { name: 'Ada', user: { id: 'a' } }, {}]

/** What is written as a literal stays one, although the model is inferred at the same time. */
export const literals = controllerFor('Product', {
  beforeCreate: (_request, payload) => ({
    ...payload,
    size: 'S',
    stars: 2,
    origin: { by: 'sea', ports: ['A'] },
  }),
  beforeUpdate: async (_request, _record, payload) => ({
    ...payload,
    size: 'L',
    stars: 1,
    origin: { by: 'air' },
  }),
})

export const narrowed = controllerFor('Product', {
  access: (_request, { caller }) =>
    caller === null ? { read: ['name'], write: [] } : { read: { price: false } },
})
controllerFor('Product', {
  // @ts-expect-error The model has no such field.
  access: () => ({ read: ['nam'] }),
})
// @ts-expect-error There is no such model.
controllerFor('Prodct', {})
controllerFor('Product', {
  // @ts-expect-error There is no such size.
  beforeUpdate: () => ({ size: 'XL' }),
})
controllerFor('Product', {
  // @ts-expect-error The model has no such field.
  beforeCreate: (_request, payload) => payload.nam,
})
controllerFor('Product', {
  // @ts-expect-error A name is text.
  beforeCreate: (_request, payload) => ({ ...payload, name: 7 }),
})
controllerFor('Product', {
  // @ts-expect-error Before the password is read, it is gone.
  afterCreate: async (_request, _record, context) => ({ password: (await context.user())?.password }),
})
controllerFor('Product', {
  // @ts-expect-error A transaction has no client.
  afterUpdate: (_request, _record, context) => ({ open: context.db.$client }),
})
controllerFor('Product', {
  // @ts-expect-error A view is not written to, and a table of this model has other columns.
  scope: () => ({ inStok: true }),
})
// @ts-expect-error The hook is of another model.
controllerFor('Product', Tags)
// @ts-expect-error So is what this decorates.
controllerFor('Product')(Tags)
// @ts-expect-error There is no such field.
export const misspelt: ScopeOf<'Customer'> = { tenantID: 7 }
// @ts-expect-error A tenant's id is a number.
export const wrongValue: ScopeOf<'Customer'> = { tenantId: '7' }
// @ts-expect-error A relation to many records is not compared.
export const ofMany: ScopeOf<'Product'> = { items: { id: 7 } }
// @ts-expect-error JSON is not compared.
export const ofJson: ScopeOf<'Product'> = { tags: ['new'] }
// @ts-expect-error There is no such model.
export type OfNone = BeforeCreate<'Prodct'>
