import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { type Log, stderrLog } from '../../observe/log.ts'
import { defineHost, readBase } from '../host.ts'
import { routeTable } from '../routes.ts'
import { isNodeRequest, MiddlewareHead, middleware } from './middleware.ts'

/** The options of {@link nodeApp}. */
interface NodeAppOptions {
  /**
   * The path where the application is mounted, such as `/api`. Every path starts with it, also if a framework such as connect
   * mounts the handler at this path.
   *
   * @default ''
   */
  readonly base?: string
}

/**
 * A request handler for servers of `node:http`, `node:https` and `node:http2`, and for frameworks of connect's kind, which
 * pass `next`: it then receives the requests for paths that modelrest does not serve, and all OPTIONS requests.
 */
export interface NodeApp {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void
  (request: Http2ServerRequest, response: Http2ServerResponse): void
  /**
   * Listens to the event `checkContinue` of the server. Clients that wait for `100 Continue` then receive an error such as 401
   * before they send a body. Without it, Node.js asks for each body at once. The server emits `request` for these requests,
   * too.
   *
   * @example
   * ```ts
   * import { createServer } from 'node:http'
   * import { nodeApp } from 'modelrest/node'
   *
   * const app = nodeApp()
   * createServer(app).on('checkContinue', app.checkContinue).listen(3000)
   * ```
   */
  readonly checkContinue: (
    ...given: [IncomingMessage, ServerResponse] | [Http2ServerRequest, Http2ServerResponse]
  ) => void
}

/**
 * Creates an application that is a request handler of Node.js. Until `init()` has finished, it responds with 503, or calls
 * `next()`.
 *
 * @throws StartError if `base` is not a path
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { ModelRest, nodeApp } from 'modelrest/node'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (models: ModelSource): Promise<void> => {
 *   const app = nodeApp({ base: '/api' })
 *   await new ModelRest(app, { models }).init()
 *   createServer(app).listen(3000)
 * }
 * ```
 */
export const nodeApp = (options: NodeAppOptions = {}): NodeApp => loggedNodeApp(options, stderrLog)

/** The same with another log. */
export const loggedNodeApp = ({ base = '' }: NodeAppOptions, log: Log): NodeApp => {
  const under = readBase('nodeApp', base)
  const routes = routeTable(under, { literal: true })
  const { handle, checkContinue } = middleware({
    ...{ routes, base: under },
    headOf: (request) => new MiddlewareHead(request),
    remedy: (path) => `Write nodeApp({ base: '${path}' }).`,
  })
  return defineHost<NodeApp>(
    {
      base: under,
      reportsSent: true,
      log,
      mount: routes.add,
      serves: routes.serves,
      headOf: (request) => (isNodeRequest(request) ? new MiddlewareHead(request) : undefined),
      operationOf: (request) =>
        isNodeRequest(request) ? routes.operationOf(new MiddlewareHead(request)) : undefined,
    },
    Object.assign(handle, { checkContinue }),
  )
}
