// Run it with `npm install`, `npm run build` and `npm start`, then open the URL that it prints.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { ModelRest, nodeApp } from 'modelrest/node'
import { typeormModels } from 'modelrest/typeorm'
import { dataSource } from './data-source.js'
import { Customer, Order } from './entities.js'

await dataSource.initialize()
const app = nodeApp({ base: '/api' })
const rest = new ModelRest(app, { models: typeormModels(dataSource, { Customer, Order }) })
await rest.init()

const server = createServer(app).listen(Number(process.env['PORT'] ?? 3000))
await once(server, 'listening')
console.log(`http://localhost:${Object(server.address()).port}/api/docs`)

process.once('SIGTERM', async () => {
  await rest.close()
  server.close()
  await dataSource.destroy()
})
