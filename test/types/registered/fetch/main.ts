// MySQL's tables, registered and used through `modelrest/fetch`.
import { alias, int, mysqlTable, mysqlView, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import { drizzleModels } from 'modelrest/drizzle'
import {
  controllerFor,
  fetchApp,
  type InsertOf,
  type ModelName,
  ModelRest,
  type RecordOf,
} from 'modelrest/fetch'
import type { Same } from '../../same.ts'

const categories = mysqlTable('categories', {
  id: int().autoincrement().primaryKey(),
  name: varchar({ length: 9 }),
})
const allNames = mysqlView('all_names').as((query) =>
  query.select({ name: categories.name }).from(categories),
)

const db = drizzle('mysql://localhost/shop')
export const models = drizzleModels(
  db,
  { shop: { categories, allNames } },
  { names: { categories: 'Shelf' } },
)

declare module 'modelrest/fetch' {
  interface Register {
    models: typeof models
  }
}

export const names: Same<ModelName, 'Shelf' | 'AllName'> = true
export const record: Same<RecordOf<'Shelf'>, typeof categories.$inferSelect> = true
export const insert: Same<InsertOf<'Shelf'>, typeof categories.$inferInsert> = true
export const parent: unknown = alias(categories, 'parent')

export const ShelfController = controllerFor('Shelf', {
  async beforeCreate(request, payload, _schema, context) {
    const known: Same<typeof request, Request> = true
    await context.db.insert(categories).values({ name: request.headers.get('x-name') })
    return { ...payload, name: known ? (request.method ?? null) : null }
  },
})
export const rest: ModelRest = new ModelRest(fetchApp(), { models })

// @ts-expect-error The names of tables are no names of models, where others are chosen.
controllerFor('Category', {})
