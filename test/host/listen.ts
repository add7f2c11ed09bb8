import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { type FastifyApp, fastifyHost } from '../../src/host/fastify/index.ts'
import { defineHost } from '../../src/host/host.ts'
import type { HostStart } from '../../src/testing/host/subject.ts'

interface Listening {
  readonly server: { address(): AddressInfo | string | null }
  listen(options: { port: number; host: string }): Promise<unknown>
  close(): Promise<unknown>
}

/** Starts a Fastify application on a free port. */
export const listen = async (app: Listening) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    port: address.port,
    stop: async (): Promise<void> => {
      await app.close()
    },
  }
}

/** An application with HTTP/1.1 or HTTP/2. */
interface StartedApp extends Listening {
  register(plugin: (api: FastifyApp) => Promise<void>, options: { prefix: string }): PromiseLike<unknown>
}

/** Starts a Fastify application with operations below a prefix. */
export const startFastify = async ({ base, mount }: HostStart, app: StartedApp = Fastify()) => {
  await app.register(async (api) => mount(defineHost(fastifyHost.attach(api), {})), { prefix: base })
  return listen(app)
}
