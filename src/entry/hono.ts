import type { Context } from 'hono'
import { AnyModelRest, type AuthRoutesOn, authRoutes, type Registered, type RestOn } from '../app/on-host.ts'
import type { HonoApp, HonoHost } from '../host/hono/index.ts'

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
export const ModelRest: RestOn<HonoApp | HonoHost> = AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>

/**
 * Registers only the authentication routes, below `/auth`. The result authenticates requests to your own routes.
 *
 * @throws StartError for a mistake in options or settings, or if there is no user model
 */
export const registerAuthRoutes: AuthRoutesOn<HonoApp | HonoHost, Context> = authRoutes
