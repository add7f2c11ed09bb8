import Fastify from 'fastify'
import { fastifyHost } from '../../../src/host/fastify/index.ts'
import type { Host } from '../../../src/host/host.ts'
import { hostContract } from '../../contract/host.ts'
import { listen } from '../listen.ts'

hostContract(
  'fastify',
  async (prefix, operations, serve) => {
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
  },
  { keepsDotSegments: true },
)
