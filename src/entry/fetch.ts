import {
  type AuthRoutes,
  type AuthRoutesOptions,
  registerAuthRoutes as anyAuthRoutes,
} from '../app/auth-routes.ts'
import { ModelRest as AnyModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import { controllerFor as anyControllerFor, type ControllerFor } from '../controller/controller-for.ts'
import type * as hooks from '../controller/hooks.ts'
import type { Hooks as AnyHooks } from '../controller/hooks.ts'
import type { FetchApp } from '../host/fetch/index.ts'
import type { ModelName, Registered } from '../model/types.ts'

export { type FetchApp, fetchApp } from '../host/fetch/index.ts'
export * from '../index.ts'

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
export const ModelRest: new <Types>(
  app: FetchApp,
  options: ModelRestOptions<Types, Request>,
) => AnyModelRest<Types> = AnyModelRest
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

/**
 * `controllerFor` whose hooks get the `Request` of the application.
 *
 * @throws StartError for an unknown hook, a class that does not extend `BaseModelController`, or one that is linked to
 *   another model.
 * @example
 * ```ts
 * import { controllerFor, ValueError } from 'modelrest/fetch'
 *
 * export const ProductController = controllerFor('Product', {
 *   beforeCreate(request) {
 *     if (!request.headers.has('x-reason')) throw new ValueError('Send it with a reason.')
 *   },
 * })
 * ```
 */
export const controllerFor: ControllerFor<Request> = anyControllerFor

/** The hooks of a controller, all optional. */
export type Hooks<Name extends ModelName = ModelName> = AnyHooks<Name, Request>

/** Runs before a list is read. It may return another query. */
export type BeforeList<Name extends ModelName> = hooks.BeforeList<Name, Request>

/** Runs on the records of a page. It may return what is shown instead. */
export type AfterList<Name extends ModelName> = hooks.AfterList<Name, Request>

/** Runs before a record is created. What it returns is stored. */
export type BeforeCreate<Name extends ModelName> = hooks.BeforeCreate<Name, Request>

/** Runs inside the transaction that created a record. It may return what is shown instead. */
export type AfterCreate<Name extends ModelName> = hooks.AfterCreate<Name, Request>

/** Runs before a record is changed, by PATCH and by PUT. What it returns is stored. */
export type BeforeUpdate<Name extends ModelName> = hooks.BeforeUpdate<Name, Request>

/** Runs inside the transaction that changed a record. It may return what is shown instead. */
export type AfterUpdate<Name extends ModelName> = hooks.AfterUpdate<Name, Request>

/** Runs before a record is deleted. */
export type BeforeDelete<Name extends ModelName> = hooks.BeforeDelete<Name, Request>

/** Runs inside the transaction that deleted a record. */
export type AfterDelete<Name extends ModelName> = hooks.AfterDelete<Name, Request>

/** Runs once a write is durable and the reply is on its way. */
export type AfterCommit<Name extends ModelName> = hooks.AfterCommit<Name, Request>

/** Says what the caller may reach: it joins the WHERE of every statement of the model. */
export type ScopeHook<Name extends ModelName> = hooks.ScopeHook<Name, Request>
