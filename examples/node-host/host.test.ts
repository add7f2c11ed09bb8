import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { hostContract } from 'modelrest/testing'
import { nodeApp } from './host.ts'

const runner = { describe, it, before, after }

hostContract(runner, {
  name: 'node:http',
  start: async ({ base, mount }) => {
    const app = nodeApp({ base })
    await mount(app)
    const server = createServer(app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const stop = () => {
      server.closeAllConnections()
      server.close()
    }
    return { port, stop }
  },
})
