import type { FastifyPluginAsync } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { ModelRest } from 'modelrest/fastify'
import { close, db } from './db.ts'
import * as tables from './models.ts'
import { options, settings } from './settings.ts'

/** The models: one for each table in models.ts. */
export const models = drizzleModels(db, tables)

// Declares the types of your models for controllers and settings, so that your editor completes their names.
declare module 'modelrest' {
  interface Register {
    models: typeof models
  }
}

/** The API, as a Fastify plugin. app.ts registers it under `/api`. */
export const api: FastifyPluginAsync = async (app) => {
  const rest = new ModelRest(app, { ...options, models, settings })
  // Errors of your own routes have the same form as those of the API.
  rest.problems(app)

  // Your own routes go here. /api/docs shows them next to the generated ones.
  app.get('/whoami', async (request) => {
    // The caller is `null` if the request is anonymous.
    const caller = await rest.authenticate(request)
    return { id: caller?.id ?? null }
  })

  await rest.init()

  app.addHook('onClose', async () => {
    await rest.close()
    await close()
  })
}
