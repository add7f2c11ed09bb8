import { AnyModelRest, type AuthRoutesOn, authRoutes, type Registered, type RestOn } from '../app/on-host.ts'
import type { FetchApp } from '../host/fetch/index.ts'

export { type FetchApp, fetchApp } from '../host/fetch/index.ts'
export { type LazyApp, lazyApp } from '../host/fetch/lazy.ts'
export * from '../index.ts'

declare module '../model/types.ts' {
  interface HostRequests {
    fetch: Request
  }
}

/**
 * Serves models in an application of `fetchApp()`, which takes a `Request` and returns a `Response`. Until `init()` has
 * finished, every response is 503.
 *
 * @throws StartError for a mistake in options, settings or models
 */
export const ModelRest: RestOn<FetchApp> = AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>

/**
 * Registers only the authentication routes, below `/auth`. The result authenticates requests to your own routes.
 *
 * @throws StartError for a mistake in options or settings, or if there is no user model
 */
export const registerAuthRoutes: AuthRoutesOn<FetchApp, Request> = authRoutes
