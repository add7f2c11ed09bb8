import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { nodeApp } from '../../../src/host/node/index.ts'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { listenNode } from './listen.ts'

hostContract(runner, {
  decodesPaths: false,
  name: 'nodeApp',
  start: async ({ base, mount }) => {
    const app = nodeApp({ base })
    await mount(app)
    return listenNode(createServer(app).on('checkContinue', app.checkContinue))
  },
})

hostContract(runner, {
  decodesPaths: false,
  name: 'nodeApp with HTTP/2',
  protocol: 'http2',
  start: async ({ base, mount }) => {
    const app = nodeApp({ base })
    await mount(app)
    return listenNode(createHttp2Server(app).on('checkContinue', app.checkContinue))
  },
})
