// What is known of the models is exact.
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { Caller, FieldOf, HookContext, InsertOf, ModelName, RecordOf } from 'modelrest'
import type { Same } from '../../same.ts'
import type * as blog from './blog.ts'
import type { db } from './models.ts'
import type * as shop from './shop.ts'

type Schema = (typeof db)['_']['fullSchema']

export const names: Same<
  ModelName,
  'Customer' | 'Product' | 'Photo' | 'OrderItem' | 'CheapProduct' | 'User' | 'Post' | 'BlogTag'
> = true
export const record: Same<RecordOf<'Product'>, typeof shop.products.$inferSelect> = true
export const insert: Same<InsertOf<'Product'>, typeof shop.products.$inferInsert> = true
export const photo: Same<RecordOf<'Photo'>, typeof shop.photos.$inferSelect> = true
export const keyOfUser: Same<Caller['id'], string> = true
export const renamed: Same<RecordOf<'BlogTag'>, typeof blog.tags.$inferSelect> = true
export const view: Same<RecordOf<'CheapProduct'>, typeof shop.cheapProducts.$inferSelect> = true
export const intoView: Same<InsertOf<'CheapProduct'>, never> = true
export const fields: Same<FieldOf<'OrderItem'>, 'id' | 'productId' | 'customer_id'> = true
export const handle: Same<HookContext['db'], BetterSQLite3Database<Schema>> = true

// @ts-expect-error The table's key is no name.
export const byKey: ModelName = 'orderItemsTable'
// @ts-expect-error Neither is what another name was chosen for.
export const chosen: RecordOf<'Tag'> = {}
