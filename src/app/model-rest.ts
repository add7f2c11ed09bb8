import { callerOf, requireCaller } from '../auth/authenticate.ts'
import { revokeTokensOf } from '../auth/index.ts'
import { StartError, suggest } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import type { NameIn, Registered } from '../model/types.ts'
import { toOpenApi } from '../openapi/document.ts'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { openApiOperations } from '../openapi/operations.ts'
import type { Call, Caller } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { type CleanFilesOptions, cleanFiles, type OrphanFile } from '../resource/clean.ts'
import { type ModelSchemas, schemasOf } from '../schema/zod.ts'
import type { ModelRestOptions } from './options.ts'
import { type Registration, register } from './registration.ts'
import { type Setup, setupOf } from './setup.ts'

/**
 * Serves the models of an application as REST endpoints.
 *
 * Nothing is registered before `init()` or `registerAllModels()` is called.
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
  readonly #setup: Setup
  #registration: Registration | undefined
  #registering: Promise<Registration> | undefined
  #starting: Promise<void> | undefined
  #document: OpenApiDocument | undefined

  constructor(app: object, options: ModelRestOptions<Types>)
  constructor(app: object, options: ModelRestOptions<unknown>) {
    this.#setup = setupOf(app, options)
    this.#setup.inspection.generators?.push(this)
  }

  /** The models that are served. What users may write of their own record is known once `init()` is done. */
  get models(): readonly Model[] {
    return (this.#registration ?? this.#setup).models
  }

  /**
   * Everything that is served for models: one entry for each route.
   *
   * @throws StartError before `init()` or `registerAllModels()` is done: controllers are not known until then.
   */
  get operations(): readonly Operation[] {
    if (this.#registration !== undefined) return this.#registration.operations
    throw new StartError('What is served is known once await rest.init() is done.')
  }

  /** Registers the endpoints of all models, then `/openapi.json` and `/docs`, and says so in the log. */
  init(): Promise<void> {
    this.#starting ??= this.#start()
    return this.#starting
  }

  /** Registers the endpoints of all models. Calling it again registers nothing twice. */
  async registerAllModels(): Promise<void> {
    await this.#registered()
  }

  /**
   * The Zod schemas of a model, to validate with or to extend.
   *
   * @throws StartError where no such model is served.
   */
  schemas(model: NameIn<Types>): ModelSchemas {
    const known = this.models.find(({ name }) => name === model)
    if (known !== undefined) return schemasOf(known)
    const names = this.models.map(({ name }) => name)
    throw new StartError(`There is no model ${model}.${suggest(model, names)}`)
  }

  /**
   * Who sent a request of the application's own routes, as the option `auth` knows users; null for the anonymous, and
   * where there is no authentication.
   *
   * @throws HttpError 403 for a cookie that another site made the browser send; 503 where sessions cannot be checked
   */
  authenticate(request: unknown): Promise<Caller | null> {
    const { authentication, host, options } = this.#setup
    const { auth } = authentication
    return callerOf(auth, options.models, host.callOf(request))
  }

  /**
   * Ends every session of a user, as after a change of the password. It takes about a second, longer over a slow cache.
   *
   * @param id the user's key
   * @throws Error without `auth: true` and `STATEFUL`; HttpError 503 where the cache is away
   */
  revokeTokens(id: unknown): Promise<void> {
    return revokeTokensOf(this.#setup.authentication.auth, id)
  }

  /** The OpenAPI 3.1 document, made at the first call. */
  openapi(): OpenApiDocument {
    const { host, options, authentication } = this.#setup
    const { auth } = authentication
    this.#document ??= toOpenApi(
      this.operations,
      { ...options.openapi, base: host.base, models: this.models, ...(auth && { schemes: auth.schemes }) },
      host.routes(),
    )
    return this.#document
  }

  /**
   * Finds the files in the storage that no record of any model holds, and deletes them: what a killed process left. It can
   * be called before `init()`, and while the service runs: files younger than `olderThan` stay. Files that other programs
   * wrote stay, too, and those of models and fields which are not there any more.
   *
   * @returns what was found, deleted or not
   * @throws StartError for a wrong option, or where a table is missing; StorageError where the storage refuses
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
  cleanFiles(options: CleanFilesOptions = {}): Promise<readonly OrphanFile[]> {
    const { files, options: given } = this.#setup
    const { models: source, fileFields: named = {} } = given
    return cleanFiles({ source, storage: files.setup.storage, named }, options)
  }

  /**
   * Ends what `init()` opened, and waits for the `afterCommit` hooks that still run. From now on `GET /health/ready` answers
   * 503, so that no new requests are led here; those that come are served. The application and its database stay open: they
   * are yours.
   */
  async close(): Promise<void> {
    this.#setup.closing.abort()
    await Promise.allSettled([this.#starting, this.#registering])
    await this.#setup.commits.settled()
  }

  #registered(): Promise<Registration> {
    this.#registering ??= this.#register()
    return this.#registering
  }

  async #register(): Promise<Registration> {
    this.#registration = Object.freeze(await register(this.#setup))
    return this.#registration
  }

  async #start(): Promise<void> {
    const { lines } = await this.#registered()
    const { host, serve, options, authentication } = this.#setup
    const { auth } = authentication
    const guard =
      options.openapi?.public === false && auth !== undefined
        ? (call: Call) => requireCaller(call, auth.authenticate)
        : undefined
    await host.mount(
      openApiOperations(() => this.openapi(), { guard, ...(options.openapi && { brand: options.openapi }) }),
      serve,
    )
    for (const line of lines) host.log.info(line)
    for (const note of options.models.notes) host.log.warn(note)
  }
}
