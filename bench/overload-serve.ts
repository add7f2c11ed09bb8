// Serves products: node bench/overload-serve.ts <file or URL of the database> <MAX_WAITING>
import Fastify from 'fastify'
import type { ModelSource } from 'modelrest'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, ModelRest } from 'modelrest/fastify'
import { openPostgres, openSqlite, tables } from './counts-databases.ts'
import type { FromServer } from './messages.ts'

const [, , database = '', maxWaiting = ''] = process.argv
const models: ModelSource = database.startsWith('postgres:')
  ? drizzleModels(openPostgres(database), { products: tables.postgres })
  : drizzleModels(openSqlite(database), { products: tables.sqlite })
const app = Fastify()
const rest = new ModelRest(app, {
  models,
  controllers: [],
  settings: defineSettings({ MAX_WAITING: Number(maxWaiting) }),
})
await rest.init()
process.once('disconnect', () => process.exit(0))
process.send?.({ origin: await app.listen({ port: 0, host: '127.0.0.1' }) } satisfies FromServer)
