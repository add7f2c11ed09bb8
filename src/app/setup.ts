import { join } from 'node:path'
import { findUserModel, nameOf } from '../auth/users.ts'
import { type Commits, commitsOf } from '../controller/commits.ts'
import { callingFile } from '../controller/folders.ts'
import { StartError } from '../error/errors.ts'
import { fastifyHost } from '../host/fastify/index.ts'
import { fetchHost } from '../host/fetch/index.ts'
import type { Host } from '../host/host.ts'
import { observedServe, observingWith } from '../host/observing.ts'
import { type Serve, serveWith } from '../host/serve.ts'
import { fileFieldsOf } from '../model/kinds/index.ts'
import type { Model } from '../model/model.ts'
import type { SecretFields } from '../model/secret.ts'
import { assertPaths, chooseModels } from '../model/served.ts'
import { bodyBoundsOf } from '../operation/operation.ts'
import { runAsync, runSync } from '../operation/run.ts'
import { paginationOf } from '../query/settings.ts'
import type { FileSetup, Limits } from '../resource/resource.ts'
import { assertCustomSchemas } from '../schema/custom/index.ts'
import { repeatingSource } from '../source/repeating.ts'
import { diskStorage } from '../upload/disk.ts'
import { type Media, readMediaUrl } from '../upload/media.ts'
import { multipartModels } from '../upload/multipart-models.ts'
import {
  type Authentication,
  authenticationOf,
  type SigningKey,
  signingKeyOf,
  withHiddenPassword,
} from './authentication.ts'
import { assertOptions, type ModelRestOptions, resolveSettings } from './options.ts'

/** What the options make of an application, before anything is registered. */
export interface Setup {
  readonly host: Host
  readonly options: ModelRestOptions<unknown>
  readonly serve: Serve
  /** For what comes every few seconds, and would drown what users do. */
  readonly unobserved: Serve
  /** The models that are served. What users may write of their own record is not known yet. */
  readonly models: readonly Model[]
  /** Models that were left out without a word of `exclude`. */
  readonly internal: readonly Model[]
  readonly secret: SecretFields
  readonly limits: Limits
  readonly authentication: Authentication
  readonly files: Files
  readonly media: Media
  readonly commits: Commits
  /** The file of the application that made the generator, if the runtime can tell. */
  readonly calling: string | undefined
  /** Aborted once the service is being shut down. */
  readonly closing: AbortController
}

/** @throws StartError for a mistake in options, settings or models */
export const setupOf = (app: object, given: ModelRestOptions<unknown>): Setup => {
  assertOptions(given)
  const { isAsync, settings } = given
  if (isAsync === false && !given.models.capabilities.synchronous) {
    throw new StartError('isAsync: false needs a database with a synchronous driver, as better-sqlite3.')
  }
  const host = hostOf(app)
  const userModel = findUserModel(given.models.models, settings?.AUTH_USER_MODEL)
  const signingKey = signingKeyOf({
    settings: resolveSettings(settings),
    host,
    userModel: userModel && nameOf(userModel),
  })
  const limits = limitsOf(given, signingKey)
  const observing = given.observer && observingWith(given.observer, host.log)
  const observed = (observing && given.models.observed?.(observing.statement)) ?? given.models
  const source = repeatingSource(observed, limits.databaseRetries)
  const options = { ...given, models: source }
  const user = userModel?.name
  const { served, internal, secret } = chooseModels(source.models, options, user)
  const files = filesOf(options, served)
  const models = withHiddenPassword(files.models, user)
  const media = mediaOf(options, host, models, signingKey)
  assertCustomSchemas(options.customSchemas ?? {}, source.models, models)
  const serve = serveWith(isAsync === false ? runSync : runAsync, (error) => source.loggable(error))
  return Object.freeze<Setup>({
    ...{ host, options, models, internal, secret, limits, files, media },
    serve: observing === undefined ? serve : observedServe(serve, observing.operation, host.base),
    unobserved: serve,
    authentication: authenticationOf(options, served, host),
    commits: commitsOf(),
    calling: callingFile(),
    closing: new AbortController(),
  })
}

/** The files of an application. */
interface Files {
  /** The models that are served, with their file fields as such. */
  readonly models: readonly Model[]
  readonly setup: FileSetup
  /** The application's own routes read forms as well. */
  readonly readsForms: boolean
  /** Asks the storage once whether it can keep files, where there are any. @throws StartError where it cannot */
  readonly check: () => Promise<void>
}

/**
 * What the options make of the models that are served.
 *
 * @throws StartError for what they cannot be
 */
const filesOf = (options: ModelRestOptions<unknown>, served: readonly Model[]): Files => {
  const settings = resolveSettings(options.settings)
  assertServed(options, served)
  const multipart = multipartModels(served, options)
  const models = served.map((model) => multipart.get(model.name)?.model ?? model)
  // Models have files by `fileFields` as well: only now it is known whether the path of files is taken.
  assertPaths(models)
  const withFiles = models.filter((model) => fileFieldsOf(model).length > 0)
  const [written] = withFiles.filter(({ readOnly }) => !readOnly)
  if (written !== undefined && !options.models.capabilities.transactions) throw noTransactions(written)
  // Nothing is made on the disk before it is checked.
  const storage = options.storage ?? diskStorage({ directory: join(settings.BASE_DIR ?? '.', 'media') })
  return {
    models: Object.freeze(models),
    readsForms: settings.MIDDLEWARE?.includes('ProcessPutPatchMiddleware') ?? false,
    setup: { storage, multipart, limits: settings },
    check: async () => {
      if (withFiles.length > 0) await storage.check()
    },
  }
}

/** A model that is there, but left out, is no slip of the pen. */
const assertServed = (
  { models: source, fileFields, useMultipart }: ModelRestOptions<unknown>,
  served: readonly Model[],
): void => {
  for (const [option, given] of Object.entries({ fileFields, useMultipart })) {
    const name = Object.keys(Object(given)).find((known) => has(source.models, known) && !has(served, known))
    if (name !== undefined)
      throw new StartError(`${option}.${name}: ${name} is left out, and not served. Remove one of the two.`)
  }
}

const has = (models: readonly Model[], name: string): boolean => models.some((model) => model.name === name)

const noTransactions = ({ name }: Model): StartError =>
  new StartError(
    `${name} has files, which need transactions, and this database has none that are apart from other requests. Give drizzle a pool of connections in place of a single one, or another driver.`,
  )

/** What options and settings say about lists and bodies. @throws StartError */
const limitsOf = (
  { paginationType, settings: given }: ModelRestOptions<unknown>,
  signingKey: SigningKey,
): Limits => {
  const settings = resolveSettings(given)
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
    // Other pages sign nothing.
    secret: paging === 'cursor' ? signingKey('cursors') : '',
    bodyBounds: bodyBoundsOf(settings),
    pageBytes: settings.RESPONSE_MAX_BYTES,
    transactionTimeout: settings.TRANSACTION_TIMEOUT,
    databaseRetries: settings.DATABASE_RETRIES,
  }
}

/** What options and settings say about the URLs of files. @throws StartError */
const mediaOf = (
  options: ModelRestOptions<unknown>,
  { base }: Pick<Host, 'base'>,
  models: readonly Model[],
  signingKey: SigningKey,
): Media => {
  const settings = resolveSettings(options.settings)
  const url = readMediaUrl(settings.MEDIA_URL ?? `${base}/media/`)
  const isSigned =
    (options.auth ?? false) !== false &&
    options.storage?.signedUrl === undefined &&
    models.some((model) => fileFieldsOf(model).length > 0)
  const secret = isSigned ? signingKey('files') : undefined
  return { url, secret, seconds: settings.MEDIA_URL_EXP }
}

const hosts = [fastifyHost, fetchHost]

/** Takes hold of an application. @throws StartError where it is none that is known */
export const hostOf = (app: object): Host => {
  const adapter = hosts.find((candidate) => candidate.accepts(app))
  if (adapter !== undefined) return inspected(adapter.attach(app))
  const names = hosts.map(({ name }) => name).join(' or ')
  throw new StartError(
    `ModelRest: the first argument is no application that is known. Give it one of ${names}.`,
  )
}

/** While a tool looks at the application, it is told what the log would be. */
const inspected = (host: Host): Host => {
  const { tell } = inspection() ?? {}
  if (tell === undefined) return host
  const warn = (line: string) => tell('warning', line)
  return { ...host, log: { info: (line) => tell('info', line), warn, error: warn } }
}

/** What goes on while a tool, as the command line, looks at an application: nothing is served. */
interface Inspection {
  /** The generators that were made. */
  readonly generators: object[]
  /** The start-up checks ask the database and the storage, as they do in a service. */
  readonly checksStorage: boolean
  /** Takes what the start says, instead of the application's log. */
  tell(kind: 'info' | 'warning', line: string): void
}

// The application may have another copy of this package than the tool that looks at it.
const place = Symbol.for('modelrest.inspection')

/** `undefined`: nobody looks, as in every service. */
export const inspection = (): Inspection | undefined => Reflect.get(globalThis, place)

/** Looks at every generator that this process makes from now on. */
export const inspect = (looking: Inspection): void => {
  Reflect.set(globalThis, place, looking)
}
