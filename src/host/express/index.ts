import type { Application, Request, Router } from 'express'
import { StartError } from '../../error/errors.ts'
import { stderrLog } from '../../observe/log.ts'
import { adapterFor, defineHost, type Host, type HostAdapter, readBase } from '../host.ts'
import { middleware } from '../node/middleware.ts'
import { carryTable, isServedBy, routeTable } from '../routes.ts'
import { problemHandlers } from './errors.ts'
import { ExpressHead, isRequest } from './head.ts'
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

interface Mountable extends Required<Pick<Host, 'serves' | 'headOf' | 'routes'>> {
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
  const headOf = (request: Request): ExpressHead => new ExpressHead(request)
  const { handle } = middleware<Request>({ routes, base, headOf, remedy })
  carryTable(handle, routes)
  const handlers = (): readonly unknown[] => stackOf(app).map((layer) => layer.handle)
  return {
    serves: (method, path) => isServedBy(method, path, [handle, ...handlers()]),
    headOf: (request) => (isRequest(request) ? headOf(request) : undefined),
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
    ...{ base, log: stderrLog, ...members },
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
