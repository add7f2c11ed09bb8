// An API in Bun, beside its own routes.
// Run it with `bun examples/hosts/bun.ts`, then open http://localhost:3000/api/docs.
import { fetchApp, ModelRest } from 'modelrest/fetch'
import { memorySource } from 'modelrest/testing'

// Keeps the records in memory. Use your database instead: `drizzleModels(db, tables)` from `modelrest/drizzle`.
const models = memorySource([
  {
    name: 'Task',
    fields: [
      { name: 'id', kind: 'integer', hasDefault: true },
      { name: 'title', kind: 'text', maxLength: 100 },
    ],
    primaryKey: ['id'],
  },
])

const app = fetchApp({ base: '/api', clientAddress: (request) => server.requestIP(request)?.address })
const rest = new ModelRest(app, { models })
await rest.init()

const hello = async (request: Request): Promise<Response> => {
  const { caller } = await rest.context(request)
  return new Response(`Hello, ${caller?.id ?? 'anonymous'}`)
}

const server = Bun.serve({
  port: Number(process.env['PORT'] ?? 3000),
  routes: { '/api/*': app.fetch, '/hello': hello },
})
console.log(`http://localhost:${server.port}`)

process.once('SIGTERM', async () => {
  await rest.close()
  await server.stop()
  process.exit()
})
