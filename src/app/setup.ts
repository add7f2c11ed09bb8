import { channel } from 'node:diagnostics_channel'
import { join } from 'node:path'
import { withPasswordHidden } from '../auth/user-columns.ts'
import { findUserModel } from '../auth/users.ts'
import { type Commits, commitsOf } from '../controller/commits.ts'
import { callingFiles } from '../controller/discovery.ts'
import { StartError } from '../error/errors.ts'
import { fastifyHost } from '../host/fastify/index.ts'
import { carriedHost, type Host, type HostAdapter } from '../host/host.ts'
import { observedServe, observingWith } from '../host/observing.ts'
import { guardedServe } from '../host/overload.ts'
import { insteadServe, type Serve, serveWith } from '../host/serve.ts'
import { fileFieldsOf } from '../model/kinds/index.ts'
import type { Model } from '../model/model.ts'
import { isWritten } from '../model/operations.ts'
import type { SecretFields } from '../model/secret.ts'
import { assertPaths, chooseModels } from '../model/served.ts'
import { assertIncludes } from '../model/usable-relations.ts'
import { bodyBoundsOf, type Operation } from '../operation/operation.ts'
import { runAsync, runSync } from '../operation/steps.ts'
import { paginationOf } from '../query/settings.ts'
import type { FileSetup } from '../resource/model-files.ts'
import type { Limits } from '../resource/resource.ts'
import { assertCustomSchemas } from '../schema/custom/index.ts'
import { withRelations } from '../source/renamed.ts'
import { repeatingSource } from '../source/repeating.ts'
import { assertTransactions, forLog } from '../source/source.ts'
import { diskStorage } from '../upload/disk.ts'
import { type Media, readMediaUrl } from '../upload/media.ts'
import { multipartModels } from '../upload/multipart-models.ts'
import { type Authentication, authenticationOf, type SigningKey, signingKeyOf } from './authentication.ts'
import { assertOptions, type ModelRestOptions, type ResolvedSettings, resolveSettings } from './options.ts'

/** The resolved options of an application, before anything is registered. */
export interface Setup {
  readonly host: Host
  readonly inspection: Inspection
  readonly options: ModelRestOptions<unknown>
  readonly serve: Serve
  /** For health checks: an observer does not receive their frequent statements, and an overload does not refuse them. */
  readonly unobserved: Serve
  /** The models that are served. The rule for users is applied later. */
  readonly models: readonly Model[]
  /** Models that are not served even though `exclude` does not name them. */
  readonly internal: readonly Model[]
  readonly secret: SecretFields
  readonly limits: Limits
  readonly authentication: Authentication
  readonly files: Files
  readonly media: Media
  readonly commits: Commits
  /** The files of the call stack that created the `ModelRest`, the innermost first. */
  readonly calling: readonly string[]
  /** Aborted by `close()`. */
  readonly closing: AbortController
}

/** @throws StartError for a mistake in options, settings or models */
export const setupOf = (app: object, given: ModelRestOptions<unknown>): Setup => {
  assertOptions(given)
  const { isAsync, observer } = given
  if (isAsync === false && !given.models.capabilities.synchronous) {
    throw new StartError('isAsync: false needs a synchronous database driver, such as better-sqlite3.')
  }
  const settings = resolveSettings(given.settings)
  const inspection = inspectionOf()
  const host = hostOf(app, inspection)
  const user = findUserModel(given.models.models, settings.AUTH_USER_MODEL)
  const signingKey = signingKeyOf(settings, host, user)
  const limits = limitsOf(given, settings, signingKey)
  const observing = observer && observingWith(observer, host.log)
  const observed = (observing && given.models.observed?.(observing.statement)) ?? given.models
  const source = withRelations(repeatingSource(observed, limits.databaseRetries), given.modelConfig)
  const options = { ...given, models: source }
  const { served, internal, secret } = chooseModels(source.models, options, user?.name)
  const files = filesOf(options, settings, served)
  const models = Object.freeze(
    files.models.map((model) => (model.name === user?.name ? withPasswordHidden(model) : model)),
  )
  assertIncludes(models, source.capabilities.relations === true)
  assertCustomSchemas(options.customSchemas ?? {}, source.models, models)
  const run = isAsync === false ? runSync : runAsync
  const unobserved = serveWith(run, (error) => forLog(source, error), given.openapi?.codes)
  const serve = guardedServe(unobserved, {
    maxWaiting: settings.MAX_WAITING,
    queues: source.queues?.map((queue) => ({
      name: 'a connection to the database',
      waited: () => queue.waited(),
      passed: () => queue.passed(),
    })),
    log: host.log,
  })
  return Object.freeze<Setup>({
    ...{ host, inspection, options, models, internal, secret, limits, files },
    media: mediaOf(options, settings, { base: host.base, models, signingKey }),
    serve: insteadServe(
      observing === undefined ? serve : observedServe(serve, observing.operation, host.base),
    ),
    unobserved,
    authentication: authenticationOf(options, settings, served, host),
    commits: commitsOf(),
    calling: callingFiles(),
    closing: new AbortController(),
  })
}

/** The files of an application. */
interface Files {
  /** The models that are served, with their file fields resolved. */
  readonly models: readonly Model[]
  readonly setup: FileSetup
  /** Whether the application's own routes parse forms. */
  readonly readsForms: boolean
  /** Checks the storage if a model has files. @throws StartError if the storage cannot store files */
  readonly check: () => Promise<void>
}

/** @throws StartError for an invalid file option, or a database without transactions */
const filesOf = (
  options: ModelRestOptions<unknown>,
  settings: ResolvedSettings,
  served: readonly Model[],
): Files => {
  assertServed(options, served)
  const multipart = multipartModels(served, options)
  const models = served.map((model) => multipart.get(model.name)?.model ?? model)
  // `fileFields` may add files to a model: only now is it known whether the path of files is reserved.
  assertPaths(models)
  const withFiles = models.filter((model) => fileFieldsOf(model).length > 0)
  const written = withFiles.find(isWritten)
  if (written !== undefined) assertTransactions(options.models, `${written.name} has files, which need`)
  // diskStorage() creates nothing before check().
  const storage = options.storage ?? diskStorage({ directory: join(settings.BASE_DIR ?? '.', 'media') })
  return {
    models,
    readsForms: settings.MIDDLEWARE?.includes('ProcessPutPatchMiddleware') ?? false,
    setup: { storage, multipart, limits: settings },
    check: async () => {
      if (withFiles.length > 0) await storage.check()
    },
  }
}

/** An option for an excluded model is a contradiction, not a misspelt name. @throws StartError */
const assertServed = (
  { models: source, fileFields, useMultipart }: ModelRestOptions<unknown>,
  served: readonly Model[],
): void => {
  const leftOut = new Set(source.models.map(({ name }) => name))
  for (const { name } of served) leftOut.delete(name)
  for (const [option, given] of Object.entries({ fileFields, useMultipart })) {
    const name = Object.keys(Object(given)).find((known) => leftOut.has(known))
    if (name !== undefined)
      throw new StartError(`${option}.${name}: ${name} is not served. Remove it from ${option}, or serve it.`)
  }
}

/** The limits of lists and bodies. */
const limitsOf = (
  { paginationType }: ModelRestOptions<unknown>,
  settings: ResolvedSettings,
  signingKey: SigningKey,
): Limits => {
  const paging = paginationOf(paginationType, settings.NINJA_PAGINATION_CLASS)
  return {
    paging,
    perPage: settings.NINJA_PAGINATION_PER_PAGE,
    maxLimit: settings.NINJA_PAGINATION_MAX_LIMIT,
    maxQueryBytes: settings.QUERY_MAX_BYTES,
    maxConditions: settings.QUERY_MAX_CONDITIONS,
    maxContains: settings.QUERY_MAX_CONTAINS,
    maxSorts: settings.QUERY_MAX_SORTS,
    maxDepth: settings.QUERY_MAX_DEPTH,
    countBound: settings.QUERY_COUNT_BOUND,
    includePerRecord: settings.INCLUDE_PER_RECORD,
    includeMaxPerRecord: settings.INCLUDE_MAX_PER_RECORD,
    includeMaxDepth: settings.INCLUDE_MAX_DEPTH,
    includeMaxRelations: settings.INCLUDE_MAX_RELATIONS,
    includeMaxRecords: settings.INCLUDE_MAX_RECORDS,
    // Only cursors are signed.
    secret: paging === 'cursor' ? signingKey('cursors') : '',
    bodyBounds: bodyBoundsOf(settings),
    pageBytes: settings.RESPONSE_MAX_BYTES,
    transactionTimeout: settings.TRANSACTION_TIMEOUT,
    databaseRetries: settings.DATABASE_RETRIES,
    maxChildren: settings.WRITE_MAX_CHILDREN,
  }
}

/** The URLs of files. */
const mediaOf = (
  { auth = false, storage }: ModelRestOptions<unknown>,
  { MEDIA_URL, MEDIA_URL_EXP }: ResolvedSettings,
  {
    base,
    models,
    signingKey,
  }: { readonly base: string; readonly models: readonly Model[]; readonly signingKey: SigningKey },
): Media => {
  const isSigned =
    auth !== false &&
    storage?.signedUrl === undefined &&
    models.some((model) => fileFieldsOf(model).length > 0)
  return {
    url: readMediaUrl(MEDIA_URL ?? `${base}/media/`),
    secret: isSigned ? signingKey('files') : undefined,
    seconds: MEDIA_URL_EXP,
  }
}

/** The kinds of applications that do not carry their host. */
const adapters: readonly HostAdapter[] = [fastifyHost]

const attached = (app: object): Host => {
  const adapter = adapters.find((candidate) => candidate.accepts(app))
  if (adapter !== undefined) return adapter.attach(app)
  const names = adapters.map(({ name }) => name).join(', ')
  throw new StartError(
    `ModelRest: unknown kind of application. The first argument must be ${names}, an application from fetchApp(), or one from defineHost().`,
  )
}

/** The host of an application. @throws StartError for an unknown kind of application */
export const hostOf = (app: object, { tell }: Inspection): Host => {
  const host = carriedHost(app) ?? attached(app)
  if (tell === undefined) return host
  const warn = (line: string) => tell('warning', line)
  return { ...host, log: { info: (line) => tell('info', line), warn, error: warn } }
}

/** The message of `inspectionChannel`: a tool that inspects an application, such as the command line, fills it in. */
export interface Inspection {
  /** Collects the `ModelRest` instances that are created. */
  generators?: object[]
  /** Whether the startup checks use the database and the storage. @default true, as in a service */
  checksStorage?: boolean
  /** Receives everything that a `ModelRest` serves once it has started, including operations that its document omits. */
  served?(generator: object, operations: readonly Operation[]): void
  /** Receives the startup lines, instead of the application's log. */
  tell?(kind: 'info' | 'warning', line: string): void
}

// A channel of Node, because the application and the tool may load different copies of this package.
const inspectionChannel = channel('modelrest.inspection')

/** Empty unless a tool, such as the command line, runs the application. */
export const inspectionOf = (): Inspection => {
  const inspection: Inspection = {}
  inspectionChannel.publish(inspection)
  return inspection
}
