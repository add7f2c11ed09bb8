// Run it with `npm install`, `npm run build` and `npm start`, then open the URL that it prints.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { MikroORM } from '@mikro-orm/sqlite'
import { mikroOrmModels } from 'modelrest/mikro-orm'
import { ModelRest, nodeApp } from 'modelrest/node'
import { Customer, Order } from './entities.js'
import config from './mikro-orm.config.js'

const orm = await MikroORM.init(config)
await orm.schema.update()
const app = nodeApp({ base: '/api' })
const rest = new ModelRest(app, { models: mikroOrmModels(orm, { Customer, Order }) })
await rest.init()

const server = createServer(app).listen(Number(process.env['PORT'] ?? 3000))
await once(server, 'listening')
console.log(`http://localhost:${Object(server.address()).port}/api/docs`)

process.once('SIGTERM', async () => {
  await rest.close()
  server.close()
  await orm.close()
})
