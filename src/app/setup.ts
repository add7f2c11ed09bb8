import { join } from 'node:path'
import { findKeyModel, manageableKeys, withKeysHidden } from '../auth/keys/key-model.ts'
import { resolveServiceAuth } from '../auth/settings/index.ts'
import { withPasswordHidden } from '../auth/users/user-columns.ts'
import type { FoundController } from '../controller/class.ts'
import { StartError } from '../error/errors.ts'
import { type AuditTrail, auditTrail, findAuditModel, readableEntries } from '../model/audit.ts'
import { fileFieldsOf, isFileField } from '../model/kinds/index.ts'
import type { Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { isWritten } from '../model/operations.ts'
import { configureModel } from '../model/setup/configure.ts'
import type { SecretFields } from '../model/setup/secret.ts'
import { assertPaths, chooseModels, type InternalReason } from '../model/setup/served.ts'
import { assertIncludes, assertRelated } from '../model/usable-relations.ts'
import { type FileSetup, fileColumnsOf } from '../resource/parts/files.ts'
import { assertCustomSchemas } from '../schema/custom/index.ts'
import { adviceOf } from '../source/advice.ts'
import { assertTransactions } from '../source/source.ts'
import { diskStorage } from '../upload/disk.ts'
import { isAbsoluteUrl, type Media, readMediaUrl } from '../upload/media.ts'
import { multipartModels } from '../upload/multipart-models.ts'
import type { Application } from './application.ts'
import { type Authentication, authenticationOf } from './authentication.ts'
import { type ControllerPlaces, inControllers, withControllers } from './controller-options.ts'
import { layersOn } from './layers.ts'
import type { ModelRestOptions, ResolvedSettings } from './options.ts'
import type { SigningKey } from './signing-key.ts'
import { assertCountsShown } from './start-checks.ts'

/** An application with its models, before anything is registered. */
export interface Setup extends Application {
  /** With the configuration of models that controllers have. */
  readonly options: ModelRestOptions<unknown>
  readonly places: ControllerPlaces
  /** The models that are served. The rule for users is applied later. */
  readonly models: readonly Model[]
  /** All models, also those that are not served. */
  readonly configured: readonly Model[]
  /** Models that are not served even though `exclude` does not name them. */
  readonly internal: readonly Model[]
  readonly reasons: ReadonlyMap<string, InternalReason>
  readonly secret: SecretFields
  readonly authentication: Authentication
  readonly files: Files
  readonly media: Media
  readonly audit: AuditTrail | undefined
  /** The model of audit entries, if writes are recorded. */
  readonly entries: Model | undefined
  /** The model of API keys, if there are some. */
  readonly keys: Model | undefined
}

/**
 * Describes the models of an application.
 *
 * @param found the controllers that are known so far
 * @throws StartError for a mistake in the options of a model
 */
export const setupOf = (application: Application, found: readonly FoundController[]): Setup => {
  const merged = withControllers(application.given, found)
  try {
    return describedSetup(application, merged.options, merged.places)
  } catch (error) {
    throw inControllers(error, merged.places)
  }
}

const describedSetup = (
  application: Application,
  given: ModelRestOptions<unknown>,
  places: ControllerPlaces,
): Setup => {
  const { host, settings, user, signingKey } = application
  const registration = given.auth === true ? resolveServiceAuth(settings.SERVICE_AUTH) : undefined
  const layers = layersOn(application.source, given, user, registration)
  const { named, models: described, modelConfig, fileFields } = layers
  const merged = { ...given, modelConfig, fileFields }
  const { audit = false } = merged
  const entries = findAuditModel(
    described,
    audit,
    settings.AUDIT_MODEL,
    adviceOf(named).declare('AuditEntry'),
  )
  if (entries !== undefined) assertTransactions(named, 'The option audit needs')
  const keys = findKeyModel(described, registration)
  const { served, internal, reasons, secret } = chooseModels(described, merged, [
    ...[user?.name, entries?.name, keys?.name],
  ])
  const options = { ...merged, models: layers.source([...served, ...internal]) }
  assertCountsShown(modelConfig, application.envelope)
  const files = filesOf(options, settings, served)
  const url = readMediaUrl(settings.MEDIA_URL ?? `${host.base}/media/`)
  const isShown = isAbsoluteUrl(url) && options.storage?.signedUrl === undefined
  const withoutSecrets = (model: Model): Model => {
    if (model.name === user?.name) return withPasswordHidden(model)
    return model.name === keys?.name ? withKeysHidden(model) : model
  }
  const models = Object.freeze(
    (isShown ? files.models.map((model) => withMediaUrl(model, url)) : files.models).map((model) => {
      if (model.name === entries?.name) return readableEntries(model)
      return withoutSecrets(model.name === keys?.name ? manageableKeys(model) : model)
    }),
  )
  const unserved = (model: Model): Model =>
    withoutSecrets(configureModel(model, ownValue(options.modelConfig ?? {}, model.name), secret))
  // Join tables and users are written although they are not served.
  const configured = described.map(
    (model) => models.find(({ name }) => name === model.name) ?? unserved(model),
  )
  const trail = entries && auditTrail(entries, audit, configured)
  return Object.freeze<Setup>({
    ...application,
    ...{ options, places, models, configured, internal, reasons, secret, files },
    media: mediaOf(options, settings, { url, models, signingKey }),
    ...{ entries, keys },
    audit: trail,
    authentication: authenticationOf(options, settings, host, {
      served,
      envelope: application.envelope,
      ...{ audit: trail, limits: application.limits },
    }),
  })
}

/**
 * Checks what the options say about several models, or about models that are not served. A controller may add what is
 * missing, so all of them must be known.
 *
 * @throws StartError
 */
export const assertComplete = ({ options, models }: Setup): void => {
  const { models: source, customSchemas = {} } = options
  const canRelate = source.capabilities.relations === true
  // `fileFields` may add files to a model, whose path is then reserved.
  assertPaths(models)
  assertIncludes(models, canRelate)
  assertRelated(models, canRelate)
  assertCustomSchemas(customSchemas, source.models, models)
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
  const withFiles = models.filter((model) => fileFieldsOf(model).length > 0)
  const written = withFiles.find(isWritten)
  if (written !== undefined) assertTransactions(options.models, `${written.name} has files, which need`)
  // diskStorage() creates nothing before check().
  const storage = options.storage ?? diskStorage({ directory: join(settings.BASE_DIR ?? '.', 'media') })
  return {
    models,
    readsForms: settings.MIDDLEWARE?.includes('ProcessPutPatchMiddleware') ?? false,
    setup: {
      ...{ storage, multipart, limits: settings },
      columns: fileColumnsOf(options.models, options.fileFields),
    },
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

/** Only the document needs it. */
const withMediaUrl = (model: Model, mediaUrl: string): Model =>
  Object.freeze({
    ...model,
    fields: Object.freeze(
      model.fields.map((field) => (isFileField(field) ? Object.freeze({ ...field, mediaUrl }) : field)),
    ),
  })

/** The URLs of files. */
const mediaOf = (
  { auth = false, storage }: ModelRestOptions<unknown>,
  { MEDIA_URL_EXP }: ResolvedSettings,
  {
    url,
    models,
    signingKey,
  }: { readonly url: string; readonly models: readonly Model[]; readonly signingKey: SigningKey },
): Media => {
  const isSigned =
    auth !== false &&
    storage?.signedUrl === undefined &&
    models.some((model) => fileFieldsOf(model).length > 0)
  return {
    url,
    secret: isSigned ? signingKey('files') : undefined,
    seconds: MEDIA_URL_EXP,
  }
}
