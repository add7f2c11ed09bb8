// Run it with `npm install`, `npm run migrate` and `npm start`, then open http://localhost:3000/api/docs.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { ModelRest, nodeApp } from 'modelrest/node'
import { prisma } from './db.ts'
import { models } from './models.ts'

const app = nodeApp({ base: '/api' })
const rest = new ModelRest(app, { models, modelConfig: { Audit: { operations: ['list', 'read'] } } })
await rest.init()

const server = createServer(app).listen(Number(process.env['PORT'] ?? 3000))
await once(server, 'listening')
console.log(`http://localhost:${Object(server.address()).port}/api/docs`)

process.once('SIGTERM', async () => {
  await rest.close()
  server.close()
  await prisma.$disconnect()
})
