// Hooks know their payload and record: in the object form without a word.
import {
  type AfterCommit,
  BaseModelController,
  type BeforeCreate,
  type BeforeList,
  type BeforeUpdate,
  type ComputedFields,
  controllerFor,
  type HookQuery,
  type InsertOf,
  type Present,
  type RecordOf,
  type ScopeHook,
  type ScopeOf,
} from 'modelrest'
import { z } from 'zod'
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
  afterUpdate(_request, record, context) {
    const knownBefore: Same<typeof context.before, Product> = true
    return { ...record, knownBefore }
  },
  afterDelete: (_request, record, { before }) => console.info(record.price.length, before.price.length),
  afterCommit: async (_request, event, record, { before }) => {
    const knownBefore: Same<typeof before, Product | undefined> = true
    console.info(event === 'delete' && record.id, knownBefore)
  },
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

export const anyOf: ScopeOf<'Customer'> = [{ tenantId: [1, 2] }, { name: 'Ada' }, {}]

/** The relations of a list, of which types know some. */
export const including = controllerFor('OrderItem', {
  beforeList: (_request, query) => ({
    ...query,
    include: [
      ...query.include.map((each) => ({ ...each, limit: 5 })),
      { relation: 'product', fields: ['name'], include: [{ relation: 'items', limit: 3, count: 'exact' }] },
      { relation: 'buyer', include: [{ relation: 'anyOther' }] },
      { relation: 'renamed', fields: ['any'], order: [{ field: 'id', direction: 'asc' }] },
    ],
  }),
})
const anyQuery = (query: HookQuery): HookQuery => ({ ...query, include: [{ relation: 'product' }] })
export const shared = controllerFor('OrderItem', {
  beforeList: async (_request, query) => anyQuery(query),
})
export const byType: BeforeList<'OrderItem'> = (_request, query) => ({ ...query, include: [] })

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
  // @ts-expect-error A limit is a number.
  beforeList: (_request, query) => ({ ...query, include: [{ relation: 'items', limit: '5' }] }),
})
controllerFor('Product', {
  // @ts-expect-error An include is no name.
  beforeList: (_request, query) => ({ ...query, include: ['items'] }),
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
  // @ts-expect-error A new record was not there before.
  afterCreate: (_request, _record, context) => ({ before: context.before }),
})
controllerFor('Product', {
  // @ts-expect-error A view is not written to, and a table of this model has other columns.
  scope: () => ({ inStok: true }),
})
// @ts-expect-error The hook is of another model.
controllerFor('Product', Tags)
// @ts-expect-error So is what this decorates.
controllerFor('Product')(Tags)
/** The fields of a relation are known, unless the types do not tell its model. */
export const nested: ScopeOf<'OrderItem'> = { buyer: { tenantId: 7, name: ['Ada', 'Bob'] } }
export const deep: ScopeOf<'Photo'> = { product: { size: ['S', 'L'] } }
export const loose: ScopeOf<'Post'> = { author: { anything: 7 }, parent: { parent: { title: 'x' } } }
// @ts-expect-error The product has no such field.
export const misspeltWithin: ScopeOf<'Photo'> = { product: { inStok: true } }
// @ts-expect-error The customer that relations() declares has no such field.
export const misspeltBuyer: ScopeOf<'OrderItem'> = { buyer: { tenant: 7 } }
// @ts-expect-error There is no such size.
export const wrongWithin: ScopeOf<'Photo'> = { product: { size: 'XL' } }
// @ts-expect-error A photo refers to no customer.
export const unrelated: ScopeOf<'Photo'> = { customer: { tenantId: 7 } }

export const files = controllerFor('Photo', {
  hidden: ['sheet'],
  beforeCreate(_request, payload) {
    if (payload.sheet.size > 1000 || payload.photo?.type === 'image/gif') return undefined
    return { ...payload, photo: null }
  },
  beforeUpdate: (_request, record, payload) => ({
    ...payload,
    sheet: payload.sheet ?? record.sheet,
    photo: record.photo?.toUpperCase(),
  }),
  afterCreate: (_request, record) => ({ ...record, key: record.sheet.length }),
})
/** A key is a string, and any string a key. */
export const key: string = ({} as RecordOf<'Photo'>).sheet
export const stored: InsertOf<'Photo'> = { productId: 1, sheet: 'a/b.pdf' }
controllerFor('Photo', {
  // @ts-expect-error A file is not a number.
  beforeCreate: (_request, payload) => ({ ...payload, photo: 7 }),
})
export const fieldsSaid = controllerFor('Product', {
  path: 'goods',
  search: ['name'],
  readOnly: { price: true },
  relations: { items: 'lines' },
  fileFields: ['size'],
})
// @ts-expect-error There is no such field.
controllerFor('Product', { hidden: ['nam'] })
// @ts-expect-error It is text, in all of them.
controllerFor('Product', { path: 7 })

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

export const computing = controllerFor('Product', {
  computed: {
    label: { schema: z.string(), load: (records) => records.map(({ name }) => `${name}`) },
    size_count: {
      schema: z.string().transform((text) => text.length),
      load: async (records, { db, caller }) => {
        const knownRecords: Same<typeof records, readonly Product[]> = true
        db.select().from(orderItemsTable).all()
        return records.map(() => `${knownRecords} ${caller?.id}`)
      },
    },
  },
  afterRead: (_request, record) => ({ ...record, other: 1 }),
  present(_request, records) {
    const [first] = records
    const knownLabel: Same<typeof first, undefined | (Product & Computed)> = true
    return records.map((record) => ({ ...record, label: `${record.label} ${record.name} ${knownLabel}` }))
  },
})
interface Computed {
  readonly label?: string
  readonly size_count?: number
}

controllerFor('Product', {
  // @ts-expect-error A label is text.
  computed: { label: { schema: z.string(), load: (records) => records.map(() => 3) } },
})
controllerFor('Product', {
  computed: { label: { schema: z.string(), load: (records) => records.map(() => '') } },
  // @ts-expect-error A label is text.
  present: (_request, records) => records.map((record) => ({ ...record, label: 3 })),
})
controllerFor('Product', {
  computed: { label: { schema: z.string(), load: (records) => records.map(() => '') } },
  // @ts-expect-error There is no such member.
  present: (_request, records) => records.map(({ labl }) => ({ labl })),
})
controllerFor('Product', {
  // @ts-expect-error The model has no such field.
  computed: { label: { schema: z.string(), load: (records) => records.map(({ nam }) => nam) } },
})

export const computedInClass = controllerFor(
  'Product',
  class extends BaseModelController {
    static computed = {
      label: { schema: z.string(), load: (records) => records.map(({ name }) => name) },
    } satisfies ComputedFields<'Product'>
    static present: Present<'Product'> = (_request, records) => records.map(({ name }) => ({ name }))
  },
)
