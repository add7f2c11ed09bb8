import { createServer, Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { defineHost, NodeHead, nodeBody, routeTable, sendToNode, stderrLog } from '../../../src/entry/host.ts'
import { hostContract } from '../../../src/testing/host/index.ts'
import { runner } from '../../runner.ts'
import { listenNode } from './listen.ts'

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void

const http2App = (base: string): Handler => {
  const routes = routeTable(base)
  return defineHost(
    {
      base,
      log: stderrLog,
      mount: routes.add,
      serves: routes.serves,
      headOf: (request) => (request instanceof Http2ServerRequest ? new NodeHead(request) : undefined),
    },
    (request: Http2ServerRequest, response: Http2ServerResponse): void => {
      const sent = routes.answer(new NodeHead(request), nodeBody(request), (reply) =>
        sendToNode(request, response, reply),
      )
      Promise.resolve(sent).catch((error: Error) => response.stream.destroy(error))
    },
  )
}

hostContract(runner, {
  name: 'node:http2',
  protocol: 'http2',
  start: async ({ base, mount }) => {
    const app = http2App(base)
    await mount(app)
    return listenNode(createServer(app))
  },
})
