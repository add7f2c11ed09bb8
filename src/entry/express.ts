import type { Request } from 'express'
import { AnyModelRest, type AuthRoutesOn, authRoutes, type Registered, type RestOn } from '../app/on-host.ts'
import type { ExpressApp, ExpressHost } from '../host/express/index.ts'
import type { RequestOperation } from '../host/request-operation.ts'

export { type ExpressApp, type ExpressHost, expressHost } from '../host/express/index.ts'
export * from '../index.ts'

declare global {
  namespace Express {
    interface Request {
      /**
       * The operation that serves the request, and its models. `undefined`: no operation does, or the application that has
       * received the request does not contain modelrest.
       */
      readonly modelrest?: RequestOperation
    }
  }
}

declare module '../model/types.ts' {
  interface HostRequests {
    express: Request
  }
}

/**
 * Serves models in an application or a router of Express 5. `init()` adds a handler, so middleware and routes that you declare
 * before it come first.
 *
 * @throws StartError for a mistake in options, settings or models
 * @example
 * ```ts
 * import express from 'express'
 * import { ModelRest } from 'modelrest/express'
 * import type { ModelSource } from 'modelrest'
 *
 * export const start = async (models: ModelSource): Promise<void> => {
 *   const app = express()
 *   await new ModelRest(app, { models }).init()
 *   app.listen(3000)
 * }
 * ```
 */
export const ModelRest: RestOn<ExpressApp | ExpressHost> = AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>

/**
 * Registers only the authentication routes, below `/auth`. The result authenticates requests to your own routes.
 *
 * @throws StartError for a mistake in options or settings, or if there is no user model
 */
export const registerAuthRoutes: AuthRoutesOn<ExpressApp | ExpressHost, Request> = authRoutes
