import Fastify from 'fastify'
import { fastifyBelow } from '../../../src/host/fastify/index.ts'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { listen, startFastify } from '../listen.ts'

hostContract(runner, { name: 'fastify', start: (given) => startFastify(given) })

hostContract(runner, {
  name: 'fastify, below a prefix of its own',
  start: async ({ base, mount }) => {
    const app = Fastify()
    await app.register(async (api) => mount(fastifyBelow(api, base)))
    return listen(app)
  },
})
