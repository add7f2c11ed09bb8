import type { FastifyRequest } from 'fastify'
import {
  type AuthRoutes,
  type AuthRoutesOptions,
  registerAuthRoutes as anyAuthRoutes,
} from '../app/auth-routes.ts'
import { ModelRest as AnyModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import type { FastifyApp } from '../host/fastify/index.ts'
import type { Registered } from '../model/types.ts'

export { type FastifyApp, filesOf, readForm } from '../host/fastify/index.ts'
export * from '../index.ts'
export type { FormFile } from '../upload/form.ts'

declare module '../model/types.ts' {
  interface HostRequests {
    fastify: FastifyRequest
  }
}

/**
 * Serves models in a Fastify application. Call `init()` before the application listens.
 *
 * @throws StartError for a mistake in options, settings or models
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

/**
 * Registers only the authentication routes, below `/auth`. The result authenticates requests to your own routes.
 *
 * @throws StartError for a mistake in options or settings, or if there is no user model
 * @example
 * ```ts
 * import Fastify from 'fastify'
 * import { defineSettings, registerAuthRoutes } from 'modelrest/fastify'
 * import type { ModelSource } from 'modelrest'
 *
 * export const serve = async (models: ModelSource, secret: string): Promise<void> => {
 *   const app = Fastify()
 *   const auth = await registerAuthRoutes(app, { models, settings: defineSettings({ SECRET_KEY: secret }) })
 *   app.get('/hello', async (request) => ({ you: (await auth.authenticate(request))?.id ?? null }))
 *   await app.listen({ port: 3000 })
 * }
 * ```
 */
export const registerAuthRoutes: <Types>(
  app: FastifyApp,
  options: AuthRoutesOptions<Types>,
) => Promise<AuthRoutes<FastifyRequest>> = anyAuthRoutes
