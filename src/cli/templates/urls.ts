import Fastify, { type FastifyInstance } from 'fastify'
import { env } from './env.ts'

/** The application. Nobody can reach it before server.ts lets it listen. */
export const app: FastifyInstance = Fastify({
  logger: { level: env.logLevel },
  // Behind a proxy, whose addresses are to be believed:
  // trustProxy: '10.0.0.0/8',
})

/** Where the API is. */
export const apiPath = '/api'

/** Mounts the API that `make` makes, and gives it back. */
export const mountApi = <Api>(make: (context: FastifyInstance) => Promise<Api>): Promise<Api> =>
  new Promise((resolve, reject) => {
    const plugin = async (context: FastifyInstance): Promise<void> => resolve(await make(context))
    app.register(plugin, { prefix: apiPath }).then(() => undefined, reject)
  })

// Your own routes.

app.get('/', (_request, reply) => reply.redirect(`${apiPath}/docs`))
