import { once } from 'node:events'
import { Server } from 'node:http'
import type { Http2Server } from 'node:http2'

/** Starts a server of Node on a free port. */
export const listenNode = async (server: Server | Http2Server) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const stop = async (): Promise<void> => {
    if (server instanceof Server) server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { port: address.port, stop }
}
