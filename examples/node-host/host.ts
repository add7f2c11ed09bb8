import { IncomingMessage, type ServerResponse } from 'node:http'
import { defineHost, inTurn, NodeHead, nodeBody, routeTable, sendToNode, stderrLog } from 'modelrest/host'

/** For `http.createServer`, and for servers of connect's kind, which pass `next`. */
export type Handler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/** Creates an application for `new ModelRest(app, …)` that is also a request handler of `node:http`. */
export const nodeApp = ({ base = '' } = {}): Handler => {
  const routes = routeTable(base)

  const handler: Handler = (request, response, next) => {
    const head = new NodeHead(request)
    if (next !== undefined && !routes.covers(head)) return next()
    inTurn(request, response, () => {
      const sent = routes.answer(head, nodeBody(request), (reply) => sendToNode(request, response, reply))
      Promise.resolve(sent).catch((error: Error) => response.destroy(error))
    })
  }

  return defineHost(
    {
      base,
      log: stderrLog,
      mount: routes.add,
      serves: routes.serves,
      headOf: (request) => (request instanceof IncomingMessage ? new NodeHead(request) : undefined),
    },
    handler,
  )
}
