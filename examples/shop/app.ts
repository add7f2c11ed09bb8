import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, ModelRest, type ModelRestOptions } from 'modelrest/fastify'
import { type OpenDatabase, openDatabase, type ShopDatabase } from './db.ts'
import { openImages } from './images.ts'
import { customer } from './schemas.ts'
import { openSessions } from './sessions.ts'
import { tablesOf } from './tables.ts'

/** The path where the API is mounted. */
export const baseUrl = '/api'

export interface ShopOptions {
  /**
   * The SQLite file, with the images beside it, or `:memory:`; the URL of a PostgreSQL or MariaDB database; or an open
   * database.
   */
  readonly database: string | OpenDatabase
  readonly logger?: FastifyServerOptions['logger']
  /** Use asynchronous handlers. @default true */
  readonly isAsync?: boolean
  /** The number of products in a new database, at least 100. @default 2000 */
  readonly products?: number
  /** Protect all endpoints and sign tokens with this secret. @default all endpoints are public */
  readonly secret?: string
  /** The URL of the Redis that stores revoked tokens. @default tokens cannot be revoked */
  readonly redis?: string
  /** URLs of PostgreSQL replicas to read lists from. @default none */
  readonly replicas?: readonly string[]
  /** Seconds that replicas may lag. @default 5 */
  readonly replicaLag?: number
  /** The folder of the images. @default `media` beside the SQLite file */
  readonly media?: string
  /** The address of the proxy in front, which sends the client address. @default none */
  readonly trustProxy?: string
}

export interface Shop {
  readonly app: FastifyInstance
  readonly rest: ModelRest
  readonly db: ShopDatabase
}

/**
 * The models of the shop. `register.ts` makes their types known.
 * @param freshFor seconds after a write in which lists are not read from replicas
 */
export const shopModels = (db: ShopDatabase, freshFor = 5) =>
  drizzleModels(db, { shop: tablesOf(db) }, '$replicas' in db ? { replicas: { freshFor } } : {})

/** The options of `ModelRest`, which are the same on every server. */
export const openShop = async (options: ShopOptions) => {
  const { database, isAsync = true, products = 2000, secret, replicas = [] } = options
  const isOpen = typeof database !== 'string'
  const { db, close } = isOpen ? database : await openDatabase(database, products, replicas)
  const images = openImages(isOpen ? ':memory:' : database, options.media)
  const sessions = options.redis === undefined ? undefined : await openSessions(options.redis)
  const given: ModelRestOptions = {
    models: shopModels(db, options.replicaLag),
    isAsync,
    exclude: { shop: ['AuditEntry'] },
    modelConfig: {
      Order: { readOnly: ['shipped_at'], relations: { order_items: 'items' } },
      // Clients use `orders` and `categories`, which go through these.
      Product: { relations: { order_items: false, product_categories: false } },
      Category: { relations: { categories: 'children', product_categories: false } },
      Customer: { readOnly: ['loyalty_points'] },
    },
    customSchemas: { Customer: { create: customer } },
    auth: secret !== undefined,
    storage: images.storage,
    health: true,
    settings: defineSettings({
      baseDir: import.meta.dirname,
      secretKey: secret,
      // Allows cookies over HTTP.
      debug: process.env['NODE_ENV'] !== 'production',
      ...sessions?.settings,
    }),
    openapi: {
      ...{ title: 'Shop', version: '1.0.0', description: 'An example of modelrest.' },
      contact: { name: 'The modelrest contributors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
  }
  const closeAll = async (): Promise<void> => {
    await close()
    await sessions?.close()
    images.close()
  }
  return { db, given, close: closeAll }
}

/** Builds the shop without listening. `app.close()` also closes the database. */
export const buildShop = async (options: ShopOptions): Promise<Shop> => {
  const { db, given, close } = await openShop(options)
  const { logger = false, trustProxy = false } = options
  const app: FastifyInstance = Fastify({ logger, trustProxy })
  const rest = await new Promise<ModelRest>((resolve, reject) => {
    const api = async (context: FastifyInstance): Promise<void> => {
      const generator = new ModelRest(context, given)
      await generator.init()
      resolve(generator)
    }
    app.register(api, { prefix: baseUrl }).then(() => undefined, reject)
  })
  app.addHook('onClose', async () => {
    // Work that continues after a response may need the database.
    await rest.close()
    await close()
  })
  return { app, rest, db }
}
