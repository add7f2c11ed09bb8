import Fastify from 'fastify'
import { defineSettings, ModelRest } from 'modelrest/fastify'
import { modelsOf } from '../relations-databases.ts'
import type { Open } from '../serve.ts'

/** Our side of the comparison of related records, with pages by offset and by cursor. */
export const open: Open = async (database, location) => {
  const app = Fastify()
  const settings = defineSettings({ SECRET_KEY: 'of the benchmark, and as long as it has to be' })
  const models = modelsOf(database, location)
  app.register(async (api) => new ModelRest(api, { models, settings }).init(), { prefix: '/api' })
  app.register(async (api) => new ModelRest(api, { models, settings, paginationType: 'cursor' }).init(), {
    prefix: '/cursor',
  })
  return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}
