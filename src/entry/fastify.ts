import type { FastifyApp } from '../host/fastify/index.ts'
import type { Registered } from '../model/register.ts'
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
  options: ModelRestOptions<Types>,
) => AnyModelRest<Types> = AnyModelRest
export type ModelRest<Types = Registered> = AnyModelRest<Types>
