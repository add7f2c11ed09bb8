import { callerOf } from './auth/caller-of.ts'
import { revokeTokensOf } from './auth/revoke-tokens.ts'
import { findUserModel } from './auth/user/users.ts'
import { type Authentication, authenticationOf } from './authentication.ts'
import { type Commits, commitsOf } from './controller/commits.ts'
import { controllersFor } from './controllers.ts'
import { StartError, suggest } from './error/start-error.ts'
import { type Files, filesOf } from './files.ts'
import type { Host } from './host/host.ts'
import { type Serve, serveWith } from './host/serve.ts'
import { attach } from './hosts.ts'
import { limitsOf } from './limits.ts'
import { mediaOf } from './media.ts'
import { inspection } from './inspection.ts'
import type { Model } from './model/model.ts'
import type { NameIn } from './model/model-types.ts'
import type { Registered } from './model/register.ts'
import { chooseModels } from './model/served.ts'
import { toOpenApi } from './openapi/document.ts'
import type { OpenApiDocument } from './openapi/openapi-document.ts'
import { openApiOperations } from './openapi/operations.ts'
import type { Caller } from './operation/caller.ts'
import type { Operation } from './operation/operation.ts'
import { runAsync, runSync } from './operation/run.ts'
import { assertOptions, type ModelRestOptions } from './options.ts'
import type { CleanFilesOptions } from './resource/clean/clean-options.ts'
import { cleanFiles, type OrphanFile } from './resource/clean/index.ts'
import { operationsOf } from './resource/index.ts'
import { type Limits, resourcesOf } from './resource/resource.ts'
import { shownRow } from './resource/shown-files.ts'
import { customBodiesOf } from './schema/custom/custom-bodies.ts'
import { assertCustomSchemas } from './schema/custom/custom-schemas.ts'
import { type ModelSchemas, schemasOf } from './schema/model-schemas.ts'
import { assertFree, assertTables, startLines } from './start.ts'
import type { Media } from './upload/media/media.ts'
import { withHiddenPassword, withOwnRecord } from './users.ts'

/**
 * Serves the models of an application as REST endpoints (specification, 1).
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
  readonly #host: Host
  readonly #options: ModelRestOptions<unknown>
  readonly #serve: Serve
  readonly #internal: readonly Model[]
  readonly #limits: Limits
  readonly #authentication: Authentication
  readonly #files: Files
  readonly #media: Media
  readonly #commits: Commits = commitsOf()
  #models: readonly Model[]
  #operations: readonly Operation[] | undefined
  #registering: Promise<string> | undefined
  #starting: Promise<void> | undefined
  #document: OpenApiDocument | undefined

  constructor(app: object, options: ModelRestOptions<Types>)
  constructor(app: object, options: ModelRestOptions<unknown>) {
    assertOptions(options)
    const { models: source } = options
    if (options.isAsync === false && !source.capabilities.synchronous) {
      throw new StartError('isAsync: false needs a database with a synchronous driver, as better-sqlite3.')
    }
    this.#options = options
    this.#host = attach(app)
    this.#serve = serveWith(options.isAsync === false ? runSync : runAsync)
    const user = findUserModel(source.models, options.settings?.AUTH_USER_MODEL)?.name
    const { served, internal } = chooseModels(source.models, options, user)
    this.#files = filesOf(options, served)
    this.#models = withHiddenPassword(this.#files.models, user)
    this.#media = mediaOf(options, this.#host, this.models)
    this.#internal = internal
    assertCustomSchemas(options.customSchemas ?? {}, source.models, this.models)
    this.#limits = limitsOf(options, this.#host.log)
    this.#authentication = authenticationOf(options, served)
    inspection()?.generators.push(this)
  }

  /** The models that are served. What users may write of their own record is known once `init()` is done. */
  get models(): readonly Model[] {
    return this.#models
  }

  /**
   * Everything that is served for models: one entry for each route.
   *
   * @throws StartError before `init()` or `registerAllModels()` is done: controllers are not known until then.
   */
  get operations(): readonly Operation[] {
    if (this.#operations !== undefined) return this.#operations
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
    return callerOf(this.#authentication.auth, this.#host.callOf(request))
  }

  /**
   * Ends every session of a user, as after a change of the password. It takes up to a second.
   *
   * @param id the user's key
   * @throws Error without `auth: true` and `STATEFUL`; HttpError 503 where the cache is away
   */
  revokeTokens(id: unknown): Promise<void> {
    return revokeTokensOf(this.#authentication.auth, id)
  }

  /** The OpenAPI 3.1 document, made at the first call. */
  openapi(): OpenApiDocument {
    const { auth } = this.#authentication
    this.#document ??= toOpenApi(
      this.operations,
      { ...this.#options.openapi, base: this.#host.base, ...(auth && { schemes: auth.schemes }) },
      this.#host.routes(),
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
    const { models: source, fileFields: named = {} } = this.#options
    return cleanFiles({ source, storage: this.#files.setup.storage, named }, options)
  }

  /**
   * Ends what `init()` opened, and waits for the `afterCommit` hooks that still run. The application and its database stay
   * open: they are yours.
   */
  async close(): Promise<void> {
    await Promise.allSettled([this.#starting, this.#registering])
    await this.#commits.settled()
  }

  #registered(): Promise<string> {
    this.#registering ??= this.#register()
    return this.#registering
  }

  /** @returns where controllers were found, for the log */
  async #register(): Promise<string> {
    const { models: source, customSchemas = {}, isAsync = true } = this.#options
    const { auth, users, notes: authNotes } = this.#authentication
    assertFree(this.#host, this.models, auth?.operations)
    const { controllers: found, summary } = await controllersFor(this.#options, this.models)
    const { models, controllers } = withOwnRecord({ models: this.models, controllers: found }, users, source)
    this.#models = models
    if (inspection()?.checksStorage ?? true) {
      await assertTables(
        source,
        users === undefined ? this.models : [...this.models, users.model],
        this.#host.log,
      )
      await this.#files.check()
    }
    const { bodies, notes } = await customBodiesOf(customSchemas, this.models, isAsync)
    const surroundings = {
      ...{
        source,
        controllers,
        commits: this.#commits,
        bodies,
        files: this.#files.setup,
        media: this.#media,
      },
      ...(auth && { authenticate: auth.authenticate, writeProblems: auth.writeProblems }),
    }
    if (this.#files.readsForms) await this.#host.readForms(this.#files.setup)
    const resources = resourcesOf(this.models, surroundings, this.#limits)
    const ofUsers = resources.find(({ model: { name } }) => name === users?.model.name)
    if (ofUsers !== undefined) auth?.showUsersBy?.((row) => shownRow(ofUsers, row))
    this.#operations = Object.freeze([...(auth?.operations ?? []), ...resources.flatMap(operationsOf)])
    await this.#host.mount(this.#operations, this.#serve)
    for (const note of [...notes, ...authNotes]) this.#host.log.warn(note)
    return summary
  }

  async #start(): Promise<void> {
    const controllers = await this.#registered()
    await this.#host.mount(
      openApiOperations(() => this.openapi()),
      this.#serve,
    )
    for (const line of startLines(this.#host.base, this.models, {
      routes: this.operations.length,
      internal: this.#internal,
      controllers,
      isProtected: (this.#options.auth ?? false) !== false,
    }))
      this.#host.log.info(line)
    for (const note of this.#options.models.notes) this.#host.log.warn(note)
  }
}
