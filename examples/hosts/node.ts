// An API on the server of Node.js, without a framework.
// Run it with `node examples/hosts/node.ts`, then open http://localhost:3000/api/docs.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { ModelRest, nodeApp } from 'modelrest/node'
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

const app = nodeApp({ base: '/api' })
const rest = new ModelRest(app, { models })
await rest.init()

const server = createServer(async (request, response) => {
  if (request.url?.startsWith('/api/')) return app(request, response)
  const caller = await rest.authenticate(request)
  response.end(`Hello, ${caller?.id ?? 'anonymous'}`)
})
server.on('checkContinue', app.checkContinue).listen(Number(process.env['PORT'] ?? 3000))
await once(server, 'listening')
console.log(`http://localhost:${Object(server.address()).port}`)

process.once('SIGTERM', async () => {
  await rest.close()
  server.close()
})
