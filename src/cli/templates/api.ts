import { drizzleModels } from 'modelrest/drizzle'
import { ModelRest } from 'modelrest/fastify'
import { db } from './db.ts'
import * as tables from './models.ts'
import { options, settings } from './settings.ts'
import { mountApi } from './urls.ts'

/** The models: every table of models.ts. */
export const models = drizzleModels(db, tables)

// An editor completes their names from here on, and hooks know their records.
declare module 'modelrest' {
  interface Register {
    models: typeof models
  }
}

/** The API. Importing this file opens no port and migrates nothing: `npx modelrest routes` and the other commands load it. */
export const api: ModelRest = await mountApi(async (context) => {
  const generator = new ModelRest(context, { ...options, models, settings })
  await generator.init()
  context.addHook('onClose', async () => {
    // What still runs behind its reply may need the database.
    await generator.close()
    db.$client.close()
  })
  return generator
})
