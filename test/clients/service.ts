import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import Fastify, { type FastifyInstance } from 'fastify'
import { type ControllerClass, diskStorage, type OpenApiDocument } from 'modelrest'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, ModelRest } from 'modelrest/fastify'
import { openDatabase } from '../../examples/shop/db.ts'
import { addDemoUser } from '../../examples/shop/demo-user.ts'
import { customer } from '../../examples/shop/schemas.ts'
import { tablesOf } from '../../examples/shop/tables.ts'
import {
  laterMeasurements,
  MeasurementController,
  measurementStatements,
  measurements,
} from './measurements.ts'

/** The shop with its users, and measurements beside it, listening on 127.0.0.1. */
export interface Service {
  /** `http://127.0.0.1:1234/api` */
  readonly url: string
  /** The document that clients are generated from. It is older than the service: a column is missing. */
  readonly document: OpenApiDocument
  close(): Promise<void>
}

/** A controller of the shop, whose models are registered in a program of their own. */
const controllerIn = async (name: string): Promise<ControllerClass> => {
  const { href } = new URL(`../../examples/shop/controllers/${name}.ts`, import.meta.url)
  const [controller] = Object.values((await import(href)) as Record<string, ControllerClass>)
  if (controller === undefined) throw new Error(`${href} has no controller.`)
  return controller
}

/** @param database URL of an empty PostgreSQL database */
export const startService = async (database: string): Promise<Service> => {
  const { db, close } = await openDatabase(database, 100, [])
  const media = mkdtempSync(join(tmpdir(), 'modelrest-clients-'))
  const app = Fastify({ logger: { level: 'error' } })
  for (const statement of measurementStatements)
    await (db as unknown as NodePgDatabase).execute(sql.raw(statement))
  await addDemoUser(db)
  const ofShop = await Promise.all(['order', 'order-item'].map(controllerIn))
  const add = async (
    table: typeof measurements | typeof laterMeasurements,
    prefix: string,
  ): Promise<ModelRest> => {
    const api = { rest: undefined as ModelRest | undefined }
    await app.register(
      async (context: FastifyInstance) => {
        api.rest = new ModelRest(context, {
          models: drizzleModels(db, { shop: tablesOf(db), lab: { measurements: table } }),
          exclude: { shop: ['AuditEntry'] },
          modelConfig: {
            Order: { readOnly: ['shipped_at'], relations: { order_items: 'items' } },
            Category: { relations: { categories: 'children' } },
            Customer: { readOnly: ['loyalty_points'] },
          },
          controllers: [...ofShop, MeasurementController],
          customSchemas: { Customer: { create: customer } },
          auth: true,
          storage: diskStorage({ directory: media }),
          settings: defineSettings({
            BASE_DIR: fileURLToPath(new URL('../../examples/shop', import.meta.url)),
            SECRET_KEY: 'a secret of the clients that are tested here',
            DEBUG: true,
            auth: {
              ...{ stateful: true, sessions: true, logoutAll: true, passwordChange: true },
              ...{ passwordReset: true, onPasswordReset: () => undefined },
            },
          }),
          openapi: { title: 'Shop', version: '1.0.0', servers: [{ url: '/api' }] },
        })
        await api.rest.init()
      },
      { prefix },
    )
    if (api.rest === undefined) throw new Error('The API was not registered.')
    return api.rest
  }
  const older = await add(measurements, '/older')
  const rest = await add(laterMeasurements, '/api')
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: `${origin}/api`,
    document: older.openapi(),
    close: async () => {
      await app.close()
      await older.close()
      await rest.close()
      await close()
      rmSync(media, { recursive: true, force: true })
    },
  }
}
