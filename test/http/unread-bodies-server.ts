// Serves records to nobody: fork(unread-bodies-server.ts, [host]). It sends its port, and the most memory that it has
// had, in bytes, for each message. It ends when it is disconnected.
import Fastify from 'fastify'
import { ModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import { listen } from '../host/listen.ts'
import { listenFetch } from '../host/listen-fetch.ts'
import { openModels } from './service.ts'

const { models, close } = openModels()
const options = {
  models,
  auth: { authenticate: () => null },
  settings: { JSON_BODY_LIMIT: 600 * 1024 * 1024 },
} as const

const hosts = {
  fastify: async () => {
    const app = Fastify()
    await new ModelRest(app, options).init()
    return listen(app)
  },
  fetch: async () => {
    const app = fetchApp()
    await new FetchModelRest(app, options).init()
    return listenFetch(app)
  },
}

const { port, stop } = await hosts[process.argv[2] as keyof typeof hosts]()
process.on('message', () => process.send?.(process.resourceUsage().maxRSS * 1024))
process.on('disconnect', () => void stop().then(close))
process.send?.(port)
