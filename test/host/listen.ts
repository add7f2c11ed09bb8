import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { fastifyHost } from '../../src/host/fastify/index.ts'
import type { Host } from '../../src/host/host.ts'

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

/** Mounts operations below a prefix of a Fastify application that listens. */
export const mountOnFastify = async (prefix: string, ...mounted: Parameters<Host['mount']>) => {
  const app = Fastify()
  let host: Host | undefined
  await app.register(
    async (api) => {
      host = fastifyHost.attach(api)
      await host.mount(...mounted)
    },
    { prefix },
  )
  return { host: host!, ...(await listen(app)) }
}
