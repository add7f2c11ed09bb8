// An API in an application of Hono, beside its own routes.
// Run it with `node examples/hosts/hono.ts`, then open http://localhost:3000/api/docs.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { ModelRest } from 'modelrest/hono'
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

const app = new Hono()
const rest = new ModelRest(app.basePath('/api'), { models })
await rest.init()

app.get('/hello', async (context) => {
  const { caller } = await rest.context(context)
  return context.text(`Hello, ${caller?.id ?? 'anonymous'}`)
})

// The errors of all routes become problem documents.
rest.problems(app, { notFound: true })

const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) }, ({ port }) => {
  console.log(`http://localhost:${port}`)
})

process.once('SIGTERM', async () => {
  await rest.close()
  server.close()
})
