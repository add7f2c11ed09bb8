// An API in an application of Express, beside its own routes.
// Run it with `node examples/hosts/express.ts`, then open http://localhost:3000/api/docs.
import express from 'express'
import { expressHost, ModelRest } from 'modelrest/express'
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

const app = express()
const rest = new ModelRest(expressHost(app, { base: '/api' }), { models })
await rest.init()

// After init(), because modelrest reads bodies itself.
app.use(express.json())

app.get('/hello', async (request, response) => {
  const { caller } = await rest.context(request)
  response.send(`Hello, ${caller?.id ?? 'anonymous'}`)
})

// After the routes, whose errors become problem documents.
rest.problems(app, { notFound: true })

const server = app.listen(Number(process.env['PORT'] ?? 3000), () => {
  console.log(`http://localhost:${Object(server.address()).port}`)
})

process.once('SIGTERM', async () => {
  await rest.close()
  server.close()
})
