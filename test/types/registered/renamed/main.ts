// Fields with other names, as hooks and options have them.
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzleModels } from 'modelrest/drizzle'
import {
  controllerFor,
  type FieldOf,
  fetchApp,
  type InsertOf,
  ModelRest,
  type RecordOf,
  type Renamed,
} from 'modelrest/fetch'
import type { Same } from '../../same.ts'

const makers = sqliteTable('makers', { id: integer().primaryKey(), name: text().notNull() })
const products = sqliteTable('products', {
  id: integer().primaryKey(),
  product_name: text().notNull(),
  created_at: text(),
  maker_id: integer().references(() => makers.id),
})
const models = drizzleModels(drizzle(new Database(':memory:')), { makers, products })
const fields = { product_name: 'name', created_at: 'created', maker_id: 'brandId' } as const

declare module 'modelrest/fetch' {
  interface Register {
    models: Renamed<typeof models, { Product: typeof fields }>
  }
}

export const record: Same<
  RecordOf<'Product'>,
  { id: number; name: string; created: string | null; brandId: number | null }
> = true
export const insert: Same<
  InsertOf<'Product'>,
  {
    id?: number | undefined
    name: string
    created?: string | null | undefined
    brandId?: number | null | undefined
  }
> = true
export const other: Same<RecordOf<'Maker'>, typeof makers.$inferSelect> = true
export const names: Same<FieldOf<'Product'>, 'id' | 'name' | 'created' | 'brandId'> = true

export const ProductController = controllerFor('Product', {
  beforeCreate: (_request, payload) => ({ ...payload, name: payload.name.trim() }),
  fields,
  // Relations keep their names.
  scope: () => ({ name: 'x', maker: { name: 'y' } }),
})
controllerFor('Product', {
  // @ts-expect-error It has another name.
  beforeCreate: (_request, payload) => void payload.product_name,
})

export const rest = new ModelRest(fetchApp(), {
  models,
  modelConfig: { Product: { fields, readOnly: ['created_at'], search: ['product_name'] } },
})
// @ts-expect-error There is no such field.
export type Misspelt = Renamed<typeof models, { Product: { product_nme: 'name' } }>
// @ts-expect-error There is no such model.
export type Unknown = Renamed<typeof models, { Prodct: { product_name: 'name' } }>
