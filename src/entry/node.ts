import {
  type AuthRoutes,
  type AuthRoutesOptions,
  registerAuthRoutes as anyAuthRoutes,
} from '../app/auth-routes.ts'
import { ModelRest as AnyModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import type { NodeApp } from '../host/node/index.ts'
import type { NodeRequest } from '../host/node/request.ts'
import type { Registered } from '../model/types.ts'

export { type NodeApp, nodeApp } from '../host/node/index.ts'
export type { NodeRequest } from '../host/node/request.ts'
export * from '../index.ts'

declare module '../model/types.ts' {
  interface HostRequests {
    node: NodeRequest
  }
}

/**
 * Serves models in an application of `nodeApp()`, which is a request handler of Node.js. Until `init()` has finished, every
 * response is 503.
 *
 * @throws StartError for a mistake in options, settings or models
 */
export const ModelRest: new <Types>(app: NodeApp, options: ModelRestOptions<Types>) => AnyModelRest<Types> =
  AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>

/**
 * Registers only the authentication routes, below `/auth`. The result authenticates requests to your own routes.
 *
 * @throws StartError for a mistake in options or settings, or if there is no user model
 */
export const registerAuthRoutes: <Types>(
  app: NodeApp,
  options: AuthRoutesOptions<Types>,
) => Promise<AuthRoutes<NodeRequest>> = anyAuthRoutes
