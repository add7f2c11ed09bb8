import { ownAuthenticate } from './auth/own.ts'
import { type Commits, commitsOf } from './controller/commits.ts'
import { controllersFor } from './controllers.ts'
import { StartError, suggest } from './error/start-error.ts'
import { fastifyHost } from './host/fastify/index.ts'
import { fetchHost } from './host/fetch/index.ts'
import type { Host } from './host/host.ts'
import { type Serve, serveWith } from './host/serve.ts'
import { limitsOf } from './limits.ts'
import type { Model } from './model/model.ts'
import type { NameIn } from './model/model-types.ts'
import type { Registered } from './model/register.ts'
import { chooseModels } from './model/served.ts'
import { type DocumentHead, toOpenApi } from './openapi/document.ts'
import type { OpenApiDocument } from './openapi/openapi-document.ts'
import { openApiOperations } from './openapi/operations.ts'
import type { Operation } from './operation/operation.ts'
import { runAsync, runSync } from './operation/run.ts'
import { assertOptions, type ModelRestOptions } from './options.ts'
import { operationsOf } from './resource/index.ts'
import { type Limits, resourcesOf } from './resource/resource.ts'
import { customBodiesOf } from './schema/custom/custom-bodies.ts'
import { assertCustomSchemas } from './schema/custom/custom-schemas.ts'
import { type ModelSchemas, schemasOf } from './schema/model-schemas.ts'
import { assertFree, assertTables, startLines } from './start.ts'

const hosts = [fastifyHost, fetchHost]

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
  /** The models that are served. */
  readonly models: readonly Model[]
  readonly #host: Host
  readonly #options: ModelRestOptions<unknown>
  readonly #serve: Serve
  readonly #internal: readonly Model[]
  readonly #limits: Limits
  readonly #commits: Commits = commitsOf()
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
    const { served, internal } = chooseModels(source.models, options)
    this.models = served
    this.#internal = internal
    assertCustomSchemas(options.customSchemas ?? {}, source.models, this.models)
    this.#limits = limitsOf(options, this.#host.log)
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

  /** The OpenAPI 3.1 document, made at the first call. */
  openapi(): OpenApiDocument {
    this.#document ??= toOpenApi(
      this.operations,
      { ...this.#options.openapi, base: this.#host.base, ...schemeOf(this.#options.auth) },
      this.#host.routes(),
    )
    return this.#document
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
    const { models: source, customSchemas = {}, isAsync = true, auth = false } = this.#options
    assertFree(this.#host, this.models)
    const { controllers, summary } = await controllersFor(this.#options, this.models)
    await assertTables(source, this.models, this.#host.log)
    const { bodies, notes } = await customBodiesOf(customSchemas, this.models, isAsync)
    const surroundings = {
      ...{ source, controllers, commits: this.#commits, bodies },
      ...(auth !== false && { authenticate: ownAuthenticate(auth) }),
    }
    const resources = resourcesOf(this.models, surroundings, this.#limits)
    this.#operations = Object.freeze(resources.flatMap(operationsOf))
    await this.#host.mount(this.#operations, this.#serve)
    for (const note of notes) this.#host.log.warn(note)
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

const schemeOf = (auth: ModelRestOptions<unknown>['auth'] = false): Pick<DocumentHead, 'scheme'> =>
  auth === false ? {} : { scheme: auth.scheme ?? { type: 'http', scheme: 'bearer' } }

const attach = (app: object): Host => {
  const adapter = hosts.find((candidate) => candidate.accepts(app))
  if (adapter !== undefined) return adapter.attach(app)
  const names = hosts.map(({ name }) => name).join(' or ')
  throw new StartError(
    `ModelRest: the first argument is no application that is known. Give it one of ${names}.`,
  )
}
