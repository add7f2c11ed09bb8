import { fetchApp, fetchHost } from '../../src/host/fetch/index.ts'
import { hostStreamContract } from '../contract/host-streams.ts'
import { mountOnFastify } from './listen.ts'
import { listenFetch } from './listen-fetch.ts'

hostStreamContract('fastify', mountOnFastify)

hostStreamContract('fetch', async (base, operations, serve) => {
  const app = fetchApp({ base })
  const host = fetchHost.attach(app)
  await host.mount(operations, serve)
  return { host, ...(await listenFetch(app)) }
})
