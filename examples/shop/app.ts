import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, ModelRest } from 'modelrest/fastify'
import { openDatabase, type ShopDatabase } from './db.ts'
import { openImages } from './images.ts'
import * as shop from './models.ts'
import { customer } from './schemas.ts'

/** The URL path that the API is mounted under. */
export const baseUrl = '/api'

export interface ShopOptions {
  /** The SQLite file, with the images beside it; `:memory:` keeps nothing. */
  readonly database: string
  readonly logger?: FastifyServerOptions['logger']
  /** Serve with asynchronous handlers. @default true */
  readonly isAsync?: boolean
  /** How many products a new database gets, at least 100. @default 2000 */
  readonly products?: number
  /** Protect everything, and sign tokens with this secret. @default everything is public */
  readonly secret?: string
}

export interface Shop {
  readonly app: FastifyInstance
  readonly rest: ModelRest
  readonly db: ShopDatabase
}

/** The models of the shop. `register.ts` tells TypeScript of them. */
export const shopModels = (db: ShopDatabase) => drizzleModels(db, { shop })

/** The shop, not listening yet. `app.close()` closes the database too. */
export const buildShop = async ({
  database,
  logger = false,
  isAsync = true,
  products = 2000,
  secret,
}: ShopOptions): Promise<Shop> => {
  const db = openDatabase(database, products)
  const images = openImages(database)
  const app: FastifyInstance = Fastify({ logger })
  const rest = await new Promise<ModelRest>((resolve, reject) => {
    const api = async (context: FastifyInstance): Promise<void> => {
      const generator = new ModelRest(context, {
        models: shopModels(db),
        isAsync,
        exclude: { shop: ['AuditEntry'] },
        modelConfig: {
          Order: { readOnly: ['shipped_at'] },
          Customer: { readOnly: ['loyalty_points'] },
        },
        customSchemas: { Customer: { create: customer } },
        auth: secret !== undefined,
        storage: images.storage,
        settings: defineSettings({
          BASE_DIR: import.meta.dirname,
          SECRET_KEY: secret,
          // Cookies go over HTTP, too.
          DEBUG: process.env['NODE_ENV'] !== 'production',
        }),
        openapi: { title: 'Shop', version: '1.0.0', description: 'An example of modelrest.' },
      })
      await generator.init()
      resolve(generator)
    }
    app.register(api, { prefix: baseUrl }).then(() => undefined, reject)
  })
  app.addHook('onClose', async () => {
    // What still runs behind its reply may need the database.
    await rest.close()
    db.$client.close()
    images.close()
  })
  return { app, rest, db }
}
