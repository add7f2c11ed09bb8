import {
  type AuthRoutes,
  type AuthRoutesOptions,
  registerAuthRoutes as anyAuthRoutes,
} from '../app/auth-routes.ts'
import { ModelRest as AnyModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import type { FetchApp } from '../host/fetch/index.ts'
import type { Registered } from '../model/types.ts'

export { type FetchApp, fetchApp } from '../host/fetch/index.ts'
export * from '../index.ts'

declare module '../model/types.ts' {
  interface HostRequests {
    fetch: Request
  }
}

/**
 * `ModelRest` for an application of `fetchApp()`, which answers a `Request` with a `Response`.
 *
 * @throws StartError for a mistake in options, settings or models.
 * @example
 * ```ts
 * import { ModelRest, fetchApp } from 'modelrest/fetch'
 * import type { ModelSource } from 'modelrest'
 *
 * export const serve = async (models: ModelSource): Promise<Response> => {
 *   const app = fetchApp({ base: '/api' })
 *   await new ModelRest(app, { models }).init()
 *   return app.fetch(new Request('http://localhost/api/products/'))
 * }
 * ```
 */
export const ModelRest: new <Types>(app: FetchApp, options: ModelRestOptions<Types>) => AnyModelRest<Types> =
  AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>

/**
 * Registers the routes of authentication alone: login, register, refresh, me and logout below `/auth` (specification,
 * 1.1). What it resolves to knows who sent a request of your own routes.
 *
 * @throws StartError for a mistake in options or settings, or where there is no user model
 * @example
 * ```ts
 * import { defineSettings, fetchApp, registerAuthRoutes } from 'modelrest/fetch'
 * import type { ModelSource } from 'modelrest'
 *
 * export const serve = async (models: ModelSource, secret: string): Promise<(request: Request) => unknown> => {
 *   const app = fetchApp({ base: '/api' })
 *   const auth = await registerAuthRoutes(app, { models, settings: defineSettings({ SECRET_KEY: secret }) })
 *   return async (request) => (await auth.authenticate(request))?.id ?? app.fetch(request)
 * }
 * ```
 */
export const registerAuthRoutes: <Types>(
  app: FetchApp,
  options: AuthRoutesOptions<Types>,
) => Promise<AuthRoutes<Request>> = anyAuthRoutes
