import type { FastifyRequest } from 'fastify'
import { controllerFor as anyControllerFor, type ControllerFor } from '../controller/controller-for.ts'
import type * as hooks from '../controller/hooks.ts'
import type { FastifyApp } from '../host/fastify/index.ts'
import type { ModelName, Registered } from '../model/register.ts'
import { ModelRest as AnyModelRest } from '../model-rest.ts'
import type { ModelRestOptions } from '../options.ts'

export type { FastifyApp } from '../host/fastify/index.ts'
export * from '../index.ts'

/**
 * `ModelRest` for a Fastify application.
 *
 * @throws StartError for a mistake in options, settings or models.
 * @example
 * ```ts
 * import Fastify from 'fastify'
 * import { ModelRest } from 'modelrest/fastify'
 * import type { ModelSource } from 'modelrest'
 *
 * export const serve = async (models: ModelSource): Promise<void> => {
 *   const app = Fastify()
 *   await new ModelRest(app, { models }).init()
 *   await app.listen({ port: 3000 })
 * }
 * ```
 */
export const ModelRest: new <Types>(
  app: FastifyApp,
  options: ModelRestOptions<Types, FastifyRequest>,
) => AnyModelRest<Types> = AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>

/**
 * `controllerFor` whose hooks get the `FastifyRequest` of the application.
 *
 * @throws StartError for an unknown hook, a class that does not extend `BaseModelController`, or one that is linked to
 *   another model.
 * @example
 * ```ts
 * import { controllerFor, ValueError } from 'modelrest/fastify'
 *
 * export const ProductController = controllerFor('Product', {
 *   beforeCreate(request) {
 *     if (request.headers['x-reason'] === undefined) throw new ValueError('Send it with a reason.')
 *   },
 * })
 * ```
 */
export const controllerFor: ControllerFor<FastifyRequest> = anyControllerFor

/** The hooks of a controller, all optional. */
export type Hooks<Name extends ModelName = ModelName> = hooks.Hooks<Name, FastifyRequest>
export type BeforeList<Name extends ModelName = ModelName> = hooks.BeforeList<Name, FastifyRequest>
export type AfterList<Name extends ModelName = ModelName> = hooks.AfterList<Name, FastifyRequest>
export type BeforeCreate<Name extends ModelName = ModelName> = hooks.BeforeCreate<Name, FastifyRequest>
export type AfterCreate<Name extends ModelName = ModelName> = hooks.AfterCreate<Name, FastifyRequest>
export type BeforeUpdate<Name extends ModelName = ModelName> = hooks.BeforeUpdate<Name, FastifyRequest>
export type AfterUpdate<Name extends ModelName = ModelName> = hooks.AfterUpdate<Name, FastifyRequest>
export type BeforeDelete<Name extends ModelName = ModelName> = hooks.BeforeDelete<Name, FastifyRequest>
export type AfterDelete<Name extends ModelName = ModelName> = hooks.AfterDelete<Name, FastifyRequest>
export type AfterCommit<Name extends ModelName = ModelName> = hooks.AfterCommit<Name, FastifyRequest>
export type ScopeHook<Name extends ModelName = ModelName> = hooks.ScopeHook<Name, FastifyRequest>
