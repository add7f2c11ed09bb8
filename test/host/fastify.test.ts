import Fastify from 'fastify'
import { fastifyHost } from '../../src/host/fastify/index.ts'
import { hostContract } from '../contract/host.ts'
import { listen } from './listen.ts'

hostContract(
  'fastify',
  async (prefix, operations, serve) => {
    const app = Fastify()
    await app.register(async (api) => fastifyHost.attach(api).mount(operations, serve), { prefix })
    return listen(app)
  },
  { keepsDotSegments: true },
)
