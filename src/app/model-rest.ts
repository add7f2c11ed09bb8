import { callerOf, requireCaller } from '../auth/authenticate.ts'
import { issueTokensOf, revokeTokensOf } from '../auth/index.ts'
import type { IssuedTokens, IssueTokensOptions } from '../auth/issue-tokens.ts'
import { type FoundControllers, findControllers, givenControllers } from '../controller/discovery.ts'
import { StartError, suggest } from '../error/errors.ts'
import { callOf } from '../host/host.ts'
import type { RequestOperation } from '../host/request-operation.ts'
import type { Model } from '../model/model.ts'
import type { GivenCallerKey, NameIn, Registered } from '../model/types.ts'
import { toOpenApi } from '../openapi/document.ts'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { openApiOperations } from '../openapi/operations.ts'
import type { Call, Caller } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { type CleanFilesOptions, cleanFiles, type OrphanFile } from '../resource/clean.ts'
import { type ModelSchemas, schemasOf } from '../schema/zod.ts'
import { applicationOf } from './application.ts'
import { inControllers, withControllers } from './controller-options.ts'
import { howItWorks } from './how-it-works.ts'
import type { ModelRestOptions } from './options.ts'
import { type Registration, registerOperations } from './registration.ts'
import { hostRoutesOf, replacedLines, unreplaced } from './replaced.ts'
import { type RequestContext, requestContextOf } from './request-context.ts'
import { assertComplete, type Setup, setupOf } from './setup.ts'
import { assertDocumentationFree } from './start-checks.ts'

/** The options of {@link ModelRest.problems}. */
export interface ProblemsOptions {
  /** Makes the response for a path that does not exist a problem document, too. @default false */
  readonly notFound?: boolean
}

/**
 * Serves the models of an application as REST endpoints.
 *
 * The constructor checks the options. Call `init()` to register the endpoints.
 *
 * @throws StartError for a mistake in options, settings or models. The message says what to write instead.
 * @example
 * ```ts
 * import { ModelRest, fetchApp } from 'modelrest/fetch'
 * import { drizzleModels } from 'modelrest/drizzle'
 * import Database from 'better-sqlite3'
 * import { drizzle } from 'drizzle-orm/better-sqlite3'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
 * const db = drizzle(new Database('shop.db'))
 *
 * const app = fetchApp({ base: '/api' })
 * const rest = new ModelRest(app, { models: drizzleModels(db, { products }) })
 * await rest.init()
 * ```
 */
export class ModelRest<out Types = Registered> {
  /** Until the controllers are found, without the configuration that they have. */
  #setup: Setup
  #finding: Promise<FoundControllers> | undefined
  #registration: Registration | undefined
  #registering: Promise<Registration> | undefined
  #starting: Promise<void> | undefined
  #document: (() => OpenApiDocument) | undefined

  constructor(app: object, options: ModelRestOptions<Types>)
  constructor(app: object, options: ModelRestOptions<unknown>) {
    const application = applicationOf(app, options)
    this.#setup = setupOf(application, givenControllers(options.controllers ?? []))
    this.#setup.inspection.generators?.push(this)
    this.#setup.host.beforeStart?.(() => this.#assertRegistered())
  }

  /** A server without endpoints would respond with 404 to everything. @throws StartError */
  #assertRegistered(): void {
    if (this.#registration !== undefined) return
    const state = this.#registering === undefined ? 'was never called' : 'has not finished, or has failed'
    throw new StartError(
      `The endpoints of ModelRest are not registered: init() ${state}. Write await rest.init() before listen(), ready() and inject().`,
    )
  }

  /**
   * The models that are served. Before `init()` has finished, without the configuration in the files in `controllers/`, and the
   * user model does not show which fields are read-only.
   */
  get models(): readonly Model[] {
    return (this.#registration ?? this.#setup).models
  }

  /**
   * The operations of authentication and of all models, one for each route.
   *
   * @throws StartError before `init()` or `registerAllModels()` has finished, which loads the controllers
   */
  get operations(): readonly Operation[] {
    return this.#assertAvailable('The operations are not available yet.').operations
  }

  #assertAvailable(problem: string): Registration {
    if (this.#registration !== undefined) return this.#registration
    throw new StartError(`${problem} Call await rest.init() first.`)
  }

  /**
   * Registers the endpoints of all models, `/openapi.json` and `/docs`, and logs what is served. Calling it again has no
   * effect.
   *
   * @throws StartError for a mistake in options, controllers or models, such as a missing table
   */
  init(): Promise<void> {
    this.#starting ??= this.#start()
    return this.#starting
  }

  /** Registers only the endpoints of all models, without `/openapi.json` and `/docs`. Calling it again has no effect. */
  async registerAllModels(): Promise<void> {
    await this.#registered()
  }

  /**
   * Returns the generated Zod schemas of a model, to validate with or to extend. Before `init()` has finished, they do not
   * follow the configuration in the files in `controllers/`. See docs/schemas.md.
   *
   * @throws StartError if the model is not served
   */
  schemas(model: NameIn<Types>): ModelSchemas {
    const known = this.models.find(({ name }) => name === model)
    if (known !== undefined) return schemasOf(known)
    const names = this.models.map(({ name }) => name)
    throw new StartError(`Unknown model ${model}.${suggest(model, names)}`)
  }

  /**
   * Returns the caller of a request to your own routes, or `null` if it is anonymous or the option `auth` is off.
   *
   * @throws HttpError 403 for cookies in a request that another site makes; 503 if sessions cannot be checked
   */
  async authenticate(request: unknown): Promise<Caller | null> {
    const { authentication, host, options } = this.#setup
    return callerOf(authentication.auth, options.models, callOf(host, request, 'authenticate'))
  }

  /**
   * Returns the caller of a request to your own routes, the caller's record, and which records of a model the caller can reach, as
   * a condition for your own queries. See docs/scope.md.
   *
   * @throws StartError before `init()` or `registerAllModels()` has finished; HttpError 403 for cookies in a request that another
   * site makes; 503 if sessions cannot be checked
   * @example
   * ```ts
   * import type { SQL } from 'drizzle-orm'
   * import type { ModelRest } from 'modelrest'
   *
   * export const reachable = async (api: ModelRest, request: unknown): Promise<SQL> => {
   *   const context = await api.context(request)
   *   return (await context.scope('Ticket')) as SQL
   * }
   * ```
   */
  context(request: unknown): Promise<RequestContext<Types>>
  async context(request: unknown): Promise<RequestContext<unknown>> {
    const { authentication, host, options } = this.#setup
    const { controllers } = this.#assertAvailable('context(request) is not available yet.')
    const parts = { source: options.models, auth: authentication.auth, scopes: { controllers } }
    return requestContextOf(parts, callOf(host, request, 'context'))
  }

  /**
   * Returns the operation that serves a request, and the names of all models whose records the request may read or write, for
   * your own guards: including models that the request reaches only through relations. Call it in any hook or middleware, also before that of
   * modelrest. On Fastify, Express and NestJS, `request.modelrest` is the same. See docs/hosts.md.
   *
   * @returns `undefined` if no operation serves the request
   * @throws Error if the application did not receive the request; StartError on a host that cannot tell
   * @example
   * ```ts
   * import { Hono } from 'hono'
   * import { ModelRest } from 'modelrest/hono'
   * import type { ModelSource } from 'modelrest'
   *
   * export const start = async (models: ModelSource): Promise<Hono> => {
   *   const app = new Hono()
   *   app.use(async (context, next) => {
   *     if (rest.operationOf(context)?.models.includes('Secret')) return context.text('Forbidden', 403)
   *     return next()
   *   })
   *   const rest = new ModelRest(app.basePath('/api'), { models })
   *   await rest.init()
   *   return app
   * }
   * ```
   */
  operationOf(request: unknown): RequestOperation | undefined {
    const { host } = this.#setup
    callOf(host, request, 'operationOf')
    if (host.operationOf === undefined)
      throw new StartError(
        'operationOf(): the host of this application cannot tell which operation serves a request. Remove the call.',
      )
    return host.operationOf(request)
  }

  /**
   * Makes the errors of your own routes problem documents (`application/problem+json`), as those of the endpoints: a thrown
   * `HttpError` or `ValueError`, a request that does not match the schema of its route, and every other error. On Fastify, call
   * it before you load plugins with own routes; on Express, after your own routes; on Hono and NestJS, before the application
   * starts. See docs/hosts.md.
   *
   * @param app the application, or a plugin or router of it: only its routes and those below it change
   * @throws StartError on other hosts; on Fastify, if the application has started or has a not-found handler, or an error handler with
   *   `allowErrorHandlerOverride: false`
   * @example
   * ```ts
   * import Fastify from 'fastify'
   * import { HttpError } from 'modelrest'
   * import { ModelRest } from 'modelrest/fastify'
   * import type { ModelSource } from 'modelrest'
   *
   * export const serve = async (models: ModelSource): Promise<void> => {
   *   const app = Fastify()
   *   const rest = new ModelRest(app, { models })
   *   rest.problems(app)
   *   app.get('/report', () => {
   *     throw new HttpError(409, 'The report is not ready.', { code: 'report_pending' })
   *   })
   *   await rest.init()
   * }
   * ```
   */
  problems(app: object, { notFound = false }: ProblemsOptions = {}): void {
    const { host, serve } = this.#setup
    if (host.problems === undefined)
      throw new StartError(
        'problems(): the host of this application cannot convert the errors of its own routes. Remove the call.',
      )
    host.problems(app, { loggable: serve.loggable, codes: serve.codes, notFound })
  }

  /**
   * Opens a session for a user after your own code has authenticated them, for example by single sign-on, an invitation or a
   * magic link. `onLogin` does not run. See docs/sessions.md.
   *
   * @param userId the user's key, also in its JSON form
   * @throws HttpError 401 if the user does not exist or is disabled, 503 if the cache is unavailable; Error without
   * `auth: true`, and for claims that tokens cannot have
   * @example
   * ```ts
   * import type { ModelRest } from 'modelrest'
   *
   * export const accept = async (api: ModelRest, userId: number, request: Request): Promise<Response> => {
   *   const { cookies } = await api.issueTokens(userId, { claims: { amr: ['sso'] }, request })
   *   const headers = new Headers({ location: '/' })
   *   for (const cookie of cookies) headers.append('set-cookie', cookie)
   *   return new Response(null, { status: 303, headers })
   * }
   * ```
   */
  async issueTokens(userId: GivenCallerKey, options: IssueTokensOptions = {}): Promise<IssuedTokens> {
    const { authentication, host } = this.#setup
    const { request } = options
    const call = request === undefined ? undefined : callOf(host, request, 'issueTokens')
    return issueTokensOf(authentication.auth, userId, options, { call, log: host.log })
  }

  /**
   * Ends all sessions of a user, for example after a changed password. It takes about a second, or longer if the cache is
   * slow.
   *
   * @param id the user's key
   * @throws Error without `auth: true` and `stateful`; HttpError 503 if the cache is unavailable
   */
  revokeTokens(id: unknown): Promise<void> {
    return revokeTokensOf(this.#setup.authentication.auth, id)
  }

  /**
   * Returns the OpenAPI 3.1 document, which the first call generates.
   *
   * @throws StartError before `init()` or `registerAllModels()` has finished
   */
  openapi(): OpenApiDocument {
    const { operations, models } = this
    this.#document ??= this.#generateDocument(operations, models)
    return this.#document()
  }

  /**
   * Deletes the files in the storage that no record refers to, such as those that a killed process left behind. You can call
   * it before `init()`, and while the service is running, because it keeps files younger than `olderThan`. It also keeps
   * files of other programs, and files of models and fields that no longer exist.
   *
   * @returns the files that it found, deleted or not
   * @throws StartError for an invalid option or a missing table; StorageError if the storage fails
   * @example
   * ```ts
   * import type { ModelRest } from 'modelrest'
   *
   * export const orphans = async (api: ModelRest): Promise<readonly string[]> => {
   *   const found = await api.cleanFiles({ olderThan: 86_400, remove: false })
   *   return found.map(({ key, size = 0 }) => `${key}: ${size} bytes`)
   * }
   * ```
   */
  async cleanFiles(options: CleanFilesOptions = {}): Promise<readonly OrphanFile[]> {
    // A controller may configure a field to hold files, which are then not orphans.
    await this.#found()
    const { files, options: given } = this.#setup
    return cleanFiles({ ...files.setup, source: given.models }, options)
  }

  /**
   * Prepares a shutdown, and waits for running `afterCommit` hooks, and for mails with tokens for up to a minute. From then on,
   * `GET /health/ready` responds with 503, so that load balancers stop sending requests; requests that still arrive are served. Close the application and
   * the database yourself.
   */
  async close(): Promise<void> {
    this.#setup.closing.abort()
    await Promise.allSettled([this.#starting, this.#registering])
    await this.#setup.commits.settled()
    await this.#setup.authentication.auth?.settled?.()
  }

  /** Caches an error as well, because clients may request the document as often as they like. */
  #generateDocument(operations: readonly Operation[], models: readonly Model[]): () => OpenApiDocument {
    const { host, options, authentication, envelope } = this.#setup
    const { auth } = authentication
    const { base } = host
    const explained = howItWorks({
      // The addresses in `servers` replace the base of the host.
      ...{ base: options.openapi?.servers === undefined ? base : '', operations, models, envelope },
      schemes: Object.keys(auth?.schemes ?? {}),
    })
    const description = [options.openapi?.description ?? [], explained].flat().join('\n\n')
    const { replaced = [], vocabulary } = this.#registration ?? {}
    const schemes = auth && { schemes: auth.schemes }
    try {
      const described = vocabulary && { vocabulary: vocabulary() }
      const head = { ...options.openapi, ...{ description, base, models }, ...schemes, ...described }
      const document = toOpenApi(operations, head, hostRoutesOf(host, replaced))
      return () => document
    } catch (error) {
      return () => {
        throw error
      }
    }
  }

  #registered(): Promise<Registration> {
    this.#registering ??= this.#register()
    return this.#registering
  }

  async #register(): Promise<Registration> {
    const found = await this.#found()
    try {
      assertComplete(this.#setup)
      this.#registration = Object.freeze(await registerOperations(this.#setup, found))
      return this.#registration
    } catch (error) {
      throw inControllers(error, this.#setup.places)
    }
  }

  #found(): Promise<FoundControllers> {
    this.#finding ??= this.#find()
    return this.#finding
  }

  async #find(): Promise<FoundControllers> {
    const { given, settings, source, calling } = this.#setup
    const apps = [...new Set(source.models.map(({ app }) => app))]
    const found = await findControllers({
      ...{ given: given.controllers, baseDir: settings.BASE_DIR, apps, calling },
    })
    const isNews =
      given.controllers === undefined && withControllers(given, found.controllers).places.size > 0
    if (isNews) this.#setup = setupOf(this.#setup, found.controllers)
    return found
  }

  async #start(): Promise<void> {
    const { operations, probes, lines } = await this.#registered()
    const { host, inspection, serve, options, authentication } = this.#setup
    const { auth } = authentication
    const { public: open = true } = options.openapi ?? {}
    const guard =
      open !== true && auth !== undefined ? (call: Call) => requireCaller(call, auth.authenticate) : undefined
    const documentation = openApiOperations(() => this.openapi(), {
      ...{ guard, asksForToken: open === 'page' },
      ...(options.openapi && { brand: options.openapi }),
    })
    const shown = await unreplaced(host, documentation)
    assertDocumentationFree(host, shown.operations)
    await host.mount(shown.operations, serve)
    inspection.served?.(this, [...operations, ...probes, ...shown.operations])
    for (const line of [...lines, ...replacedLines(host.base, shown.replaced)]) host.log.info(line)
    for (const note of options.models.notes ?? []) host.log.warn(note)
  }
}
