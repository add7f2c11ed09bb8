import { createServer } from 'node:http'
import { nodeApp } from '../../../examples/node-host/host.ts'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { listenNode } from './listen.ts'

hostContract(runner, {
  name: 'node:http',
  start: async ({ base, mount }) => {
    const app = nodeApp({ base })
    await mount(app)
    return listenNode(createServer(app))
  },
})
