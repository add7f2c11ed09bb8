import { findUserModel, nameOf } from './auth/user/users.ts'
import { type Authentication, authenticationOf } from './authentication.ts'
import { type Commits, commitsOf } from './controller/commits.ts'
import { callingFile } from './controller/passed-over.ts'
import { StartError } from './error/start-error.ts'
import { type Files, filesOf } from './files.ts'
import type { Host } from './host/host.ts'
import { observedServe } from './host/observed-serve.ts'
import { type Serve, serveWith } from './host/serve.ts'
import { attach } from './hosts.ts'
import { limitsOf } from './limits.ts'
import { mediaOf } from './media.ts'
import type { Model } from './model/model.ts'
import type { SecretFields } from './model/secret.ts'
import { chooseModels } from './model/served.ts'
import { observingWith } from './operation/observing.ts'
import { runAsync, runSync } from './operation/run.ts'
import { assertOptions, type ModelRestOptions, resolveSettings } from './options.ts'
import type { Limits } from './resource/resource.ts'
import { assertCustomSchemas } from './schema/custom/custom-schemas.ts'
import { signingKeyOf } from './signing-key.ts'
import { repeatingSource } from './source/repeating.ts'
import type { Media } from './upload/media/media.ts'
import { withHiddenPassword } from './users.ts'

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
  const host = attach(app)
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
