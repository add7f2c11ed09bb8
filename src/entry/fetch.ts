import { controllerFor as anyControllerFor, type ControllerFor } from '../controller/controller-for.ts'
import type * as hooks from '../controller/hooks.ts'
import type { FetchApp } from '../host/fetch/index.ts'
import type { ModelName, Registered } from '../model/register.ts'
import { ModelRest as AnyModelRest } from '../model-rest.ts'
import type { ModelRestOptions } from '../options.ts'

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
export type Hooks<Name extends ModelName = ModelName> = hooks.Hooks<Name, Request>
export type BeforeList<Name extends ModelName = ModelName> = hooks.BeforeList<Name, Request>
export type AfterList<Name extends ModelName = ModelName> = hooks.AfterList<Name, Request>
export type BeforeCreate<Name extends ModelName = ModelName> = hooks.BeforeCreate<Name, Request>
export type AfterCreate<Name extends ModelName = ModelName> = hooks.AfterCreate<Name, Request>
export type BeforeUpdate<Name extends ModelName = ModelName> = hooks.BeforeUpdate<Name, Request>
export type AfterUpdate<Name extends ModelName = ModelName> = hooks.AfterUpdate<Name, Request>
export type BeforeDelete<Name extends ModelName = ModelName> = hooks.BeforeDelete<Name, Request>
export type AfterDelete<Name extends ModelName = ModelName> = hooks.AfterDelete<Name, Request>
export type AfterCommit<Name extends ModelName = ModelName> = hooks.AfterCommit<Name, Request>
export type ScopeHook<Name extends ModelName = ModelName> = hooks.ScopeHook<Name, Request>
