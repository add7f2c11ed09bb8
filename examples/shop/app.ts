import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, ModelRest } from 'modelrest/fastify'
import { type OpenDatabase, openDatabase, type ShopDatabase } from './db.ts'
import { openImages } from './images.ts'
import { customer } from './schemas.ts'
import { openSessions } from './sessions.ts'
import { tablesOf } from './tables.ts'

/** The URL path that the API is mounted under. */
export const baseUrl = '/api'

export interface ShopOptions {
  /**
   * The SQLite file, with the images beside it; `:memory:` keeps nothing. Or the URL of a PostgreSQL or MariaDB database,
   * or one that is open already.
   */
  readonly database: string | OpenDatabase
  readonly logger?: FastifyServerOptions['logger']
  /** Serve with asynchronous handlers. @default true */
  readonly isAsync?: boolean
  /** How many products a new database gets, at least 100. @default 2000 */
  readonly products?: number
  /** Protect everything, and sign tokens with this secret. @default everything is public */
  readonly secret?: string
  /** URL of the Redis where all processes see what is revoked. @default tokens cannot be revoked */
  readonly redis?: string
  /** URLs of replicas of the PostgreSQL database, to read lists from. @default none */
  readonly replicas?: readonly string[]
  /** Seconds that they may lag behind. @default 5 */
  readonly replicaLag?: number
  /** The folder of the images. @default `media` beside SQLite's file */
  readonly media?: string
  /** The address of the proxy in front, which says who the client is. @default there is none */
  readonly trustProxy?: string
}

export interface Shop {
  readonly app: FastifyInstance
  readonly rest: ModelRest
  readonly db: ShopDatabase
}

/**
 * The models of the shop. `register.ts` tells TypeScript of them.
 * @param freshFor seconds after a write in which lists are not read from replicas
 */
export const shopModels = (db: ShopDatabase, freshFor = 5) =>
  drizzleModels(db, { shop: tablesOf(db) }, '$replicas' in db ? { replicas: { freshFor } } : {})

/** The shop, not listening yet. `app.close()` closes the database too. */
export const buildShop = async (options: ShopOptions): Promise<Shop> => {
  const { database, isAsync = true, products = 2000, secret, replicas = [] } = options
  const isOpen = typeof database !== 'string'
  const { db, close } = isOpen ? database : await openDatabase(database, products, replicas)
  const images = openImages(isOpen ? ':memory:' : database, options.media)
  const sessions = options.redis === undefined ? undefined : await openSessions(options.redis)
  const { logger = false, trustProxy = false } = options
  const app: FastifyInstance = Fastify({ logger, trustProxy })
  const rest = await new Promise<ModelRest>((resolve, reject) => {
    const api = async (context: FastifyInstance): Promise<void> => {
      const generator = new ModelRest(context, {
        models: shopModels(db, options.replicaLag),
        isAsync,
        exclude: { shop: ['AuditEntry'] },
        modelConfig: {
          Order: { readOnly: ['shipped_at'] },
          Customer: { readOnly: ['loyalty_points'] },
        },
        customSchemas: { Customer: { create: customer } },
        auth: secret !== undefined,
        storage: images.storage,
        health: true,
        settings: defineSettings({
          BASE_DIR: import.meta.dirname,
          SECRET_KEY: secret,
          // Cookies go over HTTP, too.
          DEBUG: process.env['NODE_ENV'] !== 'production',
          ...sessions?.settings,
        }),
        openapi: {
          ...{ title: 'Shop', version: '1.0.0', description: 'An example of modelrest.' },
          contact: { name: 'The modelrest contributors' },
          license: { name: 'MIT', identifier: 'MIT' },
        },
      })
      await generator.init()
      resolve(generator)
    }
    app.register(api, { prefix: baseUrl }).then(() => undefined, reject)
  })
  app.addHook('onClose', async () => {
    // What still runs behind its reply may need the database.
    await rest.close()
    await close()
    await sessions?.close()
    images.close()
  })
  return { app, rest, db }
}
