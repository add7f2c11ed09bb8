import Fastify from 'fastify'
import { fastifyHost } from '../../src/host/fastify/index.ts'
import { fetchApp, fetchHost } from '../../src/host/fetch/index.ts'
import type { Host } from '../../src/host/host.ts'
import { hostStreamContract } from '../contract/host-streams.ts'
import { listen } from './listen.ts'
import { listenFetch } from './listen-fetch.ts'

hostStreamContract('fastify', async (prefix, operations, serve) => {
  const app = Fastify()
  let host: Host | undefined
  await app.register(
    async (api) => {
      host = fastifyHost.attach(api)
      await host.mount(operations, serve)
    },
    { prefix },
  )
  return { host: host!, ...(await listen(app)) }
})

hostStreamContract('fetch', async (base, operations, serve) => {
  const app = fetchApp({ base })
  const host = fetchHost.attach(app)
  await host.mount(operations, serve)
  return { host, ...(await listenFetch(app)) }
})
