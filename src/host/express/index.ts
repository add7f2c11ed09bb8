import type { Application, ErrorRequestHandler, Request, RequestHandler, Response, Router } from 'express'
import { StartError } from '../../error/errors.ts'
import { stderrLog } from '../../observe/log.ts'
import { HeadCall } from '../call.ts'
import {
  adapterFor,
  defineHost,
  type Host,
  type HostAdapter,
  type ProblemsContext,
  readBase,
} from '../host.ts'
import { isNodeRequest, MiddlewareHead, middleware } from '../node/middleware.ts'
import { sendToNode } from '../node/response.ts'
import { ofServer } from '../own-errors.ts'
import { decorateRequests, type RequestOperation } from '../request-operation.ts'
import { carryTable, isServedBy, routeTable } from '../routes.ts'
import { nothingHere, replyToError } from '../serve.ts'
import { parsersIn, routesIn, stackOf } from './stack.ts'

/** An application or a router of Express 5. */
export type ExpressApp = Application | Router

/** What {@link expressHost} returns. */
export interface ExpressHost {
  readonly app: ExpressApp
}

/** The options of {@link expressHost}. */
interface ExpressHostOptions {
  /**
   * The path of the API as clients see it, such as `/api`. For a router, this is where you mount it.
   *
   * @default the path at which an application is mounted in another one, or `''`
   */
  readonly base?: string
}

const isRequest = (request: unknown): request is Request =>
  isNodeRequest(request) && 'ip' in request && 'protocol' in request

/** The head of a request of Express, which knows the proxies that the application trusts. */
class ExpressHead extends MiddlewareHead {
  constructor(request: Request) {
    super(request, request.ip)
  }

  override get scheme(): string {
    return (this.request as Request).protocol
  }
}

const isApp = (app: unknown): app is ExpressApp =>
  typeof app === 'function' &&
  ['use', 'route', 'param', 'all'].every((name) => typeof Reflect.get(app, name) === 'function')

const appOf = (place: string, app: unknown): ExpressApp => {
  if (isApp(app)) return app
  throw new StartError(`${place}: app must be an Express application or router.`)
}

/** The path at which an application is mounted in another one. A router does not know it. */
const mountPathOf = (app: ExpressApp): string =>
  'path' in app && typeof app.path === 'function' ? app.path() : ''

interface Mountable extends Required<Pick<Host, 'serves' | 'headOf' | 'operationOf' | 'routes'>> {
  mount(...operations: Parameters<Host['mount']>): boolean
}

/**
 * What a host for an application has in any framework on Express. `mount` adds a handler to its end, and returns whether it did:
 * the first time.
 *
 * @param remedy what to write if the application is mounted at a path that the base does not start with
 */
export const mountable = (app: ExpressApp, base: string, remedy: (path: string) => string): Mountable => {
  const routes = routeTable(base, { literal: true })
  const { handle } = middleware<Request>({ routes, base, headOf: (one) => new ExpressHead(one), remedy })
  carryTable(handle, routes)
  const operationOf = (request: unknown): RequestOperation | undefined =>
    isNodeRequest(request) ? routes.operationOf(new MiddlewareHead(request)) : undefined
  // A router has no requests of its own.
  if ('request' in app) decorateRequests(app.request, operationOf)
  const handlers = (): readonly unknown[] => stackOf(app).map((layer) => layer.handle)
  return {
    serves: (method, path) => isServedBy(method, path, [handle, ...handlers()]),
    headOf: (request) => (isRequest(request) ? new ExpressHead(request) : undefined),
    operationOf,
    routes: () => routesIn(app, 'path' in app ? mountPathOf(app) : base),
    mount: (...operations) => {
      routes.add(...operations)
      const isFirst = !handlers().includes(handle)
      if (isFirst) app.use(handle)
      return isFirst
    },
  }
}

const attach = (app: ExpressApp, base: string): Host => {
  const { mount, ...members } = mountable(app, base, remedy)
  return {
    ...{ base, reportsSent: true, log: stderrLog, ...members },
    problems: (other, given) => void appOf('problems(app)', other).use(...problemHandlers(given)),
    mount: (...operations) => {
      if (mount(...operations)) for (const parser of parsersIn(app)) stderrLog.warn(beforeUs(parser))
    },
  }
}

const remedy = (path: string): string =>
  `Pass expressHost(app, { base: '${path}' }) to ModelRest, with the whole path of the API.`

const beforeUs = (parser: string): string =>
  `${parser} reads bodies before modelrest: its limits apply, numbers with many digits can be refused, and forms that it reads fail. Await init() before app.use(${parser}).`

/** The last handlers of an application, which make the errors of its own routes problem documents. */
const problemHandlers = (given: ProblemsContext): readonly (RequestHandler | ErrorRequestHandler)[] => {
  const callOf = (request: Request) => new HeadCall(new ExpressHead(request), undefined, undefined, given)
  const send = (error: unknown, request: Request, response: Response): void =>
    sendToNode(request, response, replyToError(error, callOf(request)))
  const missing: RequestHandler = (request, response) =>
    send(nothingHere(callOf(request).path), request, response)
  // Express recognizes it by its four parameters.
  const failed: ErrorRequestHandler = (error: unknown, request, response, next) => {
    if (response.headersSent) next(error)
    else send(ofServer(error), request, response)
  }
  return given.notFound ? [missing, failed] : [failed]
}

/**
 * A host for an Express application or router whose path modelrest cannot know. Pass it to `ModelRest`.
 *
 * @throws StartError if `app` is not of Express, or `base` is not its path
 * @example
 * ```ts
 * import express from 'express'
 * import { expressHost, ModelRest } from 'modelrest/express'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (models: ModelSource): Promise<void> => {
 *   const app = express()
 *   const api = express.Router()
 *   app.use('/api', api)
 *   await new ModelRest(expressHost(api, { base: '/api' }), { models }).init()
 *   app.listen(3000)
 * }
 * ```
 */
export const expressHost = (app: ExpressApp, { base }: ExpressHostOptions = {}): ExpressHost => {
  const path = mountPathOf(appOf('expressHost', app))
  const under = readBase('expressHost', base ?? path)
  if (!`${under}/`.startsWith(`${path}/`))
    throw new StartError(
      `expressHost: the application is mounted at ${path}, so base must start with this path, unlike ${JSON.stringify(under)}.`,
    )
  return defineHost(attach(app, under), { app })
}

/** Recognizes applications and routers of Express. */
export const expressAdapter: HostAdapter = adapterFor('an Express application or router', isApp, (app) =>
  attach(app, readBase('ModelRest', mountPathOf(app))),
)
