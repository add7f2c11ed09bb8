// Run it with `npm install`, `npm run build` and `npm start`, then open the URL that it prints.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { ModelRest, nodeApp } from 'modelrest/node'
import { sequelizeModels } from 'modelrest/sequelize'
import { Customer, Order, sequelize } from './models.js'

await sequelize.sync()
const app = nodeApp({ base: '/api' })
const rest = new ModelRest(app, { models: sequelizeModels(sequelize, { Customer, Order }) })
await rest.init()

const server = createServer(app).listen(Number(process.env['PORT'] ?? 3000))
await once(server, 'listening')
console.log(`http://localhost:${Object(server.address()).port}/api/docs`)

process.once('SIGTERM', async () => {
  await rest.close()
  server.close()
  await sequelize.close()
})
