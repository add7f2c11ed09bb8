import type { Context } from 'hono'
import {
  type AuthRoutes,
  type AuthRoutesOptions,
  registerAuthRoutes as anyAuthRoutes,
} from '../app/auth-routes.ts'
import { ModelRest as AnyModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import type { HonoApp, HonoHost } from '../host/hono/index.ts'
import type { Registered } from '../model/types.ts'

export { type HonoApp, type HonoHost, honoHost } from '../host/hono/index.ts'
export * from '../index.ts'

declare module '../model/types.ts' {
  interface HostRequests {
    hono: Context
  }
}

/**
 * Serves models in an application of Hono 4. It adds a handler at once, so middleware and routes that you declare before come
 * first. Requests that arrive before `init()` has finished are passed on to the next handler.
 *
 * @throws StartError for a mistake in options, settings or models
 * @example
 * ```ts
 * import { Hono } from 'hono'
 * import { ModelRest } from 'modelrest/hono'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (models: ModelSource): Promise<Hono> => {
 *   const app = new Hono()
 *   await new ModelRest(app.basePath('/api'), { models }).init()
 *   return app
 * }
 * ```
 */
export const ModelRest: new <Types>(
  app: HonoApp | HonoHost,
  options: ModelRestOptions<Types>,
) => AnyModelRest<Types> = AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>

/**
 * Registers only the authentication routes, below `/auth`. The result authenticates requests to your own routes.
 *
 * @throws StartError for a mistake in options or settings, or if there is no user model
 */
export const registerAuthRoutes: <Types>(
  app: HonoApp | HonoHost,
  options: AuthRoutesOptions<Types>,
) => Promise<AuthRoutes<Context>> = anyAuthRoutes
