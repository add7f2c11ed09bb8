import type { FastifyApp } from '../host/fastify/index.ts'
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
export const ModelRest: new (app: FastifyApp, options: ModelRestOptions) => AnyModelRest = AnyModelRest
export type ModelRest = AnyModelRest
