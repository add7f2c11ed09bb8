// Where no models are registered, names are strings and rows are records of `unknown`. Options know their own models.
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  BaseModelController,
  type BeforeCreate,
  controllerFor,
  type HookContext,
  type ModelName,
  type ModelRestOptions,
  type ModelSource,
  type RecordOf,
  type ScopeOf,
} from 'modelrest'
import { drizzleModels, type ModelSource as SourceOfDrizzle } from 'modelrest/drizzle'
import { fetchApp, ModelRest } from 'modelrest/fetch'
import { z } from 'zod'
import type { Same } from './same.ts'

export const names: Same<ModelName, string> = true
export const record: Same<RecordOf<'Anything'>, Record<string, unknown>> = true
export const handle: Same<HookContext['db'], unknown> = true
export const scope: ScopeOf<'Anything'> = [{ tenantId: 7, order: { state: ['open', null] } }]
export const options: Partial<ModelRestOptions> = { exclude: { any: ['Thing'] }, modelConfig: { Thing: {} } }

export const AnythingController = controllerFor('Anything', {
  beforeCreate: (_request, payload) => ({ ...payload, slug: String(payload['title']) }),
  scope: () => ({ tenantId: 7 }),
})
export const OtherController = controllerFor(
  'Other',
  class extends BaseModelController {
    static beforeCreate: BeforeCreate<'Other'> = (_request, payload) => {
      payload['slug'] = 'other'
    }
  },
)

const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
const users = sqliteTable('users', { id: integer().primaryKey(), password: text() })
const models: SourceOfDrizzle<unknown> & ModelSource = drizzleModels(drizzle('shop.db'), { products })
const typed = drizzleModels(drizzle('shop.db'), { shop: { products }, staff: { users } })
const given: Readonly<Record<string, unknown>> = { products }
const create = z.object({ name: z.string() })

export const rests: readonly ModelRest[] = [
  new ModelRest(fetchApp(), {
    models,
    exclude: { any: new Set(['Thing']) },
    modelConfig: { Thing: { search: ['x'] } },
  }),
  new ModelRest(fetchApp(), {
    models: typed,
    exclude: { shop: new Set(['Product']), staff: null },
    modelConfig: { User: { hidden: ['password'] } },
    customSchemas: { Product: { create } },
  }),
  // Tables whose keys are not known make models whose names are not known.
  new ModelRest(fetchApp(), {
    models: drizzleModels(drizzle('shop.db'), given),
    modelConfig: { Product: {} },
  }),
  new ModelRest(fetchApp(), {
    models: drizzleModels(drizzle('shop.db'), { shop: given }),
    exclude: { shop: ['Product'] },
  }),
]

// @ts-expect-error There is no such model.
new ModelRest(fetchApp(), { models: typed, customSchemas: { Products: { create } } })
// @ts-expect-error There is no such field.
new ModelRest(fetchApp(), { models: typed, modelConfig: { User: { hidden: ['pasword'] } } })
// @ts-expect-error The model is of another app.
new ModelRest(fetchApp(), { models: typed, exclude: { shop: ['User'] } })
// @ts-expect-error A set of another app's models.
new ModelRest(fetchApp(), { models: typed, exclude: { staff: new Set(['User', 'Product']) } })
// @ts-expect-error A payload's values are unknown.
controllerFor('Anything', { beforeCreate: (_request, payload) => ({ slug: payload['title'].trim() }) })
// @ts-expect-error A misspelt hook.
controllerFor('Anything', { befroeCreate: () => undefined })
