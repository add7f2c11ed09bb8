import type { FastifyRequest } from 'fastify'
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
import { filesOf as anyFilesOf, readForm as anyReadForm, type FastifyApp } from '../host/fastify/index.ts'
import type { ModelName, Registered } from '../model/types.ts'
import type { FormFile } from '../upload/form.ts'

export type { FastifyApp } from '../host/fastify/index.ts'
export * from '../index.ts'
export type { FormFile } from '../upload/form.ts'

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
 * Registers the routes of authentication alone: login, register, refresh, me and logout below `/auth` (specification,
 * 1.1). What it resolves to knows who sent a request of your own routes.
 *
 * @throws StartError for a mistake in options or settings, or where there is no user model
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
export type Hooks<Name extends ModelName = ModelName> = AnyHooks<Name, FastifyRequest>

/** Runs before a list is read. It may return another query. */
export type BeforeList<Name extends ModelName> = hooks.BeforeList<Name, FastifyRequest>

/** Runs on the records of a page. It may return what is shown instead. */
export type AfterList<Name extends ModelName> = hooks.AfterList<Name, FastifyRequest>

/** Runs before a record is created. What it returns is stored. */
export type BeforeCreate<Name extends ModelName> = hooks.BeforeCreate<Name, FastifyRequest>

/** Runs inside the transaction that created a record. It may return what is shown instead. */
export type AfterCreate<Name extends ModelName> = hooks.AfterCreate<Name, FastifyRequest>

/** Runs before a record is changed, by PATCH and by PUT. What it returns is stored. */
export type BeforeUpdate<Name extends ModelName> = hooks.BeforeUpdate<Name, FastifyRequest>

/** Runs inside the transaction that changed a record. It may return what is shown instead. */
export type AfterUpdate<Name extends ModelName> = hooks.AfterUpdate<Name, FastifyRequest>

/** Runs before a record is deleted. */
export type BeforeDelete<Name extends ModelName> = hooks.BeforeDelete<Name, FastifyRequest>

/** Runs inside the transaction that deleted a record. */
export type AfterDelete<Name extends ModelName> = hooks.AfterDelete<Name, FastifyRequest>

/** Runs once a write is durable and the reply is on its way. */
export type AfterCommit<Name extends ModelName> = hooks.AfterCommit<Name, FastifyRequest>

/** Says what the caller may reach: it joins the WHERE of every statement of the model. */
export type ScopeHook<Name extends ModelName> = hooks.ScopeHook<Name, FastifyRequest>

/**
 * The `preParsing` hook of a route of your own that reads `multipart/form-data`. It needs `ProcessPutPatchMiddleware` in
 * the setting `MIDDLEWARE`. A route without it does not read a form: 415. Check who the caller is in `onRequest`, which
 * runs before the form is read.
 *
 * @example
 * ```ts
 * import Fastify from 'fastify'
 * import { defineSettings, ModelRest, readForm } from 'modelrest/fastify'
 * import type { ModelSource } from 'modelrest'
 *
 * export const serve = async (models: ModelSource): Promise<void> => {
 *   const app = Fastify()
 *   const settings = defineSettings({ MIDDLEWARE: ['ProcessPutPatchMiddleware'] })
 *   await new ModelRest(app, { models, settings }).init()
 *   app.put('/profile', { preParsing: readForm }, async (request) => ({ texts: request.body }))
 * }
 * ```
 */
export const readForm: <Payload>(
  request: object,
  reply: object,
  payload: Payload,
  done: (error: null, payload: Payload) => void,
) => void = anyReadForm

/**
 * The files of a form that a route of your own with the hook `readForm` received. The texts are in `request.body`. The
 * files are gone once the response is sent. The list is empty if the request has no files, or if the application has a
 * parser of forms of its own.
 *
 * @example
 * ```ts
 * import Fastify from 'fastify'
 * import { defineSettings, filesOf, ModelRest, readForm } from 'modelrest/fastify'
 * import type { ModelSource } from 'modelrest'
 *
 * export const serve = async (models: ModelSource): Promise<void> => {
 *   const app = Fastify()
 *   const settings = defineSettings({ MIDDLEWARE: ['ProcessPutPatchMiddleware'] })
 *   await new ModelRest(app, { models, settings }).init()
 *   app.put('/picture', { preParsing: readForm }, async (request) =>
 *     filesOf(request).map(({ name, type, size }) => ({ name, type, size })),
 *   )
 * }
 * ```
 */
export const filesOf: (request: FastifyRequest) => readonly FormFile[] = anyFilesOf
