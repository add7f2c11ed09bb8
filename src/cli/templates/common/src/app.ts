import Fastify, { type FastifyInstance } from 'fastify'
import { api } from './api.ts'
import { env } from './env.ts'

/** The application. server.ts starts it, and tests send requests to it without a port. */
export const app: FastifyInstance = Fastify({
  logger: { level: env.logLevel },
  // Behind a proxy, name its addresses:
  // trustProxy: '10.0.0.0/8',
})

// Fastify loads the API when the application starts: at `listen()`, `ready()` or the first `inject()`.
app.register(api, { prefix: '/api' })

// Routes outside the API go here.
app.get('/', (_request, reply) => reply.redirect('/api/docs'))
