import type { Context, ErrorHandler, MiddlewareHandler, NotFoundHandler } from 'hono'
import type { StatusCode } from 'hono/utils/http-status'
import { StartError } from '../../error/errors.ts'
import { stderrLog } from '../../observe/log.ts'
import type { Call, Reply } from '../../operation/call.ts'
import type { HostRoute } from '../../operation/operation.ts'
import { HeadCall } from '../call.ts'
import { responseParts } from '../fetch/answer.ts'
import {
  adapterFor,
  defineHost,
  type Host,
  type HostAdapter,
  misplaced,
  type ProblemsContext,
  readBase,
} from '../host.ts'
import { ofServer } from '../own-errors.ts'
import { carryTable, isServedBy, routeTable } from '../routes.ts'
import { nothingHere, replyToError } from '../serve.ts'
import { type ClientAddress, connectionTurn, honoBody, honoHead, isContext } from './head.ts'

/** The part of an application of Hono 4 that modelrest uses. Applications with any types are assignable to it. */
export interface HonoApp {
  readonly routes: readonly { readonly method: string; readonly path: string; readonly handler: unknown }[]
  use(path: string, handler: MiddlewareHandler): unknown
  onError(handler: ErrorHandler): unknown
  notFound(handler: NotFoundHandler): unknown
}

/** What {@link honoHost} returns. */
export interface HonoHost {
  readonly app: HonoApp
}

/** The options of {@link honoHost}. */
interface HonoHostOptions {
  /**
   * The path of the API as clients see it, such as `/api`, if you mount the application with `app.route()`.
   *
   * @default the path of `basePath()`
   */
  readonly base?: string
  /**
   * Returns the IP address of the client. Failed logins are limited per address.
   *
   * @default the address of the connection with `@hono/node-server`; otherwise unknown
   */
  readonly clientAddress?: (context: Context) => string | undefined
}

const isApp = (app: unknown): app is HonoApp =>
  Array.isArray(Object(app).routes) && typeof Object(app).basePath === 'function'

const appOf = (place: string, app: unknown): HonoApp => {
  if (isApp(app)) return app
  throw new StartError(`${place}: app must be a Hono application.`)
}

const responded = (context: Context, reply: Reply, call: Call): Response => {
  const { body, status, headers } = responseParts(context.req.raw, reply, call)
  const code = status as StatusCode
  // It adds the headers that middleware has set, which a `Response` of our own would not have.
  if (!(headers instanceof Headers) && !('set-cookie' in headers))
    return context.newResponse(body, code, headers)
  const all = new Headers(headers)
  // Hono would replace cookies by those of middleware.
  for (const cookie of all.getSetCookie()) context.header('set-cookie', cookie, { append: true })
  all.delete('set-cookie')
  return context.newResponse(body, { status: code, headers: all })
}

const attach = (app: HonoApp, given: string | undefined, clientAddress?: ClientAddress): Host => {
  const handler: MiddlewareHandler = async (context, next) => {
    // In older versions, guards compare the path with its fragment.
    if (routes.covers(context.req.raw) && !context.req.path.includes('#')) {
      const head = honoHead(context, clientAddress)
      return (await connectionTurn(context))
        ? routes.answer(head, honoBody(context), (reply, call) => responded(context, reply, call))
        : context.body(null)
    }
    // Other helpers of Hono for it would have to be imported.
    const path = withoutWildcard(String(Reflect.get(context.req, 'routePath') ?? ''))
    const wrong = misplaced(base, path, remedy(path))
    if (wrong !== undefined) throw wrong
    return next()
  }
  const path = added(app, handler)
  const base = readBase('honoHost', given ?? path)
  if (!base.endsWith(path))
    throw new StartError(
      `honoHost: the application has the base path ${path}, so base must end with it, unlike ${JSON.stringify(base)}.`,
    )
  const routes = routeTable(base)
  carryTable(handler, routes)
  return {
    ...{ base, log: stderrLog, mount: routes.add },
    serves: (method, path) => isServedBy(method, path, handlersOf(app)),
    headOf: (request) => (isContext(request) ? honoHead(request, clientAddress) : undefined),
    operationOf: (request) =>
      isContext(request) ? routes.operationOf(honoHead(request, clientAddress)) : undefined,
    routes: () => routesOf(app, base.slice(0, base.length - path.length)),
    problems: (other, context) => handleErrors(appOf('problems(app)', other), context),
  }
}

const handlersOf = ({ routes }: HonoApp): readonly unknown[] => routes.map(({ handler }) => handler)

/** Adds the handler for all paths, and returns the path of the application. */
const added = (app: HonoApp, handler: MiddlewareHandler): string => {
  try {
    app.use('*', handler)
  } catch (cause) {
    throw new StartError('Hono has already served a request. Create ModelRest before the first request.', {
      cause,
    })
  }
  return withoutWildcard(app.routes.at(-1)?.path ?? '')
}

const withoutWildcard = (path: string): string => path.replace(/\/\*$/, '')

const remedy = (path: string): string =>
  `Pass honoHost(app, { base: '${path}' }) to ModelRest, with the whole path of the API.`

const shown = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Paths with patterns, optional parts and wildcards have no form in OpenAPI. */
const routesOf = ({ routes }: HonoApp, prefix: string): readonly HostRoute[] =>
  routes
    .filter(({ method, path }) => shown.has(method) && !/[{}?*]/.test(path))
    .map(({ method, path }) => ({
      ...{ method, operation: {} },
      path: prefix + path.replaceAll(/:(\w+)/g, '{$1}'),
    }))

/** Makes the errors of the application's own routes problem documents. */
const handleErrors = (app: HonoApp, given: ProblemsContext): void => {
  const send = (error: unknown, context: Context): Response => {
    const call = new HeadCall(honoHead(context), undefined, undefined, given)
    return responded(context, replyToError(error, call), call)
  }
  app.onError((error, context) => send(ofServer(error), context))
  if (given.notFound) app.notFound((context) => send(nothingHere(context.req.path), context))
}

/**
 * A host for a Hono application that you mount in another one, or that knows the addresses of clients in its own way. Pass it
 * to `ModelRest`.
 *
 * @throws StartError if `app` is not of Hono or has served a request, or `base` is not its path
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import { honoHost, ModelRest } from 'modelrest/hono'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (models: ModelSource): Promise<Hono> => {
 *   const api = new Hono()
 *   await new ModelRest(honoHost(api, { base: '/api' }), { models }).init()
 *   return new Hono().route('/api', api)
 * }
 * ```
 */
export const honoHost = (app: HonoApp, { base, clientAddress }: HonoHostOptions = {}): HonoHost => {
  if (clientAddress !== undefined && typeof clientAddress !== 'function')
    throw new StartError('honoHost: clientAddress must be a function: (context) => string | undefined.')
  return defineHost(attach(appOf('honoHost', app), base, clientAddress), { app })
}

/** Recognizes applications of Hono. */
export const honoAdapter: HostAdapter = adapterFor('a Hono application', isApp, (app) =>
  attach(app, undefined),
)
