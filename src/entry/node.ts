import { AnyModelRest, type AuthRoutesOn, authRoutes, type Registered, type RestOn } from '../app/on-host.ts'
import type { NodeApp } from '../host/node/index.ts'
import type { NodeRequest } from '../host/node/request.ts'

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
export const ModelRest: RestOn<NodeApp> = AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>

/**
 * Registers only the authentication routes, below `/auth`. The result authenticates requests to your own routes.
 *
 * @throws StartError for a mistake in options or settings, or if there is no user model
 */
export const registerAuthRoutes: AuthRoutesOn<NodeApp, NodeRequest> = authRoutes
