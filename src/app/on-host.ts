import type { AuthRoutes, AuthRoutesOptions } from './auth-routes.ts'
import type { ModelRest as AnyModelRest } from './model-rest.ts'
import type { ModelRestOptions } from './options.ts'

// What the entries of all hosts share: each names the applications that it serves and the requests that it authenticates.

export type { Registered } from '../model/types.ts'
export { registerAuthRoutes as authRoutes } from './auth-routes.ts'
export { ModelRest as AnyModelRest } from './model-rest.ts'

/** `ModelRest` for the applications of a host. */
export type RestOn<App> = new <Types>(app: App, options: ModelRestOptions<Types>) => AnyModelRest<Types>

/** `registerAuthRoutes` for the applications and requests of a host. */
export type AuthRoutesOn<App, Request> = <Types>(
  app: App,
  options: AuthRoutesOptions<Types>,
) => Promise<AuthRoutes<Request>>
