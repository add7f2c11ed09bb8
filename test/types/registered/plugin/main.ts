// The plugin of Fastify knows the registered models, and the instance its `ModelRest`.
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify, { type FastifyRequest } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { type ModelRest, modelRest } from 'modelrest/fastify'
import { pino } from 'pino'
import type { Same } from '../../same.ts'

const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
const models = drizzleModels(drizzle('shop.db'), { shop: { products } })

declare module 'modelrest' {
  interface Register {
    models: typeof models
  }
}

const app = Fastify()
await app.register(modelRest, { models, prefix: '/api', logLevel: 'warn' })
await app.register(modelRest, () => ({ models, prefix: '/v2' }))
await app.register(modelRest, {
  models,
  modelConfig: { Product: { hidden: ['name'] } },
  auth: {
    authenticate: (request) => {
      const known: Same<typeof request, FastifyRequest> = true
      return known ? { id: request.ip, claims: {} } : null
    },
  },
})
export const rest: ModelRest = app.modelRest
app.get('/names', async (request) => (await app.modelRest.context(request)).scope('Product'))

await Fastify({ http2: true }).register(modelRest, { models })
await Fastify({ loggerInstance: pino() }).register(modelRest, { models })
await app.register(async (api) => void (await api.register(modelRest, { models })))

// @ts-expect-error The models are missing.
app.register(modelRest)
// @ts-expect-error There is no such option.
app.register(modelRest, { models, is_async: true })
// @ts-expect-error There is no such model.
app.register(modelRest, { models, modelConfig: { Prodct: {} } })
// @ts-expect-error There is no such field.
app.register(modelRest, { models, modelConfig: { Product: { hidden: ['nme'] } } })
// @ts-expect-error There is no such model.
app.get('/others', async (request) => (await app.modelRest.context(request)).scope('Order'))
