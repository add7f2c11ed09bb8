import type { FastifyRequest, RegisterOptions } from 'fastify'
import type { ProblemsOptions } from '../app/model-rest.ts'
import { AnyModelRest, type AuthRoutesOn, authRoutes, type Registered, type RestOn } from '../app/on-host.ts'
import type { ModelRestOptions } from '../app/options.ts'
import { StartError } from '../error/errors.ts'
import { type FastifyApp, fastifyBelow } from '../host/fastify/index.ts'
import type { RequestOperation } from '../host/request-operation.ts'

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
export const ModelRest: RestOn<FastifyApp> = AnyModelRest
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
 *   const auth = await registerAuthRoutes(app, { models, settings: defineSettings({ secretKey: secret }) })
 *   app.get('/hello', async (request) => ({ you: (await auth.authenticate(request))?.id ?? null }))
 *   await app.listen({ port: 3000 })
 * }
 * ```
 */
export const registerAuthRoutes: AuthRoutesOn<FastifyApp, FastifyRequest> = authRoutes

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation that serves the request, and its models. `undefined`: a route of the application serves it. */
    readonly modelrest?: RequestOperation
  }

  interface FastifyInstance {
    /** What the plugin `modelRest` serves in this context or in one around it. */
    readonly modelRest: ModelRest
  }
}

/** The part of an application that the plugin uses, too. */
interface PluginApp extends FastifyApp {
  decorate(name: string, value: object): unknown
}

/** The options of the plugin {@link modelRest}. */
export type ModelRestPluginOptions = ModelRestOptions &
  RegisterOptions & {
    /**
     * Calls `app.modelRest.problems(app)` as soon as the plugin loads. Routes that you declare after `app.register()`, without
     * `await`, can then replace operations, and their errors are problem documents.
     *
     * @default false
     */
    readonly problems?: boolean | ProblemsOptions
  }

/**
 * The plugin of Fastify: `await app.register(modelRest, { models, prefix: '/api' })`. It takes the options of `ModelRest` and
 * those of `register`. `app.modelRest` is then the `ModelRest`, which the plugin closes together with the application.
 *
 * @throws StartError for a mistake in options, settings or models, or if the context has the plugin already
 * @example
 * ```ts
 * import Fastify from 'fastify'
 * import { modelRest } from 'modelrest/fastify'
 * import type { ModelSource } from 'modelrest'
 *
 * export const serve = async (models: ModelSource): Promise<void> => {
 *   const app = Fastify()
 *   await app.register(modelRest, { models, prefix: '/api' })
 *   app.get('/hello', async (request) => ({ you: (await app.modelRest.authenticate(request))?.id ?? null }))
 *   await app.listen({ port: 3000 })
 * }
 * ```
 */
export const modelRest: (app: PluginApp, options: ModelRestPluginOptions) => Promise<void> = Object.assign(
  async (
    app: PluginApp,
    { prefix, logLevel, logSerializers, problems = false, ...options }: ModelRestPluginOptions,
  ): Promise<void> => {
    if (Object.hasOwn(app, 'modelRest'))
      throw new StartError(
        'modelRest is registered in this context already. Register it in another one: app.register(async (other) => { await other.register(modelRest, { models }) }).',
      )
    const rest = new AnyModelRest(fastifyBelow(app, prefix, { logLevel, logSerializers }), options)
    app.decorate('modelRest', rest)
    app.addHook('onClose', () => rest.close())
    // Before the first wait, after which routes have their error handler.
    if (problems !== false) rest.problems(app, problems === true ? {} : problems)
    await rest.init()
  },
  {
    // As plugins of the package `fastify-plugin`: without a context of its own.
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'modelrest',
    [Symbol.for('plugin-meta')]: { name: 'modelrest', fastify: '5.x' },
  },
)
