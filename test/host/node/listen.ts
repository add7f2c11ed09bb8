import { once } from 'node:events'
import { createServer } from 'node:http'
import { nodeApp } from '../../../examples/node-host/host.ts'
import { carriedHost, type Host } from '../../../src/host/host.ts'

/** Mounts operations on the host of `node:http` in examples, and listens. */
export const mountOnNode = async (base: string, ...mounted: Parameters<Host['mount']>) => {
  const app = nodeApp({ base })
  const host = carriedHost(app)
  if (host === undefined) throw new Error('The application carries no host.')
  await host.mount(...mounted)
  const server = createServer(app)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { host, port: address.port, stop }
}
