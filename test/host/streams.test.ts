import { fetchApp } from '../../src/host/fetch/index.ts'
import { hostStreamContract } from '../contract/host-streams.ts'
import { mountOnFastify } from './listen.ts'
import { mountOn } from './listen-fetch.ts'

hostStreamContract('fastify', mountOnFastify)

hostStreamContract('fetch', async (base, operations, serve) => {
  const app = fetchApp({ base })
  return mountOn(app, operations, serve)
})
